import { performance } from 'node:perf_hooks';

import type { ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { ownersOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
/** The defaults of the JVM. */
const BACKOFF_MS = 2000;
const RETRIES = 4;

let cluster: TestCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2' });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

/** A member of the group of that name with one stream of the topic of that name. */
function memberOf(group: string, consumerId: string, more: Partial<ConnectorConfig> = {}): LocalMember {
  return new LocalMember({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [group]: 1 } },
    properties: { 'consumer.id': consumerId, ...more },
  });
}

async function start(member: LocalMember): Promise<LocalMember> {
  member.streams = await member.connector.createMessageStreams(member.topics);
  member.consume();
  return member;
}

const idPath = (group: string, consumerId: string): string =>
  `/consumers/${group}/ids/${group}_${consumerId}`;
const ownerPath = (group: string, partition: number): string =>
  `/consumers/${group}/owners/${group}/${partition}`;

const names = (group: string, partitions: readonly number[]): string[] =>
  partitions.map((partition) => `${group}/${partition}`);

async function untilOwned(member: LocalMember, group: string, partitions: readonly number[]): Promise<void> {
  const wanted = names(group, partitions).join(' ');
  await waitFor(() => member.owned.join(' ') === wanted, {
    timeoutMs: LIMIT_MS,
    description: `${member.consumerId} owns ${wanted}`,
    details: () => JSON.stringify(member.events.slice(-6)),
  });
}

/** Milliseconds until it has passed, counted from the call. */
async function untilPassed(ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  await waitFor(() => performance.now() >= endMs, { timeoutMs: ms + LIMIT_MS, description: `${ms} ms` });
}

describe('an owner node of somebody else that stands for longer than a rebalance may take', () => {
  /**
   * Four partitions and two members; the foreign node is on partition 0. With partition 1 it belongs to the first one,
   * which therefore gets none; the other one gets partitions 2 and 3.
   */
  async function heldFor(ms: number): Promise<{ attempts: number; takenMs: number; startedMs: number }> {
    const group = `held-${ms}`;
    await cluster.createTopic(group, { partitions: 4 });
    const foreign = await cluster.zookeeper();
    await zookeeper.mkdirp(ownerPath(group, 0).slice(0, -2));
    await foreign.create(ownerPath(group, 0), `${group}_foreign-0`, { ephemeral: true });
    const heldMs = performance.now();
    const settings = { 'rebalance.backoff.ms': BACKOFF_MS, 'rebalance.max.retries': RETRIES };
    await using a = memberOf(group, 'a', settings);
    await using b = memberOf(group, 'b', settings);
    const starts = Promise.all([start(a), start(b)]);
    let startedMs = 0;
    void starts.then(() => (startedMs = performance.now() - heldMs)).catch(() => undefined);
    try {
      await untilOwned(b, group, [2, 3]);
      for (const partition of [0, 1, 2, 3]) await producer.send(group, partition, [{ value: 'first' }]);
      await waitFor(() => b.messages.length === 2, {
        timeoutMs: LIMIT_MS,
        description: 'messages of the one that is not concerned',
      });
      await untilPassed(heldMs + ms - performance.now());
      // All or nothing: the first one holds not even its other partition, but it is there and goes on trying.
      expect(a.owned).toEqual([]);
      expect(a.messages).toEqual([]);
      expect(a.connector.state).toMatch(/connecting|rebalancing/);
      await expect(zookeeper.exists(idPath(group, 'a'))).resolves.toBe(true);
      // An attempt claims it for some milliseconds, with seconds between two of them.
      await waitFor(async () => !(await zookeeper.exists(ownerPath(group, 1))), {
        timeoutMs: BACKOFF_MS / 4,
        description: `roll-back of the claim of ${ownerPath(group, 1)}`,
      });
      const changes = b.eventsOf('rebalance:finished').filter(({ changed }) => changed).length;

      const goneMs = performance.now();
      await foreign.close();
      await untilOwned(a, group, [0, 1]);
      const takenMs = performance.now() - goneMs;
      await starts;
      await waitFor(() => a.messages.length === 2, { timeoutMs: LIMIT_MS, description: 'its messages' });
      await expect(ownersOf(zookeeper, group, [group])).resolves.toEqual(
        new Map(
          [0, 1, 2, 3].map((partition) => [
            `${group}/${partition}`,
            `${(partition < 2 ? a : b).consumerId}-0`,
          ]),
        ),
      );
      // Nobody else had anything to do with it.
      expect(b.eventsOf('rebalance:finished').filter(({ changed }) => changed)).toHaveLength(changes);
      expect(b.messages).toHaveLength(2);
      expect([...a.errors, ...b.errors]).toEqual([]);
      for (const { error } of a.eventsOf('rebalance:failed')) {
        expect(error).toMatchObject({ code: 'REBALANCE_FAILED', context: { path: ownerPath(group, 0) } });
      }
      return { attempts: a.eventsOf('rebalance:failed').length, takenMs, startedMs };
    } finally {
      await foreign.close().catch(() => undefined);
      await starts.catch(() => undefined);
    }
  }

  it('R4: keeps its partition for 7 s or 25 s: the member is never a ghost, and takes it within the back-off when it goes', async () => {
    const [short, long] = await Promise.all([heldFor(7000), heldFor(25_000)]);
    for (const { takenMs } of [short, long]) expect(takenMs).toBeLessThan(BACKOFF_MS);
    // One pause may be cut short by the other member's start.
    expect(short.attempts).toBeGreaterThanOrEqual(RETRIES - 1);
    expect(short.attempts).toBeLessThanOrEqual(RETRIES + 2);
    // After all attempts of the setting createMessageStreams resolves, and further ones follow.
    expect(long.attempts).toBeGreaterThan(RETRIES);
    expect(long.attempts).toBeLessThanOrEqual(RETRIES + 5);
    expect(long.startedMs).toBeGreaterThan((RETRIES - 2) * BACKOFF_MS - 50);
    expect(long.startedMs).toBeLessThan(25_000);
  });
});

