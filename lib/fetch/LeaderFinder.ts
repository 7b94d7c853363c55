import type { ResolvedConfig } from '../config/configTable';
import { delay } from '../delay';
import { ConnectorError } from '../errors';
import type { Events } from '../events';
import type { BrokerEndpoint } from '../kafka/brokerVersions';
import { findLeaders, type Cluster } from './cluster';
import { keyOf, type PartitionTopicInfo } from './PartitionTopicInfo';
import { Wakeup } from '../Wakeup';

/**
 * Looks for the leaders of partitions that have none here (the JVM's leader-finder thread): all of them at the start,
 * later those that fetchers gave back. Each look-up is followed by `refresh.leader.backoff.ms`.
 */
export class LeaderFinder {
  /** Partitions whose leader is looked for, by key. */
  readonly #leaderless = new Map<string, PartitionTopicInfo>();
  /** Partitions have come. */
  readonly #wakeup = new Wakeup();
  readonly #cluster: Cluster;
  readonly #config: ResolvedConfig;
  readonly #events: Events;
  /** Told of each leader found. */
  readonly #onLeader: (info: PartitionTopicInfo, broker: BrokerEndpoint) => void;

  constructor(
    cluster: Cluster,
    config: ResolvedConfig,
    events: Events,
    onLeader: (info: PartitionTopicInfo, broker: BrokerEndpoint) => void,
  ) {
    this.#cluster = cluster;
    this.#config = config;
    this.#events = events;
    this.#onLeader = onLeader;
  }

  add(infos: Iterable<PartitionTopicInfo>): void {
    for (const info of infos) this.#leaderless.set(keyOf(info), info);
    this.#wakeup.wake();
  }

  /** Looks until the signal is aborted; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      if (this.#leaderless.size === 0) {
        await this.#wakeup.wait(signal);
        continue;
      }
      try {
        await this.#lookUp(signal);
      } catch (error) {
        if (isOver()) return;
        this.#failed(error);
      }
      await delay(this.#config['refresh.leader.backoff.ms'], signal);
    }
  }

  #failed(cause: unknown): void {
    const text = `no leader could be looked up: ${String(cause)}`;
    const error = ConnectorError.is(cause) ? cause : new ConnectorError('BROKER_ERROR', text, { cause });
    const retryInMs = this.#config['refresh.leader.backoff.ms'];
    this.#events.emit('fetch:failed', { broker: error.context.broker ?? null, error, retryInMs });
  }

  async #lookUp(signal: AbortSignal): Promise<void> {
    const topics = new Set(Array.from(this.#leaderless.values(), (info) => info.topic));
    const leaders = await findLeaders(this.#cluster, topics, signal);
    for (const [key, info] of this.#leaderless) {
      const leader = leaders.get(key);
      if (leader === undefined) continue;
      this.#leaderless.delete(key);
      this.#onLeader(info, leader);
    }
  }
}
