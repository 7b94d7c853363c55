import type { ConnectorConfig } from '../../../lib/config/ConnectorConfig';
import { ConsumerFetcherManager } from '../../../lib/fetch/ConsumerFetcherManager';
import type { Cluster } from '../../../lib/fetch/cluster';
import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { builtInCodecs } from '../../../lib/kafka/compression/codecs';
import { BlockingQueue } from '../../../lib/stream/BlockingQueue';
import { waitFor } from '../../support/waitFor';
import { infoOf } from '../stream/support/parts';
import { clusterOf, configOf, recordedEvents, takeAll, values, type Told } from './support/parts';
import { ScriptedBroker } from './support/ScriptedBroker';

class ManagerUnderTest implements AsyncDisposable {
  readonly manager: ConsumerFetcherManager;
  readonly told: Told[];
  readonly queue = new BlockingQueue(2);
  readonly got: string[] = [];

  constructor(cluster: Cluster, settings: Partial<ConnectorConfig> = {}) {
    const { events, told } = recordedEvents();
    this.told = told;
    const config = configOf({ 'refresh.leader.backoff.ms': 20, ...settings });
    this.manager = new ConsumerFetcherManager(config, events, builtInCodecs, cluster, () => undefined);
    this.queue.onSpace = () => this.manager.wake();
  }

  start(count: number): PartitionTopicInfo[] {
    const infos = Array.from({ length: count }, (_, partition) =>
      infoOf(this.queue, { topic: 't12', partition }),
    );
    this.manager.start(infos);
    return infos;
  }

  async until(description: string, condition: () => boolean): Promise<void> {
    const look = (): boolean => {
      this.got.push(...takeAll(this.queue));
      return condition();
    };
    await waitFor(look, { timeoutMs: 4000, intervalMs: 2, description });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.stop();
  }
}