describe('the own registration, deleted by hand', () => {
  it('is made again with the same id and subscription; no message is lost or read twice meanwhile', async () => {
    const group = 'deleted';
    await cluster.createTopic(group, { partitions: 4 });
    await using load = new SteadyLoad(cluster, group, 4);
    await using a = await start(memberOf(group, 'a'));
    await using b = await start(memberOf(group, 'b'));
    await untilOwned(a, group, [0, 1]);
    await untilOwned(b, group, [2, 3]);
    const progress = async (): Promise<void> => {
      const before = [a, b].map(({ messages }) => messages.length);
      await waitFor(
        () =>
          [a, b].every(({ messages }, n) => {
            const fresh = messages.slice(before[n]);
            return new Set(fresh.map(({ partition }) => partition)).size === 2;
          }),
        { timeoutMs: LIMIT_MS, description: 'new messages of all partitions' },
      );
    };
    const path = idPath(group, 'a');
    const read = async (): Promise<{ subscription: string; owner: string }> => {
      const node = await zookeeper.get(path);
      const text = node?.data?.toString() ?? '';
      return { subscription: text.replace(/"timestamp":"\d+"/, ''), owner: node?.ephemeralOwner ?? '' };
    };
    const before = await read();
    expect(before.subscription).toContain('"subscription":{"deleted":1}');
    for (let times = 1; times <= 3; times += 1) {
      await progress();
      await zookeeper.remove(path);
      await waitFor(() => zookeeper.exists(path), { timeoutMs: LIMIT_MS, description: 'the registration' });
      await expect(read()).resolves.toEqual(before);
      await untilOwned(a, group, [0, 1]);
      await untilOwned(b, group, [2, 3]);
    }
    await progress();
    const produced = await load.stop();
    await waitFor(() => compareDeliveries(produced, [a, b]).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: 'everything that was produced',
    });
    await a.stop();
    await b.stop();
    const { missing, repeated } = compareDeliveries(produced, [a, b]);
    expect({ missing, repeated }).toEqual({ missing: [], repeated: [] });
    expect([...a.errors, ...b.errors]).toEqual([]);
    expect(a.eventsOf('session:lost')).toEqual([]);
  });
});

