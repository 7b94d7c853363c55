import type { ResolvedConfig } from '../config/configTable';
import { delay } from '../delay';
import type { BrokerEndpoint } from '../kafka/brokerVersions';
import type { Logger } from '../logger';
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
  readonly #logger: Logger;
  /** The last look-up failed: the log has been told. */
  #isFailing = false;
  /** Told of each leader found. */
  readonly #onLeader: (info: PartitionTopicInfo, broker: BrokerEndpoint) => void;

  constructor(
    cluster: Cluster,
    config: ResolvedConfig,
    logger: Logger,
    onLeader: (info: PartitionTopicInfo, broker: BrokerEndpoint) => void,
  ) {
    this.#cluster = cluster;
    this.#config = config;
    this.#logger = logger;
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
        this.#isFailing = false;
      } catch (error) {
        if (isOver()) return;
        this.#logger[this.#isFailing ? 'debug' : 'warn']('no leader could be looked up', { error });
        this.#isFailing = true;
      }
      await delay(this.#config['refresh.leader.backoff.ms'], signal);
    }
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
