import { setMaxListeners } from 'node:events';

import type { ResolvedConfig } from '../config/configTable';
import type { Events } from '../events';
import { brokerAddress, type BrokerEndpoint } from '../kafka/brokerVersions';
import type { Codecs } from '../kafka/compression/codecs';
import type { TopicPartition } from '../types';
import { BrokerFetcher } from './BrokerFetcher';
import { fetcherIdOf } from './fetcherId';
import { lookUpOffset, type Cluster } from './cluster';
import { LeaderFinder } from './LeaderFinder';
import type { PartitionTopicInfo } from './PartitionTopicInfo';

/**
 * Runs the fetchers of the partitions that are owned (Scala's ConsumerFetcherManager): one leader finder, and one
 * fetcher per broker and fetcher id (`num.consumer.fetchers`). One instance serves one claim, from start to stop.
 */
export class ConsumerFetcherManager {
  readonly #config: ResolvedConfig;
  readonly #events: Events;
  /** How compressed messages are inflated. */
  readonly #codecs: Codecs;
  readonly #cluster: Cluster;
  /** Fetchers by broker and fetcher id. */
  readonly #fetchers = new Map<string, BrokerFetcher>();
  readonly #leaderFinder: LeaderFinder;
  /** Every loop that runs. */
  readonly #running = new Set<Promise<void>>();
  /** Told when positions have come from `auto.offset.reset`. */
  readonly #onReset: () => void;
  /** Ends everything. */
  readonly #stopping = new AbortController();

  constructor(config: ResolvedConfig, events: Events, codecs: Codecs, cluster: Cluster, onReset: () => void) {
    this.#config = config;
    this.#onReset = onReset;
    this.#events = events;
    this.#codecs = codecs;
    this.#cluster = cluster;
    setMaxListeners(Infinity, this.#stopping.signal); // look-ups of many positions at once are no leak
    this.#leaderFinder = new LeaderFinder(cluster, config, events, (info, broker) =>
      this.#assign(info, broker),
    );
  }

  start(infos: Iterable<PartitionTopicInfo>): void {
    this.#leaderFinder.add(infos);
    this.#track(this.#leaderFinder.run(this.#stopping.signal));
  }

  /** Something that kept partitions from being fetched is gone. */
  wake(): void {
    for (const fetcher of this.#fetchers.values()) fetcher.wake();
  }

  /** The first or the next offset of a partition's log. */
  lookUpOffset(at: TopicPartition, time: 'smallest' | 'largest'): Promise<number> {
    return lookUpOffset(
      this.#cluster,
      at,
      { time, isolationLevel: this.#config['isolation.level'] },
      this.#stopping.signal,
    );
  }

  /** Resolves when nothing runs any more: no message comes after that. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const fetcher of this.#fetchers.values()) fetcher.stop();
    await Promise.all(this.#running);
  }

  #assign(info: PartitionTopicInfo, broker: BrokerEndpoint): void {
    if (this.#stopping.signal.aborted) return;
    const address = brokerAddress(broker);
    const fetcherId = fetcherIdOf(info.topic, info.partition, this.#config['num.consumer.fetchers']);
    const key = `${fetcherId}-${broker.id ?? 'unknown'}-${address}`;
    let fetcher = this.#fetchers.get(key);
    if (fetcher === undefined) {
      fetcher = new BrokerFetcher({
        broker: address,
        config: this.#config,
        events: this.#events,
        codecs: this.#codecs,
        connect: (signal) => this.#cluster.connect(broker, signal),
        onReset: this.#onReset,
        giveBack: (infos) => {
          this.#leaderFinder.add(infos);
          this.#endIdle();
        },
      });
      this.#fetchers.set(key, fetcher);
      this.#track(fetcher.run());
    }
    fetcher.add(info);
  }

  /** Ends fetchers whose partitions have all gone elsewhere, the ones whose broker failed among them. */
  #endIdle(): void {
    for (const [key, fetcher] of this.#fetchers) {
      if (!fetcher.isEmpty) continue;
      this.#fetchers.delete(key);
      fetcher.stop();
    }
  }

  #track(run: Promise<void>): void {
    const tracked = run.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }
}