describe('a second member with the same consumer.id', () => {
  it('R5: gets CONSUMER_ID_IN_USE after about one session timeout, while the first one reads on undisturbed', async () => {
    const group = 'same';
    const sessionMs = 3000;
    await cluster.createTopic(group, { partitions: 2 });
    await using load = new SteadyLoad(cluster, group, 2);
    const settings = { 'zookeeper.session.timeout.ms': sessionMs };
    await using first = await start(memberOf(group, 'one', settings));
    await using second = memberOf(group, 'one', settings);
    await waitFor(() => first.messages.length > 0, { timeoutMs: LIMIT_MS, description: 'messages' });
    const registered = await zookeeper.get(idPath(group, 'one'));
    const attempts = first.eventsOf('rebalance:started').length;
    const had = first.messages.length;

    const startedMs = performance.now();
    await expect(second.connector.createMessageStreams({ [group]: 1 })).rejects.toMatchObject({
      code: 'CONSUMER_ID_IN_USE',
      retriable: true,
      context: { path: idPath(group, 'one') },
    });
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThan(sessionMs);
    expect(tookMs).toBeLessThan(sessionMs + 3000);
    expect(second.events.filter(({ event }) => event.startsWith('rebalance'))).toEqual([]);

    expect(first.eventsOf('rebalance:started')).toHaveLength(attempts);
    expect(first.messages.length).toBeGreaterThan(had + 20);
    const now = await zookeeper.get(idPath(group, 'one'));
    expect([now?.ephemeralOwner, now?.version]).toEqual([registered?.ephemeralOwner, registered?.version]);
    const produced = await load.stop();
    await waitFor(() => compareDeliveries(produced, [first]).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: 'everything that was produced',
    });
    expect(compareDeliveries(produced, [first]).repeated).toEqual([]);
  });
});

