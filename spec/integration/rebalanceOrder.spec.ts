import { BrokerConnection } from '../../lib/kafka/BrokerConnection';
import { FETCH_API_KEY } from '../../lib/kafka/fetch';
import { encodeRegistration } from '../../lib/zookeeper/registration';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import {
  attemptsOf,
  namesInOrder,
  PartitionTrace,
  rebalanceTo,
  STEPS,
  stepsIn,
} from '../support/orderOfRebalance';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { TracedGroup } from '../support/TracedGroup';
import type { TakenMessage, TracedMember } from '../support/TracedMember';
import type { ZookeeperRecord } from '../support/ZookeeperProxy';
import { NODE_EXISTS } from '../support/zookeeperFrames';

// The first run on a machine resolves the jars.
jest.setTimeout(120_000);

let cluster: TestCluster;
let admin: ZookeeperAdmin;
let producer: Producer;
/** Every fetch that a member of the spec has sent. */
let fetches: { readonly clientId: string; readonly sentAt: number }[];

function useCluster(kafka: string): void {
  beforeAll(async () => {
    cluster = await startCluster({ kafka });
    admin = await cluster.zookeeper();
    producer = new Producer({ brokers: cluster.brokers });
  });
  afterAll(async () => {
    producer.close();
    await admin.close();
    await cluster.stop();
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** Writes down when members fetch. */
function recordFetches(next: () => number): void {
  fetches = [];
  const connect = BrokerConnection.connect.bind(BrokerConnection);
  jest.spyOn(BrokerConnection, 'connect').mockImplementation(async (broker, options) => {
    const { clientId } = options;
    const connection = await connect(broker, options);
    const request = connection.request.bind(connection);
    jest.spyOn(connection, 'request').mockImplementation((asked, limits) => {
      if (asked.apiKey === FETCH_API_KEY) fetches.push({ clientId, sentAt: next() });
      return request(asked, limits);
    });
    return connection;
  });
}

/** Produces so many messages to each partition; the value is "partition#n". */
async function produce(group: TracedGroup, count: number, partitions = group.partitions): Promise<void> {
  for (const partition of partitions) {
    const messages = Array.from({ length: count }, (_, n) => ({ value: `${partition}#${n}` }));
    await producer.send(group.topic, partition, messages);
  }
}

/** Offsets that the member was handed of one partition, in order. */
function offsetsOf(member: TracedMember, partition: number): number[] {
  return member.messages.filter((message) => message.partition === partition).map(({ offset }) => offset);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

function isCommit(group: TracedGroup, { op, path, error }: ZookeeperRecord): boolean {
  return (
    (op === 'setData' || op === 'create') && path?.startsWith(group.paths.offsets) === true && error === 0
  );
}

/** Changes of owner nodes, offsets and registrations that the member has asked for since. */
function changes(member: TracedMember, since: number): string[] {
  return member.zookeeper.records
    .filter(({ op, sentAt }) => ['create', 'delete', 'setData'].includes(op) && sentAt > since)
    .map(({ op, path }) => `${op} ${path ?? ''}`);
}

/** Lets the topic's watches fire, though nothing has changed. */
async function touchTopic(group: TracedGroup): Promise<void> {
  const path = `/brokers/topics/${group.topic}`;
  const node = await admin.get(path);
  await admin.set(path, node?.data ?? '');
}

async function untilRebalanced(group: TracedGroup, member: TracedMember, since: number) {
  return group.until(`a rebalance of ${member.name}`, () =>
    member.eventsOf('rebalance:finished').find(({ at }) => at > since),
  );
}

/** All members get all messages of the load, each of them once. */
async function untilAllOnce(group: TracedGroup, load: SteadyLoad, members: TracedMember[]): Promise<void> {
  const produced = await load.stop();
  const taken = (): number => members.reduce((sum, { messages }) => sum + messages.length, 0);
  await group.until('everything that was produced', () => taken() >= produced.length);
  const names = members.flatMap(({ messages }) =>
    messages.map(({ partition, offset }) => `${partition}@${offset}`),
  );
  expect(names.sort()).toEqual(produced.map(({ partition, offset }) => `${partition}@${offset}`).sort());
  expect(members.flatMap(({ errors }) => errors)).toEqual([]);
}

/** Waits until the member has had messages of all its partitions, commits, and waits for messages of each again. */
async function commitInBetween(group: TracedGroup, member: TracedMember, partitions: number): Promise<void> {
  const untilAll = (since: number) =>
    group.until('messages of all partitions', () => {
      const fresh = member.messages.filter(({ at }) => at > since);
      return new Set(fresh.map(({ partition }) => partition)).size === partitions;
    });
  await untilAll(0);
  await member.connector.commitOffsets();
  await untilAll(group.next());
}

/** Everything about the order in which A gives partitions to B and claims the others again. */
function expectStrictOrder(group: TracedGroup, a: TracedMember, b: TracedMember, half: number): void {
  const spanA = rebalanceTo(a, range(0, half));
  const spanB = rebalanceTo(b, range(half, 2 * half));
  if (spanA === undefined || spanB === undefined) throw new Error('The rebalances are not over');
  expect(spanA.trigger).toBe('members-changed');

  // Partitions that move from A to B.
  for (const partition of range(half, 2 * half)) {
    const left = new PartitionTrace(group, a, partition, spanA);
    const taken = new PartitionTrace(group, b, partition, spanB);
    const order = {
      'commit by A answered': left.commit.answeredAt,
      'release by A begun': left.releaseBegin.sentAt - 0.5, // it may be the same request
      'release by A asked for': left.release.sentAt,
      'claim by B answered': taken.claim.answeredAt,
      'read of the offset by B asked for': taken.read.sentAt,
      'read of the offset by B answered': taken.read.answeredAt,
      'first message to B': b.messages.find((message) => message.partition === partition)?.at ?? -1,
    };
    expect(namesInOrder(order)).toEqual(Object.keys(order));
    expect(taken.read.data).toBe(left.commit.data);
    expect(taken.claim).toMatchObject({ data: `${b.consumerId}-0`, ephemeral: true });
  }

  // Partitions that A keeps.
  const stopped = stepsIn(a, spanA).find(({ step }) => step === 'stop-fetchers')?.at ?? -1;
  let lastRead = 0;
  for (const partition of range(0, half)) {
    const kept = new PartitionTrace(group, a, partition, spanA);
    const order = {
      'fetchers stopped': stopped,
      'commit answered': kept.commit.answeredAt,
      'release begun': kept.releaseBegin.sentAt - 0.5,
      'release asked for': kept.release.sentAt,
      'claim answered': kept.claim.answeredAt,
      'read of the offset asked for': kept.read.sentAt,
      'rebalance finished': spanA.to,
    };
    expect(namesInOrder(order)).toEqual(Object.keys(order));
    lastRead = Math.max(lastRead, kept.read.answeredAt);
  }

  // In between A neither fetches nor hands out.
  const between = ({ at }: { readonly at: number }): boolean => at > stopped && at < lastRead;
  const fetchesOf = (member: TracedMember) =>
    fetches.filter(({ clientId }) => clientId === member.name).map(({ sentAt }) => ({ at: sentAt }));
  expect({ messages: a.messages.filter(between), fetches: fetchesOf(a).filter(between) }).toEqual({
    messages: [],
    fetches: [],
  });
  expect(fetchesOf(a).some(({ at }) => at < stopped)).toBe(true);
  // And B does not fetch before it has its claims and offsets.
  const lastReadOfB = Math.max(
    ...range(half, 2 * half).map(
      (partition) => new PartitionTrace(group, b, partition, spanB).read.answeredAt,
    ),
  );
  expect(fetchesOf(b).filter(({ at }) => at < lastReadOfB)).toEqual([]);

  expect(stepsIn(a, spanA).map(({ step }) => step)).toEqual(STEPS);
}

function handsOverInOrder(): void {
  it('R3: commits, releases, claims and reads offsets in this order, both what moves and what stays', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 6 });
    recordFetches(group.next);
    await using load = new SteadyLoad(cluster, group.topic, 6);
    const a = await group.member('a');
    await a.start();
    await commitInBetween(group, a, 6);

    const b = await group.member('b');
    await b.start();
    await group.until('messages of each from its own', () => {
      const since = rebalanceTo(a, [0, 1, 2])?.to ?? Infinity;
      const fresh = a.messages.filter(({ at }) => at > since);
      return new Set([...fresh, ...b.messages].map(({ partition }) => partition)).size === 6;
    });
    expect(a.owned).toHaveLength(3);
    expectStrictOrder(group, a, b, 3);
    await untilAllOnce(group, load, [a, b]);
  });
}

describe('on Kafka 3.9.1', () => {
  useCluster('3.9.1');
  describe('the order of a rebalance', () => {
    handsOverInOrder();
  });
});

describe('on Kafka 0.8.2.2', () => {
  useCluster('0.8.2.2');

  describe('the order of a rebalance', () => {
    handsOverInOrder();

    it('waits with the release for the answer to each commit, however late it is', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 4 });
      recordFetches(group.next);
      await using load = new SteadyLoad(cluster, group.topic, 4);
      const a = await group.member('a', { properties: { 'zookeeper.session.timeout.ms': 30_000 } });
      await a.start();
      await commitInBetween(group, a, 4);
      a.zookeeper.delay(({ op, path }) => op === 'setData' && path === group.offset(3), 2_000);

      const b = await group.member('b');
      await b.start();
      await group.untilOwned(a, [0, 1]);
      await group.untilOwned(b, [2, 3]);
      await group.until('messages of B', () => new Set(b.messages.map((m) => m.partition)).size === 2);
      const [commit] = a.zookeeper
        .of('setData', group.offset(3))
        .filter(({ answeredMs, sentMs }) => answeredMs - sentMs >= 1_990);
      expect(commit).toBeDefined();
      expect(b.eventsOf('rebalance:failed').length).toBeGreaterThan(0);
      expectStrictOrder(group, a, b, 2);
      await untilAllOnce(group, load, [a, b]);
    });

    it('tells the steps of every attempt in their order', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 4 });
      const a = await (await group.member('a')).start();
      await group.untilOwned(a, [0, 1, 2, 3]);
      const b = await (await group.member('b')).start();
      await group.untilOwned(b, [2, 3]);
      await group.untilOwned(a, [0, 1]);
      for (const attempt of [...attemptsOf(a), ...attemptsOf(b)]) {
        const wanted = { success: STEPS, nothing: [], failure: STEPS.slice(0, attempt.steps.length) };
        expect(attempt.steps).toEqual(wanted[attempt.end]);
      }
      for (const member of [a, b]) {
        expect(attemptsOf(member)).toContainEqual({ end: 'success', steps: STEPS });
      }
    });

    it('commits the first position of a partition too, so that no old message comes after a rebalance', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 4 });
      await produce(group, 5);
      const properties = { 'auto.offset.reset': 'largest' } as const;
      const a = await (await group.member('a', { properties })).start();
      await group.until('the positions of A', () => a.eventsOf('offset:reset').length === 4);
      const b = await (await group.member('b', { properties })).start();
      await group.untilOwned(b, [2, 3]);
      await group.untilOwned(a, [0, 1]);
      for (const partition of group.partitions) {
        expect((await admin.get(group.offset(partition)))?.data?.toString()).toBe('5');
      }
      await produce(group, 5);
      await group.until('the new messages', () => a.messages.length + b.messages.length === 20);
      for (const partition of [0, 1]) expect(offsetsOf(a, partition)).toEqual(range(5, 10));
      for (const partition of [2, 3]) expect(offsetsOf(b, partition)).toEqual(range(5, 10));
    });

    it('shuts down in order: commit, release, end of the session; and the other member goes on from there', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 4 });
      const a = await (await group.member('a')).start();
      const b = await (await group.member('b')).start();
      await group.untilOwned(a, [0, 1]);
      await group.untilOwned(b, [2, 3]);
      await using load = new SteadyLoad(cluster, group.topic, 4);
      await commitInBetween(group, a, 2);
      const from = group.next();
      await a.stop();
      const to = group.next();
      await group.untilOwned(b, [0, 1, 2, 3]);
      const spanB = rebalanceTo(b, [0, 1, 2, 3]);
      if (spanB === undefined) throw new Error('B has not taken over');
      const [end, ...more] = a.zookeeper.records.filter(({ op }) => op === 'closeSession');
      expect(more).toEqual([]);
      for (const partition of [0, 1]) {
        const left = new PartitionTrace(group, a, partition, { from, to });
        const taken = new PartitionTrace(group, b, partition, spanB);
        const releases = {
          'commit answered': left.commit.answeredAt,
          'release asked for': left.release.sentAt,
          'release answered': left.release.answeredAt,
          'end of the session asked for': end?.sentAt ?? -1,
        };
        expect(namesInOrder(releases)).toEqual(Object.keys(releases));
        const takeOver = {
          'release asked for': left.release.sentAt,
          'claim by B answered': taken.claim.answeredAt,
          'read of the offset by B asked for': taken.read.sentAt,
        };
        expect(namesInOrder(takeOver)).toEqual(Object.keys(takeOver));
        expect(taken.read.data).toBe(left.commit.data);
      }
      await untilAllOnce(group, load, [a, b]);
    });
  });

  describe('what the application has in hand at a rebalance', () => {
    /** A is stuck in the message at offset 4 of partition 1, which B wants, and has fetched more of both. */
    async function stuck(group: TracedGroup, drainMs: number) {
      await produce(group, 10);
      let free: () => void = () => undefined;
      const freed = new Promise<void>((resolve) => (free = resolve));
      const handle = ({ partition, offset }: TakenMessage): Promise<void> | undefined =>
        partition === 1 && offset === 4 ? freed : undefined;
      const properties = { 'rebalance.drain.timeout.ms': drainMs, 'rebalance.backoff.ms': 100 };
      const a = await group.member('a', { handle, properties });
      await a.start();
      await group.until('the message that takes long', () => offsetsOf(a, 1).includes(4));
      await produce(group, 10, [0]);
      await group.until('the fetch of more messages', () =>
        a.connector.ownedPartitions().some(({ highWatermark }) => highWatermark === 20),
      );
      const b = await group.member('b', { properties });
      const starting = b.start();
      const conflicts = (): ZookeeperRecord[] =>
        b.zookeeper.of('create', group.owner(1)).filter(({ error }) => error === NODE_EXISTS);
      const end = async (): Promise<void> => {
        free();
        await starting;
      };
      return { a, b, starting, free, conflicts, [Symbol.asyncDispose]: end };
    }

    it('R14: is waited for, counts as processed, and is not repeated by the next owner', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2 });
      await using scene = await stuck(group, 60_000);
      const { a, b, starting, free, conflicts } = scene;
      // B has tried twice: A keeps the partition while it works on the message.
      await group.until('conflicts of B', () => conflicts().length >= 2);
      const since = group.next();
      expect(changes(a, 0).filter((change) => change.startsWith('delete'))).toEqual([]);
      free();
      await starting;
      await group.until('the rest', () => a.messages.length + b.messages.length >= 30);
      expect(offsetsOf(a, 0)).toEqual(range(0, 20));
      expect(offsetsOf(a, 1)).toEqual(range(0, 5));
      expect(offsetsOf(b, 1)).toEqual(range(5, 10));
      expect(
        a.zookeeper.records.find((record) => record.sentAt > since && isCommit(group, record)),
      ).toBeDefined();
      expect(b.zookeeper.of('getData', group.offset(1)).map(({ data }) => data)).toEqual(['5']);
    });

    it('is waited for no longer than rebalance.drain.timeout.ms; done late, it neither breaks nor commits anything', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2 });
      await using scene = await stuck(group, 300);
      const { a, b, starting, free } = scene;
      await starting;
      await group.until('the message again', () => offsetsOf(b, 1).length === 6);
      expect(offsetsOf(b, 1)).toEqual(range(4, 10));
      await group.untilOwned(a, [0]);
      const since = group.next();
      const [released] = a.zookeeper.of('delete', group.owner(1));
      expect(released).toBeDefined();
      free();
      await produce(group, 5, [0]);
      await group.until('later messages of A', () => offsetsOf(a, 0).length >= 25);
      await a.connector.commitOffsets();
      await a.stop();
      expect(changes(a, since)).toContain(`setData ${group.offset(0)}`);
      expect(changes(a, released?.sentAt ?? 0)).not.toContain(`setData ${group.offset(1)}`);
      expect(offsetsOf(a, 0)).toEqual(range(0, 25));
      expect(offsetsOf(a, 1)).toEqual(range(0, 5));
      expect(a.errors).toEqual([]);
    });

    it('is waited for before the assignment, which counts who has joined meanwhile', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2 });
      await using scene = await stuck(group, 60_000);
      const { a, b, starting, free } = scene;
      const seen = await group.until('a rebalance of A', () =>
        a.eventsOf('rebalance:started').find(({ payload: { trigger } }) => trigger === 'members-changed'),
      );
      await group.until('the first look of A', () =>
        a.zookeeper
          .of('getData', `/brokers/topics/${group.topic}`)
          .some(({ answeredAt }) => answeredAt > seen.at),
      );
      // Its name comes first, so that everybody's partitions are others now.
      const first = group.paths.id(`${group.name}_0`);
      const subscription = new Map([[group.topic, 1]]);
      await admin.create(first, encodeRegistration({ subscription, pattern: 'static', timestampMs: 0 }));
      free();
      const finished = await untilRebalanced(group, a, seen.at);
      expect(finished.payload.owned.map(({ partition }) => partition)).toEqual([1]);
      await admin.remove(first);
      await starting;
      await group.untilOwned(a, [0]);
      await group.untilOwned(b, [1]);
    });

    it('does not keep a lost session’s partitions: they are let go while it is waited for, and never committed', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2, startAt: 0 });
      await using scene = await stuck(group, 60_000);
      const { a, b, starting, free, conflicts } = scene;
      await group.until('a conflict of B', () => conflicts().length > 0);
      const { ephemeralOwner = '' } = (await admin.get(group.owner(1))) ?? {};
      await cluster.expireSession(ephemeralOwner);
      await group.until('the loss of the partitions', () => a.eventsOf('partitions:lost').length === 1);
      expect(a.owned).toEqual([]);
      await starting;
      await group.until('all messages at B', () => b.messages.length === 30);
      free();
      await group.untilOwned(a, [0]);
      await group.untilOwned(b, [1]);
      expect(a.zookeeper.records.filter((record) => isCommit(group, record))).toEqual([]);
      expect(offsetsOf(a, 1)).toEqual(range(0, 5));
      expect((await admin.get(group.offset(1)))?.data?.toString()).toBe('10');
    });
  });

  describe('a commit in the middle of a rebalance', () => {
    it('waits for its end, and is refused for a partition that has moved', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2, startAt: 0 });
      await produce(group, 10);
      const a = await (await group.member('a')).start();
      await group.until('the messages', () => a.messages.length === 20);
      const hold = a.zookeeper.hold(({ op, path }) => op === 'create' && path === group.owner(0));
      const b = await (await group.member('b')).start();
      await hold.held;
      await group.untilOwned(b, [1]);
      const since = group.next();
      const settled: string[] = [];
      const commit = (partition: number): Promise<unknown> =>
        a.connector.commitOffsets([{ topic: group.topic, partition, nextOffset: 11 }]).then(
          () => settled.push(`${partition}`),
          (error: unknown) => (settled.push(`${partition} refused`), error),
        );
      const kept = commit(0);
      const moved = commit(1);
      await admin.exists(group.owner(0)); // time enough for a request that does not wait
      expect(changes(a, since)).toEqual([]);
      expect(settled).toEqual([]);
      hold.release();
      await kept;
      expect(await moved).toMatchObject({ code: 'NOT_OWNED', context: { partition: 1 } });
      expect(settled.sort()).toEqual(['0', '1 refused']);
      const writes = changes(a, since).filter((change) => change.startsWith('setData'));
      expect(writes).toEqual([`setData ${group.offset(0)}`]);
    });
  });

  describe('a rebalance without a change', () => {
    it('touches nothing when a topic is written again as it was', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 3, startAt: 0 });
      await produce(group, 5);
      const a = await (await group.member('a')).start();
      await group.until('the messages', () => a.messages.length === 15);
      const since = group.next();
      await touchTopic(group);
      const finished = await untilRebalanced(group, a, since);
      expect(finished.payload).toMatchObject({ changed: false, owned: { length: 3 } });
      await produce(group, 5);
      await group.until('the next messages', () => a.messages.length === 30);
      expect(changes(a, since)).toEqual([]);
      expect(a.eventsOf('rebalance:started').at(-1)?.payload.trigger).toBe('topic-changed');
      expect(a.eventsOf('rebalance:step').filter(({ at }) => at > since)).toEqual([]);
    });

    it('touches nothing when a member came and went before anybody looked', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 3, startAt: 0 });
      const a = await (await group.member('a')).start();
      const since = group.next();
      const hold = a.zookeeper.hold(({ op, path }) => op === 'event' && path === group.paths.ids);
      const other = group.paths.id(`${group.name}_other`);
      const subscription = new Map([[group.topic, 1]]);
      await admin.create(other, encodeRegistration({ subscription, pattern: 'static', timestampMs: 0 }));
      await hold.held;
      await admin.remove(other);
      hold.release();
      const finished = await untilRebalanced(group, a, since);
      expect(finished.payload).toMatchObject({ changed: false, owned: { length: 3 } });
      expect(changes(a, since)).toEqual([]);
    });

    it('goes all the way when an owner node is gone that should stand', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 3, startAt: 0 });
      const a = await (await group.member('a')).start();
      const { ephemeralOwner } = (await admin.get(group.owner(0))) ?? {};
      await admin.remove(group.owner(1));
      const since = group.next();
      await touchTopic(group);
      const finished = await untilRebalanced(group, a, since);
      expect(finished.payload).toMatchObject({ changed: true, owned: { length: 3 } });
      expect(await admin.get(group.owner(1))).toMatchObject({ ephemeralOwner });
    });
  });

  describe('a partition that is claimed again', () => {
    const properties = { 'auto.commit.enable': false } as const;

    it('goes on where it was, though nothing was ever committed', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2 });
      await produce(group, 10);
      const a = await (await group.member('a', { properties })).start();
      await group.until('the messages', () => a.messages.length === 20);
      const b = await (await group.member('b', { properties })).start();
      await group.untilOwned(a, [0]);
      await group.until('the messages of B', () => offsetsOf(b, 1).length === 10);
      await produce(group, 5);
      await group.until('the next messages of A', () => offsetsOf(a, 0).length >= 15);
      await group.until('the next messages of B', () => offsetsOf(b, 1).length >= 15);
      expect(offsetsOf(a, 0)).toEqual(range(0, 15));
      expect(offsetsOf(b, 1)).toEqual(range(0, 15));
      const writes = [...changes(a, 0), ...changes(b, 0)];
      expect(writes.filter((change) => change.includes(group.paths.offsets))).toEqual([]);
      const steps = STEPS.filter((step) => step !== 'commit');
      const span = rebalanceTo(a, [0]);
      expect(span && stepsIn(a, span).map(({ step }) => step)).toEqual(steps);
    });

    it('goes on at the stored position if somebody else has moved that', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2 });
      await produce(group, 10);
      const a = await (await group.member('a', { properties })).start();
      await group.until('the messages', () => a.messages.length === 20);
      await admin.mkdirp(group.offset(0));
      await admin.set(group.offset(0), '7');
      const b = await (await group.member('b', { properties })).start();
      await group.untilOwned(a, [0]);
      await group.until('the messages of A again', () => offsetsOf(a, 0).length >= 13);
      expect(offsetsOf(a, 0)).toEqual([...range(0, 10), ...range(7, 10)]);
      await b.stop();
    });
  });

  describe('a session that the server has ended', () => {
    it('commits nothing more, holds nothing more, and a new one goes on without a repeated message', async () => {
      await using group = await TracedGroup.create(cluster, { partitions: 2, startAt: 0 });
      await produce(group, 10);
      const a = await (await group.member('a')).start();
      await group.until('the messages', () => a.messages.length === 20);
      let owned: readonly unknown[] = ['not told'];
      a.connector.on('partitions:lost', () => (owned = a.connector.ownedPartitions()));
      const since = group.next();
      const { ephemeralOwner = '' } = (await admin.get(group.owner(0))) ?? {};
      await cluster.expireSession(ephemeralOwner);
      const finished = await untilRebalanced(group, a, since);
      expect(finished.payload).toMatchObject({ changed: true, owned: { length: 2 } });
      expect(owned).toEqual([]);
      expect(a.zookeeper.records.filter((record) => isCommit(group, record))).toEqual([]);
      expect((await admin.get(group.owner(0)))?.ephemeralOwner).not.toBe(ephemeralOwner);
      const lost = a.eventsOf('session:lost')[0]?.at ?? Infinity;
      const gone = a.eventsOf('partitions:lost')[0]?.at ?? Infinity;
      const claimed = a.zookeeper.of('create', group.owner(0)).at(-1)?.sentAt ?? -1;
      const order = { 'session lost': lost, 'partitions lost': gone, 'claimed again': claimed };
      expect(namesInOrder(order)).toEqual(Object.keys(order));

      await produce(group, 5);
      await group.until('the next messages', () => a.messages.length >= 30);
      for (const partition of group.partitions) expect(offsetsOf(a, partition)).toEqual(range(0, 15));
      await a.stop();
      expect((await admin.get(group.offset(0)))?.data?.toString()).toBe('15');
    });
  });
});
