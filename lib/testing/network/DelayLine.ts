// Not the global ones: a test that fakes those must not stop the servers.
import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';

interface WaitingAction {
  readonly action: () => void;
  readonly bytes: number;
  readonly dueMs: number;
}

/** Lets actions happen later, and always in the order in which they came. */
export class DelayLine {
  /** What is waiting, the oldest first. */
  #waiting: WaitingAction[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #isHeld = false;
  /** What an action brings about must not let the next one happen within it. */
  #isRunning = false;

  /** Of all that is waiting. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Something waits, or would have to. */
  get isBlocked(): boolean {
    return this.#isHeld || this.#waiting.length > 0;
  }

  /**
   * At once if nothing waits in front and there is no delay.
   *
   * @param bytes - what the action keeps in memory
   */
  push(delayMs: number, bytes: number, action: () => void): void {
    const behindMs = this.#waiting.at(-1)?.dueMs ?? 0;
    const dueMs = Math.max(behindMs, performance.now() + delayMs);
    this.#waiting.push({ action, bytes, dueMs });
    this.#waitingBytes += bytes;
    this.#run();
  }

  /** While held nothing happens, and nothing is lost. What is due happens at once when it is held no more. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#run();
  }

  clear(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#run();
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.#isHeld) {
        const [first] = this.#waiting;
        if (first === undefined || first.dueMs > performance.now()) break;
        this.#waiting.shift();
        this.#waitingBytes -= first.bytes;
        first.action();
      }
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const [first] = this.#waiting;
    if (first === undefined || this.#isHeld) return;
    this.#timer = setTimeout(() => this.#run(), Math.max(0, first.dueMs - performance.now()));
  }
}
