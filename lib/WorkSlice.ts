import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long an answer may be worked on before the event loop gets a turn: one of many partitions takes 20 ms and more. */
const LONGEST_RUN_MS = 3;

/** Divides work on the event loop, which others want to use, too. */
export class WorkSlice {
  /** performance.now() at the beginning of the slice. */
  #sinceMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#sinceMs > LONGEST_RUN_MS;
  }

  /** Lets the event loop turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.#sinceMs = performance.now();
  }
}
