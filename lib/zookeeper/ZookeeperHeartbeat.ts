import type { Logger } from '../logger';
import { failureCode, type FailureCode } from './sessionTypes';
import type { ZookeeperClient } from './ZookeeperClient';

/** Failures that only the ensemble's leader decides, so that they prove as much as success. */
const LEADER_ANSWERS: ReadonlySet<FailureCode | undefined> = new Set(['NO_NODE', 'NO_AUTH', 'BAD_VERSION']);

/** Never created. A write to it fails at the leader and changes nothing. */
const ABSENT_PATH = '/proof-of-life';

/** No node gets there: were the absent node created by somebody, the write would still fail. */
const IMPOSSIBLE_VERSION = 2_147_483_647;

/** A beat is due this often in one session timeout, and has as long to be answered. */
const BEATS_PER_TIMEOUT = 4;

export interface HeartbeatOptions {
  readonly client: ZookeeperClient;
  readonly logger: Logger;
  /** The session's timeout on the leader runs from this moment or a later one. */
  readonly proved: (fromMs: number) => void;
}

/**
 * Asks the leader, while there is a connection, whether the session lives. A connection on which a beat stays unanswered is cut,
 * since a socket may look open for ever.
 *
 * An answered beat proves the session from an earlier beat, a quarter of the timeout before, not from itself. Behind a follower a request does not reach the
 * leader's session clock: the follower reports activity twice a tick, so a follower that is cut off right after a beat has
 * not reported that one. But it has reported the earlier one, since it sends reports and requests in order, and a quarter of the
 * timeout is not less than half a tick (servers grant no timeout under two ticks).
 *
 * When the event loop is held up, timers are as late as answers. A beat whose timer would be late is sent at once, so that
 * handlers may block for a sixth of the timeout each without costing the session.
 *
 * The question is a transaction that only checks a node. ZooKeeper before 3.4 drops transactions without an answer; until the first
 * answer a failed beat therefore changes to a write that must fail, and back. (That has a price: the leader logs each one.)
 */
export class ZookeeperHeartbeat {
  /** Checked by each beat; whether it exists does not matter. */
  proofPath = '/';
  readonly #options: HeartbeatOptions;
  /** Until the next beat. */
  #timer: NodeJS.Timeout | undefined;
  /** Counts starts and stops, so that the answer to an earlier run's beat does not continue it. */
  #run = 0;
  /** When answered beats of this run were sent, oldest first, as far as they may still prove something. */
  #sentMs: number[] = [];
  #question: 'transaction' | 'write' = 'transaction';
  /** Set once the question has been answered: then it never changes. */
  #isQuestionKnown = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The first beat is sent at once. */
  start(): void {
    this.stop();
    this.#sentMs = [];
    this.#beat(this.#run);
  }

  stop(): void {
    this.#run += 1;
    clearTimeout(this.#timer);
  }

  #beat(run: number): void {
    const { client, logger } = this.#options;
    const sentMs = performance.now();
    const nextMs = sentMs + client.timeoutMs / BEATS_PER_TIMEOUT;
    void this.#ask(nextMs).then((isAnswered) => {
      if (isAnswered) this.#isQuestionKnown = true;
      else if (!this.#isQuestionKnown)
        this.#question = this.#question === 'transaction' ? 'write' : 'transaction';
      if (run !== this.#run) return;
      if (!isAnswered) {
        logger.warn('ZooKeeper does not answer heartbeats: changing the server', {
          sessionId: client.sessionId,
        });
        client.dropConnection();
        return;
      }
      this.#answered(sentMs);
      const nowMs = performance.now();
      const waitMs = nextMs - nowMs;
      if (waitMs <= nowMs - sentMs) this.#beat(run);
      else this.#wait(run, nextMs);
    });
  }

  /** Until the next beat is due, or a timer comes so late that the event loop must have been held up. */
  #wait(run: number, nextMs: number): void {
    const stepMs = this.#options.client.timeoutMs / BEATS_PER_TIMEOUT / 2;
    const wakeMs = Math.min(nextMs, performance.now() + stepMs);
    this.#timer = setTimeout(() => {
      const nowMs = performance.now();
      if (nowMs >= nextMs || nowMs - wakeMs > stepMs / 2) this.#beat(run);
      else this.#wait(run, nextMs);
    }, wakeMs - performance.now());
  }

  #answered(sentMs: number): void {
    const reportedMs = sentMs - this.#options.client.timeoutMs / BEATS_PER_TIMEOUT;
    const proving = this.#sentMs.findLastIndex((earlierMs) => earlierMs <= reportedMs);
    const fromMs = this.#sentMs[proving];
    if (fromMs !== undefined) this.#options.proved(fromMs);
    this.#sentMs = [...this.#sentMs.slice(Math.max(0, proving)), sentMs];
  }

  /** True if the leader answered. */
  async #ask(deadlineMs: number): Promise<boolean> {
    const { client } = this.#options;
    try {
      if (this.#question === 'transaction') await client.check(this.proofPath, deadlineMs);
      else await client.write(ABSENT_PATH, Buffer.alloc(0), IMPOSSIBLE_VERSION, deadlineMs);
      return true;
    } catch (error) {
      return LEADER_ANSWERS.has(failureCode(error));
    }
  }
}
