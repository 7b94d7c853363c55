import { performance } from 'node:perf_hooks';

import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { compareDeliveries, type Repetition } from '../support/deliveries';
import { connectionsOf, fourLetterWord } from '../support/fourLetterWord';
import { committedAtLoss, GroupUnderLoad, rebalancesOf, sessionOf } from '../support/GroupUnderLoad';
import type { LocalMember } from '../support/LocalMember';
import { PartitionLoads } from '../support/produce/PartitionLoads';
import { Producer } from '../support/produce/Producer';
import { disorderOf } from '../support/StreamReadings';
import { TcpProxy } from '../support/TcpProxy';
import { TracedGroup } from '../support/TracedGroup';
import type { TracedMember } from '../support/TracedMember';

jest.setTimeout(120_000);

const LIMIT_MS = 30_000;
/** What a busy machine may add to the time that something takes. */
const MARGIN_MS = 700;
const ALL = [0, 1, 2, 3];

/** A group with nobody in it, and the load that it will read. */
function begin(cluster: TestCluster): Promise<GroupUnderLoad> {
  return GroupUnderLoad.begin(cluster, { limitMs: LIMIT_MS });
}

/** What was stored when the members had ended is the end of each log, and there without a wait. */
async function expectStoredEnds(cluster: TestCluster, group: string): Promise<void> {
  await using producer = new Producer({ brokers: cluster.brokers });
  await using zookeeper = await cluster.zookeeper();
  for (const partition of ALL) {
    const node = await zookeeper.get(`/consumers/${group}/offsets/${group}/${partition}`);
    expect(Number(node?.data?.toString())).toBe(await producer.offset(group, partition));
  }
}

function proxyTo(server: TestCluster['zookeeperServers'][number] | undefined): Promise<TcpProxy> {
  if (server === undefined) throw new Error('there is no such ZooKeeper server');
  return TcpProxy.to(server);
}

/** Repetitions that are not of messages which a member that lost its session had read and not stored. */
function unexplained(repeated: readonly Repetition[], losers: readonly LocalMember[]): Repetition[] {
  const committed = new Map(losers.map((member) => [member.consumerId, committedAtLoss(member)]));
  return repeated.filter(({ partition, offset, by }) => {
    const [first = ''] = by;
    const stored = committed.get(first);
    return by.length !== 2 || stored === undefined || offset < (stored.get(partition) ?? 0);
  });
}

