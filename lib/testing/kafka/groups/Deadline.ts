/** One timer that can be put off. */
export class Deadline {
  #timer: NodeJS.Timeout | undefined;

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls `passed` after so many milliseconds, in place of what was to be called before. */
  start(ms: number, passed: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      passed();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
