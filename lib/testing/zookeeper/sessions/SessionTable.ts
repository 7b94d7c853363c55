// Not the global ones: a test that fakes those must not stop the servers.
import { performance } from 'node:perf_hooks';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';

import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { Session } from './Session';

export interface SessionTableOptions {
  readonly release: ZookeeperRelease;
  /** Sessions expire at whole ticks. */
  readonly tickTimeMs: number;
  /** Has to end the session. */
  readonly expire: (session: Session) => void;
}

/** The open sessions and their time-outs. Nobody expires while it is paused. */
export class SessionTable {
  readonly #options: SessionTableOptions;
  readonly #sessions = new Map<bigint, Session>();
  #isPaused = true;
  /** Runs at the earliest deadline that was known when it was set. */
  #timer: NodeJS.Timeout | null = null;
  #timerDueMs = Infinity;
  /** Between the timer and the look at the deadlines. */
  #check: NodeJS.Immediate | null = null;

  constructor(options: SessionTableOptions) {
    this.#options = options;
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  get(id: bigint): Session | undefined {
    return this.#sessions.get(id);
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
    this.touch(session);
  }

  remove(session: Session): void {
    this.#sessions.delete(session.id);
  }

  /** Something has been heard of it: its time begins anew. */
  touch(session: Session): void {
    const tick = this.#options.tickTimeMs;
    const deadlineMs = (Math.floor((performance.now() + session.timeoutMs) / tick) + 1) * tick;
    // A time-out that was negotiated shorter does not shorten the present time in the older release.
    const isEarlier = deadlineMs < session.deadlineMs && session.deadlineMs !== Infinity;
    if (isEarlier && this.#options.release === '3.4') return;
    session.deadlineMs = deadlineMs;
    if (deadlineMs < this.#timerDueMs) this.#arm();
  }

  pause(): void {
    this.#isPaused = true;
    this.#disarm();
  }

  /** All sessions get their whole time anew, as from a new leader. */
  resume(): void {
    this.#isPaused = false;
    for (const session of this.#sessions.values()) this.touch(session);
  }

  #arm(): void {
    this.#disarm();
    if (this.#isPaused) return;
    let earliestMs = Infinity;
    for (const { deadlineMs } of this.#sessions.values()) earliestMs = Math.min(earliestMs, deadlineMs);
    if (earliestMs === Infinity) return;
    this.#timerDueMs = earliestMs;
    this.#timer = setTimeout(
      () => {
        // What has arrived while this process was busy is read before anybody is declared dead.
        this.#check = setImmediate(() => this.#expireDue());
      },
      Math.max(0, Math.ceil(earliestMs - performance.now())),
    );
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#check !== null) clearImmediate(this.#check);
    this.#timer = null;
    this.#check = null;
    this.#timerDueMs = Infinity;
  }

  #expireDue(): void {
    const nowMs = performance.now();
    for (const session of this.all) {
      if (session.deadlineMs <= nowMs) this.#options.expire(session);
    }
    this.#arm();
  }
}
