import type { ZookeeperCode } from './ZookeeperFault';

/** What a session wanted to do. */
export type WriteType = 'create' | 'set' | 'delete' | 'setAcl' | 'check' | 'multi';

/** One of the operations of a transaction. */
export interface RecordedPart {
  readonly type: WriteType;
  /** Full path; of a sequential node with its number if it was created. */
  readonly path: string;
  /** What was to be written; null for nothing. */
  readonly data: string | null;
  readonly result: 'ok' | ZookeeperCode;
}

/** A write that a session has asked for. */
export interface RecordedOperation extends RecordedPart {
  /** `performance.now()`. */
  readonly atMs: number;
  /** Such as "0x15c0ffee". */
  readonly sessionId: string;
  /** The transaction that it was; refused ones count, too. */
  readonly zxid: bigint;
  /** Of a multi, whose own path is that of its first part; else empty. */
  readonly parts: readonly RecordedPart[];
}

/** So many operations are kept at least; older ones may be forgotten. */
const KEPT_OPERATIONS = 100_000;

/** The writes since the start, the oldest first. */
export class OperationLog {
  #operations: RecordedOperation[] = [];

  get all(): readonly RecordedOperation[] {
    return this.#operations;
  }

  add(operation: RecordedOperation): void {
    this.#operations.push(operation);
    if (this.#operations.length >= 2 * KEPT_OPERATIONS) {
      this.#operations = this.#operations.slice(KEPT_OPERATIONS);
    }
  }
}
