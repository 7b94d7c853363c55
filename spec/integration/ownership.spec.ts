import { encodeRegistration } from '../../lib/zookeeper/registration';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { TracedGroup } from '../support/TracedGroup';
import type { TracedMember } from '../support/TracedMember';
import { withDeadline } from '../support/waitFor';
import type { ZookeeperRecord } from '../support/ZookeeperProxy';
import { NODE_EXISTS } from '../support/zookeeperFrames';

// The first run on a machine resolves the jars.
jest.setTimeout(120_000);

/** Longer than any wait of the specs: with this pause, what happens at all does not happen because of its end. */
const LONG_BACKOFF = { 'rebalance.backoff.ms': 60_000, 'rebalance.max.retries': 1 } as const;

let cluster: TestCluster;
let admin: ZookeeperAdmin;
let producer: Producer;
/** Another session, whose ephemeral nodes are in the way. */
let foreign: ZookeeperAdmin;

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2' });
  admin = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await admin.close();
  await cluster.stop();
});

beforeEach(async () => {
  foreign = await cluster.zookeeper();
});

afterEach(async () => {
  await foreign.close();
});

/** An owner node of another session. */
async function occupy(
  group: TracedGroup,
  partition: number,
  data = `${group.name}_foreign-0`,
): Promise<void> {
  await admin.mkdirp(group.paths.ownersOf(group.topic));
  await foreign.create(group.owner(partition), data, { ephemeral: true });
}

/** Data and session of each owner node of the topic. */
async function ownersOf(group: TracedGroup, topic = group.topic): Promise<Record<string, string>> {
  const tree = await admin.tree(group.paths.ownersOf(topic));
  const prefix = `${group.paths.ownersOf(topic)}/`;
  return Object.fromEntries(
    [...tree]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, data]) => [path.slice(prefix.length), data]),
  );
}

function sessionOf(member: TracedMember): string {
  return member.eventsOf('session:connected').at(-1)?.payload.sessionId ?? 'none';
}

function failures(member: TracedMember) {
  return member.eventsOf('rebalance:failed').map(({ at, ms, payload }) => ({ at, ms, ...payload }));
}

/** Owner nodes that the member has made, less those that it has removed, as answered up to a moment. */
function standing(member: TracedMember, group: TracedGroup, at: number): number {
  const done = (op: ZookeeperRecord['op']): number =>
    member.zookeeper.records.filter(
      (one) =>
        one.op === op &&
        one.error === 0 &&
        one.answeredAt < at &&
        one.path?.startsWith(`${group.paths.ownersOf(group.topic)}/`),
    ).length;
  return done('create') - done('delete');
}

