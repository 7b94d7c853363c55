import { performance } from 'node:perf_hooks';

/** How long hand-outs may run on before the event loop gets a turn. */
const LONGEST_RUN_MS = 10;

/**
 * Keeps timers and sockets alive while messages are handed out. A loop over ready messages never leaves the
 * microtask queue by itself: pings, heartbeats and the application's own timers would starve.
 * One instance is shared by all streams of a connector, since they share the event loop.
 */
export class EventLoopTurn {
  /** performance.now() of the last time the event loop was known to turn. */
  #lastMs = performance.now();

  /** Whether hand-outs have gone on for too long. */
  isDue(nowMs: number): boolean {
    return nowMs - this.#lastMs >= LONGEST_RUN_MS;
  }

  /** To be called from a macrotask. */
  taken(): void {
    this.#lastMs = performance.now();
  }

  /** Calls back after the event loop has turned. */
  give(callback: () => void): void {
    setImmediate(() => {
      this.taken();
      callback();
    });
  }
}
