import { setTimeout as delay } from 'node:timers/promises';

import type { EmbeddedCluster } from '../../lib/testing';

const INTERVAL_MS = 20;
const MESSAGES_AT_ONCE = 8;

/** Writes 0, 1, 2, ... to all partitions in turn, until it is stopped. */
export class NumberProducer {
  /** How many messages have been written. */
  produced = 0;
  #isStopped = false;
  readonly #work: Promise<void>;

  constructor(cluster: EmbeddedCluster, topic: string, partitions: number) {
    this.#work = this.#produce(cluster, topic, partitions);
    this.#work.catch(() => undefined); // told by stop()
  }

  /** Resolves when the last message is written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  async #produce(cluster: EmbeddedCluster, topic: string, partitions: number): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const partition = turn % partitions;
      const messages = Array.from({ length: MESSAGES_AT_ONCE }, (_, index) => ({
        ...{ partition, value: String(this.produced + index) },
      }));
      cluster.produce(topic, messages);
      this.produced += messages.length;
      await delay(INTERVAL_MS);
    }
  }
}
