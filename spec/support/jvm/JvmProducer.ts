import path from 'node:path';

import type { ServerAddress } from '../cluster/clusterFiles';
import { JvmCommands } from '../cluster/JvmCommands';
import { compileJava, kafkaJars } from '../cluster/kafkaJars';
import { Producer } from '../produce/Producer';

export type Codec = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

export interface JvmProducerOptions {
  /** The folder in cluster/jars whose producer it is; a cluster has the same field. */
  readonly kafka: string;
  readonly brokers: readonly ServerAddress[];
  /** Default none; lz4 is known from 0.8.2 on, zstd from 2.1 on. */
  readonly codec?: Codec;
  /** Makes begin, commit and abort possible; from 0.11 on. */
  readonly transactionalId?: string;
  /** Settings of the producer, such as "batch.size". */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface JvmHeader {
  readonly key: string;
  readonly value: Buffer | string | null;
}

export interface JvmOutgoing {
  readonly key?: Buffer | string | null;
  readonly value?: Buffer | string | null;
  /** Milliseconds, from 0.10 on; the producer's clock if missing. */
  readonly timestamp?: number;
  /** From 0.11 on. */
  readonly headers?: readonly JvmHeader[];
}

export interface JvmSent {
  readonly offset: number;
  /** As the broker stored it; null before 0.10. */
  readonly timestamp: number | null;
}

export interface Filling {
  readonly topic: string;
  /** The messages go round partitions 0 to partitions - 1. */
  readonly partitions: number;
  readonly count: number;
  /** Exact size of each value, which is text like JSON. */
  readonly valueBytes: number;
  /** Number of different keys; without it keys are null. */
  readonly keys?: number;
}

const START_LIMIT_MS = 60_000;
const SEND_LIMIT_MS = 60_000;
const FILL_LIMIT_MS = 600_000;

/** The release that the new producer is compiled against, the first that has it. */
const FIRST_NEW = '0.8.2.2';

/**
 * What one send() holds becomes one batch unless that exceeds "batch.size": the producer lingers until it is told to
 * flush. 0.8.2 cannot be told, so it lingers just as long as the messages of one send need.
 */
const NEW_DEFAULTS = {
  acks: 'all',
  retries: '0',
  'batch.size': '524288',
  'linger.ms': '60000',
  'delivery.timeout.ms': '120000',
  'key.serializer': 'org.apache.kafka.common.serialization.ByteArraySerializer',
  'value.serializer': 'org.apache.kafka.common.serialization.ByteArraySerializer',
};

const OLD_DEFAULTS = {
  'request.required.acks': '-1',
  'message.send.max.retries': '0',
  'serializer.class': 'kafka.serializer.DefaultEncoder',
  'key.serializer.class': 'kafka.serializer.DefaultEncoder',
};

/** A release's own Java producer, in a JVM that ends with this process. One thing at a time, in the order of the calls. */
export class JvmProducer implements AsyncDisposable {
  readonly #jvm: JvmCommands;
  readonly #options: JvmProducerOptions;

