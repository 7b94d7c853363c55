import { performance } from 'node:perf_hooks';

import { BrokerProxies } from '../support/BrokerProxy';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { roundRobin, writeMorePartitions, writeTopic } from '../support/cluster/topics';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries, type Receiver } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { PartitionLoads } from '../support/produce/PartitionLoads';
import { Producer } from '../support/produce/Producer';
import type { ProducedAt } from '../support/produce/SteadyLoad';
import { disorderOf } from '../support/StreamReadings';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
/** How soon a change in ZooKeeper has to be noticed: by a watch, not by the regular check. */
const NOTICE_MS = 2000;
const BROKERS = 2;

describe.each(['0.8.2.2', '3.9.1'])('topics of Kafka %s', (kafka) => {
  const proxies = new BrokerProxies(kafka);
  let cluster: TestCluster;
  let zookeeper: ZookeeperAdmin;
  let producer: Producer;

  beforeAll(async () => {
    // auto.create.topics.enable is true there: whoever asks a broker for a topic creates it.
    const options = { kafka, brokers: BROKERS, brokerProperties: proxies.advertise };
    cluster = await startCluster(options);
    zookeeper = await cluster.zookeeper();
    producer = new Producer({ brokers: cluster.brokers });
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
    await proxies[Symbol.asyncDispose]();
  });

  function start(
    group: string,
    name: string,
    topics: Record<string, number>,
    properties: Record<string, number> = {},
  ): Promise<LocalMember> {
    return LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics },
      properties: { 'consumer.id': name, 'client.id': `member-${group}-${name}`, ...properties },
    });
  }

  /** Resolves when the members, one stream each, own the topic's partitions as `range` wants it. */
  async function owned(
    group: string,
    topic: string,
    partitions: number,
    members: readonly LocalMember[],
  ): Promise<void> {
    const wanted = rangeOf(
      topic,
      partitions,
      members.map(({ consumerId }) => `${consumerId}-0`),
    );
    await waitFor(async () => asText(await ownersOf(zookeeper, group, [topic])) === asText(wanted), {
      timeoutMs: LIMIT_MS,
      description: `owners ${asText(wanted)}`,
    });
  }

  async function complete(produced: readonly ProducedAt[], receivers: readonly Receiver[]): Promise<void> {
    await waitFor(() => compareDeliveries(produced, receivers).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: `all of ${produced.length} messages`,
      details: () => compareDeliveries(produced, receivers).missing.slice(0, 20).join(' '),
    });
  }

  async function produceTo(
    topic: string,
    partitions: readonly number[],
    count: number,
    text: string,
  ): Promise<ProducedAt[]> {
    const produced: ProducedAt[] = [];
    for (const partition of partitions) {
      const values = Array.from({ length: count }, (_, n) => `${text} ${partition}#${n}`);
      const base = await producer.send(
        topic,
        partition,
        values.map((value) => ({ value })),
      );
      produced.push(...values.map((value, n) => ({ topic, partition, offset: base + n, value })));
    }
    return produced;
  }

  async function storedOf(group: string, topic: string): Promise<Record<string, string | undefined>> {
    const path = `/consumers/${group}/offsets/${topic}`;
    const stored: Record<string, string | undefined> = {};
    for (const partition of await zookeeper.children(path)) {
      stored[partition] = (await zookeeper.get(`${path}/${partition}`))?.data?.toString();
    }
    return stored;
  }

  it('R8: that get more partitions under load are read in full by both members, from the first message on', async () => {
    const [group, topic] = ['growers', 'live'];
    await cluster.createTopic(topic, { partitions: 4 });
    await using load = new PartitionLoads(cluster, topic, [0, 1, 2, 3]);
    await using a = await start(group, 'a', { [topic]: 1 });
    await using b = await start(group, 'b', { [topic]: 1 });
    const members = [a, b];
    await owned(group, topic, 4, members);
    for (const [before, total] of [
      [4, 7],
      [7, 11],
    ] as const) {
      const runs = members.map((member) => member.eventsOf('rebalance:started').length);
      const added = Array.from({ length: total - before }, (_, n) => before + n);
      await writeMorePartitions(zookeeper, topic, total, BROKERS);
      load.add(added); // before any member, or even any broker, has noticed
      await waitFor(
        () =>
          members.every((member, index) =>
            member
              .eventsOf('rebalance:started')
              .slice(runs[index])
              .some(({ trigger }) => trigger === 'topic-changed'),
          ),
        { timeoutMs: NOTICE_MS, description: 'a rebalance because of the topic in each member' },
      );
      await owned(group, topic, total, members);
      const counts = members.map(({ messages }) => messages.length);
      await waitFor(
        () => {
          const fresh = members.map(({ messages }, index) => messages.slice(counts[index]));
          return (
            new Set(fresh.flat().map(({ partition }) => partition)).size === total &&
            fresh.every((messages) => messages.length > 0)
          );
        },
        { timeoutMs: LIMIT_MS, description: `new messages of ${total} partitions on both members` },
      );
    }
    const produced = await load.stop();
    await complete(produced, members);
    await a.stop();
    await b.stop();
    expect(compareDeliveries(produced, members)).toMatchObject({ missing: [], repeated: [] });
    for (const { messages, errors } of members) {
      expect(errors).toEqual([]);
      expect(messages.some(({ partition }) => partition >= 4)).toBe(true);
    }
    // The added ones have been read from offset 0 to their ends.
    const ends = new Map<number, number>();
    for (let partition = 0; partition < 11; partition += 1) {
      ends.set(partition, await producer.offset(topic, partition));
    }
    const counts = new Map([...ends.keys()].map((partition) => [partition, 0]));
    for (const { partition } of members.flatMap(({ messages }) => messages)) {
      counts.set(partition, (counts.get(partition) ?? 0) + 1);
    }
    expect(counts).toEqual(ends);
    expect(Math.min(...ends.values())).toBeGreaterThan(0);
  });

  it('R8: that are made after the subscription are noticed by their watch, and read from their first message on', async () => {
    const [group, topic] = ['waiters', 'later'];
    await using a = await start(group, 'a', { [topic]: 1 });
    await using b = await start(group, 'b', { [topic]: 1 });
    expect([a, b].map(({ owned: own }) => own)).toEqual([[], []]);
    await waitFor(() => [a, b].every(({ connector }) => connector.state === 'running'), {
      timeoutMs: LIMIT_MS,
      description: 'both members to run',
    });
    // Nobody who waits for a topic asks a broker for it, which would make it.
    expect(proxies.questions.filter(({ clientId }) => clientId.startsWith(`member-${group}`))).toEqual([]);
    await expect(zookeeper.exists(`/brokers/topics/${topic}`)).resolves.toBe(false);

    const runs = [a, b].map((member) => member.eventsOf('rebalance:started').length);
    await writeTopic(zookeeper, topic, roundRobin(5, BROKERS), {});
    const producing = produceTo(topic, [0, 1, 2, 3, 4], 5, 'at once');
    await waitFor(
      () =>
        [a, b].every(
          (member, index) =>
            member.eventsOf('rebalance:started')[runs[index] ?? 0]?.trigger === 'topic-changed',
        ),
      { timeoutMs: NOTICE_MS, description: 'a rebalance because of the topic in each member' },
    );
    const produced = await producing;
    await owned(group, topic, 5, [a, b]);
    await complete(produced, [a, b]);
    await a.stop();
    await b.stop();
    expect(compareDeliveries(produced, [a, b])).toMatchObject({ missing: [], repeated: [] });
    expect(disorderOf([...a.messages, ...b.messages])).toEqual([]);
    expect(a.messages).toHaveLength(15);
    expect(b.messages).toHaveLength(10);
  });

  describe('that are deleted while they are read', () => {
    /** The topics of each look-up of leaders since then. */
    const questionsOf = (group: string, sinceMs = 0): string[][] =>
      proxies.questions
        .filter(({ clientId, atMs }) => clientId.startsWith(`member-${group}`) && atMs >= sinceMs)
        .map(({ topics }) => [...topics]);

    it('R8: stay away, whatever else the members ask for; made again, they are read from their start, and stored positions beyond the new logs are reset', async () => {
      const group = 'bereft';
      await cluster.createTopic('doomed', { partitions: 4 });
      await cluster.createTopic('control', { partitions: 4 });
      const subscription = { doomed: 1, control: 1 };
      const properties = { 'refresh.leader.backoff.ms': 500 };
      await using a = await start(group, 'a', subscription, properties);
      await using b = await start(group, 'b', subscription, properties);
      const members = [a, b];
      await owned(group, 'doomed', 4, members);
      await owned(group, 'control', 4, members);
      const old = await produceTo('doomed', [0, 1, 2, 3], 30, 'old');
      await complete(old, members);
      await Promise.all(members.map(({ connector }) => connector.commitOffsets()));
      const before = { '0': '30', '1': '30', '2': '30', '3': '30' };
      await expect(storedOf(group, 'doomed')).resolves.toEqual(before);

      // An invalid registration makes every rebalance fail, so that the members keep the partitions of what is gone:
      // their leader finders look for these in each round, along with those of the other topic.
      const invalid = `/consumers/${group}/ids/${group}_invalid`;
      await zookeeper.create(invalid, 'no JSON', { ephemeral: true });
      await waitFor(
        () =>
          members.every((member) =>
            member.eventsOf('rebalance:failed').some(({ error }) => error.code === 'REGISTRATION_INVALID'),
          ),
        { timeoutMs: LIMIT_MS, description: 'failed rebalances' },
      );
      const names = ['a', 'b'];
      const isFetching = (name: string): boolean =>
        proxies.all.some((proxy) => proxy.fetchersOf(`member-${group}-${name}`).length > 0);
      /** Sends the partitions of the other topic to the leader finders, and resolves when both have asked for them. */
      const nextRound = async (round: number): Promise<void> => {
        await waitFor(() => names.every(isFetching), {
          timeoutMs: LIMIT_MS,
          description: `fetchers before round ${round}`,
        });
        const rounds = names.map((name) => questionsOf(`${group}-${name}`).length);
        for (const proxy of proxies.all) proxy.cut();
        await waitFor(
          () => names.every((name, n) => questionsOf(`${group}-${name}`).length > (rounds[n] ?? 0)),
          { timeoutMs: LIMIT_MS, description: `round ${round} of both leader finders` },
        );
      };
      // Now both rest for half a second: nobody asks for the topic at the moment in which it goes.
      await nextRound(0);
      await cluster.deleteTopic('doomed'); // would fail if a member made it again
      const goneMs = performance.now();
      expect(members.map(({ owned: own }) => own.filter((one) => one.startsWith('doomed')))).toEqual([
        ['doomed/0', 'doomed/1'],
        ['doomed/2', 'doomed/3'],
      ]);
      for (let round = 1; round <= 8; round += 1) {
        await nextRound(round);
        expect(await zookeeper.exists('/brokers/topics/doomed')).toBe(false);
      }
      const questions = questionsOf(group, goneMs);
      expect(questions.length).toBeGreaterThanOrEqual(16);
      expect(questions.flat().filter((topic) => topic !== 'control')).toEqual([]);

      await zookeeper.remove(invalid);
      await waitFor(() => members.every(({ owned: own }) => own.every((one) => one.startsWith('control'))), {
        timeoutMs: LIMIT_MS,
        description: 'members without the topic',
      });
      await complete(await produceTo('control', [0, 1, 2, 3], 5, 'meanwhile'), members);
      await expect(zookeeper.exists('/brokers/topics/doomed')).resolves.toBe(false);

      // What was stored stays: nobody knows whether the topic comes back.
      await expect(storedOf(group, 'doomed')).resolves.toEqual(before);
      const counts = members.map(({ messages }) => messages.length);
      const resets = members.map((member) => member.eventsOf('offset:reset').length);

      await cluster.createTopic('doomed', { partitions: 6 });
      const fresh = await produceTo('doomed', [0, 1, 2, 3, 4, 5], 10, 'new');
      const since = (): Receiver[] =>
        members.map(({ consumerId, messages }, n) => ({ consumerId, messages: messages.slice(counts[n]) }));
      await waitFor(() => compareDeliveries(fresh, since()).missing.length === 0, {
        timeoutMs: LIMIT_MS,
        description: 'everything of the new topic',
      });
      await owned(group, 'doomed', 6, members);
      const told = members.flatMap((member, n) => member.eventsOf('offset:reset').slice(resets[n]));
      expect(told.sort((one, other) => one.partition - other.partition)).toEqual([
        ...[0, 1, 2, 3].map((partition) => ({
          ...{ topic: 'doomed', partition, from: 30, to: 0, why: 'out-of-range' },
        })),
        ...[4, 5].map((partition) => ({ topic: 'doomed', partition, from: null, to: 0, why: 'none' })),
      ]);
      // The positions of the new logs take the place of the old ones, which were higher.
      await Promise.all(members.map(({ connector }) => connector.commitOffsets()));
      const after = Object.fromEntries([0, 1, 2, 3, 4, 5].map((partition) => [String(partition), '10']));
      await expect(storedOf(group, 'doomed')).resolves.toEqual(after);
      await Promise.all(members.map((member) => member.stop()));
      const ofNew = since().map(({ consumerId, messages }) => ({
        consumerId,
        messages: messages.filter(({ topic }) => topic === 'doomed'),
      }));
      expect(compareDeliveries(fresh, ofNew)).toMatchObject({ missing: [], repeated: [] });
      expect(ofNew.reduce((sum, { messages }) => sum + messages.length, 0)).toBe(60);
      expect(members.flatMap(({ errors }) => errors)).toEqual([]);
      expect(members.flatMap((member) => member.eventsOf('partition:failed'))).toEqual([]);
    });

    it('go on at the stored position if the log of the new topic reaches that far: only who removes it reads all', async () => {
      const [group, topic] = ['trapped', 'reused'];
      await cluster.createTopic(topic, { partitions: 2 });
      const old = await produceTo(topic, [0, 1], 3, 'old');
      await using first = await start(group, 'a', { [topic]: 1 });
      await complete(old, [first]);
      await first.stop();
      await cluster.deleteTopic(topic);
      await cluster.createTopic(topic, { partitions: 2 });
      const fresh = await produceTo(topic, [0, 1], 5, 'new');
      await expect(storedOf(group, topic)).resolves.toEqual({ '0': '3', '1': '3' });
      await zookeeper.remove(`/consumers/${group}/offsets/${topic}/1`);

      await using second = await start(group, 'b', { [topic]: 1 });
      const wanted = fresh.filter(({ partition, offset }) => partition === 1 || offset >= 3);
      await complete(wanted, [second]);
      await second.stop();
      expect(second.messages).toHaveLength(wanted.length);
      expect(compareDeliveries(wanted, [second])).toMatchObject({ missing: [], repeated: [] });
      expect(second.eventsOf('offset:reset')).toEqual([
        { topic, partition: 1, from: null, to: 0, why: 'none' },
      ]);
    });
  });
});
