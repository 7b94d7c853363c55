/** Lets one loop sleep until there is work. A wake-up that comes while the loop is busy is remembered. */
export class Wakeup {
  /** A wake-up has come that no wait has used yet. */
  #pending = false;
  /** Ends the sleep of the loop; null while it is awake. */
  #resolve: (() => void) | null = null;

  /** Usable as a callback. */
  readonly wake = (): void => {
    this.#pending = true;
    this.#resolve?.();
  };

  /** Resolves at the next wake-up (or the one remembered), after `timeoutMs`, or when the signal is aborted. */
  async wait(signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (!this.#pending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(this.wake, timeoutMs);
        this.#resolve = () => {
          this.#resolve = null;
          clearTimeout(timer);
          signal.removeEventListener('abort', this.wake);
          resolve();
        };
        signal.addEventListener('abort', this.wake);
      });
    }
    this.#pending = false;
  }
}