  private constructor(options: JvmProducerOptions, classpath: readonly string[]) {
    this.#options = options;
    const properties = Object.entries(isOld(options) ? oldProperties(options) : newProperties(options));
    this.#jvm = new JvmCommands('The JVM producer', {
      classpath,
      mainClass: 'JvmProducer',
      args: [
        isOld(options) ? 'OldSender' : 'NewSender',
        ...properties.map(([name, value]) => `${name}=${value}`),
      ],
      flags: ['-Xmx192m'],
    });
  }

  static async start(options: JvmProducerOptions): Promise<JvmProducer> {
    const producer = new JvmProducer(options, await classpathFor(options));
    try {
      await producer.#jvm.started(START_LIMIT_MS);
      return producer;
    } catch (error) {
      await producer.close();
      throw error;
    }
  }

  /** One send by a producer made for it. */
  static async send(
    options: JvmProducerOptions & { readonly topic: string; readonly partition?: number },
    messages: readonly JvmOutgoing[],
  ): Promise<JvmSent[]> {
    await using producer = await JvmProducer.start(options);
    return await producer.send(options.topic, options.partition ?? 0, messages);
  }

  /** Fills a topic by a producer made for it, in batches of the usual size. */
  static async fill(options: JvmProducerOptions & Filling): Promise<void> {
    const properties = { 'batch.size': '16384', ...options.properties };
    await using producer = await JvmProducer.start({ ...options, properties });
    await producer.fill(options);
  }

  /** Resolves with what the brokers said of each message when all in-sync replicas have them. */
  async send(topic: string, partition: number, messages: readonly JvmOutgoing[]): Promise<JvmSent[]> {
    const command = [`send ${topic} ${partition} ${messages.length}`, ...messages.map(lineOf)].join('\n');
    if (isOld(this.#options)) return this.#sendByOld(topic, partition, messages.length, command);
    const items = await this.#jvm.command(command, SEND_LIMIT_MS);
    return items.map((item) => {
      const [offset = NaN, timestamp = NaN] = item.split(' ').map(Number);
      return { offset, timestamp: timestamp === -1 ? null : timestamp };
    });
  }

  /** Makes the messages in the JVM, for loads of a million. */
  async fill({ topic, partitions, count, valueBytes, keys = 0 }: Filling): Promise<void> {
    await this.#jvm.command(`fill ${topic} ${partitions} ${count} ${valueBytes} ${keys}`, FILL_LIMIT_MS);
  }

  /** Begins a transaction, to which everything belongs that is sent before its end. */
  async begin(): Promise<void> {
    await this.#jvm.command('begin', SEND_LIMIT_MS);
  }

  async commit(): Promise<void> {
    await this.#jvm.command('commit', SEND_LIMIT_MS);
  }

  async abort(): Promise<void> {
    await this.#jvm.command('abort', SEND_LIMIT_MS);
  }

  async close(): Promise<void> {
    await this.#jvm.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The old producer keeps the offsets that it is told to itself: asked for before and after. */
  async #sendByOld(topic: string, partition: number, count: number, command: string): Promise<JvmSent[]> {
    await using asking = new Producer({ brokers: this.#options.brokers });
    const first = await asking.offset(topic, partition);
    await this.#jvm.command(command, SEND_LIMIT_MS);
    const next = await asking.offset(topic, partition);
    if (next !== first + count)
      throw new Error(`${count} messages made ${topic}/${partition} end at ${next}, not ${first + count}`);
    return Array.from({ length: count }, (_, index) => ({ offset: first + index, timestamp: null }));
  }
}

/** Kafka 0.8.1 brings no other producer. */
function isOld({ kafka }: JvmProducerOptions): boolean {
  return kafka.startsWith('0.8.1.');
}

async function classpathFor(options: JvmProducerOptions): Promise<string[]> {
  const jars = await kafkaJars(options.kafka);
  const sender = isOld(options) ? 'OldSender' : 'NewSender';
  const names = ['../cluster/java/Answers', 'JvmProducer', 'Sender', 'Filling', sender];
  const sources = names.map((name) => path.join(__dirname, `${name}.java`));
  const against = isOld(options) ? jars : await kafkaJars(FIRST_NEW);
  return [await compileJava(`producer-${sender}`, sources, against), ...jars];
}

function newProperties({ kafka, brokers, codec = 'none', transactionalId, properties }: JvmProducerOptions) {
  return {
    ...NEW_DEFAULTS,
    ...(kafka.startsWith('0.8.2.') ? { 'linger.ms': '300' } : {}),
    'bootstrap.servers': addresses(brokers),
    'compression.type': codec,
    ...(transactionalId === undefined ? {} : { 'transactional.id': transactionalId, retries: '5' }),
    ...properties,
  };
}

function oldProperties({ brokers, codec = 'none', properties }: JvmProducerOptions) {
  return {
    ...OLD_DEFAULTS,
    'metadata.broker.list': addresses(brokers),
    'compression.codec': codec,
    ...properties,
  };
}

function addresses(brokers: readonly ServerAddress[]): string {
  return brokers.map(({ host, port }) => `${host}:${port}`).join(',');
}

function lineOf({ key, value, timestamp, headers = [] }: JvmOutgoing): string {
  const parts = headers.flatMap((header) => [base64(header.key), base64(header.value)]);
  return [timestamp === undefined ? '-' : String(timestamp), base64(key), base64(value), ...parts].join('\t');
}

function base64(bytes: Buffer | string | null | undefined): string {
  return bytes === null || bytes === undefined ? '-' : Buffer.from(bytes).toString('base64');
}
