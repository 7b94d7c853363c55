import {
  ZookeeperConsumerConnector,
  type ConnectorConfig,
  type ConnectorEvents,
  type KafkaStream,
  type TopicPartition,
} from '../../lib';
import { EVENT_NAMES } from '../../lib/events';
import type { ZookeeperProxy } from './ZookeeperProxy';

/** Nothing is committed by time, so that what a rebalance or shutdown forgets is seen. */
const DEFAULTS = {
  'zookeeper.session.timeout.ms': 10_000,
  'zookeeper.connection.timeout.ms': 20_000,
  'rebalance.backoff.ms': 300,
  'auto.offset.reset': 'smallest',
  'auto.commit.interval.ms': 600_000,
} as const;

export interface TracedMemberOptions {
  /** Its consumer.id and client.id. */
  readonly name: string;
  /** Its way to ZooKeeper, which ends with it. */
  readonly zookeeper: ZookeeperProxy;
  readonly group: string;
  /** Topic to number of streams. */
  readonly topics: Readonly<Record<string, number>>;
  readonly properties?: Partial<ConnectorConfig>;
  /** Counts up; shared by everything whose order matters. */
  readonly next: () => number;
  /** Awaited before the next message of the stream is asked for. */
  readonly handle?: (message: TakenMessage) => unknown;
}

export interface TakenMessage extends TopicPartition {
  /** When the loop got it. */
  readonly at: number;
  readonly offset: number;
  readonly value: string;
}

export type TracedEvent = {
  [E in keyof ConnectorEvents]: {
    readonly at: number;
    readonly ms: number;
    readonly event: E;
    readonly payload: ConnectorEvents[E];
  };
}[keyof ConnectorEvents];

/** A connector in the process of the spec that writes down when what happened, in one order with everything else. */
export class TracedMember implements AsyncDisposable {
  readonly name: string;
  readonly connector: ZookeeperConsumerConnector;
  /** What it asked ZooKeeper. */
  readonly zookeeper: ZookeeperProxy;
  readonly messages: TakenMessage[] = [];
  readonly events: TracedEvent[] = [];
  /** What ended a loop other than shutdown. */
  readonly errors: unknown[] = [];
  readonly #options: TracedMemberOptions;
  /** One per stream. */
  readonly #loops: Promise<void>[] = [];

  constructor(options: TracedMemberOptions) {
    const { name, group, zookeeper, properties, next } = options;
    this.name = name;
    this.zookeeper = zookeeper;
    this.#options = options;
    this.connector = new ZookeeperConsumerConnector({
      ...DEFAULTS,
      'zookeeper.connect': zookeeper.connectString,
      'group.id': group,
      'consumer.id': name,
      'client.id': name,
      ...properties,
    });
    for (const event of EVENT_NAMES) {
      this.connector.on(event, (payload) => {
        this.events.push({ at: next(), ms: performance.now(), event, payload } as TracedEvent);
      });
    }
  }

  /** Resolves when createMessageStreams does, and its loops run. */
  async start(): Promise<this> {
    const streams = await this.connector.createMessageStreams(this.#options.topics);
    for (const stream of [...streams.values()].flat()) {
      this.#loops.push(this.#collect(stream).catch((error: unknown) => void this.errors.push(error)));
    }
    return this;
  }

  get consumerId(): string {
    return this.connector.consumerId;
  }

  /** "topic/partition", sorted. */
  get owned(): string[] {
    return this.connector
      .ownedPartitions()
      .map(({ topic, partition }) => `${topic}/${partition}`)
      .sort();
  }

  eventsOf<E extends keyof ConnectorEvents>(event: E): Extract<TracedEvent, { event: E }>[] {
    return this.events.filter((one): one is Extract<TracedEvent, { event: E }> => one.event === event);
  }

  /** Shuts down and waits for the ends of the loops. */
  async stop(): Promise<void> {
    await this.connector.shutdown();
    await Promise.all(this.#loops);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.zookeeper[Symbol.asyncDispose]();
  }

  async #collect(stream: KafkaStream): Promise<void> {
    for await (const { topic, partition, offset, value } of stream) {
      const message = { at: this.#options.next(), topic, partition, offset, value: String(value) };
      this.messages.push(message);
      await this.#options.handle?.(message);
    }
  }
}