describe.each(['0.8.2.2', '3.9.1'])('the ZooKeeper of Kafka %s', (kafka) => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await startCluster({ kafka });
  });

  afterAll(async () => {
    await cluster.stop();
  });

  it('that restarts within the session timeout costs nothing: the session, the partitions and the flow go on, and commits work', async () => {
    await using scene = await begin(cluster);
    const { member } = await scene.join({ 'zookeeper.session.timeout.ms': 20_000 });
    const sessionId = sessionOf(member);
    const rebalances = rebalancesOf(member);
    await member.connector.commitOffsets();
    await cluster.stopZookeeper();
    let committing: Promise<void>;
    try {
      await scene.until('the suspension', () => member.eventsOf('session:suspended').length === 1);
      expect(member.connector.state).toBe('suspended');
      // It holds its partitions by right as long as its session is proved alive.
      await scene.progress();
      committing = member.connector.commitOffsets();
      committing.catch(() => undefined); // looked at below
    } finally {
      await cluster.startZookeeper();
    }
    await scene.until('the connection', () => member.eventsOf('session:connected').length === 2);
    await expect(committing).resolves.toBeUndefined();
    await scene.progress();
    await scene.owned();
    expect(sessionOf(member)).toBe(sessionId);
    expect((await cluster.sessions()).filter(({ id }) => id === sessionId)).toHaveLength(1);
    expect(member.eventsOf('session:lost')).toEqual([]);
    await expect(member.connector.commitOffsets()).resolves.toBeUndefined();
    expect(rebalancesOf(member)).toEqual(rebalances);

    expect(await scene.end()).toEqual([]);
    expect(disorderOf(scene.readings.flatMap(({ messages }) => messages))).toEqual([]);
    await expectStoredEnds(cluster, scene.name);
  });

  it('that is away for longer than the session timeout stops the flow in time; when it is back, the member is, too', async () => {
    const timeoutMs = 2000;
    await using scene = await begin(cluster);
    const { member } = await scene.join({ 'zookeeper.session.timeout.ms': timeoutMs });
    const [readings] = scene.readings;
    if (readings === undefined) throw new Error('there are no readings');
    const sessionId = sessionOf(member);
    await member.connector.commitOffsets();
    let lostMs = 0;
    member.connector.on('session:lost', () => (lostMs = performance.now()));
    await cluster.stopZookeeper();
    const stoppedMs = performance.now();
    try {
      await scene.until('the loss', () => lostMs > 0);
      expect(member.eventsOf('session:suspended')).toHaveLength(1);
      expect(lostMs - stoppedMs).toBeLessThan(timeoutMs + MARGIN_MS);
      // There is enough to hand out, for some time.
      const produced = scene.producedCount;
      await scene.until('more messages', () => scene.producedCount > produced + 300);
      const after = (ms: number): number => readings.messages.filter(({ atMs }) => atMs > ms).length;
      expect(after(lostMs)).toBe(0);
      expect(after(stoppedMs + timeoutMs)).toBe(0);
      expect(after(stoppedMs)).toBeGreaterThan(0);
      expect(member.connector.state).toBe('suspended');
      expect(member.owned).toEqual([]);
      expect(member.eventsOf('partitions:lost').map(({ partitions }) => partitions.length)).toEqual([4]);
    } finally {
      await cluster.startZookeeper();
    }
    await scene.owned();
    await scene.progress();
    expect(sessionOf(member)).not.toBe(sessionId);
    {
      await using zookeeper = await cluster.zookeeper();
      const owners = `/consumers/${scene.name}/owners/${scene.name}`;
      const paths = [
        `/consumers/${scene.name}/ids/${member.consumerId}`,
        ...ALL.map((partition) => `${owners}/${partition}`),
      ];
      const nodes = await Promise.all(paths.map((path) => zookeeper.get(path)));
      expect(nodes.map((node) => node?.ephemeralOwner)).toEqual(paths.map(() => sessionOf(member)));
    }
    // Nobody else has moved what it had stored, so it goes on where it was.
    expect(await scene.end()).toEqual([]);
    expect(disorderOf(readings.messages)).toEqual([]);
    await expectStoredEnds(cluster, scene.name);
  });

  it('that is away for longer makes two members repeat no more than what they had not stored', async () => {
    await using scene = await begin(cluster);
    const properties = { 'zookeeper.session.timeout.ms': 1500, 'auto.commit.interval.ms': 300 };
    const { member: a } = await scene.join(properties);
    const { member: b } = await scene.join(properties);
    const sessions = [a, b].map(sessionOf);
    await scene.until('commits of both', () =>
      [a, b].every((member) => member.eventsOf('offsets:committed').length > 0),
    );
    await cluster.stopZookeeper();
    try {
      await scene.until('both losses', () =>
        [a, b].every((member) => member.eventsOf('session:lost').length === 1),
      );
    } finally {
      await cluster.startZookeeper();
    }
    await scene.owned();
    await scene.progress();
    expect([a, b].map(sessionOf).filter((id) => sessions.includes(id))).toEqual([]);
    const repeated = await scene.end();
    expect(unexplained(repeated, [a, b])).toEqual([]);
    await expectStoredEnds(cluster, scene.name);
  });

  it('that restarts ten times in a row leaves each connector with one connection', async () => {
    const [server] = cluster.zookeeperServers;
    if (server === undefined) throw new Error('there is no ZooKeeper');
    await using first = await proxyTo(server);
    await using second = await proxyTo(server);
    const proxies = [first, second];
    await using scene = await begin(cluster);
    for (const proxy of proxies) {
      await scene.join({ 'zookeeper.session.timeout.ms': 30_000 }, `${proxy.address}/kafka`);
    }
    const { members } = scene;
    const before = members.map((member) => ({ id: sessionOf(member), rebalances: rebalancesOf(member) }));
    for (let round = 1; round <= 10; round += 1) {
      await cluster.stopZookeeper();
      await scene.until(`suspension ${round} of both`, () =>
        members.every((member) => member.eventsOf('session:suspended').length === round),
      );
      await cluster.startZookeeper();
      await scene.until(`connection ${round} of both`, () =>
        members.every((member) => member.eventsOf('session:connected').length === round + 1),
      );
      expect(proxies.map(({ openCount }) => openCount)).toEqual([1, 1]);
    }
    await scene.progress();
    for (const [index, member] of members.entries()) {
      const { id, rebalances } = before[index] ?? { id: '', rebalances: null };
      expect(sessionOf(member)).toBe(id);
      expect(await connectionsOf(server, id)).toHaveLength(1);
      expect(rebalancesOf(member)).toEqual(rebalances);
      expect(member.eventsOf('session:lost')).toEqual([]);
      await expect(member.connector.commitOffsets()).resolves.toBeUndefined();
    }
    expect(proxies.map(({ openCount }) => openCount)).toEqual([1, 1]);
    expect(await scene.end()).toEqual([]);
    await scene.until('no connection', () => proxies.every(({ openCount }) => openCount === 0));
  });

  it('that ends a session under load costs no message, and repeats only what its member had not stored', async () => {
    await using scene = await begin(cluster);
    const properties = { 'zookeeper.session.timeout.ms': 6000, 'auto.commit.interval.ms': 300 };
    const { member: a } = await scene.join(properties);
    const { member: b } = await scene.join(properties);
    const sessions = [a, b].map(sessionOf);
    await scene.until('a commit', () => a.eventsOf('offsets:committed').length > 0);
    await scene.progress();
    await cluster.expireSession(sessions[0] ?? '');
    await scene.until('the loss', () => a.eventsOf('partitions:lost').length === 1);
    await scene.until('the new session', () => a.eventsOf('session:connected').length > 1);
    await scene.owned();
    await scene.progress();
    expect(sessionOf(a)).not.toBe(sessions[0]);
    expect(sessionOf(b)).toBe(sessions[1]);
    expect(a.eventsOf('session:lost')).toHaveLength(1);
    expect(b.eventsOf('session:lost')).toEqual([]);
    const repeated = await scene.end();
    expect(unexplained(repeated, [a])).toEqual([]);
    // Not by chance: there was more in hand than was stored, or nothing could have been repeated.
    expect(committedAtLoss(a).size).toBeGreaterThan(0);
    await expectStoredEnds(cluster, scene.name);
  });

  it('whose connections break 20 times inside rebalances is not used past its order: stored offsets never go back, and nothing below them comes again', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 4 });
    await using load = new PartitionLoads(cluster, group.topic, ALL);
    const a = await (await group.member('a')).start();
    const b = await (await group.member('c')).start();
    const members = [a, b];
    await group.untilOwned(a, [0, 1]);
    await group.untilOwned(b, [2, 3]);

    /** Resolves when the member has got a new message of the partition. */
    const untilRead = async (member: TracedMember, partition: number): Promise<void> => {
      const before = member.messages.length;
      await group.until(`a message of ${partition}`, () =>
        member.messages.slice(before).some((message) => message.partition === partition),
      );
    };

    const random = randomOf(20_240_607);
    let cuts = 0;
    /** Cut at the next step of its rebalance, or a bit behind it. */
    const armed = new Set<TracedMember>();
    for (const member of members) {
      const strike = (): void => {
        if (!armed.delete(member)) return;
        setTimeout(() => {
          cuts += 1;
          member.zookeeper.dropConnections();
        }, random() * 8);
      };
      member.connector.on('rebalance:started', () => random() < 0.3 && strike());
      member.connector.on('rebalance:step', () => random() < 0.4 && strike());
    }
    // A third member that only registers. It is the first or the last one, so that partitions 0 and 1, or 3, go to it and
    // come back; partition 2 moves between the others when it is the first.
    await using zookeeper = await cluster.zookeeper();
    const ids = ['0', 'z'].map((name) => `${group.paths.ids}/${group.name}_${name}`);
    let third: string | null = null;
    const registration = JSON.stringify({
      ...{ version: 1, subscription: { [group.topic]: 1 }, pattern: 'static', timestamp: '1' },
    });
    for (let round = 0; cuts < 20 && round < 200; round += 1) {
      const before = cuts;
      /** Most rounds begin while the one before is still under way. */
      const settles = round % 4 === 0;
      const runs = members.map((member) => member.eventsOf('rebalance:finished').length);
      armed.add(members[Math.floor(random() * 2)] ?? a);
      if (third === null) {
        third = ids[settles ? 0 : Math.floor(random() * 2)] ?? '';
        await zookeeper.create(third, registration, { ephemeral: true });
      } else {
        await zookeeper.remove(third);
        third = null;
      }
      await group.until(`rebalance ${round}`, () =>
        members.every(
          (member, index) =>
            cuts > before || member.eventsOf('rebalance:finished').length > (runs[index] ?? 0),
        ),
      );
      if (!settles) continue;
      await group.untilOwned(a, [2]);
      await group.untilOwned(b, [3]);
      await untilRead(a, 2);
    }
    expect(cuts).toBeGreaterThanOrEqual(20);
    armed.clear();
    if (third !== null) await zookeeper.remove(third);
    await group.untilOwned(a, [0, 1]);
    await group.untilOwned(b, [2, 3]);
    await untilRead(b, 2);
    const produced = await load.stop();
    const receivers = members.map(({ consumerId, messages }) => ({ consumerId, messages }));
    await group.until('all messages', () => compareDeliveries(produced, receivers).missing.length === 0);
    await Promise.all(members.map((member) => member.stop()));
    expect(members.flatMap((member) => member.eventsOf('session:lost'))).toEqual([]);
    expect(members.flatMap(({ errors }) => errors)).toEqual([]);

    const report = compareDeliveries(produced, receivers);
    expect(report.missing).toEqual([]);
    // Both sessions outlived all this, so that everything was stored before it was released.
    expect(report.repeated).toEqual([]);
    expect([...report.takenOver]).toContain(`${group.topic}/2`);
    let writes = 0;
    for (const partition of ALL) {
      const path = group.offset(partition);
      const stored = members
        .flatMap(({ zookeeper: { records } }) => records)
        .filter(({ op, path: at }) => at === path && (op === 'setData' || op === 'create'))
        .sort((one, other) => one.sentAt - other.sentAt)
        .map(({ sentAt, answeredAt, error, data }) => ({ sentAt, answeredAt, error, offset: Number(data) }));
      writes += stored.length;
      const offsets = stored.map(({ offset }) => offset);
      expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
      const known = stored.filter(({ error }) => error === 0);
      const early = members
        .flatMap(({ messages }) => messages)
        .filter((message) => message.partition === partition)
        .filter(({ at, offset }) =>
          known.some(({ answeredAt, offset: next }) => answeredAt < at && offset < next),
        );
      expect(early).toEqual([]);
    }
    expect(writes).toBeGreaterThan(20);
  });
});