describe('an owner node of somebody else in the way', () => {
  it('keeps nothing but the first rebalance waiting: it is tried again and again, and leaves no claim in between', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 3 });
    await occupy(group, 1);
    const properties = { 'rebalance.backoff.ms': 150, 'rebalance.max.retries': 3 } as const;
    const a = await group.member('a', { properties });
    await a.start();
    expect(failures(a).length).toBe(3);
    expect(a.connector.state).toBe('rebalancing');
    await group.until('attempts beyond rebalance.max.retries', () => failures(a).length >= 5);

    const failed = failures(a).slice(0, 5);
    expect(failed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(failed.map(({ retryInMs }) => retryInMs)).toEqual([150, 150, 150, 300, 600]);
    for (const { error } of failed) {
      expect(error).toMatchObject({ code: 'REBALANCE_FAILED', context: { path: group.owner(1) } });
    }
    expect(failed.map(({ at }) => standing(a, group, at))).toEqual([0, 0, 0, 0, 0]);
    expect(a.zookeeper.of('create', group.owner(0)).length).toBeGreaterThanOrEqual(5);
    expect(a.owned).toEqual([]);

    await producer.send(group.topic, 1, [{ value: 'first' }]);
    await foreign.close();
    await group.untilOwned(a, [0, 1, 2]);
    await group.until('the message', () => a.messages.length === 1);
    foreign = await cluster.zookeeper();
  });

  it('is tried again after the pause that was told, and not before, as long as nothing happens', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    await occupy(group, 1);
    const properties = { 'rebalance.backoff.ms': 400, 'rebalance.max.retries': 3 } as const;
    const a = await (await group.member('a', { properties })).start();
    const failed = failures(a).slice(0, 2);
    const pauses = failed.map(({ ms, attempt }) => {
      const next = a.eventsOf('rebalance:started').find(({ payload }) => payload.attempt === attempt + 1);
      return (next?.ms ?? 0) - ms;
    });
    // Timers may be a millisecond early.
    expect(pauses.map((ms) => ms >= 398)).toEqual([true, true]);
  });

  it('shortens no pause but that of the claim which met it', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    await occupy(group, 1);
    const properties = { 'rebalance.backoff.ms': 400, 'rebalance.max.retries': 1 } as const;
    const a = await (await group.member('a', { properties })).start();
    const bad = group.paths.id(`${group.name}_bad`);
    await admin.create(bad, '{"version":1');
    await foreign.remove(group.owner(1));
    const malformed = () => failures(a).filter(({ error }) => error.code === 'REGISTRATION_INVALID');
    await group.until('two attempts with the malformed registration', () => malformed().length >= 3);
    const [, first, second] = malformed();
    expect((second?.ms ?? 0) - (first?.ms ?? 0)).toBeGreaterThanOrEqual(398);
    await admin.remove(bad);
    await group.untilOwned(a, [0, 1]);
  });

  it('is watched: when it goes, its partition is claimed at once and not after the pause', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    await occupy(group, 1);
    const a = await (await group.member('a', { properties: LONG_BACKOFF })).start();
    await group.until('a watch on the owner node', () =>
      a.zookeeper.of('exists', group.owner(1)).some(({ watch, error }) => watch && error === 0),
    );
    await foreign.remove(group.owner(1));
    await group.untilOwned(a, [0, 1]);
    expect(failures(a).length).toBe(1);
  });

  it('is looked at before the pause: if it is gone by then, there is no pause', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    await occupy(group, 1);
    const a = await group.member('a', { properties: LONG_BACKOFF });
    const hold = a.zookeeper.hold(({ op, path }) => op === 'getData' && path === group.owner(1));
    const starting = a.start();
    await hold.held;
    await foreign.remove(group.owner(1));
    hold.release();
    await starting;
    await group.untilOwned(a, [0, 1]);
    expect(failures(a).length).toBe(1);
  });

  it('fails no attempt if it goes while it is looked at: it is created again at once', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    await occupy(group, 1);
    const a = await group.member('a', { properties: LONG_BACKOFF });
    const hold = a.zookeeper.hold(
      ({ op, path, error }) => op === 'create' && path === group.owner(1) && error === NODE_EXISTS,
    );
    const starting = a.start();
    await hold.held;
    await foreign.remove(group.owner(1));
    hold.release();
    await starting;
    expect(a.owned).toHaveLength(2);
    expect(failures(a)).toEqual([]);
  });

  it('is not taken for ours because it holds our name: it belongs to an earlier session and will vanish', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await group.member('a', { properties: { 'rebalance.backoff.ms': 100 } });
    await occupy(group, 1, `${a.consumerId}-0`);
    const starting = a.start();
    await group.until('an end of the attempt', () =>
      a.events.some(({ event }) => event === 'rebalance:failed' || event === 'rebalance:finished'),
    );
    await foreign.close();
    foreign = await cluster.zookeeper();
    await starting;
    await group.untilOwned(a, [0, 1]);
    expect((await admin.get(group.owner(1)))?.ephemeralOwner).toBe(sessionOf(a));
    expect(failures(a).length).toBeGreaterThan(0);
  });
});

