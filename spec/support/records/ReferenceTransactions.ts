import type { AbortedTransaction } from './fetchAnswer';

/**
 * Which transactional batches were aborted, as Kafka's own consumer sees it: those of a producer from the first offset of its
 * aborted transaction on, until its next abort marker.
 */
export class ReferenceTransactions {
  /** Those whose first offset has not been reached. */
  #ahead: readonly AbortedTransaction[];
  /** Producers in an aborted transaction. */
  readonly #producers = new Set<bigint>();
  readonly isEmpty: boolean;

  constructor(aborted: readonly AbortedTransaction[]) {
    this.#ahead = aborted;
    this.isEmpty = aborted.length === 0;
  }

  /** Whether a transactional batch with that last offset belongs to one. */
  isAborted(producerId: bigint, lastOffset: bigint): boolean {
    this.#reach(lastOffset);
    return this.#producers.has(producerId);
  }

  marker(producerId: bigint, lastOffset: bigint): void {
    this.#reach(lastOffset);
    this.#producers.delete(producerId);
  }

  #reach(lastOffset: bigint): void {
    for (const one of this.#ahead) if (one.firstOffset <= lastOffset) this.#producers.add(one.producerId);
    this.#ahead = this.#ahead.filter((one) => one.firstOffset > lastOffset);
  }
}
