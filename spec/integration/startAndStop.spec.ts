import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { inspect } from 'node:util';

import {
  ConnectorError,
  ZookeeperConsumerConnector,
  type ConnectorConfig,
  type RebalanceStep,
} from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { freePorts } from '../support/cluster/freePorts';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember, type LocalMemberOptions } from '../support/LocalMember';
import { NodeMember } from '../support/NodeMember';
import { Producer } from '../support/produce/Producer';
import type { ProducedAt } from '../support/produce/SteadyLoad';
import { TcpProxy } from '../support/TcpProxy';
import { waitFor, withDeadline } from '../support/waitFor';

jest.setTimeout(120_000);

const ROOT = path.resolve(__dirname, '../..');
const LIMIT_MS = 20_000;
/** What a busy machine may add to the time that something takes. */
const MARGIN_MS = 1000;

const KAFKA = '0.8.2.2';
let cluster: TestCluster;
let producer: Producer;
let zookeeper: ZookeeperAdmin;
let groups = 0;

beforeAll(async () => {
  // A broker that is gone does not hold up what is produced for long.
  const brokerProperties = { 'replica.lag.time.max.ms': '1000' };
  cluster = await startCluster({ kafka: KAFKA, brokers: 2, brokerProperties });
  producer = new Producer({ brokers: cluster.brokers });
  zookeeper = await cluster.zookeeper();
  await cluster.createTopic('events', { partitions: 4 });
  for (const partition of [0, 1, 2, 3]) {
    await producer.send(
      'events',
      partition,
      Array.from({ length: 5 }, (_, n) => ({ value: `${partition}#${n}` })),
    );
  }
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

function newGroup(): string {
  groups += 1;
  return `starters-${groups}`;
}

function configOf(group: string, more: Partial<ConnectorConfig> = {}): ConnectorConfig {
  return {
    'zookeeper.connect': cluster.zookeeperConnect,
    'group.id': group,
    'consumer.id': 'one',
    'auto.offset.reset': 'smallest',
    'auto.commit.interval.ms': 600_000,
    'rebalance.backoff.ms': 200,
    ...more,
  };
}

function local(
  group: string,
  properties: Partial<ConnectorConfig> = {},
  more: Partial<LocalMemberOptions<Buffer, Buffer>> = {},
): LocalMemberOptions<Buffer, Buffer> {
  const { zookeeperConnect } = cluster;
  return { ...{ zookeeperConnect, group, topics: { events: 1 }, properties }, ...more };
}

/** "host:port/chroot" through a proxy. */
function through(proxy: TcpProxy): string {
  return `${proxy.address}/kafka`;
}

async function proxyToZookeeper(): Promise<TcpProxy> {
  const [server] = cluster.zookeeperServers;
  if (server === undefined) throw new Error('the cluster has no ZooKeeper');
  return TcpProxy.to(server);
}

/** Milliseconds until it settles, and how. */
async function timed(
  promise: Promise<unknown>,
): Promise<{ tookMs: number; code: string | null; error: unknown }> {
  const startedMs = performance.now();
  const error: unknown = await withDeadline(promise, LIMIT_MS, 'the call').then(
    () => null,
    (failure: unknown) => failure,
  );
  const code = error === null ? null : ConnectorError.is(error) ? error.code : inspect(error);
  return { tookMs: performance.now() - startedMs, code, error };
}

/** Shuts down, which has to take less than that long. */
async function shutsDownWithin(connector: ZookeeperConsumerConnector, limitMs: number): Promise<void> {
  const { tookMs, code } = await timed(connector.shutdown());
  expect(code).toBeNull();
  expect(tookMs).toBeLessThan(limitMs);
  expect(connector.state).toBe('closed');
  expect(connector.ownedPartitions()).toEqual([]);
  await expect(connector.closed).resolves.toBeUndefined();
}

/** Neither a registration nor an owner node of the group is there, nor a session that holds one. */
async function leftNothing(group: string): Promise<void> {
  const tree = await zookeeper.tree(`/consumers/${group}`);
  const left = [...tree.keys()].filter((at) => /\/(ids|owners\/[^/]+)\/[^/]+$/.test(at));
  expect(left).toEqual([]);
  const sessions = await cluster.sessions();
  expect(sessions.flatMap(({ ephemerals }) => ephemerals).filter((at) => at.includes(`/${group}/`))).toEqual(
    [],
  );
}

async function received(
  member: Pick<LocalMember, 'messages' | 'consumerId'>,
  produced: readonly ProducedAt[],
): Promise<void> {
  await waitFor(() => compareDeliveries(produced, [member]).missing.length === 0, {
    timeoutMs: LIMIT_MS,
    description: `${produced.length} messages`,
    details: () => compareDeliveries(produced, [member]).missing.slice(0, 20).join(' '),
  });
}

/** What beforeAll has produced. */
function firstMessages(): ProducedAt[] {
  return [0, 1, 2, 3].flatMap((partition) =>
    Array.from({ length: 5 }, (_, offset) => ({
      ...{ topic: 'events', partition, offset },
      value: `${partition}#${offset}`,
    })),
  );
}

describe('start', () => {
  it('R11: rejects with CHROOT_MISSING, makes nothing, and can be called again when the chroot is there', async () => {
    const group = newGroup();
    const [hosts = ''] = cluster.zookeeperConnect.split('/');
    const missing = `/absent-${group}`;
    const config = configOf(group, { 'zookeeper.connect': `${hosts}${missing}/below` });
    await using connector = new ZookeeperConsumerConnector(config);
    const { code, error } = await timed(connector.createMessageStreams({ events: 1 }));
    expect(code).toBe('CHROOT_MISSING');
    expect((error as ConnectorError).message).toMatch(/chroot .*does not exist.*zookeeper\.connect/i);
    expect((error as ConnectorError).message).toContain(`${missing}/below`);
    expect((error as ConnectorError).retriable).toBe(false);
    expect(connector.state).toBe('idle');
    await using root = await ZookeeperAdmin.connect(hosts);
    await expect(root.exists(missing)).resolves.toBe(false);
    await root.mkdirp(`${missing}/below`);
    await expect(connector.createMessageStreams({ events: 1 })).resolves.toBeInstanceOf(Map);
    await expect(root.children(`${missing}/below/consumers/${group}/ids`)).resolves.toEqual([
      connector.consumerId,
    ]);
    await shutsDownWithin(connector, MARGIN_MS);
    await expect(root.children(`${missing}/below/consumers/${group}/ids`)).resolves.toEqual([]);
  });

  it('R11: rejects in time with ZOOKEEPER_UNREACHABLE at a closed port, and can be called again', async () => {
    const group = newGroup();
    await using proxy = await proxyToZookeeper();
    await proxy.refuse();
    await using member = new LocalMember(
      local(group, { 'zookeeper.connect': through(proxy), 'zookeeper.connection.timeout.ms': 1000 }),
    );
    for (let n = 0; n < 2; n += 1) {
      const { code, tookMs, error } = await timed(member.connector.createMessageStreams({ events: 1 }));
      expect(code).toBe('ZOOKEEPER_UNREACHABLE');
      expect(tookMs).toBeLessThan(1000 + MARGIN_MS);
      expect((error as ConnectorError).message).toContain(proxy.address);
      expect((error as ConnectorError).retriable).toBe(true);
      expect(member.connector.state).toBe('idle');
    }
    await proxy.accept();
    member.streams = await member.connector.createMessageStreams({ events: 1 });
    member.consume();
    await received(member, firstMessages());
    expect(member.messages).toHaveLength(20);
    await member.stop();
    await leftNothing(group);
  });

  it('rejects in time with ZOOKEEPER_UNREACHABLE when the server accepts and says nothing', async () => {
    const group = newGroup();
    await using proxy = await proxyToZookeeper();
    proxy.blackHole();
    await using member = new LocalMember(
      local(group, { 'zookeeper.connect': through(proxy), 'zookeeper.connection.timeout.ms': 1500 }),
    );
    const { code, tookMs } = await timed(member.connector.createMessageStreams({ events: 1 }));
    expect(code).toBe('ZOOKEEPER_UNREACHABLE');
    expect(tookMs).toBeGreaterThan(1000);
    expect(tookMs).toBeLessThan(1500 + MARGIN_MS);
    expect(proxy.acceptedCount).toBeGreaterThan(0);
    proxy.heal();
    await waitFor(() => proxy.openCount === 0, { timeoutMs: 2000, description: 'no socket left' });
    member.streams = await member.connector.createMessageStreams({ events: 1 });
    member.consume();
    await received(member, firstMessages());
    expect(member.messages).toHaveLength(20);
    await member.stop();
    await leftNothing(group);
  });

  it('finds the living one among several servers', async () => {
    const group = newGroup();
    const [closed] = await freePorts(1);
    await using mute = await proxyToZookeeper();
    mute.blackHole();
    const connect = `127.0.0.1:${closed ?? 1},${mute.address},${cluster.zookeeperConnect}`;
    await using member = await LocalMember.start(
      local(group, { 'zookeeper.connect': connect, 'zookeeper.session.timeout.ms': 6000 }),
    );
    await received(member, firstMessages());
    expect(member.eventsOf('session:connected')).toHaveLength(1);
    await member.stop();
    await leftNothing(group);
  });

  it('refuses a second call, a call that comes while the first one connects, and one after shutdown', async () => {
    const group = newGroup();
    const connector = new ZookeeperConsumerConnector(configOf(group));
    expect(connector.state).toBe('idle');
    const first = connector.createMessageStreams({ events: 2 });
    expect(connector.state).toBe('connecting');
    await expect(connector.createMessageStreams({ events: 1 })).rejects.toMatchObject({
      code: 'STREAMS_EXIST',
    });
    const streams = await first;
    expect(streams.get('events')?.map(({ threadId }) => threadId)).toEqual([
      `${group}_one-0`,
      `${group}_one-1`,
    ]);
    expect(connector.state).toBe('running');
    await expect(connector.createMessageStreams({ events: 1 })).rejects.toMatchObject({
      code: 'STREAMS_EXIST',
    });
    expect(connector.ownedPartitions()).toHaveLength(4);
    await shutsDownWithin(connector, MARGIN_MS);
    await expect(connector.createMessageStreams({ events: 1 })).rejects.toMatchObject({
      code: 'CONNECTOR_CLOSED',
    });
    await leftNothing(group);
  });

  it('refuses a wrong topicCountMap with all its faults, without a connection', async () => {
    await using connector = new ZookeeperConsumerConnector(
      configOf(newGroup(), { 'zookeeper.connect': '127.0.0.1:1' }),
    );
    const wrong = { ok: 1, zero: 0, half: 1.5, text: '2', 'no/name': 1, 'neg.': -1, none: null };
    const { code, error } = await timed(connector.createMessageStreams(wrong as never));
    expect(code).toBe('CONFIG_INVALID');
    const faults = (error as ConnectorError).context.faults ?? [];
    expect(faults).toHaveLength(6);
    for (const name of Object.keys(wrong).slice(1)) {
      expect(faults.filter((fault) => fault.includes(name))).toHaveLength(1);
    }
    for (const map of [null, undefined, 'events', ['events'], 3]) {
      await expect(connector.createMessageStreams(map as never)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      });
    }
    expect(connector.state).toBe('idle');
  });

  it('rejects with CONSUMER_ID_IN_USE when the consumer.id belongs to a living member, which goes on', async () => {
    const group = newGroup();
    const properties = { 'consumer.id': 'same', 'zookeeper.session.timeout.ms': 1000 };
    await using first = await LocalMember.start(local(group, properties));
    await using second = new LocalMember(local(group, properties));
    const { code, error } = await timed(second.connector.createMessageStreams({ events: 1 }));
    expect(code).toBe('CONSUMER_ID_IN_USE');
    expect((error as ConnectorError).context.path).toBe(`/consumers/${group}/ids/${group}_same`);
    expect(second.connector.state).toBe('idle');
    await received(first, firstMessages());
    await first.stop();
    second.streams = await second.connector.createMessageStreams({ events: 1 });
    expect(second.owned).toHaveLength(4);
  });
});

describe('brokers', () => {
  it('R11: may be away at the start: the streams exist, and messages come when the brokers do', async () => {
    const group = newGroup();
    await cluster.createTopic('late', { partitions: 2 });
    const produced: ProducedAt[] = [];
    for (const partition of [0, 1]) {
      const value = `waiting ${partition}`;
      produced.push({
        ...{ topic: 'late', partition, value },
        offset: await producer.send('late', partition, [{ value }]),
      });
    }
    await cluster.stopBroker(1);
    await cluster.stopBroker(2);
    try {
      await using member = await LocalMember.start(local(group, {}, { topics: { late: 1 } }));
      expect(member.owned).toEqual(['late/0', 'late/1']);
      await cluster.startBroker(1);
      await cluster.startBroker(2);
      await received(member, produced);
      await member.stop();
      expect(member.messages).toHaveLength(2);
      expect(member.errors).toEqual([]);
    } finally {
      await cluster.startBroker(1).catch(() => undefined);
      await cluster.startBroker(2).catch(() => undefined);
    }
  });

  it('R13: may all go and come back: nothing is lost or repeated, and nothing is rebalanced', async () => {
    const group = newGroup();
    await cluster.createTopic('bounced', { partitions: 4 });
    const produced: ProducedAt[] = [];
    const produce = async (text: string): Promise<void> => {
      for (let n = 0; n < 12; n += 1) {
        const partition = n % 4;
        const value = `${text} ${n}`;
        const offset = await producer.send('bounced', partition, [{ value }]);
        produced.push({ topic: 'bounced', partition, offset, value });
      }
    };
    await using member = await LocalMember.start(local(group, {}, { topics: { bounced: 2 } }));
    await produce('before');
    await received(member, produced);
    const rebalances = member.eventsOf('rebalance:finished').length;
    for (const round of ['first', 'second']) {
      const failures = member.eventsOf('fetch:failed').length;
      for (const id of [1, 2]) await cluster.stopBroker(id);
      await waitFor(() => member.eventsOf('fetch:failed').length > failures, {
        timeoutMs: LIMIT_MS,
        description: 'a failed fetch',
      });
      for (const id of [1, 2]) await cluster.startBroker(id);
      await produce(round);
      await received(member, produced);
    }
    expect(member.eventsOf('rebalance:finished')).toHaveLength(rebalances);
    await member.stop();
    expect(member.messages).toHaveLength(36);
    expect(compareDeliveries(produced, [member])).toMatchObject({ missing: [], repeated: [] });
    expect(member.errors).toEqual([]);
  });

  it('system_test replication 0101: may go one by one: the new leader is asked, and nothing is lost, repeated or rebalanced', async () => {
    const group = newGroup();
    await cluster.createTopic('moving', {
      assignment: [
        [1, 2],
        [2, 1],
      ],
    });
    const produced: ProducedAt[] = [];
    const produce = async (text: string): Promise<void> => {
      for (const partition of [0, 1]) {
        const value = `${text} ${partition}`;
        const offset = await producer.send('moving', partition, [{ value }]);
        produced.push({ topic: 'moving', partition, offset, value });
      }
    };
    const inSync = async (id: number): Promise<void> => {
      await waitFor(
        async () => {
          const states = await Promise.all(
            [0, 1].map((partition) => zookeeper.get(`/brokers/topics/moving/partitions/${partition}/state`)),
          );
          return states.every((state) => {
            const { isr } = JSON.parse(state?.data?.toString() ?? '{}') as { isr?: number[] };
            return isr?.includes(id);
          });
        },
        { timeoutMs: LIMIT_MS, description: `broker ${id} to be in sync` },
      );
    };
    await using member = await LocalMember.start(
      local(group, { 'auto.commit.enable': false }, { topics: { moving: 1 } }),
    );
    await produce('before');
    await received(member, produced);
    const rebalances = member.eventsOf('rebalance:finished').length;
    for (const id of [1, 2]) {
      await cluster.stopBroker(id);
      await produce(`without ${id}`);
      await received(member, produced);
      await cluster.startBroker(id);
      await inSync(id);
    }
    await produce('after');
    await received(member, produced);
    expect(member.eventsOf('fetch:failed').length).toBeGreaterThan(0);
    expect(member.eventsOf('rebalance:finished')).toHaveLength(rebalances);
    await member.stop();
    expect(member.messages).toHaveLength(8);
    expect(compareDeliveries(produced, [member])).toMatchObject({ missing: [], repeated: [] });
  });
});

describe('shutdown', () => {
  it('works before there are any streams, any number of times', async () => {
    const connector = new ZookeeperConsumerConnector(configOf(newGroup()));
    await shutsDownWithin(connector, MARGIN_MS);
    await shutsDownWithin(connector, MARGIN_MS);
    await expect(connector.createMessageStreams({ events: 1 })).rejects.toMatchObject({
      code: 'CONNECTOR_CLOSED',
    });
  });

  it.each(['closed', 'mute'] as const)('ends a start that waits for a %s server', async (kind) => {
    const group = newGroup();
    await using proxy = await proxyToZookeeper();
    if (kind === 'mute') proxy.blackHole();
    else await proxy.refuse();
    const connector = new ZookeeperConsumerConnector(
      configOf(group, { 'zookeeper.connect': through(proxy), 'zookeeper.connection.timeout.ms': 60_000 }),
    );
    const start = timed(connector.createMessageStreams({ events: 1 }));
    if (kind === 'mute') {
      await waitFor(() => proxy.openCount > 0, { timeoutMs: LIMIT_MS, description: 'a connection' });
    }
    await shutsDownWithin(connector, MARGIN_MS);
    await expect(start).resolves.toMatchObject({ code: 'CONNECTOR_CLOSED' });
  });

  it('ends a start at any moment of its connecting, and leaves no session', async () => {
    await using proxy = await proxyToZookeeper();
    proxy.delayMs = 20; // stretches the steps of the start over some 400 ms
    for (let waitMs = 0; waitMs <= 400; waitMs += 20) {
      const group = newGroup();
      const connector = new ZookeeperConsumerConnector(
        configOf(group, { 'zookeeper.connect': through(proxy) }),
      );
      const start = timed(connector.createMessageStreams({ events: 1 }));
      await new Promise((resolve) => setTimeout(resolve, waitMs)); // the moment is what is tried
      await shutsDownWithin(connector, 2 * MARGIN_MS);
      expect([null, 'CONNECTOR_CLOSED']).toContain((await start).code);
      await waitFor(
        async () => (await cluster.sessions()).every(({ ephemerals }) => !ephemerals.join().includes(group)),
        { timeoutMs: 3000, description: 'no session left' },
      );
      await leftNothing(group);
    }
  });

  it.each<RebalanceStep | 'started'>([
    'started',
    'stop-fetchers',
    'commit',
    'release',
    'assign',
    'claim',
    'read-offsets',
    'start-fetchers',
  ])('ends a first rebalance that is at its step "%s"', async (at) => {
    const group = newGroup();
    const connector = new ZookeeperConsumerConnector(configOf(group));
    const { promise, resolve } = withResolvers();
    const end = (): void => resolve(timed(connector.shutdown()));
    if (at === 'started') connector.on('rebalance:started', end);
    else
      connector.on('rebalance:step', ({ step }) => {
        if (step === at) end();
      });
    const start = await timed(connector.createMessageStreams({ events: 1 }));
    const { tookMs, code } = await promise;
    expect(code).toBeNull();
    expect(tookMs).toBeLessThan(MARGIN_MS);
    expect(start.code).toBe('CONNECTOR_CLOSED');
    expect(connector.state).toBe('closed');
    await leftNothing(group);
  });

  it.each([
    { when: 'before createMessageStreams has resolved', retries: 1000 },
    { when: 'after createMessageStreams has resolved', retries: 1 },
  ])('ends a rebalance that tries again and again, $when', async ({ retries }) => {
    const group = newGroup();
    await zookeeper.mkdirp(`/consumers/${group}/owners/events`);
    const foreign = `/consumers/${group}/owners/events/2`;
    await zookeeper.create(foreign, 'somebody_else-0', { ephemeral: true });
    await using member = new LocalMember(
      local(group, { 'rebalance.max.retries': retries, 'rebalance.backoff.ms': 20_000 }),
    );
    const { connector } = member;
    const start = timed(
      connector
        .createMessageStreams({ events: 1 })
        .then((streams) => (member.streams = streams))
        .then(() => member.consume()),
    );
    await waitFor(() => member.eventsOf('rebalance:failed').length > 0, {
      timeoutMs: LIMIT_MS,
      description: 'a failed rebalance',
    });
    const stateBefore = retries === 1 ? (await start, connector.state) : connector.state;
    expect(stateBefore).toBe(retries === 1 ? 'rebalancing' : 'connecting');
    await shutsDownWithin(connector, MARGIN_MS);
    await member.stop(); // the loops end, too
    await expect(start).resolves.toMatchObject({ code: retries === 1 ? null : 'CONNECTOR_CLOSED' });
    expect((await zookeeper.get(foreign))?.data?.toString()).toBe('somebody_else-0');
    await zookeeper.remove(foreign);
    await leftNothing(group);
  });

  it('takes what stood in its way as soon as that is gone', async () => {
    const group = newGroup();
    await zookeeper.mkdirp(`/consumers/${group}/owners/events`);
    const foreign = `/consumers/${group}/owners/events/2`;
    await zookeeper.create(foreign, 'somebody_else-0', { ephemeral: true });
    await using member = await LocalMember.start(
      local(group, { 'rebalance.max.retries': 1, 'rebalance.backoff.ms': 20_000 }),
    );
    expect(member.owned).toEqual([]);
    await zookeeper.remove(foreign);
    const { tookMs } = await timed(received(member, firstMessages()));
    expect(tookMs).toBeLessThan(10_000);
  });

  it('is one for all who call it at the same time', async () => {
    const group = newGroup();
    await using member = await LocalMember.start(local(group));
    await received(member, firstMessages());
    await Promise.all([
      shutsDownWithin(member.connector, MARGIN_MS),
      shutsDownWithin(member.connector, MARGIN_MS),
      member.connector[Symbol.asyncDispose](),
    ]);
    expect(member.eventsOf('connector:closed')).toEqual([{ error: null }]);
    await member.stop();
    await leftNothing(group);
    const stored = await zookeeper.get(`/consumers/${group}/offsets/events/3`);
    expect(stored?.data?.toString()).toBe('5');
  });

  it('waits for the drain timeout when it is called inside a loop, whose message stays unprocessed', async () => {
    const group = newGroup();
    const properties = { 'rebalance.drain.timeout.ms': 700 };
    await using member = await LocalMember.start(
      local(group, properties, { consume: false, topics: { events: 1 } }),
    );
    let count = 0;
    let tookMs = 0;
    let inHand = '';
    for await (const { partition, offset } of member.stream()) {
      count += 1;
      if (count < 8) continue;
      inHand = `${partition}@${offset}`;
      ({ tookMs } = await timed(member.connector.shutdown()));
    }
    expect(count).toBe(8);
    expect(tookMs).toBeGreaterThan(600);
    expect(tookMs).toBeLessThan(700 + MARGIN_MS);
    await leftNothing(group);
    await using next = await LocalMember.start(local(group));
    await waitFor(() => next.messages.length >= 13, { timeoutMs: LIMIT_MS, description: 'the rest' });
    await next.stop();
    expect(next.messages).toHaveLength(13);
    expect(next.messages.map(({ partition, offset }) => `${partition}@${offset}`)).toContain(inHand);
  });

  it('waits no longer than the drain timeout for a loop body that takes its time', async () => {
    const group = newGroup();
    await using member = await LocalMember.start(
      local(group, { 'rebalance.drain.timeout.ms': 300 }, { consume: false }),
    );
    const release = withResolvers<undefined>();
    let reached = false;
    const loop = (async () => {
      for await (const message of member.stream()) {
        expect(message.topic).toBe('events');
        reached = true;
        await release.promise;
      }
    })();
    await waitFor(() => reached, { timeoutMs: LIMIT_MS, description: 'a message' });
    await shutsDownWithin(member.connector, 300 + MARGIN_MS);
    release.resolve(undefined);
    await loop;
    await leftNothing(group);
  });

  it('works with paused streams and partitions, and ends their loops', async () => {
    const group = newGroup();
    await using member = await LocalMember.start(local(group, {}, { topics: { events: 2 } }));
    member.stream('events', 0).pause();
    member.connector.pause(member.connector.ownedPartitions());
    expect(member.connector.ownedPartitions().map(({ paused }) => paused)).toEqual([true, true, true, true]);
    await shutsDownWithin(member.connector, MARGIN_MS);
    await member.stop();
    expect(member.errors).toEqual([]);
    await leftNothing(group);
  });

  it.each(['silent', 'refusing'] as const)('is bounded while ZooKeeper is %s', async (kind) => {
    const group = newGroup();
    await using proxy = await proxyToZookeeper();
    await using member = await LocalMember.start(
      local(group, { 'zookeeper.connect': through(proxy), 'zookeeper.session.timeout.ms': 2000 }),
    );
    await received(member, firstMessages());
    if (kind === 'silent') proxy.blackHole();
    else await proxy.refuse();
    expect(member.owned).toHaveLength(4);
    // No answer is waited for longer than the session may live, and its end no longer than 2 s.
    await shutsDownWithin(member.connector, 2000 + 2000 + MARGIN_MS);
    await member.stop();
    proxy.heal(); // only now it sees what the client has closed
    await waitFor(() => proxy.openCount === 0, { timeoutMs: 2000, description: 'no socket left' });
    // The server ends the session later.
    await waitFor(async () => (await zookeeper.children(`/consumers/${group}/ids`)).length === 0, {
      timeoutMs: LIMIT_MS,
      description: 'expiry of the session',
    });
  });

  it('happens at the end of the block with `await using`', async () => {
    const group = newGroup();
    let outside: ZookeeperConsumerConnector;
    {
      await using connector = new ZookeeperConsumerConnector(configOf(group));
      await connector.createMessageStreams({ events: 1 });
      expect(connector.state).toBe('running');
      outside = connector;
    }
    expect(outside.state).toBe('closed');
    await leftNothing(group);
  });

  it.each(['before', 'while starting', 'while consuming'] as const)(
    'happens when the signal of the options is aborted %s',
    async (when) => {
      const group = newGroup();
      const abort = new AbortController();
      if (when === 'before') abort.abort();
      const { signal } = abort;
      const connector = new ZookeeperConsumerConnector(configOf(group), { signal });
      const start = timed(
        connector.createMessageStreams({ events: 1 }).then(async (streams) => {
          for await (const message of streams.get('events')?.[0] ?? []) {
            expect(message.topic).toBe('events');
            abort.abort();
          }
        }),
      );
      if (when === 'while starting') abort.abort();
      await expect(start).resolves.toMatchObject({
        code: when === 'while consuming' ? null : 'CONNECTOR_CLOSED',
      });
      await expect(timed(connector.closed)).resolves.toMatchObject({ code: null });
      expect(connector.state).toBe('closed');
      await leftNothing(group);
    },
  );
});

describe('a process', () => {
  it('ends by itself after shutdown', async () => {
    const group = newGroup();
    await using member = await NodeMember.start({
      zookeeperConnect: cluster.zookeeperConnect,
      group,
      topics: { events: 2 },
    });
    await received(member, firstMessages());
    expect(await member.stop()).toBeLessThan(2000);
    expect(member.end).toBe('exit code 0');
    await leftNothing(group);
  });

  it.each([
    { after: 'a start that failed, without a shutdown', end: '' },
    { after: 'a start that failed, and a shutdown', end: 'await connector.shutdown();' },
    { after: 'a shutdown without a start', end: 'await connector.shutdown();', start: false },
    { after: 'nothing but a constructor', end: '', start: false },
  ])('ends by itself after $after', async ({ end, start = true }) => {
    const config = configOf(newGroup(), {
      'zookeeper.connect': '127.0.0.1:1',
      'zookeeper.connection.timeout.ms': 500,
    });
    const code = `
      const { ZookeeperConsumerConnector } = require('./lib/index.ts');
      (async () => {
        const connector = new ZookeeperConsumerConnector(${JSON.stringify(config)});
        if (${start}) {
          await connector.createMessageStreams({ events: 1 }).catch((error) => console.log(error.code));
        }
        ${end}
        console.log('ready');
      })();`;
    const child = spawn(process.execPath, ['--import', 'tsx', '-e', code], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      let readyMs = Number.NaN;
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready')) readyMs = performance.now();
      });
      const [status] = (await once(child, 'close')) as [number | null];
      expect(output.trim().split('\n')).toEqual([...(start ? ['ZOOKEEPER_UNREACHABLE'] : []), 'ready']);
      expect(performance.now() - readyMs).toBeLessThan(2000);
      expect(status).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

function withResolvers<T = Awaited<ReturnType<typeof timed>>>(): {
  promise: Promise<T>;
  resolve: (value: T | Promise<T>) => void;
} {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
