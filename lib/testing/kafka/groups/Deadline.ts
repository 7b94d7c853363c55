import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** One timer that can be put off. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;
  /** Between the timer and the call. */
  #check: NodeJS.Immediate | undefined;

  /** Calls `passed` after so many milliseconds, in place of what was to be called before. */
  start(ms: number, passed: () => void): void {
    this.stop();
    this.#timer = setTimeout(() => {
      // What has arrived while this process was busy is read first: it may put the deadline off.
      this.#check = setImmediate(passed);
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
  }
}
