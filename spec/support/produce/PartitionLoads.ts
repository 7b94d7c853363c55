import { setTimeout as delay } from 'node:timers/promises';

import type { TestCluster } from '../cluster/TestCluster';
import { Producer } from './Producer';
import type { ProducedAt } from './SteadyLoad';

const MESSAGES_PER_SEND = 3;
/** Long enough for a broker to be stopped and started again. */
const LIMIT_MS = 60_000;

export interface PartitionLoadsOptions {
  /** Between two sends to one partition. */
  readonly pauseMs?: number;
  /** Added to each value. */
  readonly paddingBytes?: number;
}

/**
 * Produces different values to each partition in a loop of its own, until it is stopped: a broker that is away holds
 * up its own partitions only. A send is repeated until a broker says that it has taken it, so the log may have some
 * values twice; `produced` names one offset for each.
 */
export class PartitionLoads implements AsyncDisposable {
  /** Everything that the brokers have taken. */
  readonly produced: ProducedAt[] = [];
  readonly #topic: string;
  readonly #producer: Producer;
  readonly #pauseMs: number;
  readonly #padding: string;
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(
    cluster: TestCluster,
    topic: string,
    partitions: readonly number[],
    options: PartitionLoadsOptions = {},
  ) {
    const { pauseMs = 20, paddingBytes = 0 } = options;
    this.#topic = topic;
    this.#producer = new Producer({ brokers: cluster.brokers, timeoutMs: LIMIT_MS });
    this.#pauseMs = pauseMs;
    this.#padding = '.'.repeat(paddingBytes);
    this.add(partitions);
  }

  /** These partitions, too, from now on. They may be so new that they have no leader. */
  add(partitions: readonly number[]): void {
    for (const partition of partitions) {
      const loop = this.#run(partition);
      loop.catch(() => undefined); // stop() tells
      this.#loops.push(loop);
    }
  }

  /** How much the brokers have taken of these partitions. */
  countOf(partitions: readonly number[]): number {
    return this.produced.filter(({ partition }) => partitions.includes(partition)).length;
  }

  /** Ends it and resolves with everything that was produced. All leaders must be there. */
  async stop(): Promise<readonly ProducedAt[]> {
    this.#stopping.abort();
    try {
      await Promise.all(this.#loops);
    } finally {
      this.#producer.close();
    }
    return this.produced;
  }

  /** Without a wait: the spec is over, and perhaps for a reason. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#producer.close();
    return Promise.resolve();
  }

  async #run(partition: number): Promise<void> {
    const topic = this.#topic;
    for (let count = 0; !this.#stopping.signal.aborted; count += 1) {
      const values = Array.from(
        { length: MESSAGES_PER_SEND },
        (_, index) => `${topic}/${partition}#${count}.${index}${this.#padding}`,
      );
      const base = await this.#producer.send(
        topic,
        partition,
        values.map((value) => ({ value })),
      );
      for (const [index, value] of values.entries()) {
        this.produced.push({ topic, partition, offset: base + index, value });
      }
      await delay(this.#pauseMs);
    }
  }
}
