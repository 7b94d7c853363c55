import { hostname } from 'node:os';

import { ZookeeperConsumerConnector } from '../../lib';
import { BrokerProxies } from '../support/BrokerProxy';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { writeMorePartitions } from '../support/cluster/topics';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { dataWatchesOf } from '../support/fourLetterWord';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { StreamReadings } from '../support/StreamReadings';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
const CHROOT = '/kafka01';
const TOPIC = 'test-string-topic';
const PARTITIONS = Array.from({ length: 12 }, (_, partition) => partition);

/** The partitions of each thread, in the order of the threads, by their number in the whole group. */
const SHARES: ReadonlyMap<number, readonly (readonly number[])[]> = new Map([
  [1, [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]],
  [
    2,
    [
      [0, 1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10, 11],
    ],
  ],
  [
    4,
    [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
      [9, 10, 11],
    ],
  ],
  [
    5,
    [
      [0, 1, 2],
      [3, 4, 5],
      [6, 7],
      [8, 9],
      [10, 11],
    ],
  ],
  [12, PARTITIONS.map((partition) => [partition])],
  [15, [...PARTITIONS.map((partition) => [partition]), [], [], []]],
]);

/** The partitions of each broker: what its only fetcher gets. */
const FETCHED: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [0, 3, 6, 9]],
  [2, [1, 4, 7, 10]],
  [3, [2, 5, 8, 11]],
]);

/** Threads of one member in the order of their texts, in which "-10" is before "-2". */
const TEXT_ORDER: ReadonlyMap<number, readonly number[]> = new Map([
  [12, [0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]],
  [15, [0, 1, 10, 11, 12, 13, 14, 2, 3, 4, 5, 6, 7, 8, 9]],
]);

/** The fetcher of each partition for 1, 2 and 3 fetchers per broker, as the JVM computes it from these names. */
const FETCHER_IDS: Readonly<Record<string, readonly [string, string, string]>> = {
  t12: ['000000000000', '101010101010', '201201201201'],
  blocks: ['000000000000', '010101010101', '102102102102'],
};

const ALL = {
  alone: [1, 2, 4, 5, 12, 15],
  together: [
    [1, 1],
    [3, 1],
    [3, 2],
    [7, 5],
    [8, 7],
    [2, 1, 1],
    [2, 2, 1],
    [5, 4, 3],
    [6, 5, 4],
  ],
};
const MAIN = {
  alone: [1, 2, 4, 15],
  together: [
    [3, 2],
    [2, 1, 1],
    [6, 5, 4],
  ],
};

