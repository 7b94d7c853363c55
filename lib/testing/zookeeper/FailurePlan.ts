import { shownValue } from '../../config/shownValue';
import { ArgumentFaults } from '../argumentFaults';
import { PlannedFailures, type PlannedFailure } from '../PlannedFailures';
import { FAULT_NUMBERS, type ZookeeperCode } from './ZookeeperFault';

const OPERATIONS = [
  ...(['create', 'delete', 'exists', 'get', 'set', 'getAcl', 'setAcl', 'children', 'sync'] as const),
  ...(['check', 'multi', 'multiRead', 'setWatches', 'addWatch', 'checkWatches', 'removeWatches'] as const),
  ...(['ephemerals', 'allChildrenNumber', 'whoAmI', 'reconfig', 'ping', 'closeSession'] as const),
];

/** What clients can ask, by the names that controls use. */
export type OperationName = (typeof OPERATIONS)[number];

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

const FIELDS = ['operation', 'path', 'code', 'times'] as const;
const RIGHT = "an object such as { operation: 'create', code: 'NO_AUTH' }";

/** The failures that are still to come. */
export class FailurePlan {
  readonly #planned = new PlannedFailures<OperationFailure>();

  get isEmpty(): boolean {
    return this.#planned.isEmpty;
  }

  /** @throws TypeError for what is no failure */
  add(failure: OperationFailure): PlannedFailure {
    refuseWrong(failure);
    return this.#planned.add({ ...failure }, failure.times ?? 1);
  }

  clear(): void {
    this.#planned.clear();
  }

  /** How a request has to fail, or null. Counts as one time. */
  take(operation: OperationName, paths: readonly string[]): ZookeeperCode | null {
    return this.#planned.take((failure) => isMeant(failure, operation, paths))?.code ?? null;
  }
}

function isMeant(failure: OperationFailure, operation: OperationName, paths: readonly string[]): boolean {
  if (failure.operation === undefined ? operation === 'ping' : failure.operation !== operation) return false;
  const { path } = failure;
  if (path === undefined) return true;
  // Not test(), which goes on where it was with the flags g and y.
  return paths.some((one) => (typeof path === 'string' ? one === path : one.search(path) >= 0));
}

function refuseWrong(failure: unknown): void {
  const faults = new ArgumentFaults('failNextOperation');
  const fields = faults.fields('failure', failure, FIELDS, RIGHT);
  if (fields !== null) {
    const { operation, path, code, times } = fields;
    if (operation !== undefined) faults.oneOf('operation', operation, OPERATIONS);
    if (path !== undefined) checkPath(faults, path);
    checkCode(faults, code);
    if (times !== undefined) faults.wholeNumber('times', times, 1);
  }
  faults.refuse();
}

function checkPath(faults: ArgumentFaults, path: unknown): void {
  faults.textOrPattern('path', path);
  if (typeof path !== 'string') return;
  faults.check(path.startsWith('/'), 'path', 'a whole path, such as "/consumers"', path);
}

function checkCode(faults: ArgumentFaults, code: unknown): void {
  const [named] = Object.entries(FAULT_NUMBERS).find(([, number]) => number === code) ?? [];
  if (named === undefined) faults.oneOf('code', code, Object.keys(FAULT_NUMBERS));
  else faults.add(`code must be the error's name, "${named}", not ${shownValue(code)}`);
}