describe('the own owner nodes at shutdown', () => {
  it('may be gone already', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 3 });
    const a = await (await group.member('a')).start();
    await admin.remove(group.owner(1));
    await a.stop();
    await expect(a.connector.closed).resolves.toBeUndefined();
    expect(await ownersOf(group)).toEqual({});
    expect(await admin.children(group.paths.ids)).toEqual([]);
    expect(a.zookeeper.of('delete', group.owner(1))).toEqual([]);
  });

  it.each(['another text', 'the same text'])(
    'are left alone if they have become another session’s, with %s',
    async (text) => {
      await using group = await TracedGroup.create(cluster, { partitions: 3 });
      const a = await (await group.member('a')).start();
      const data = text === 'the same text' ? `${a.consumerId}-0` : `${group.name}_foreign-0`;
      await admin.remove(group.owner(1));
      await occupy(group, 1, data);
      await a.stop();
      expect(await ownersOf(group)).toEqual({ 1: data });
      expect((await admin.get(group.owner(1)))?.ephemeralOwner).toBe(foreign.sessionId);
    },
  );
});

describe('a connection that breaks', () => {
  it('before the answer to a claim costs nothing: the node is found to be ours', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await group.member('a', { properties: LONG_BACKOFF });
    const hold = a.zookeeper.hold(
      ({ op, path, error }) => op === 'create' && path === group.owner(1) && error === 0,
    );
    const starting = a.start();
    await hold.held;
    a.zookeeper.dropConnections();
    hold.release();
    await starting;
    await group.untilOwned(a, [0, 1]);
    expect(failures(a)).toEqual([]);
    expect((await admin.get(group.owner(1)))?.ephemeralOwner).toBe(sessionOf(a));
    expect(a.zookeeper.of('create', group.owner(1)).filter(({ error }) => error === 0)).toHaveLength(1);
    expect(a.zookeeper.of('delete', group.owner(1))).toEqual([]);
  });

  it('before the answer to a release does not take the node from the member that has it by now', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await (await group.member('a')).start();
    const hold = a.zookeeper.hold(({ op, path }) => op === 'delete' && path === group.owner(1));
    const b = await (await group.member('b')).start();
    await hold.held;
    await group.untilOwned(b, [1]);
    a.zookeeper.dropConnections();
    hold.release();
    await group.untilOwned(a, [0]);
    expect((await admin.get(group.owner(1)))?.ephemeralOwner).toBe(sessionOf(b));
    expect(a.zookeeper.of('delete', group.owner(1))).toHaveLength(1);
    expect(b.eventsOf('partitions:released')).toEqual([]);
  });
});

describe('the registrations of others', () => {
  it('count only for the topics that they have', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const other = `${group.topic}-other`;
    await cluster.createTopic(other, { partitions: 2 });
    const a = await group.member('a', { topics: { [group.topic]: 1 } });
    const b = await group.member('b', { topics: { [other]: 1 } });
    await Promise.all([a.start(), b.start()]);
    await group.untilOwned(a, [0, 1]);
    await group.until('b owns its topic', () => b.owned.join(' ') === `${other}/0 ${other}/1`);

    const c = await (await group.member('c', { topics: { [group.topic]: 1, [other]: 1 } })).start();
    // In the order of texts, "-" is before "/".
    await group.until('c has its share', () => c.owned.join(' ') === `${other}/1 ${group.topic}/1`);
    await group.untilOwned(a, [0]);
    expect(await ownersOf(group)).toEqual({ 0: `${a.consumerId}-0`, 1: `${c.consumerId}-0` });
    expect(await ownersOf(group, other)).toEqual({ 0: `${b.consumerId}-0`, 1: `${c.consumerId}-0` });
  });

  it('stop nobody when they are malformed: consumption goes on, the fault is told, and its end is noticed', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await (await group.member('a', { properties: LONG_BACKOFF })).start();
    const since = group.next();
    const bad = group.paths.id(`${group.name}_bad`);
    await admin.create(bad, '{"version":1');
    await group.until('the fault', () => failures(a).length > 0);
    for (const { error } of failures(a)) {
      expect(error).toMatchObject({ code: 'REGISTRATION_INVALID', context: { path: bad } });
    }
    await producer.send(group.topic, 0, [{ value: 'still' }]);
    await group.until('the message', () => a.messages.length === 1);
    expect(a.owned).toHaveLength(2);
    expect(a.eventsOf('rebalance:step').filter(({ at }) => at > since)).toEqual([]);

    await admin.remove(bad);
    await group.until('a rebalance', () => a.eventsOf('rebalance:finished').some(({ at }) => at > since));
    const b = await (await group.member('b')).start();
    await group.untilOwned(a, [0]);
    await group.untilOwned(b, [1]);
  });

  it('are given what is theirs: ten members that start at once share twelve partitions, each with one owner', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 12 });
    await using load = new SteadyLoad(cluster, group.topic, 12);
    const members = await Promise.all(Array.from({ length: 10 }, (_, n) => group.member(`m${n}`)));
    await Promise.all(members.map((member) => member.start()));
    // The range rule: 12 partitions, 10 threads, so the first two get one more.
    const share = (n: number): number[] => (n < 2 ? [2 * n, 2 * n + 1] : [n + 2]);
    for (const [n, member] of members.entries()) await group.untilOwned(member, share(n));
    const wanted = members.flatMap(({ consumerId }, n) =>
      share(n).map((p) => [p, `${consumerId}-0`] as const),
    );
    expect(await ownersOf(group)).toEqual(Object.fromEntries(wanted));

    await group.until('messages of each member', () => members.every(({ messages }) => messages.length > 0));
    const produced = await load.stop();
    const taken = () => members.flatMap(({ messages }) => messages);
    await group.until('all messages', () => taken().length >= produced.length);
    const names = (all: readonly { partition: number; offset: number }[]): string[] =>
      all.map(({ partition, offset }) => `${partition}@${offset}`).sort();
    expect(names(taken())).toEqual(names(produced));
  });
});