describe('ConsumerFetcherManager', () => {
  it('fetches each partition with one fetcher, num.consumer.fetchers of them per broker', async () => {
    await using broker = await ScriptedBroker.start();
    for (let partition = 0; partition < 12; partition += 1) broker.produce('t12', partition, ...values(3));
    await using t = new ManagerUnderTest(clusterOf([broker]), { 'num.consumer.fetchers': 3 });
    t.start(12);
    await t.until('all messages', () => t.got.length >= 36);
    expect([t.got.length, new Set(t.got).size, broker.mostInFlight]).toEqual([36, 36, 1]);
    const fetchersOf = new Map<number, Set<string>>();
    for (const { partitions } of broker.fetches) {
      const group = String(Math.min(...partitions.map(({ partition }) => partition % 3)));
      for (const { partition } of partitions)
        fetchersOf.set(partition, (fetchersOf.get(partition) ?? new Set<string>()).add(group));
    }
    expect([...fetchersOf.values()].every((groups) => groups.size === 1)).toBe(true);
  });

  it('follows a partition whose leader has moved, and loses and repeats nothing', async () => {
    await using old = await ScriptedBroker.start({ id: 1 });
    await using next = await ScriptedBroker.start({ id: 2 });
    let leader = old;
    old.leaderOf = next.leaderOf = () => leader;
    old.produce('t12', 0, ...values(5));
    next.produce('t12', 0, ...values(9));
    await using t = new ManagerUnderTest(clusterOf([old, next]));
    t.start(1);
    await t.until('the first messages', () => t.got.length >= 5);
    leader = next;
    old.log('t12', 0).errorCode = 6;
    old.wake();
    await t.until('the others', () => t.got.length >= 9);
    expect(t.got).toEqual(Array.from({ length: 9 }, (_, offset) => `0@${offset}`));
    expect(next.fetches[0]?.partitions[0]?.offset).toBe(5);
    // The old broker's fetcher has nothing left to do.
    expect(t.told.map(([event]) => event)).toEqual(['fetch:failed']);
  });

  it('looks for the leader again until one answers, although a dead one is named 5 times', async () => {
    await using old = await ScriptedBroker.start({ id: 1 });
    await using next = await ScriptedBroker.start({ id: 2 });
    let named = 0;
    next.leaderOf = () => (named > 0 && (named += 1) > 6 ? next : old);
    next.produce('t12', 0, ...values(4));
    old.produce('t12', 0, ...values(2));
    await using t = new ManagerUnderTest(clusterOf([next]));
    t.start(1);
    await t.until('the first messages', () => t.got.length >= 2);
    named = 1;
    await old.stop();
    await t.until('the others', () => t.got.length >= 4);
    expect(named).toBe(7);
    expect(t.got).toEqual(['0@0', '0@1', '0@2', '0@3']);
    expect(t.told.length).toBeGreaterThanOrEqual(6);
  });

  it('waits for a leader while there is none, without asking more than once per refresh.leader.backoff.ms', async () => {
    await using broker = await ScriptedBroker.start();
    broker.produce('t12', 0, 'a');
    broker.leaderOf = () => null;
    await using t = new ManagerUnderTest(clusterOf([broker]), { 'refresh.leader.backoff.ms': 30 });
    const startedMs = performance.now();
    t.start(1);
    await t.until('some look-ups', () => broker.metadataRequests >= 4);
    expect(performance.now() - startedMs).toBeGreaterThan(85);
    broker.leaderOf = () => broker;
    await t.until('the message', () => t.got.length === 1);
  });

  it('survives a cluster that cannot be asked, and asks only for topics that exist', async () => {
    await using broker = await ScriptedBroker.start();
    broker.produce('t12', 0, 'a');
    let asked = 0;
    const cluster: Cluster = {
      ...clusterOf([broker]),
      existingTopics: (topics) => {
        asked += 1;
        if (asked === 1) return Promise.reject(new Error('no ZooKeeper'));
        return Promise.resolve(asked === 2 ? [] : [...topics]);
      },
    };
    await using t = new ManagerUnderTest(cluster);
    t.start(1);
    await t.until('the message', () => t.got.length === 1);
    expect([asked, broker.metadataRequests]).toEqual([3, 1]);
    expect(t.told).toMatchObject([['fetch:failed', { broker: null, retryInMs: 20 }]]);
  });

  it('asks another broker for the leaders when the first does not answer', async () => {
    await using broker = await ScriptedBroker.start({ id: 1 });
    const dead = await Promise.all([2, 3, 4].map((id) => ScriptedBroker.start({ id })));
    for (const one of dead) await one.stop();
    broker.produce('t12', 0, 'a');
    await using t = new ManagerUnderTest(clusterOf([...dead, broker]));
    t.start(1);
    await t.until('the message', () => t.got.length === 1);
    expect(broker.metadataRequests).toBe(1);
  });

  it('stops at any moment, in no time, and brings nothing afterwards', async () => {
    await using broker = await ScriptedBroker.start();
    broker.produce('t12', 0, 'a');
    for (const moment of ['at once', 'when it fetches'] as const) {
      await using t = new ManagerUnderTest(clusterOf([broker]), { 'fetch.wait.max.ms': 5000 });
      t.start(1);
      if (moment === 'when it fetches') await t.until('a message', () => t.got.length > 0);
      const startedMs = performance.now();
      await t.manager.stop();
      await t.manager.stop();
      expect(performance.now() - startedMs).toBeLessThan(500);
      t.manager.wake();
      broker.produce('t12', 0, 'b');
      expect([t.queue.size, t.told]).toEqual([0, []]);
    }
  });

  it('looks up offsets, many at once, and rejects if there is no leader, an error, or it is stopped', async () => {
    await using broker = await ScriptedBroker.start();
    broker.produce('t12', 0, ...values(9));
    broker.log('t12', 0).deleteBelow(4);
    broker.log('t12', 1).listErrorCode = 6;
    await using t = new ManagerUnderTest(clusterOf([broker]));
    const { manager } = t;
    const at = { topic: 't12', partition: 0 };
    const many = Array.from({ length: 20 }, () => manager.lookUpOffset(at, 'smallest'));
    expect(new Set(await Promise.all(many))).toEqual(new Set([4]));
    expect(await manager.lookUpOffset(at, 'largest')).toBe(9);
    const refused = { code: 'BROKER_UNREACHABLE', retriable: true };
    await expect(manager.lookUpOffset({ topic: 't12', partition: 1 }, 'largest')).rejects.toMatchObject(
      refused,
    );
    await expect(manager.lookUpOffset({ topic: 't12', partition: 5 }, 'largest')).rejects.toMatchObject(
      refused,
    );
    await manager.stop();
    await expect(manager.lookUpOffset(at, 'smallest')).rejects.toMatchObject(refused);
  });
});
