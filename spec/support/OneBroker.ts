import type { Codecs, ConnectorConfig, Message } from '../../lib';
import { RealCluster } from './cluster/RealCluster';
import type { BrokerProperties, TopicOptions } from './cluster/TestCluster';
import type { ZookeeperAdmin } from './cluster/ZookeeperAdmin';
import { JvmProducer, type JvmProducerOptions } from './jvm/JvmProducer';
import { LocalMember } from './LocalMember';
import { Producer } from './produce/Producer';
import { readOn, type ReadOn } from './readOn';
import { waitFor } from './waitFor';

const LIMIT_MS = 30_000;

export interface ReaderOptions {
  /** Default: one for each topic. */
  readonly group?: string;
  readonly properties?: Partial<ConnectorConfig>;
  readonly codecs?: Partial<Codecs>;
}

/** A member alone in its group, whose stream is read in spite of everything. */
export interface Reader extends AsyncDisposable {
  readonly member: LocalMember;
  readonly read: ReadOn;
  /** Resolves when so many messages have come, and fails if there are more. */
  untilRead(count: number): Promise<readonly Message[]>;
  untilErrors(count: number): Promise<ReadOn['errors']>;
  /** Resolves when the position is behind everything that the broker has shown. */
  untilAtEnd(): Promise<number>;
}

/** One broker of a release, with that release's own producers, for specs of what becomes of messages. */
export class OneBroker implements AsyncDisposable {
  readonly cluster: RealCluster;
  /** Asks for offsets, and writes what no right producer writes. */
  readonly asking: Producer;
  readonly zookeeper: ZookeeperAdmin;
  /** By their options. */
  readonly #producers = new Map<string, Promise<JvmProducer>>();
  #topics = 0;

  private constructor(cluster: RealCluster, zookeeper: ZookeeperAdmin) {
    this.cluster = cluster;
    this.zookeeper = zookeeper;
    this.asking = new Producer({ brokers: cluster.brokers });
  }

  static async start(kafka: string, brokerProperties: BrokerProperties = {}): Promise<OneBroker> {
    const cluster = await RealCluster.start({ kafka, brokerProperties });
    return new OneBroker(cluster, await cluster.zookeeper());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of await Promise.allSettled(this.#producers.values())) {
      if (one.status === 'fulfilled') await one.value.close();
    }
    this.asking.close();
    await this.zookeeper.close();
    await this.cluster.stop();
  }

  async newTopic(options: TopicOptions = {}): Promise<string> {
    this.#topics += 1;
    const topic = `topic-${this.#topics}`;
    await this.cluster.createTopic(topic, options);
    return topic;
  }

  /** The same one for the same options. */
  producer(options: Omit<JvmProducerOptions, 'kafka' | 'brokers'> = {}): Promise<JvmProducer> {
    const { kafka, brokers } = this.cluster;
    const name = JSON.stringify(options);
    const producer = this.#producers.get(name) ?? JvmProducer.start({ kafka, brokers, ...options });
    this.#producers.set(name, producer);
    return producer;
  }

  /** A member alone in its group, which nobody reads for. */
  member(topic: string, { group = `group-${topic}`, ...options }: ReaderOptions = {}): Promise<LocalMember> {
    const { zookeeperConnect } = this.cluster;
    const topics = { [topic]: 1 };
    return LocalMember.start({ zookeeperConnect, group, topics, consume: false, ...options });
  }

  async reader(topic: string, options: ReaderOptions = {}): Promise<Reader> {
    return readerOf(await this.member(topic, options));
  }

  /** What is stored in ZooKeeper for the group of that topic; null if nothing is. */
  async stored(topic: string, partition = 0): Promise<number | null> {
    const node = await this.zookeeper.get(`/consumers/group-${topic}/offsets/${topic}/${partition}`);
    return node?.data == null ? null : Number(node.data.toString());
  }

  /** Where the group of that topic is to start. */
  async store(topic: string, nextOffset: number, group = `group-${topic}`): Promise<void> {
    const parent = `/consumers/${group}/offsets/${topic}`;
    await this.zookeeper.mkdirp(parent);
    await this.zookeeper.create(`${parent}/0`, String(nextOffset));
  }

  /** Resolves when the log ends there: markers of transactions come later than a commit is answered. */
  async untilEnd(topic: string, offset: number): Promise<void> {
    await waitFor(async () => (await this.asking.offset(topic, 0)) === offset, {
      timeoutMs: LIMIT_MS,
      description: `the end of ${topic} at ${offset}`,
    });
  }
}

function readerOf(member: LocalMember): Reader {
  const read = readOn(member);
  const until = (description: string, condition: () => boolean): Promise<boolean> =>
    waitFor(condition, {
      ...{ timeoutMs: LIMIT_MS, description },
      details: () => `${read.messages.length} messages; ${read.errors.map(String).join('; ')}`,
    });
  return {
    ...{ member, read },
    async untilRead(count) {
      await until(`${count} messages`, () => read.messages.length >= count);
      if (read.messages.length > count) throw new Error(`${read.messages.length} messages, not ${count}`);
      return read.messages;
    },
    async untilErrors(count) {
      await until(`${count} errors`, () => read.errors.length >= count);
      return read.errors;
    },
    async untilAtEnd() {
      const positions = (): readonly number[] =>
        member.connector.ownedPartitions().map(({ highWatermark, nextOffset }) => highWatermark - nextOffset);
      await until('a lag of 0', () => positions().length > 0 && positions().every((lag) => lag === 0));
      return member.connector.ownedPartitions()[0]?.nextOffset ?? -1;
    },
    async [Symbol.asyncDispose]() {
      await member.stop();
      await read.ended;
    },
  };
}
