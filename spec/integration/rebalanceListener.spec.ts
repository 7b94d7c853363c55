import { ZookeeperConsumerConnector, type ConsumerRebalanceListener } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { connectorErrorOf } from '../unit/connectorErrorOf';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';

jest.setTimeout(60_000);

const LIMIT_MS = 20_000;

let cluster: TestCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2', brokers: 1 });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

const open = new Set<ZookeeperConsumerConnector>();

afterEach(async () => {
  await Promise.all([...open].map((connector) => connector.shutdown()));
  open.clear();
});

function make(group: string, name: string, listener: ConsumerRebalanceListener): ZookeeperConsumerConnector {
  const connector = new ZookeeperConsumerConnector({
    ...{ 'zookeeper.connect': cluster.zookeeperConnect, 'group.id': group, 'consumer.id': name },
    ...{ 'auto.offset.reset': 'smallest', 'rebalance.backoff.ms': 100, 'auto.commit.enable': false },
    'rebalance.drain.timeout.ms': 1000,
  });
  open.add(connector);
  connector.setConsumerRebalanceListener(listener);
  return connector;
}

async function topicWith(topic: string, partitions: number, messages: number): Promise<void> {
  await cluster.createTopic(topic, { partitions });
  for (let partition = 0; partition < partitions; partition++) {
    const values = Array.from({ length: messages }, (_, n) => ({ value: `${n}` }));
    await producer.send(topic, partition, values);
  }
}

async function untilOwned(connector: ZookeeperConsumerConnector, count: number): Promise<void> {
  await waitFor(() => connector.state === 'running' && connector.ownedPartitions().length === count, {
    ...{ timeoutMs: LIMIT_MS, description: `${count} partitions of ${connector.consumerId}` },
  });
}

it('is called between the commit and the release, and between the claim and the first fetch', async () => {
  const topic = 'order';
  await topicWith(topic, 1, 1);
  const ownerPath = `/consumers/order/owners/${topic}/0`;
  const trace: string[] = [];
  const look = async (at: string): Promise<void> => {
    trace.push(`${at}: ${(await zookeeper.exists(ownerPath)) ? 'owned' : 'free'}`);
  };
  const connector = make('order', 'a', {
    beforeReleasingPartitions: () => look('before the release'),
    beforeStartingFetchers: () => look('before the fetch'),
  });
  connector.on('rebalance:step', ({ step }) => trace.push(step));
  const streams = await connector.createMessageStreams({ [topic]: 1 });
  await zookeeper.create('/consumers/order/ids/order_b', registrationOf({ other: 1 }), { ephemeral: true });
  await waitFor(() => trace.filter((entry) => entry === 'start-fetchers').length === 2, {
    ...{ timeoutMs: LIMIT_MS, description: 'the second rebalance', details: () => trace.join('\n') },
  });
  await zookeeper.remove('/consumers/order/ids/order_b');
  const second = trace.slice(trace.indexOf('start-fetchers') + 1, trace.lastIndexOf('start-fetchers') + 1);
  expect(second.slice(0, 8)).toEqual([
    'stop-fetchers',
    'before the release: owned',
    'release',
    'assign',
    'claim',
    'read-offsets',
    'before the fetch: owned',
    'start-fetchers',
  ]);
  expect(trace.slice(0, 3)).toEqual(['stop-fetchers', 'before the release: free', 'release']);
  expect(streams.size).toBe(1);
});

it('can store positions before the release, and move them before the first fetch', async () => {
  const topic = 'positions';
  await topicWith(topic, 1, 10);
  const path = `/consumers/positions/offsets/${topic}/0`;
  const durations: number[] = [];
  const stored: (string | undefined)[] = [];
  const connector = make('positions', 'a', {
    beforeReleasingPartitions: async () => {
      const startedMs = performance.now();
      await connector.commitOffsets();
      durations.push(performance.now() - startedMs);
      stored.push((await zookeeper.get(path))?.data?.toString());
    },
    beforeStartingFetchers: () => connector.seek({ topic, partition: 0, nextOffset: 4 }),
  });
  const streams = await connector.createMessageStreams({ [topic]: 1 });
  const [stream] = streams.get(topic) ?? [];
  const loop = stream?.messages();
  expect((await loop?.next())?.value).toMatchObject({ offset: 4 });
  await zookeeper.create('/consumers/positions/ids/positions_b', registrationOf({ x: 1 }), {
    ephemeral: true,
  });
  await waitFor(() => stored.length === 2, { timeoutMs: LIMIT_MS, description: 'the second rebalance' });
  expect(stored).toEqual([undefined, '5']);
  expect((await loop?.next())?.value).toMatchObject({ offset: 4 });
  // With nothing to store it does not wait for the rebalance, which waits for it.
  expect(Math.max(...durations)).toBeLessThan(500);
  await zookeeper.remove('/consumers/positions/ids/positions_b');
});

