import { setTimeout as delay } from 'node:timers/promises';

import type { BrokerAddress } from '../../spec/support/produce/BrokerConnection';
import { Producer } from '../../spec/support/produce/Producer';

const INTERVAL_MS = 20;
const MESSAGES_AT_ONCE = 8;

/** Writes 0, 1, 2, ... to all partitions in turn, until it is stopped. */
export class NumberProducer {
  /** How many messages the brokers have confirmed. */
  produced = 0;
  readonly #producer: Producer;
  #isStopped = false;
  readonly #work: Promise<void>;

  constructor(brokers: readonly BrokerAddress[], topic: string, partitions: number) {
    this.#producer = new Producer({ brokers });
    this.#work = this.#produce(topic, partitions);
    this.#work.catch(() => undefined); // told by stop()
  }

  /** Resolves when the last message is confirmed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
  }

  /** The offset behind the last message of a partition. */
  end(topic: string, partition: number): Promise<number> {
    return this.#producer.offset(topic, partition);
  }

  close(): void {
    this.#isStopped = true;
    this.#producer.close();
  }

  async #produce(topic: string, partitions: number): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const values = Array.from({ length: MESSAGES_AT_ONCE }, (_, index) => String(this.produced + index));
      await this.#producer.send(
        topic,
        turn % partitions,
        values.map((value) => ({ value })),
      );
      this.produced += values.length;
      await delay(INTERVAL_MS);
    }
  }
}
