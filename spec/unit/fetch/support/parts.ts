import type { ConnectorConfig } from '../../../../lib/config/ConnectorConfig';
import { resolveConfig, type ResolvedConfig } from '../../../../lib/config/resolveConfig';
import { ConnectorError } from '../../../../lib/errors';
import { Events, type ConnectorEvents } from '../../../../lib/events';
import { BrokerFetcher } from '../../../../lib/fetch/BrokerFetcher';
import type { Cluster } from '../../../../lib/fetch/cluster';
import type { PartitionTopicInfo } from '../../../../lib/fetch/PartitionTopicInfo';
import { BrokerConnection } from '../../../../lib/kafka/BrokerConnection';
import { brokerAddress } from '../../../../lib/kafka/brokerVersions';
import { builtInCodecs } from '../../../../lib/kafka/compression/codecs';
import { silentLogger } from '../../../../lib/logger';
import { BlockingQueue, type Chunk } from '../../../../lib/stream/BlockingQueue';
import { infoOf } from '../../stream/support/parts';
import type { ScriptedBroker } from './ScriptedBroker';

export function configOf(settings: Partial<ConnectorConfig> = {}): ResolvedConfig {
  return resolveConfig({ 'group.id': 'g', 'zookeeper.connect': 'none:2181', ...settings }).config;
}

/** All events, as `[name, payload]`. */
export type Told = {
  readonly [E in keyof ConnectorEvents]: readonly [E, ConnectorEvents[E]];
}[keyof ConnectorEvents];

const HEARD = [
  'fetch:failed',
  'offset:reset',
  'offsets:committed',
  'partitions:released',
  'partitions:lost',
] as const;

/** What fetching and committing tells. */
export function recordedEvents(): { events: Events; told: Told[] } {
  const events = new Events(silentLogger);
  const told: Told[] = [];
  for (const event of HEARD) events.on(event, (payload) => told.push([event, payload] as Told));
  return { events, told };
}

/** ZooKeeper's part of the cluster is played by the list of brokers. */
export function clusterOf(
  brokers: readonly ScriptedBroker[],
  timeoutMs = 5000,
  maxFrameBytes = 2 ** 26,
): Cluster {
  return {
    brokers: () => Promise.resolve(brokers.map(({ endpoint }) => endpoint)),
    existingTopics: (topics) => Promise.resolve([...topics]),
    connect: (broker, signal) =>
      BrokerConnection.connect(broker, { clientId: 'spec', timeoutMs, maxFrameBytes, signal }),
  };
}

/** "partition@offset" of each message that is queued; "partition!CODE" for failures, "partition>position" for resets. */
export function takeAll(queue: BlockingQueue): string[] {
  const taken: string[] = [];
  for (let chunk = queue.take(); chunk !== undefined; chunk = queue.take()) taken.push(...shown(chunk));
  return taken;
}

function shown(chunk: Chunk): string[] {
  const { partition } = chunk.info;
  if (chunk.kind === 'failure') return [`${partition}!${chunk.error.code}`];
  if (chunk.kind === 'reset') return [`${partition}>${chunk.nextOffset}`];
  const messages: string[] = [];
  try {
    while (chunk.cursor.advance()) messages.push(`${partition}@${chunk.cursor.offset}`);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    messages.push(`${partition}!${error.code}`);
  }
  return messages;
}

/** A fetcher on one broker; disposing ends it and waits for its end. */
export class FetcherUnderTest implements AsyncDisposable {
  readonly config: ResolvedConfig;
  readonly told: Told[];
  readonly givenBack: PartitionTopicInfo[] = [];
  readonly fetcher: BrokerFetcher;
  readonly queue: BlockingQueue;
  /** Resolves with the end of the fetcher. */
  running: Promise<void> = Promise.resolve();

  constructor(broker: ScriptedBroker, settings: Partial<ConnectorConfig> = {}, timeoutMs?: number) {
    this.config = configOf(settings);
    const { events, told } = recordedEvents();
    this.told = told;
    const cluster = clusterOf([broker], timeoutMs);
    this.fetcher = new BrokerFetcher({
      broker: brokerAddress(broker.endpoint),
      config: this.config,
      events,
      codecs: builtInCodecs,
      connect: (signal) => cluster.connect(broker.endpoint, signal),
      onReset: () => undefined,
      giveBack: (infos) => this.givenBack.push(...infos),
    });
    this.queue = this.newQueue();
  }

  newQueue(): BlockingQueue {
    const queue = new BlockingQueue(this.config['queued.max.message.chunks']);
    queue.onSpace = () => this.fetcher.wake();
    return queue;
  }

  /** A partition of `orders`, fetched from now on. */
  add(partition: number, at: { stored?: number | null; queue?: BlockingQueue } = {}): PartitionTopicInfo {
    const { stored = 0, queue = this.queue } = at;
    const info = infoOf(queue, { partition, stored });
    info.fetchSizeBytes = this.config['fetch.message.max.bytes'];
    this.fetcher.add(info);
    return info;
  }

  run(): void {
    this.running = this.fetcher.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.fetcher.stop();
    await this.running;
  }
}

/** So many values to produce. */
export function values(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `value ${index}`);
}
