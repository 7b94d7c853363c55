import {
  ZookeeperConsumerConnector,
  type Codecs,
  type ConnectorConfig,
  type ConnectorEvents,
  type KafkaStream,
  type Logger,
  type Message,
  type StreamOptions,
} from '../../lib';
import { subscribe, type MemberSubscription } from './memberSubscription';

/** Nothing is committed by time, so that what a rebalance or shutdown forgets is seen. */
const DEFAULTS = {
  'zookeeper.session.timeout.ms': 6000,
  'zookeeper.connection.timeout.ms': 15_000,
  'rebalance.backoff.ms': 500,
  'auto.offset.reset': 'smallest',
  'auto.commit.interval.ms': 600_000,
} as const;

export type LocalMemberOptions<K, V> = MemberSubscription & {
  readonly zookeeperConnect: string;
  readonly group: string;
  readonly properties?: Partial<ConnectorConfig>;
  readonly streams?: StreamOptions<K, V>;
  readonly logger?: Logger;
  readonly codecs?: Partial<Codecs>;
  /** Default true: a loop over each stream collects its messages. */
  readonly consume?: boolean;
};

let made = 0;

/** A connector in the process of the spec, with loops that collect everything. */
export class LocalMember<K = Buffer, V = Buffer> implements AsyncDisposable {
  readonly connector: ZookeeperConsumerConnector;
  /** Number of streams per topic; none for one with a filter. */
  readonly topics: Readonly<Record<string, number>>;
  /** Values as text, in the order in which they were handed out. */
  readonly messages: { topic: string; partition: number; offset: number; value: string | null }[] = [];
  /** What ended a loop other than shutdown. */
  readonly errors: unknown[] = [];
  readonly events: { event: keyof ConnectorEvents; payload: ConnectorEvents[keyof ConnectorEvents] }[] = [];
  /** By topic, or by the regex of a filter; set when there are streams. */
  streams: ReadonlyMap<string, readonly KafkaStream<K, V>[]> = new Map();
  /** The loops that collect. */
  readonly #loops: Promise<void>[] = [];

  constructor(options: LocalMemberOptions<K, V>) {
    this.topics = options.topics ?? {};
    this.connector = new ZookeeperConsumerConnector(
      {
        ...DEFAULTS,
        'zookeeper.connect': options.zookeeperConnect,
        'group.id': options.group,
        'consumer.id': `local-${process.pid}-${++made}`,
        ...options.properties,
      },
      {
        ...(options.logger === undefined ? {} : { logger: options.logger }),
        ...(options.codecs === undefined ? {} : { codecs: options.codecs }),
      },
    );
    for (const event of EVENTS) {
      this.connector.on(event, (payload) => this.events.push({ event, payload }));
    }
  }

  static async start<K = Buffer, V = Buffer>(options: LocalMemberOptions<K, V>): Promise<LocalMember<K, V>> {
    const member = new LocalMember<K, V>(options);
    try {
      member.streams = await subscribe(member.connector, options, options.streams);
    } catch (error) {
      await member.connector.shutdown();
      throw error;
    }
    if (options.consume !== false) member.consume();
    return member;
  }

  get consumerId(): string {
    return this.connector.consumerId;
  }

  /** "topic/partition", in order of topic and partition. */
  get owned(): string[] {
    return this.connector
      .ownedPartitions()
      .map(({ topic, partition }) => `${topic}/${partition}`)
      .sort();
  }

  /** Stream of thread n of a topic, or of the regex of a filter. */
  stream(topic = [...this.streams.keys()][0] ?? '', n = 0): KafkaStream<K, V> {
    const stream = this.streams.get(topic)?.[n];
    if (stream === undefined) throw new Error(`There is no stream ${n} of ${topic}`);
    return stream;
  }

  /** Starts the loops that collect. */
  consume(): void {
    for (const stream of [...this.streams.values()].flat()) {
      this.#loops.push(this.#collect(stream).catch((error: unknown) => void this.errors.push(error)));
    }
  }

  eventsOf<E extends keyof ConnectorEvents>(event: E): ConnectorEvents[E][] {
    return this.events
      .filter((one) => one.event === event)
      .map(({ payload }) => payload as ConnectorEvents[E]);
  }

  /** Shuts down and waits for the ends of the loops. */
  async stop(): Promise<void> {
    await this.connector.shutdown();
    await Promise.all(this.#loops);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #collect(stream: KafkaStream<K, V>): Promise<void> {
    for await (const message of stream) this.messages.push(collected(message));
  }
}

const EVENTS: readonly (keyof ConnectorEvents)[] = [
  'session:connected',
  'session:suspended',
  'session:lost',
  'rebalance:started',
  'rebalance:step',
  'rebalance:finished',
  'rebalance:failed',
  'partitions:released',
  'partitions:lost',
  'offsets:committed',
  'offset:reset',
  'fetch:failed',
  'partition:failed',
  'connector:closed',
];

function collected({ topic, partition, offset, value }: Message<unknown, unknown>): {
  topic: string;
  partition: number;
  offset: number;
  value: string | null;
} {
  if (value === null || typeof value === 'string') return { topic, partition, offset, value };
  const text = Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value);
  return { topic, partition, offset, value: text };
}