describe.each([
  { kafka: '0.8.2.2', ...ALL },
  { kafka: '3.9.1', ...MAIN },
])('twelve partitions on three brokers of Kafka $kafka', ({ kafka, alone, together }) => {
  const proxies = new BrokerProxies(kafka);
  let cluster: TestCluster;
  let zookeeper: ZookeeperAdmin;
  let producer: Producer;
  let groups = 0;

  beforeAll(async () => {
    const options = { kafka, brokers: 3, chroot: CHROOT, brokerProperties: proxies.advertise };
    cluster = await startCluster(options);
    zookeeper = await cluster.zookeeper();
    producer = new Producer({ brokers: cluster.brokers });
    await cluster.createTopic(TOPIC, { partitions: 12 });
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
    await proxies[Symbol.asyncDispose]();
  });

  const newGroup = (): string => `seed-${(groups += 1)}`;

  /** Three different messages to each partition. */
  async function produce(topic: string, text: string): Promise<void> {
    for (const partition of PARTITIONS) {
      const messages = [0, 1, 2].map((n) => ({ value: `${text} ${n}` }));
      await producer.send(topic, partition, messages);
    }
  }

  function start(
    group: string,
    name: string,
    topics: Record<string, number>,
    properties: Record<string, number> = {},
  ): Promise<LocalMember> {
    return LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics, consume: false },
      properties: { 'consumer.id': name, 'client.id': `member-${group}-${name}`, ...properties },
    });
  }

  /** Threads with partitions, by "topic/partition", as all members together say it. */
  function said(members: readonly LocalMember[]): Map<string, string> {
    const own = members.flatMap(({ connector }) => connector.ownedPartitions());
    return new Map(own.map(({ topic, partition, threadId }) => [`${topic}/${partition}`, threadId]));
  }

  /** What has to be with these members, whose threads are given in the order of their texts. */
  async function checkShares(
    group: string,
    members: readonly { readonly member: LocalMember; readonly count: number }[],
    threads: readonly string[],
  ): Promise<void> {
    const connectors = members.map(({ member }) => member);
    const shares = new Map(threads.map((thread, n) => [thread, SHARES.get(threads.length)?.[n] ?? []]));
    const owners = new Map(
      [...shares].flatMap(([thread, own]) => own.map((p) => [`${TOPIC}/${p}`, thread] as const)),
    );
    expect(owners.size).toBe(12);
    await waitFor(
      async () =>
        asText(await ownersOf(zookeeper, group, [TOPIC])) === asText(owners) &&
        asText(said(connectors)) === asText(owners),
      {
        timeoutMs: LIMIT_MS,
        description: `owners ${asText(owners)}`,
        details: () => asText(said(connectors)),
      },
    );

    // Each thread gets the messages of its partitions, and no others.
    const readings = connectors.map((member) => new StreamReadings(member));
    const got = (): Map<string, string[]> => {
      const byThread = new Map(threads.map((thread) => [thread, [] as string[]]));
      for (const { threadId, partition, value } of readings.flatMap(({ messages }) => messages)) {
        byThread.get(threadId)?.push(`${partition} ${value}`);
      }
      return new Map([...byThread].map(([thread, messages]) => [thread, messages.sort()]));
    };
    const wanted = new Map(
      [...shares].map(([thread, own]) => [
        thread,
        own.flatMap((partition) => [0, 1, 2].map((n) => `${partition} ${group} ${n}`)).sort(),
      ]),
    );
    const count = (): number => readings.reduce((sum, { messages }) => sum + messages.length, 0);
    await produce(TOPIC, group);
    await waitFor(() => count() >= 36, { timeoutMs: LIMIT_MS, description: '36 messages' });

    // One fetcher per broker and member, however many threads: it has the member's partitions of that broker.
    for (const { consumerId, connector } of connectors) {
      const own = connector.ownedPartitions().map(({ partition }) => partition);
      for (const [broker, led] of FETCHED) {
        const texts = led.filter((partition) => own.includes(partition)).map((p) => `${TOPIC}/${p}`);
        const clientId = `member-${consumerId.replace('_', '-')}`;
        const proxy = proxies.of(broker);
        await waitFor(() => proxy.openOf(clientId) === (texts.length > 0 ? 1 : 0), {
          timeoutMs: LIMIT_MS,
          description: `a single connection of ${clientId} to broker ${broker}`,
        });
        expect(proxy.fetchersOf(clientId)).toEqual(texts.length > 0 ? [texts.join(' ')] : []);
      }
    }

    // Idle threads are registered as the others are, and their loops go on.
    await expect(zookeeper.children(`/consumers/${group}/ids`)).resolves.toEqual(
      connectors.map(({ consumerId }) => consumerId).sort(),
    );
    for (const { member, count: streams } of members) {
      const node = await zookeeper.get(`/consumers/${group}/ids/${member.consumerId}`);
      expect(JSON.parse(node?.data?.toString() ?? '')).toEqual({
        ...{ version: 1, subscription: { [TOPIC]: streams }, pattern: 'static' },
        timestamp: expect.stringMatching(/^\d{13}$/) as string,
      });
    }
    expect(readings.flatMap(({ endedThreads }) => [...endedThreads])).toEqual([]);

    await Promise.all(connectors.map((member) => member.stop()));
    await Promise.all(readings.map(({ ended }) => ended));
    expect(readings.flatMap(({ errors }) => errors)).toEqual([]);
    expect(got()).toEqual(wanted);
    expect(count()).toBe(36);
  }

  it('lie as the table says: 0,3,6,9 and 1,4,7,10 and 2,5,8,11', async () => {
    const node = await zookeeper.get(`/brokers/topics/${TOPIC}`);
    const { partitions } = JSON.parse(node?.data?.toString() ?? '') as { partitions: object };
    const brokers = Object.fromEntries(
      [...FETCHED].flatMap(([broker, own]) => own.map((partition) => [String(partition), [broker]])),
    );
    expect(partitions).toEqual(brokers);
  });

  it.each(alone)('are shared among %d thread(s) of one member in runs of neighbours', async (count) => {
    const group = newGroup();
    await using member = await startAtEnd(group, 'a', count);
    const order = TEXT_ORDER.get(count) ?? Array.from({ length: count }, (_, n) => n);
    const threads = order.map((n) => `${group}_a-${n}`);
    expect(member.streams.get(TOPIC)?.map(({ threadId }) => threadId)).toEqual(
      Array.from({ length: count }, (_, n) => `${group}_a-${n}`),
    );
    await checkShares(group, [{ member, count }], threads);
  });

  it.each(together.map((counts) => [counts.join(' + '), counts] as const))(
    'are shared among the threads of members with %s of them as among those of one',
    async (_, counts) => {
      const group = newGroup();
      const members: { member: LocalMember; count: number }[] = [];
      try {
        for (const [index, count] of counts.entries()) {
          members.push({ member: await startAtEnd(group, ['a', 'b', 'c'][index] ?? '', count), count });
        }
        const threads = members.flatMap(({ member, count }) =>
          Array.from({ length: count }, (_n, n) => `${member.consumerId}-${n}`),
        );
        expect(new Set(threads).size).toBe(counts.reduce((sum, count) => sum + count));
        await checkShares(group, members, threads);
      } finally {
        await Promise.all(members.map(({ member }) => member.stop()));
      }
    },
  );

  /** A member of a group that has stored the ends of all partitions: earlier messages are no concern of it. */
  async function startAtEnd(group: string, name: string, count: number): Promise<LocalMember> {
    for (const partition of PARTITIONS) {
      const path = `/consumers/${group}/offsets/${TOPIC}`;
      await zookeeper.mkdirp(path);
      if (await zookeeper.exists(`${path}/${partition}`)) continue;
      await zookeeper.create(`${path}/${partition}`, String(await producer.offset(TOPIC, partition)));
    }
    return start(group, name, { [TOPIC]: count });
  }

  describe('and the fetchers', () => {
    const leaders = {
      t12: PARTITIONS.map((partition) => (partition % 3) + 1),
      blocks: PARTITIONS.map((partition) => Math.floor(partition / 4) + 1),
    };

    beforeAll(async () => {
      for (const [topic, brokers] of Object.entries(leaders)) {
        await cluster.createTopic(topic, { assignment: brokers.map((broker) => [broker]) });
        await produce(topic, 'for fetchers');
      }
    });

    it.each([1, 2, 3] as const)(
      'are at most %d per broker with num.consumer.fetchers: each has one connection and its partitions of both topics',
      async (fetchers) => {
        const group = newGroup();
        await using member = await start(
          group,
          'f',
          { t12: 2, blocks: 2 },
          { 'num.consumer.fetchers': fetchers },
        );
        const readings = new StreamReadings(member);
        const complete = { timeoutMs: LIMIT_MS, description: 'all messages' };
        await waitFor(() => readings.messages.length >= 72, complete);
        for (const broker of [1, 2, 3]) {
          // By fetcher id, from the table of the JVM.
          const served: string[][] = Array.from({ length: fetchers }, () => []);
          for (const topic of ['blocks', 't12'] as const) {
            for (const partition of PARTITIONS.filter((p) => leaders[topic][p] === broker)) {
              served[Number(FETCHER_IDS[topic]?.[fetchers - 1]?.[partition])]?.push(`${topic}/${partition}`);
            }
          }
          const wanted = served.filter((own) => own.length > 0).map((own) => own.join(' '));
          const clientId = `member-${group}-f`;
          const proxy = proxies.of(broker);
          expect(proxy.fetchersOf(clientId)).toEqual(wanted.sort());
          // Not one of them was ever replaced, and the leader finder's questions leave no connection.
          expect(proxy.fetchersOf(clientId, 'all')).toEqual(wanted);
          await waitFor(() => proxy.openOf(clientId) === wanted.length, {
            timeoutMs: LIMIT_MS,
            description: `${wanted.length} connections to broker ${broker}`,
          });
        }
        await member.stop();
        await readings.ended;
        expect(readings.messages).toHaveLength(72);
        expect(member.eventsOf('fetch:failed')).toEqual([]);
        // So that it is no number of fetchers that gives each one its partitions by chance.
        const all = proxies.all.flatMap((proxy) => proxy.fetchersOf(`member-${group}-f`, 'all'));
        expect(all).toHaveLength(3 * fetchers);
      },
    );
  });

  it('have owners whose names are made of group, host, time and 8 hex digits, or of the consumer.id', async () => {
    const group = newGroup();
    const madeMs = Date.now();
    const properties = {
      ...{ 'zookeeper.connect': cluster.zookeeperConnect, 'group.id': group },
      'client.id': `member-${group}`,
    };
    await using generated = new ZookeeperConsumerConnector(properties);
    await using named = new ZookeeperConsumerConnector({ ...properties, 'consumer.id': 'zz-named' });
    const host = hostname().replace(/[^a-zA-Z0-9._-]/g, '_');
    const [, hostThere, millis] = /^(.*)-(\d{13})-[0-9a-f]{8}$/.exec(generated.consumerId) ?? [];
    expect(hostThere).toBe(`${group}_${host}`);
    expect(Number(millis)).toBeGreaterThanOrEqual(madeMs);
    expect(Number(millis)).toBeLessThanOrEqual(Date.now());
    expect(named.consumerId).toBe(`${group}_zz-named`);
    expect(new ZookeeperConsumerConnector(properties).consumerId).not.toBe(generated.consumerId);

    const streams = await generated.createMessageStreams({ [TOPIC]: 2 });
    await named.createMessageStreams({ [TOPIC]: 2 });
    const threads = [0, 1].map((n) => `${generated.consumerId}-${n}`);
    expect(streams.get(TOPIC)?.map(({ threadId }) => threadId)).toEqual(threads);
    await expect(zookeeper.children(`/consumers/${group}/ids`)).resolves.toEqual(
      [generated.consumerId, named.consumerId].sort(),
    );
    const all = [...threads, `${group}_zz-named-0`, `${group}_zz-named-1`].sort();
    await waitFor(
      async () => {
        const owners = await ownersOf(zookeeper, group, [TOPIC]);
        return JSON.stringify([...new Set(owners.values())].sort()) === JSON.stringify(all);
      },
      { timeoutMs: LIMIT_MS, description: `owners ${all.join(' ')}` },
    );
  });

  it('are watched through the chroot, as the data of their topic: more of them are noticed within 2 s, again and again', async () => {
    const [server] = cluster.zookeeperServers;
    if (server === undefined) throw new Error('no ZooKeeper');
    await cluster.createTopic('topic-1', { partitions: 12 });
    const group = newGroup();
    await using member = await start(group, 'w', { 'topic-1': 1 });
    const paths = [`${CHROOT}/brokers/topics/topic-1`];
    const sessionId = member.eventsOf('session:connected')[0]?.sessionId ?? '';
    await expect(dataWatchesOf(server, sessionId)).resolves.toEqual(paths);

    for (const total of [13, 14, 15]) {
      const before = member.eventsOf('rebalance:started').length;
      await writeMorePartitions(zookeeper, 'topic-1', total, 3);
      await waitFor(
        () => member.eventsOf('rebalance:started').slice(before).at(0)?.trigger === 'topic-changed',
        { timeoutMs: 2000, description: 'a rebalance because of the topic' },
      );
      await waitFor(() => member.owned.length === total, {
        timeoutMs: LIMIT_MS,
        description: `${total} partitions`,
      });
      // A watch fires once; it is there again.
      await expect(dataWatchesOf(server, sessionId)).resolves.toEqual(paths);
    }
  });
});
