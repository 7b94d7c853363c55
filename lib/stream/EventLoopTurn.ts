import { performance } from 'node:perf_hooks';

/**
 * How long hand-outs may run on before the event loop gets a turn. Two runs may come between two turns of the timers: one
 * when an answer wakes a stream, one right behind it.
 */
const LONGEST_RUN_MS = 5;

/**
 * Keeps timers and sockets alive while messages are handed out. A loop over ready messages never leaves the
 * microtask queue by itself: pings, heartbeats and the application's own timers would starve.
 * One instance is shared by all streams of a connector, since they share the event loop.
 */
export class EventLoopTurn {
  /** performance.now() of the last turn. */
  #lastMs = performance.now();
  /** Who waits for the next turn. */
  #waiting: (() => void)[] = [];

  /** Whether hand-outs have gone on for too long. */
  isDue(nowMs: number): boolean {
    return nowMs - this.#lastMs >= LONGEST_RUN_MS;
  }

  /**
   * Calls back after the event loop has turned. All who wait go on together: one after the other, each would run for
   * its 5 ms before timers get their turn.
   */
  give(callback: () => void): void {
    if (this.#waiting.push(callback) > 1) return;
    setImmediate(() => {
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#lastMs = performance.now();
      for (const goOn of waiting) goOn();
    });
  }
}
