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

const MOST_OPERATIONS = 200_000;
/** Of paths and data, in characters. */
const MOST_SIZE = 64 * 1024 * 1024;

/**
 * The writes since the start, the oldest first. When there are more than 200,000, or when their paths and data have more
 * than 64 Mi characters in all, the oldest are forgotten until half of that is left.
 */
export class OperationLog {
  #operations: RecordedOperation[] = [];
  #size = 0;

  get all(): readonly RecordedOperation[] {
    return this.#operations;
  }

  add(operation: RecordedOperation): void {
    this.#operations.push(operation);
    this.#size += sizeOf(operation);
    if (this.#operations.length > MOST_OPERATIONS || this.#size > MOST_SIZE) this.#forget();
  }

  #forget(): void {
    const { length } = this.#operations;
    let size = 0;
    let first = length;
    for (const operation of [...this.#operations].reverse()) {
      size += sizeOf(operation);
      const isTooMuch = length - first >= MOST_OPERATIONS / 2 || size > MOST_SIZE / 2;
      // The newest is kept in any case.
      if (isTooMuch && first < length) break;
      this.#size = size;
      first -= 1;
    }
    this.#operations = this.#operations.slice(first);
  }
}

function sizeOf({ path, data, parts }: RecordedOperation): number {
  return [{ path, data }, ...parts].reduce((sum, one) => sum + one.path.length + (one.data?.length ?? 0), 0);
}
