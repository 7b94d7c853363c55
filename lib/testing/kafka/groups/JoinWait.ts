import { Deadline } from './Deadline';

/** How long a group waits for its members to join. */
export class JoinWait {
  readonly #deadline = new Deadline();
  #isInitial = false;
  #hasNewMember = false;

  /** The group is new: it waits for its time, even if all known members have joined. */
  get isInitial(): boolean {
    return this.#isInitial;
  }

  start(timeoutMs: number, over: () => void): void {
    this.#isInitial = false;
    this.#deadline.start(timeoutMs, over);
  }

  /** Waits `delayMs`, and again as long as members come meanwhile and `timeoutMs` has not passed. */
  startInitial(delayMs: number, timeoutMs: number, over: () => void): void {
    this.#isInitial = true;
    this.#delay(delayMs, delayMs, Math.max(timeoutMs - delayMs, 0), over);
  }

  memberCame(): void {
    this.#hasNewMember = true;
  }

  stop(): void {
    this.#isInitial = false;
    this.#deadline.stop();
  }

  #delay(configuredMs: number, delayMs: number, remainingMs: number, over: () => void): void {
    this.#deadline.start(delayMs, () => {
      if (!this.#hasNewMember || remainingMs === 0) {
        over();
        return;
      }
      this.#hasNewMember = false;
      const nextMs = Math.min(configuredMs, remainingMs);
      this.#delay(configuredMs, nextMs, Math.max(remainingMs - delayMs, 0), over);
    });
  }
}
