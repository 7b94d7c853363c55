import { setTimeout as delay } from 'node:timers/promises';

import type { RealCluster } from '../support/cluster/RealCluster';
import type { ServerAddress } from '../support/cluster/clusterFiles';
import { JvmProducer } from '../support/jvm/JvmProducer';
import { isSince, type Codec } from './releases';

/** So many in each of the sends with which a topic is filled, and in those of the load. */
const FILL_MESSAGES = 500;
const LOAD_MESSAGES = 10;
const PAUSE_MS = 20;
const RETRY_PAUSE_MS = 50;
/** Long enough for a broker to be stopped and started again. */
const LIMIT_MS = 40_000;
/**
 * Brokers of 0.8 and 0.9 may answer only at the end of this time when a follower has gone; the default is 10 to 30 s. One name is
 * that of the old producer, the other that of the new one.
 */
const ACK_TIMEOUT = { 'request.timeout.ms': '2500', 'timeout.ms': '2500' };
/** The first producer of its kind cannot be told to send at once. */
const LINGER = { 'linger.ms': '20' };

/**
 * A topic whose messages are compressed by one codec, written by the release's own producer. A send that fails is
 * repeated until the brokers have taken it, so the log may have some values twice.
 */
export class CodecLoad implements AsyncDisposable {
  readonly codec: Codec;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** What has ended the load before its time. */
  readonly errors: string[] = [];
  readonly #producer: JvmProducer;
  /** By partition: what the brokers have taken, in order. */
  readonly #values: readonly string[][];
  readonly #stopping = new AbortController();
  /** Nothing more can be sent. */
  #isClosed = false;
  /** The load, once it runs. */
  #running: Promise<void> = Promise.resolve();

  private constructor(codec: Codec, partitions: number, producer: JvmProducer) {
    this.codec = codec;
    this.topic = topicOf(codec);
    this.partitions = Array.from({ length: partitions }, (_, partition) => partition);
    this.#producer = producer;
    this.#values = this.partitions.map(() => []);
  }

  /** With a topic of its own, on all brokers of the cluster, which the producer finds at these addresses. */
  static async create(
    cluster: RealCluster,
    brokers: readonly ServerAddress[],
    codec: Codec,
    partitions: number,
  ): Promise<CodecLoad> {
    const { kafka } = cluster;
    await cluster.createTopic(topicOf(codec), { partitions, replicas: cluster.brokers.length });
    const properties = {
      ...(isSince(kafka, '0.10') ? {} : ACK_TIMEOUT),
      ...(kafka.startsWith('0.8.2.') ? LINGER : {}),
    };
    const producer = await JvmProducer.start({ kafka, brokers, codec, properties });
    return new CodecLoad(codec, partitions, producer);
  }

  valuesOf(partition: number): readonly string[] {
    return this.#values[partition] ?? [];
  }

  /** One large compressed set for each partition. */
  async fill(): Promise<void> {
    for (const partition of this.partitions) await this.#send(partition, FILL_MESSAGES);
  }

  /** From now on a few messages for one partition after the other, until `stop`. */
  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      this.errors.push(`${this.topic} cannot be written any more: ${String(error).split('\n')[0] ?? ''}`);
    });
  }

  /** Ends the load. All leaders must be there. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#isClosed = true;
    await this.#producer.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#stopping.signal.aborted; round += 1) {
      await this.#send(round % this.partitions.length, LOAD_MESSAGES);
      await delay(PAUSE_MS);
    }
  }

  async #send(partition: number, count: number): Promise<void> {
    const taken = this.#values[partition] ?? [];
    const values = Array.from(
      { length: count },
      (_, index) => `${this.topic}/${partition}#${taken.length + index} ${'one more word '.repeat(4)}`,
    );
    const messages = values.map((value) => ({ value }));
    const end = performance.now() + LIMIT_MS;
    for (;;) {
      try {
        await this.#producer.send(this.topic, partition, messages);
        taken.push(...values);
        return;
      } catch (error) {
        if (this.#isClosed || performance.now() > end) throw error;
        await delay(RETRY_PAUSE_MS);
      }
    }
  }
}

function topicOf(codec: Codec): string {
  return `codec-${codec}`;
}
