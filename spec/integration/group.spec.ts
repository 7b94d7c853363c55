import { performance } from 'node:perf_hooks';

import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries, type Receiver } from '../support/deliveries';
import { LocalMember, type LocalMemberOptions } from '../support/LocalMember';
import { NodeMember, type NodeMemberOptions } from '../support/NodeMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad, type ProducedAt } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';

jest.setTimeout(180_000);

const LIMIT_MS = 40_000;

/** What has to be in the report of a spec run, beside its checks. */
function report(text: string): void {
  process.stdout.write(`    ${text}\n`);
}

/** Stored positions by partition; missing ones are left out. */
async function storedOf(
  zookeeper: ZookeeperAdmin,
  group: string,
  topic: string,
): Promise<Map<number, number>> {
  const stored = new Map<number, number>();
  for (const partition of await zookeeper.children(`/consumers/${group}/offsets/${topic}`)) {
    const node = await zookeeper.get(`/consumers/${group}/offsets/${topic}/${partition}`);
    if (node !== null) stored.set(Number(partition), Number(node.data?.toString()));
  }
  return stored;
}

describe.each([
  { kafka: '0.8.2.2', brokers: 3 },
  { kafka: '3.9.1', brokers: 2 },
])('a group on Kafka $kafka with $brokers brokers', ({ kafka, brokers }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, brokers });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  const member = (group: string, topics: Record<string, number>): NodeMemberOptions => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics },
  });

  const local = (
    group: string,
    topics: Record<string, number>,
    more: Partial<LocalMemberOptions<Buffer, Buffer>> = {},
  ): LocalMemberOptions<Buffer, Buffer> => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics },
    ...more,
  });

  /** Resolves when exactly these members own a topic's partitions, as `range` wants it. */
  async function owned(
    group: string,
    topic: string,
    partitions: number,
    members: readonly { consumerId: string }[],
  ): Promise<void> {
    const threads = members.map(({ consumerId }) => `${consumerId}-0`);
    const wanted = asText(rangeOf(topic, partitions, threads));
    await waitFor(async () => asText(await ownersOf(zookeeper, group, [topic])) === wanted, {
      timeoutMs: LIMIT_MS,
      description: `owners of ${topic} to be ${wanted}`,
    });
  }

  /** Resolves when they have got new messages of each partition since it was called, and each member some. */
  async function progress(partitions: number, members: readonly NodeMember[]): Promise<void> {
    const before = members.map(({ messages }) => messages.length);
    await waitFor(
      () => {
        const fresh = members.map(({ messages }, index) => messages.slice(before[index]));
        const read = new Set(fresh.flat().map(({ partition }) => partition));
        return read.size === partitions && fresh.every((messages) => messages.length > 0);
      },
      {
        timeoutMs: LIMIT_MS,
        description: `new messages of each partition on ${members.length} members`,
        details: () => members.map(({ log }) => log).join('\n'),
      },
    );
  }

  /** Resolves when all that was produced has come. */
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
    text: string,
  ): Promise<ProducedAt[]> {
    const produced: ProducedAt[] = [];
    for (const partition of partitions) {
      const value = `${text} ${partition}`;
      const offset = await producer.send(topic, partition, [{ value }]);
      produced.push({ topic, partition, offset, value });
    }
    return produced;
  }

  it('loses and repeats nothing while members join, leave in order and join again', async () => {
    await cluster.createTopic('orderly', { partitions: 12 });
    const options = member('orderly', { orderly: 1 });
    await using load = new SteadyLoad(cluster, 'orderly', 12);
    await using first = await NodeMember.start(options);
    await using second = await NodeMember.start(options);
    await owned('orderly', 'orderly', 12, [first, second]);
    await progress(12, [first, second]);
    await using third = await NodeMember.start(options);
    await owned('orderly', 'orderly', 12, [first, second, third]);
    await progress(12, [first, second, third]);
    await second.stop();
    await owned('orderly', 'orderly', 12, [first, third]);
    await progress(12, [first, third]);
    await using fourth = await NodeMember.start(options);
    await owned('orderly', 'orderly', 12, [first, third, fourth]);
    await progress(12, [first, third, fourth]);
    await first.stop();
    await third.stop();
    await owned('orderly', 'orderly', 12, [fourth]);
    await progress(12, [fourth]);

    const produced = await load.stop();
    const members = [first, second, third, fourth];
    await complete(produced, members);
    await fourth.stop();
    const { missing, repeated, takenOver } = compareDeliveries(produced, members);
    expect(missing).toEqual([]);
    expect(repeated).toEqual([]);
    expect(members.flatMap(({ errors }) => errors)).toEqual([]);

    // Proof that anything happened that could have gone wrong.
    expect(produced.length).toBeGreaterThan(100);
    expect(members.reduce((sum, { messages }) => sum + messages.length, 0)).toBe(produced.length);
    for (const { messages, rebalances } of members) {
      expect(messages.length).toBeGreaterThan(0);
      expect(rebalances).toBeGreaterThan(0);
    }
    expect(first.rebalances).toBeGreaterThanOrEqual(3);
    expect(takenOver.size).toBe(12);

    // In the end everything is stored, and nothing of the members is left.
    const ends = new Map<number, number>();
    for (const { partition, offset } of produced) {
      ends.set(partition, Math.max(ends.get(partition) ?? 0, offset + 1));
    }
    const stored = await storedOf(zookeeper, 'orderly', 'orderly');
    expect([...stored].sort(([a], [b]) => a - b)).toEqual([...ends].sort(([a], [b]) => a - b));
    await expect(zookeeper.children('/consumers/orderly/ids')).resolves.toEqual([]);
    await expect(ownersOf(zookeeper, 'orderly', ['orderly'])).resolves.toEqual(new Map());
  });

  it('loses nothing when members are killed, and repeats only what these had not committed', async () => {
    await cluster.createTopic('violent', { partitions: 12 });
    const options = {
      ...member('violent', { violent: 1 }),
      properties: { 'zookeeper.session.timeout.ms': 2000, 'auto.commit.interval.ms': 300 },
    };
    await using load = new SteadyLoad(cluster, 'violent', 12);
    /** Who was killed, with the positions that were stored when its partitions were taken over. */
    const killed = new Map<string, { owned: ReadonlySet<string>; stored: Map<number, number> }>();

    /** Resolves when the session of the killed one is over. */
    const kill = async (victim: NodeMember): Promise<void> => {
      await waitFor(() => victim.eventsOf('offsets:committed').length > 0, {
        timeoutMs: LIMIT_MS,
        description: 'a commit of the one that will be killed',
        details: () => victim.log,
      });
      await victim.kill();
      const ownedThen = new Set(victim.owned.keys());
      expect(ownedThen.size).toBeGreaterThan(0);
      // Its owner nodes keep others from committing for it as long as its session lives.
      let stored = new Map<number, number>();
      await waitFor(
        async () => {
          const now = await storedOf(zookeeper, 'violent', 'violent');
          if (!(await zookeeper.exists(`/consumers/violent/ids/${victim.consumerId}`))) return true;
          stored = now;
          return false;
        },
        { timeoutMs: LIMIT_MS, description: 'expiry of the session of the killed member' },
      );
      expect(stored.size).toBeGreaterThan(0);
      killed.set(victim.consumerId, { owned: ownedThen, stored });
    };

    await using first = await NodeMember.start(options);
    await using second = await NodeMember.start(options);
    await owned('violent', 'violent', 12, [first, second]);
    await progress(12, [first, second]);
    await kill(second);
    await owned('violent', 'violent', 12, [first]);
    await using third = await NodeMember.start(options);
    await using fourth = await NodeMember.start(options);
    await owned('violent', 'violent', 12, [first, third, fourth]);
    await progress(12, [first, third, fourth]);
    await kill(first);
    await owned('violent', 'violent', 12, [third, fourth]);
    await progress(12, [third, fourth]);

    const produced = await load.stop();
    const members = [first, second, third, fourth];
    await complete(produced, members);
    await third.stop();
    await fourth.stop();
    const { missing, repeated, takenOver } = compareDeliveries(produced, members);
    expect(missing).toEqual([]);
    expect(takenOver.size).toBe(12);
    expect(produced.length).toBeGreaterThan(100);
    for (const { messages, rebalances } of members) {
      expect(messages.length).toBeGreaterThan(0);
      expect(rebalances).toBeGreaterThan(0);
    }

    const unexplained = repeated.filter(({ topic, partition, offset, by }) => {
      // All but the last one who got it must have been killed before they had stored it.
      const excused = by.slice().filter((id) => {
        const one = killed.get(id);
        if (one?.owned.has(`${topic}/${partition}`) !== true) return false;
        return offset >= (one.stored.get(partition) ?? 0);
      });
      return excused.length < by.length - 1 || new Set(by).size < by.length;
    });
    expect(unexplained).toEqual([]);
    report(`${repeated.length} of ${produced.length} messages were repeated after two kills`);
  });

  it('keeps members without partitions idle, and uses them when an owner leaves', async () => {
    const topics = ['wide-a', 'wide-b'];
    for (const topic of topics) await cluster.createTopic(topic, { partitions: 6 });
    const members: LocalMember[] = [];
    try {
      for (let n = 0; n < 8; n += 1) {
        members.push(await LocalMember.start(local('wide', { 'wide-a': 1, 'wide-b': 1 })));
      }
      for (const topic of topics) await owned('wide', topic, 6, members);
      const idle = members.filter((one) => one.owned.length === 0);
      expect(idle).toHaveLength(2);
      await expect(zookeeper.children('/consumers/wide/ids')).resolves.toHaveLength(8);

      const produced: ProducedAt[] = [];
      for (const topic of topics) produced.push(...(await produceTo(topic, [0, 1, 2, 3, 4, 5], 'before')));
      await complete(produced, members);

      const leaver = members.find((one) => one.owned.length > 0);
      await leaver?.stop();
      const rest = members.filter((one) => one !== leaver);
      for (const topic of topics) await owned('wide', topic, 6, rest);
      expect(rest.filter((one) => one.owned.length === 0)).toHaveLength(1);
      for (const topic of topics) produced.push(...(await produceTo(topic, [0, 1, 2, 3, 4, 5], 'after')));
      await complete(produced, members);
      expect(compareDeliveries(produced, members)).toMatchObject({ missing: [], repeated: [] });
      expect(idle.some(({ messages }) => messages.length > 0)).toBe(true);
    } finally {
      await Promise.all(members.map((one) => one.stop()));
    }
  });

  it('progresses after each of 20 joins and 20 leaves of another member', async () => {
    await cluster.createTopic('restless', { partitions: 4 });
    await using stayer = await LocalMember.start(local('restless', { restless: 1 }));
    const everyone: LocalMember[] = [stayer];
    const produced: ProducedAt[] = [];
    for (let round = 0; round < 20; round += 1) {
      const guest = await LocalMember.start(local('restless', { restless: 1 }));
      everyone.push(guest);
      try {
        await owned('restless', 'restless', 4, [stayer, guest]);
        const guestHad = guest.messages.length;
        const stayerHad = stayer.messages.length;
        produced.push(...(await produceTo('restless', [0, 1, 2, 3], `joined ${round}`)));
        await complete(produced, everyone);
        expect(guest.messages.length - guestHad).toBe(2);
        expect(stayer.messages.length - stayerHad).toBe(2);
      } finally {
        await guest.stop();
      }
      // At once: the rebalance of the one that stays is still under way.
      produced.push(...(await produceTo('restless', [0, 1, 2, 3], `left ${round}`)));
      await complete(produced, everyone);
    }
    await stayer.stop();
    expect(produced).toHaveLength(160);
    expect(compareDeliveries(produced, everyone)).toMatchObject({ missing: [], repeated: [] });
    expect(everyone.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('keeps the first position of "largest" over a rebalance that comes before the first commit', async () => {
    await cluster.createTopic('latest', { partitions: 4 });
    for (const partition of [0, 1, 2, 3]) {
      await producer.send('latest', partition, [{ value: 'old' }, { value: 'old' }, { value: 'old' }]);
    }
    const properties = { 'auto.offset.reset': 'largest' } as const;
    // The first one looks at nothing, so that what follows is still to be handed out when the second one comes.
    await using first = await LocalMember.start(
      local('latest', { latest: 1 }, { properties, consume: false }),
    );
    await waitFor(() => first.eventsOf('offset:reset').length === 4, {
      timeoutMs: LIMIT_MS,
      description: 'first positions',
    });
    const produced = await produceTo('latest', [0, 1, 2, 3], 'between');
    await using second = await LocalMember.start(local('latest', { latest: 1 }, { properties }));
    await owned('latest', 'latest', 4, [first, second]);
    first.consume();
    produced.push(...(await produceTo('latest', [0, 1, 2, 3], 'after')));
    await complete(produced, [first, second]);
    await first.stop();
    await second.stop();
    expect(first.messages.length + second.messages.length).toBe(8);
    expect(first.messages).toHaveLength(4);
    expect([...first.messages, ...second.messages].map(({ value }) => value)).not.toContain('old');
  });

  it('starts at the stored position after a shutdown in order', async () => {
    await cluster.createTopic('again', { partitions: 2 });
    const before = await produceTo('again', [0, 1, 0, 1, 0], 'before');
    await using first = await LocalMember.start(local('again', { again: 1 }));
    await complete(before, [first]);
    await first.stop();
    await expect(storedOf(zookeeper, 'again', 'again')).resolves.toEqual(
      new Map([
        [0, 3],
        [1, 2],
      ]),
    );
    const after = await produceTo('again', [0, 1], 'after');
    await using second = await LocalMember.start(local('again', { again: 1 }));
    await complete(after, [second]);
    await second.stop();
    expect(second.messages.map(({ partition, offset }) => [partition, offset]).sort()).toEqual([
      [0, 3],
      [1, 2],
    ]);
    expect(second.eventsOf('offset:reset')).toEqual([]);
  });

  it('goes on at the position in memory after a rebalance, with auto.commit.enable=false', async () => {
    await cluster.createTopic('manual', { partitions: 2 });
    const properties = { 'auto.commit.enable': false };
    await using first = await LocalMember.start(local('manual', { manual: 1 }, { properties }));
    const produced: ProducedAt[] = [];
    for (let n = 0; n < 10; n += 1) produced.push(...(await produceTo('manual', [0, 1], `first ${n}`)));
    await complete(produced, [first]);
    const changes = (): number =>
      first.eventsOf('rebalance:finished').filter(({ changed }) => changed).length;
    const changesBefore = changes();

    // A member of the group that wants nothing of this topic changes the inputs, but not the assignment.
    await using other = await LocalMember.start(local('manual', {}));
    await waitFor(() => changes() > changesBefore, { timeoutMs: LIMIT_MS, description: 'a rebalance' });
    expect(first.owned).toEqual(['manual/0', 'manual/1']);
    produced.push(...(await produceTo('manual', [0, 1], 'second')));
    await complete(produced, [first]);
    await other.stop();
    produced.push(...(await produceTo('manual', [0, 1], 'third')));
    await complete(produced, [first]);
    await first.stop();
    expect(compareDeliveries(produced, [first]).repeated).toEqual([]);
    expect(first.messages).toHaveLength(24);
    await expect(storedOf(zookeeper, 'manual', 'manual')).resolves.toEqual(new Map());
  });

  it('stores what commitOffsets says: what was handed out, or exactly what is given, and never goes back', async () => {
    await cluster.createTopic('commits', { partitions: 3 });
    for (const partition of [0, 1, 2]) {
      await producer.send(
        'commits',
        partition,
        Array.from({ length: 10 }, (_, n) => ({ value: String(n) })),
      );
    }
    const properties = { 'auto.commit.enable': false };
    const consume = false;
    await using one = await LocalMember.start(local('commits', { commits: 1 }, { properties, consume }));
    const { connector } = one;
    const at = (partition: number, nextOffset: number): object => ({
      topic: 'commits',
      partition,
      nextOffset,
    });
    const stored = (): Promise<Map<number, number>> => storedOf(zookeeper, 'commits', 'commits');

    await expect(stored()).resolves.toEqual(new Map());
    const handed = new Map<number, number>();
    for await (const { partition, offset } of one.stream()) {
      handed.set(partition, offset + 1);
      if ([...handed.values()].reduce((sum, next) => sum + next, 0) < 15) continue;
      await connector.commitOffsets(); // the message in hand is counted
      break;
    }
    // Where nothing was handed out, it stores the position to start at, as the JVM does.
    const positions = [0, 1, 2].map((partition) => [partition, handed.get(partition) ?? 0]);
    await waitFor(() => connector.ownedPartitions().every(({ nextOffset }) => nextOffset >= 0), {
      timeoutMs: LIMIT_MS,
      description: 'a position of each partition',
    });
    await connector.commitOffsets();
    await expect(stored().then((map) => [...map].sort())).resolves.toEqual(positions);
    const [[partition, nextOffset] = [0, 0]] = handed;

    await connector.commitOffsets([{ topic: 'commits', partition, nextOffset: nextOffset + 2 }]);
    expect((await stored()).get(partition)).toBe(nextOffset + 2);
    // Further back: left out, and so is what was handed out by now.
    await connector.commitOffsets([{ topic: 'commits', partition, nextOffset: 1 }]);
    await connector.commitOffsets();
    expect((await stored()).get(partition)).toBe(nextOffset + 2);
    // After a seek it may go back.
    await connector.seek({ topic: 'commits', partition, nextOffset: 2 });
    await connector.commitOffsets([{ topic: 'commits', partition, nextOffset: 2 }]);
    expect((await stored()).get(partition)).toBe(2);

    const before = await stored();
    for (const wrong of [at(7, 1), { topic: 'foreign', partition: 0, nextOffset: 1 }]) {
      await expect(connector.commitOffsets([at(partition, 9), wrong] as never)).rejects.toMatchObject({
        code: 'NOT_OWNED',
      });
    }
    for (const wrong of [-1, 1.5, Number.NaN, 2 ** 53, '3']) {
      await expect(connector.commitOffsets([at(partition, wrong as number)] as never)).rejects.toMatchObject({
        code: 'OFFSET_INVALID',
      });
    }
    await expect(stored()).resolves.toEqual(before);

    await using second = await LocalMember.start(local('commits', { commits: 1 }, { properties, consume }));
    await owned('commits', 'commits', 3, [one, second]);
    const lost = second.connector.ownedPartitions().map((own) => ({ ...own, nextOffset: 9 }));
    expect(lost).toHaveLength(1);
    await expect(connector.commitOffsets(lost)).rejects.toMatchObject({ code: 'NOT_OWNED' });

    await one.stop();
    await second.stop();
    await expect(connector.commitOffsets()).rejects.toMatchObject({ code: 'CONNECTOR_CLOSED' });
    await expect(stored()).resolves.toEqual(before); // auto.commit.enable=false: shutdown stores nothing
  });

  it('reads partitions that are added, and a topic that is created after the subscription', async () => {
    await cluster.createTopic('growing', { partitions: 2 });
    await using one = await LocalMember.start(local('growing', { growing: 2, 'not-yet': 1 }));
    expect(one.owned).toEqual(['growing/0', 'growing/1']);
    const produced = await produceTo('growing', [0, 1], 'before');
    await cluster.addPartitions('growing', 5);
    produced.push(...(await produceTo('growing', [0, 1, 2, 3, 4], 'added')));
    await cluster.createTopic('not-yet', { partitions: 3 });
    produced.push(...(await produceTo('not-yet', [0, 1, 2], 'created')));
    await complete(produced, [one]);
    expect(one.owned).toHaveLength(8);
    await one.stop();
    expect(compareDeliveries(produced, [one])).toMatchObject({ missing: [], repeated: [] });
    expect(one.errors).toEqual([]);
  });

  it('lets commitOffsets, pause and seek through in a loop body that a rebalance waits for', async () => {
    await cluster.createTopic('held', { partitions: 2 });
    for (const partition of [0, 1]) {
      await producer.send('held', partition, [{ value: '0' }, { value: '1' }, { value: '2' }]);
    }
    const properties = { 'auto.commit.enable': false, 'rebalance.drain.timeout.ms': 30_000 };
    await using first = await LocalMember.start(local('held', { held: 1 }, { properties, consume: false }));
    const { connector } = first;
    const other = new LocalMember(local('held', {})); // wants nothing, so that the partitions stay
    const inBody = { tookMs: Infinity, stored: -1, released: -1 };
    const got: string[] = [];
    try {
      let joining: Promise<unknown> | null = null;
      for await (const { partition, offset } of first.stream()) {
        got.push(`${partition}@${offset}`);
        if (joining === null && got.at(-1) === '0@1') {
          const before = first.eventsOf('rebalance:started').length;
          joining = other.connector.createMessageStreams({});
          await waitFor(() => first.eventsOf('rebalance:started').length > before, {
            timeoutMs: LIMIT_MS,
            description: 'a rebalance',
          });
          const startedMs = performance.now();
          await connector.commitOffsets();
          await connector.seek({ topic: 'held', partition: 0, nextOffset: 1 });
          connector.pause([{ topic: 'held', partition: 1 }]);
          inBody.tookMs = performance.now() - startedMs;
          inBody.stored = (await storedOf(zookeeper, 'held', 'held')).get(0) ?? -1;
          inBody.released = first.eventsOf('partitions:released').length;
        } else if (joining !== null && got.at(-1) === '0@2') break;
      }
      await joining;
      expect(inBody.tookMs).toBeLessThan(5000);
      expect(inBody).toMatchObject({ stored: 2, released: 0 });
      expect(first.eventsOf('partitions:released')).toHaveLength(1);
      expect(first.owned).toEqual(['held/0', 'held/1']);
      expect(got.slice(got.indexOf('0@1'))).toEqual(['0@1', '0@1', '0@2']);
      expect(connector.ownedPartitions().map(({ paused }) => paused)).toEqual([false, true]);
    } finally {
      await other.stop();
    }
  });

  it('counts for each topic only the members that want it', async () => {
    await cluster.createTopic('topic-a', { partitions: 2 });
    await cluster.createTopic('topic-b', { partitions: 3 });
    await using onlyA = await LocalMember.start(local('split', { 'topic-a': 1 }));
    await using onlyB = await LocalMember.start(local('split', { 'topic-b': 1 }));
    await using both = await LocalMember.start(local('split', { 'topic-a': 1, 'topic-b': 1 }));
    await owned('split', 'topic-a', 2, [onlyA, both]);
    await owned('split', 'topic-b', 3, [onlyB, both]);
    await both.stop();
    await owned('split', 'topic-a', 2, [onlyA]);
    await owned('split', 'topic-b', 3, [onlyB]);
    const ofA = await produceTo('topic-a', [0, 1], 'a');
    const ofB = await produceTo('topic-b', [0, 1, 2], 'b');
    await complete(ofA, [onlyA]);
    await complete(ofB, [onlyB]);
    expect(onlyA.messages).toHaveLength(2);
    expect(onlyB.messages).toHaveLength(3);
  });

  it('leaves other groups alone: two in one process get everything each', async () => {
    await cluster.createTopic('shared', { partitions: 3 });
    await using ofOne = await LocalMember.start(local('reader-1', { shared: 1 }));
    await using ofTwo = await LocalMember.start(local('reader-2', { shared: 3 }));
    const produced = await produceTo('shared', [0, 1, 2, 0, 1, 2], 'for all');
    await complete(produced, [ofOne]);
    await complete(produced, [ofTwo]);
    await ofOne.stop();
    produced.push(...(await produceTo('shared', [0, 1, 2], 'for one')));
    await complete(produced, [ofTwo]);
    await ofTwo.stop();
    expect(ofOne.messages).toHaveLength(6);
    expect(ofTwo.messages).toHaveLength(9);
  });

  it('lets a member that stood still for longer than its session come back without disturbing the others', async () => {
    await cluster.createTopic('suspended', { partitions: 4 });
    const options = {
      ...member('suspended', { suspended: 1 }),
      properties: { 'zookeeper.session.timeout.ms': 2000, 'auto.commit.interval.ms': 200 },
    };
    await using load = new SteadyLoad(cluster, 'suspended', 4);
    await using first = await NodeMember.start(options);
    await using second = await NodeMember.start(options);
    await owned('suspended', 'suspended', 4, [first, second]);
    await progress(4, [first, second]);
    second.pause();
    await owned('suspended', 'suspended', 4, [first]);
    await progress(4, [first]);
    const resumedMs = performance.now();
    second.resume();
    await owned('suspended', 'suspended', 4, [first, second]);
    await progress(4, [first, second]);
    const produced = await load.stop();
    await complete(produced, [first, second]);
    expect(second.eventsOf('partitions:lost')).toHaveLength(1);
    await first.stop();
    await second.stop();
    const { missing, repeated } = compareDeliveries(produced, [first, second]);
    expect(missing).toEqual([]);
    // Read before it stood still, and not committed by then; what it had ahead it may no longer hand out.
    for (const { by } of repeated)
      expect([...by].sort()).toEqual([first, second].map((one) => one.consumerId).sort());
    const repeatedAt = new Set(repeated.map(({ partition, offset }) => `${partition}@${offset}`));
    const late = second.messages.filter(
      ({ partition, offset, readMs }) => readMs >= resumedMs && repeatedAt.has(`${partition}@${offset}`),
    );
    expect(late).toEqual([]);
    report(`${repeated.length} of ${produced.length} messages were repeated after the standstill`);
  });
});
