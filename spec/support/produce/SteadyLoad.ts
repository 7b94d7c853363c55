import { setTimeout as delay } from 'node:timers/promises';

import type { TopicPartition } from '../../../lib';
import type { TestCluster } from '../cluster/TestCluster';
import { Producer } from './Producer';

export interface ProducedAt extends TopicPartition {
  readonly offset: number;
  readonly value: string;
}

const MESSAGES_PER_SEND = 3;
const PAUSE_MS = 15;

/**
 * Produces different values to all partitions of a topic, one after the other, until it is stopped. No broker may be
 * stopped meanwhile: a send that is repeated would be in the log twice.
 */
export class SteadyLoad implements AsyncDisposable {
  /** Everything that the brokers have taken. */
  readonly produced: ProducedAt[] = [];
  readonly #producer: Producer;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(cluster: Pick<TestCluster, 'brokers'>, topic: string, partitions: number) {
    this.#producer = new Producer({ brokers: cluster.brokers });
    this.#running = this.#run(topic, partitions);
    this.#running.catch(() => undefined); // stop() tells
  }

  /** Ends it and resolves with everything that was produced. */
  async stop(): Promise<readonly ProducedAt[]> {
    this.#stopping.abort();
    try {
      await this.#running;
    } finally {
      this.#producer.close();
    }
    return this.produced;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #run(topic: string, partitions: number): Promise<void> {
    for (let count = 0; !this.#stopping.signal.aborted; count += 1) {
      const partition = count % partitions;
      const values = Array.from(
        { length: MESSAGES_PER_SEND },
        (_, index) => `${topic}/${partition}#${count}.${index}`,
      );
      const messages = values.map((value) => ({ value }));
      const base = await this.#producer.send(topic, partition, messages);
      for (const [index, value] of values.entries()) {
        this.produced.push({ topic, partition, offset: base + index, value });
      }
      await delay(PAUSE_MS);
    }
  }
}