describe('the registration of another member', () => {
  /** The other name sorts behind, so the first partitions of four stay with the member under test. */
  const GROUP = 'dotted.name';
  const OTHER = 'zz';
  let member: LocalMember;

  beforeAll(async () => {
    await cluster.createTopic(GROUP, { partitions: 4 });
    member = await start(
      memberOf(GROUP, 'aa', { 'rebalance.backoff.ms': 60_000, 'rebalance.max.retries': 1 }),
    );
    await untilOwned(member, GROUP, [0, 1, 2, 3]);
  });

  afterAll(() => member.stop());

  const registration = (fields: object): string =>
    JSON.stringify({
      version: 1,
      subscription: { [GROUP]: 1 },
      pattern: 'static',
      timestamp: '1',
      ...fields,
    });

  /** Resolves with the new messages of the partitions that are owned, one of each. */
  async function readsOn(partitions: readonly number[]): Promise<void> {
    const before = member.messages.length;
    for (const partition of partitions) await producer.send(GROUP, partition, [{ value: 'on' }]);
    await waitFor(() => member.messages.length === before + partitions.length, {
      timeoutMs: LIMIT_MS,
      description: `a message of each of ${partitions.join(' ')}`,
    });
  }

  /** Without the node, all partitions are owned again. */
  async function removed(): Promise<void> {
    await zookeeper.remove(idPath(GROUP, OTHER));
    await untilOwned(member, GROUP, [0, 1, 2, 3]);
    await waitFor(() => member.connector.state === 'running', {
      timeoutMs: LIMIT_MS,
      description: 'rest',
    });
  }

  it.each([
    { what: 'as members write it', text: registration({}), left: [0, 1] },
    { what: 'with three streams', text: registration({ subscription: { [GROUP]: 3 } }), left: [0] },
    {
      what: 'with more fields, of any type',
      text: registration({ a: null, b: [1, { c: 'd' }], e: true, f: 1.5, g: 'h' }),
      left: [0, 1],
    },
    { what: 'without a version', text: registration({ version: undefined }), left: [0, 1] },
    { what: 'without a timestamp', text: registration({ timestamp: undefined }), left: [0, 1] },
    { what: 'of version 2', text: registration({ version: 2 }), left: [0, 1] },
    {
      what: 'with a number as timestamp, which members up to 0.10 fail on',
      text: registration({ timestamp: 1795991641755 }),
      left: [0, 1],
    },
    {
      what: 'with white space',
      text: ` {\n"version" : 1 , "subscription" : { "${GROUP}" : 1 } ,\t"pattern" : "static" }\n`,
      left: [0, 1],
    },
    {
      what: 'with escapes',
      text: '{"version":1,"subscription":{"dotted\\u002ename":1},"pattern":"static"}',
      left: [0, 1],
    },
    { what: 'with an unknown pattern', text: registration({ pattern: 'of the future' }), left: [0, 1] },
    {
      what: 'with a count like 2.0, which JVM members fail on',
      text: '{"version":1,"subscription":{"dotted.name":2.0},"pattern":"static"}',
      left: [0, 1],
    },
    { what: 'with nothing subscribed', text: registration({ subscription: {} }), left: [0, 1, 2, 3] },
    {
      what: 'with another topic',
      text: registration({ subscription: { other: 1 } }),
      left: [0, 1, 2, 3],
    },
    {
      what: 'with a white list that has the topic',
      text: registration({ pattern: 'white_list', subscription: { 'dotted.*': 1 } }),
      left: [0, 1],
    },
    {
      what: 'with a white list that does not have it',
      text: registration({ pattern: 'white_list', subscription: { 'dotted.': 1 } }),
      left: [0, 1, 2, 3],
    },
    {
      what: 'with a black list of others',
      text: registration({ pattern: 'black_list', subscription: { 'other|more': 1 } }),
      left: [0, 1],
    },
  ])('R15: counts $what', async ({ text, left }) => {
    const before = member.eventsOf('rebalance:failed').length;
    const finished = member.eventsOf('rebalance:finished').length;
    await zookeeper.create(idPath(GROUP, OTHER), text);
    await waitFor(() => member.eventsOf('rebalance:finished').length > finished, {
      timeoutMs: LIMIT_MS,
      description: 'a rebalance',
      details: () => JSON.stringify(member.eventsOf('rebalance:failed').slice(-1)),
    });
    await untilOwned(member, GROUP, left);
    await readsOn(left);
    expect(member.eventsOf('rebalance:failed')).toHaveLength(before);
    await removed();
    await readsOn(left);
  });

  it.each([
    { what: 'no data', text: null },
    { what: 'empty data', text: '' },
    { what: 'no JSON', text: '{"version":1,"subscr' },
    { what: 'no object', text: '[1]' },
    { what: 'no pattern', text: registration({ pattern: undefined }) },
    { what: 'a number as pattern', text: registration({ pattern: 1 }) },
    { what: 'no subscription', text: registration({ subscription: undefined }) },
    { what: 'a text as subscription', text: registration({ subscription: GROUP }) },
    { what: 'a text as count', text: registration({ subscription: { [GROUP]: '1' } }) },
    { what: 'the count 0', text: registration({ subscription: { [GROUP]: 0 } }) },
    { what: 'the count -1', text: registration({ subscription: { [GROUP]: -1 } }) },
    { what: 'the count 1.5', text: registration({ subscription: { [GROUP]: 1.5 } }) },
  ])(
    'R15: with $what fails the attempt and is named; consumption goes on all the while',
    async ({ text }) => {
      const steps = member.eventsOf('rebalance:step').length;
      const before = member.eventsOf('rebalance:failed').length;
      await zookeeper.create(idPath(GROUP, OTHER), text);
      await waitFor(() => member.eventsOf('rebalance:failed').length > before, {
        timeoutMs: LIMIT_MS,
        description: 'a failed attempt',
      });
      for (const { error, retryInMs } of member.eventsOf('rebalance:failed').slice(before)) {
        expect(error).toMatchObject({
          code: 'REGISTRATION_INVALID',
          context: { path: idPath(GROUP, OTHER) },
        });
        expect(retryInMs).toBeGreaterThan(0);
      }
      expect(member.owned).toEqual(names(GROUP, [0, 1, 2, 3]));
      await readsOn([0, 1, 2, 3]);
      await removed();
      await readsOn([0, 1, 2, 3]);
      // Nothing was stopped, released or claimed again.
      expect(member.eventsOf('rebalance:step')).toHaveLength(steps);
      expect(member.errors).toEqual([]);
    },
  );

  it.each([
    ['no regex', 'a['],
    ['what only Java can evaluate', '(?:(d)|.)\\1otted.*'],
  ])(
    'R15: with %s as white list fails the attempt and is named; what this member has is free for those who can evaluate it, until it goes',
    async (_what, regex) => {
      const before = member.eventsOf('rebalance:failed').length;
      const text = registration({ pattern: 'white_list', subscription: { [regex]: 1 } });
      await zookeeper.create(idPath(GROUP, OTHER), text);
      await waitFor(() => member.eventsOf('rebalance:failed').length > before, {
        ...{ timeoutMs: LIMIT_MS, description: 'a failed attempt' },
      });
      expect(member.eventsOf('rebalance:failed').at(-1)?.error).toMatchObject({
        code: 'REGISTRATION_INVALID',
        context: { path: idPath(GROUP, OTHER) },
      });
      expect(member.owned).toEqual([]);
      await expect(zookeeper.children(`/consumers/${GROUP}/owners/${GROUP}`)).resolves.toEqual([]);
      await removed();
      await readsOn([0, 1, 2, 3]);
      expect(member.owned).toEqual(names(GROUP, [0, 1, 2, 3]));
      expect(member.errors).toEqual([]);
    },
  );
});
