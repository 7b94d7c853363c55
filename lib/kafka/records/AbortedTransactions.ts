/** A transaction that was aborted: as a fetch answer tells it, for `isolation.level` read_committed. */
export interface AbortedTransaction {
  readonly producerId: number;
  /** Offset of the transaction's first record. */
  readonly firstOffset: number;
}

/** Which batches of a fetched set belong to aborted transactions. To be asked about each batch, in their order. */
export class AbortedTransactions {
  /** Those whose beginning has not been reached, the first one at the end. */
  readonly #ahead: AbortedTransaction[];
  /** Producers whose aborted transaction has begun, and whose marker has not come. */
  readonly #open = new Set<number>();

  constructor(aborted: readonly AbortedTransaction[]) {
    this.#ahead = [...aborted].sort((a, b) => b.firstOffset - a.firstOffset);
  }

  /** Whether a transactional batch of that producer, with that last offset, was aborted. */
  covers(producerId: number, lastOffset: number): boolean {
    this.#reach(lastOffset);
    return this.#open.has(producerId);
  }

  /** The marker at that offset ends the producer's aborted transaction. */
  abortMarker(producerId: number, offset: number): void {
    this.#reach(offset);
    this.#open.delete(producerId);
  }

  #reach(offset: number): void {
    for (let next = this.#ahead.at(-1); next && next.firstOffset <= offset; next = this.#ahead.at(-1)) {
      this.#open.add(next.producerId);
      this.#ahead.pop();
    }
  }
}
