/** Lets actions happen later, and always in the order in which they came. */
export class DelayLine {
  /** What is waiting, the oldest first. */
  #waiting: { readonly action: () => void; readonly dueMs: number }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isHeld = false;

  /** At once if nothing waits in front and there is no delay. */
  push(delayMs: number, action: () => void): void {
    if (delayMs <= 0 && !this.#isHeld && this.#waiting.length === 0) {
      action();
      return;
    }
    const behind = this.#waiting.at(-1)?.dueMs ?? 0;
    this.#waiting.push({ action, dueMs: Math.max(behind, performance.now() + delayMs) });
    this.#arm();
  }

  /** While held nothing happens, and nothing is lost. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#arm();
  }

  clear(): void {
    this.#waiting = [];
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [first] = this.#waiting;
    if (first === undefined || this.#isHeld) return;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, first.dueMs - performance.now()));
  }

  #run(): void {
    this.#timer = null;
    while (!this.#isHeld) {
      const [first] = this.#waiting;
      if (first === undefined || first.dueMs > performance.now()) break;
      this.#waiting.shift();
      first.action();
    }
    this.#arm();
  }
}