describe('the own registration', () => {
  function occupyId(group: TracedGroup, member: TracedMember): Promise<void> {
    const subscription = new Map([[group.topic, 1]]);
    const data = encodeRegistration({ subscription, pattern: 'static', timestampMs: 0 });
    return admin
      .mkdirp(group.paths.ids)
      .then(() => foreign.create(group.paths.id(member.consumerId), data, { ephemeral: true }));
  }

  const refused = (group: TracedGroup, member: TracedMember): ZookeeperRecord[] =>
    member.zookeeper
      .of('create', group.paths.id(member.consumerId))
      .filter(({ error }) => error === NODE_EXISTS);

  it('waits for the node of the process before, which was killed and started again', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await group.member('a');
    await occupyId(group, a);
    const starting = a.start();
    await group.until('two tries', () => refused(group, a).length >= 2);
    expect(await ownersOf(group)).toEqual({});
    await foreign.close();
    foreign = await cluster.zookeeper();
    await starting;
    await group.untilOwned(a, [0, 1]);
    expect((await admin.get(group.paths.id(a.consumerId)))?.ephemeralOwner).toBe(sessionOf(a));
  });

  it('fails after one session timeout if another member has the name, and may be tried again later', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await group.member('a', { properties: { 'zookeeper.session.timeout.ms': 2_000 } });
    await occupyId(group, a);
    const startedMs = performance.now();
    await expect(withDeadline(a.start(), 20_000, 'the refusal')).rejects.toMatchObject({
      code: 'CONSUMER_ID_IN_USE',
      retriable: true,
      context: { path: group.paths.id(a.consumerId) },
    });
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThanOrEqual(2_000);
    expect(tookMs).toBeLessThan(10_000);
    expect(a.connector.state).toBe('idle');
    expect((await admin.get(group.paths.id(a.consumerId)))?.ephemeralOwner).toBe(foreign.sessionId);
    expect(a.zookeeper.records.at(-1)?.op).toBe('closeSession');

    await foreign.remove(group.paths.id(a.consumerId));
    await a.start();
    await group.untilOwned(a, [0, 1]);
  });

  it('is made again when it is gone, with a rebalance of everything', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const a = await (await group.member('a')).start();
    const since = group.next();
    await admin.remove(group.paths.id(a.consumerId));
    const finished = await group.until('a rebalance', () =>
      a.eventsOf('rebalance:finished').find(({ at }) => at > since),
    );
    expect(finished.payload).toMatchObject({ changed: true, owned: { length: 2 } });
    expect((await admin.get(group.paths.id(a.consumerId)))?.ephemeralOwner).toBe(sessionOf(a));
  });
});
