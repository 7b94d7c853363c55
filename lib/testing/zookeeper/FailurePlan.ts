import type { ZookeeperCode } from './ZookeeperFault';

/** What clients can ask, by the names that controls use. */
export type OperationName =
  | 'create'
  | 'delete'
  | 'exists'
  | 'get'
  | 'set'
  | 'getAcl'
  | 'setAcl'
  | 'children'
  | 'sync'
  | 'check'
  | 'multi'
  | 'multiRead'
  | 'setWatches'
  | 'addWatch'
  | 'checkWatches'
  | 'removeWatches'
  | 'ephemerals'
  | 'allChildrenNumber'
  | 'whoAmI'
  | 'reconfig'
  | 'ping'
  | 'closeSession';

/** Which requests of clients fail, and how. */
export interface OperationFailure {
  /** Default: any but a ping. */
  readonly operation?: OperationName;
  /** Full path, with the chroot; of a multi any of its paths. Default: any, also none. */
  readonly path?: string | RegExp;
  /**
   * What is answered instead of what was asked. With CONNECTION_LOSS and SESSION_MOVED nothing is answered, and the
   * connection ends. Nothing is changed in the tree in any case.
   */
  readonly code: ZookeeperCode;
  /** Default 1. */
  readonly times?: number;
}

/** The failures that are still to come. */
export class FailurePlan {
  #planned: { readonly failure: OperationFailure; timesLeft: number }[] = [];

  get isEmpty(): boolean {
    return this.#planned.length === 0;
  }

  add(failure: OperationFailure): void {
    this.#planned.push({ failure, timesLeft: failure.times ?? 1 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** How a request has to fail, or null. Counts as one time. */
  take(operation: OperationName, paths: readonly string[]): ZookeeperCode | null {
    for (const entry of this.#planned) {
      if (!isMeant(entry.failure, operation, paths)) continue;
      entry.timesLeft -= 1;
      this.#planned = this.#planned.filter(({ timesLeft }) => timesLeft > 0);
      return entry.failure.code;
    }
    return null;
  }
}

function isMeant(failure: OperationFailure, operation: OperationName, paths: readonly string[]): boolean {
  if (failure.operation === undefined ? operation === 'ping' : failure.operation !== operation) return false;
  const { path } = failure;
  if (path === undefined) return true;
  return paths.some((one) => (typeof path === 'string' ? one === path : path.test(one)));
}