describe.each(['0.8.2.2', '3.9.1'])('an ensemble of three with Kafka %s', (kafka) => {
  let cluster: TestCluster;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, zookeepers: 3 });
  });

  afterAll(async () => {
    await cluster.stop();
  });

  it('takes the session over when a member’s server stops, a follower or the leader: no rebalance, no repetition', async () => {
    const servers = cluster.zookeeperServers;
    await using first = await proxyTo(servers[0]);
    await using second = await proxyTo(servers[1]);
    await using third = await proxyTo(servers[2]);
    const proxies = [first, second, third];
    await using scene = await begin(cluster);
    const connect = `${proxies.map(({ address }) => address).join(',')}/kafka`;
    const { member } = await scene.join({ 'zookeeper.session.timeout.ms': 20_000 }, connect);
    const sessionId = sessionOf(member);
    const rebalances = rebalancesOf(member);
    /** The number of the server that has the member's connection, and whether it is the leader. */
    const serverNow = async (): Promise<{ number: number; leads: boolean } | null> => {
      for (const [index, server] of servers.entries()) {
        if (proxies[index]?.openCount !== 1) continue;
        if ((await connectionsOf(server, sessionId)).length !== 1) continue;
        const leads = (await fourLetterWord(server, 'srvr')).includes('Mode: leader');
        return { number: index + 1, leads };
      }
      return null;
    };
    for (const leads of [false, true]) {
      const role = leads ? 'the leader' : 'a follower';
      const server = await scene.until(`a connection to ${role}`, async () => {
        const found = await serverNow();
        if (found === null || found.leads === leads) return found;
        proxies[found.number - 1]?.cut(); // it goes to another server
        return null;
      });
      const connections = member.eventsOf('session:connected').length;
      await cluster.stopZookeeper(server.number);
      try {
        await scene.until(
          'a connection to another one',
          () => member.eventsOf('session:connected').length > connections,
        );
        await scene.progress();
        const next = await scene.until('its new server', serverNow);
        expect(next.number).not.toBe(server.number);
        await expect(member.connector.commitOffsets()).resolves.toBeUndefined();
      } finally {
        await cluster.startZookeeper(server.number);
      }
    }
    const sessions = member.eventsOf('session:connected').map((one) => one.sessionId);
    expect(sessions.length).toBeGreaterThanOrEqual(3);
    expect(new Set(sessions)).toEqual(new Set([sessionId]));
    expect(member.eventsOf('session:lost')).toEqual([]);
    expect(rebalancesOf(member)).toEqual(rebalances);
    await scene.owned();
    expect(await scene.end()).toEqual([]);
    await expectStoredEnds(cluster, scene.name);
  });
});

/** A generator with a fixed start (mulberry32): what fails once fails again, as far as time allows. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