it('can move positions by name before the first fetch', async () => {
  const topic = 'by-name';
  await topicWith(topic, 2, 5);
  const connector = make('by-name', 'a', {
    beforeStartingFetchers: async () => {
      await connector.seek({ topic, partition: 0, nextOffset: 'largest' });
      await connector.seek({ topic, partition: 1, nextOffset: 'smallest' });
    },
  });
  await connector.createMessageStreams({ [topic]: 1 });
  const positions = connector.ownedPartitions().map(({ partition, nextOffset }) => [partition, nextOffset]);
  expect(positions.sort()).toEqual([
    [0, 5],
    [1, 0],
  ]);
});

it.each(['beforeReleasingPartitions', 'beforeStartingFetchers'] as const)(
  'a throw in %s fails the attempt, and nothing stays claimed; the next one calls again',
  async (name) => {
    const group = `throw-${name}`;
    await topicWith(group, 1, 1);
    let calls = 0;
    const ownedAtFailure: boolean[] = [];
    const connector = make(group, 'a', {
      [name]: () => {
        calls += 1;
        if (calls <= 2) throw new Error('not now');
      },
    });
    const looks: Promise<void>[] = [];
    connector.on('rebalance:failed', ({ error }) => {
      expect(error).toMatchObject({ code: 'REBALANCE_FAILED', cause: new Error('not now') });
      const look = zookeeper.exists(`/consumers/${group}/owners/${group}/0`);
      looks.push(look.then((isThere) => void ownedAtFailure.push(isThere)));
    });
    await connector.createMessageStreams({ [group]: 1 });
    await untilOwned(connector, 1);
    await Promise.all(looks);
    expect([calls, ownedAtFailure]).toEqual([3, [false, false]]);
  },
);

it('one that never ends holds up neither the rebalance nor shutdown for longer than the bound', async () => {
  const topic = 'never';
  await topicWith(topic, 1, 1);
  const never = new Promise<void>(() => undefined);
  const connector = make('never', 'a', {
    beforeReleasingPartitions: () => never,
    beforeStartingFetchers: () => never,
  });
  const startedMs = performance.now();
  await connector.createMessageStreams({ [topic]: 1 });
  expect(performance.now() - startedMs).toBeGreaterThan(1900);
  await untilOwned(connector, 1);
});

it('one that calls shutdown ends the connector', async () => {
  const topic = 'shutting';
  await topicWith(topic, 1, 1);
  const connector = make('shutting', 'a', {
    beforeStartingFetchers: () => void connector.shutdown(),
  });
  await expect(connector.createMessageStreams({ [topic]: 1 })).rejects.toMatchObject({
    code: 'CONNECTOR_CLOSED',
  });
  await connector.closed;
  expect(await zookeeper.children(`/consumers/shutting/owners/${topic}`)).toEqual([]);
});

it('a session that is lost while it works ends the attempt; the next one has nothing to release', async () => {
  const topic = 'losing';
  await topicWith(topic, 1, 1);
  const released: number[] = [];
  let sessionId = '';
  const connector = make('losing', 'a', {
    beforeReleasingPartitions: (owned) => void released.push(owned.size),
    beforeStartingFetchers: async () => {
      if (released.length > 1) return;
      await cluster.expireSession(sessionId);
      await waitFor(() => connector.ownedPartitions().length === 0, {
        ...{ timeoutMs: LIMIT_MS, description: 'the loss' },
      });
    },
  });
  connector.on('session:connected', (session) => (sessionId = session.sessionId));
  await connector.createMessageStreams({ [topic]: 1 });
  await untilOwned(connector, 1);
  expect(released).toEqual([0, 0]);
});

it('commits of others in the meantime wait for the end of the rebalance, and are not told that nothing is to be stored', async () => {
  const topic = 'meantime';
  await topicWith(topic, 1, 3);
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  let letGoOn: () => void = () => undefined;
  const goingOn = new Promise<void>((resolve) => (letGoOn = resolve));
  const connector = make('meantime', 'a', {
    beforeReleasingPartitions: async () => {
      tell();
      await goingOn;
    },
    beforeStartingFetchers: () => connector.seek({ topic, partition: 0, nextOffset: 2 }),
  });
  const creating = connector.createMessageStreams({ [topic]: 1 });
  await told;
  let isCommitted = false;
  const committing = connector.commitOffsets([{ topic, partition: 0, nextOffset: 2 }]).then(() => {
    isCommitted = true;
  });
  await zookeeper.children('/'); // time for whatever does not wait
  expect(isCommitted).toBe(false);
  letGoOn();
  await creating;
  await committing;
  const stored = await zookeeper.get(`/consumers/meantime/offsets/${topic}/0`);
  expect(stored?.data?.toString()).toBe('2');
});

it('has to be set before the streams are created', async () => {
  await cluster.createTopic('late', { partitions: 1 });
  const connector = make('late', 'a', { beforeStartingFetchers: () => undefined });
  await connector.createMessageStreams({ late: 1 });
  const set = (): void => connector.setConsumerRebalanceListener({ beforeStartingFetchers: () => undefined });
  expect(connectorErrorOf(set).code).toBe('STREAMS_EXIST');
  await connector.shutdown();
  expect(connectorErrorOf(set).code).toBe('CONNECTOR_CLOSED');
});

function registrationOf(subscription: Record<string, number>): string {
  return JSON.stringify({ version: 1, subscription, pattern: 'static', timestamp: '1' });
}
