import { performance } from 'node:perf_hooks';

import type { ConnectorConfig } from '../../lib';
import { BrokerProxies } from '../support/BrokerProxy';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { freePorts } from '../support/cluster/freePorts';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { PartitionLoads } from '../support/produce/PartitionLoads';
import type { ProducedAt } from '../support/produce/SteadyLoad';
import { disorderOf, StreamReadings } from '../support/StreamReadings';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 30_000;
/** What a busy machine may add to the time that something takes. */
const MARGIN_MS = 2000;
const BACKOFF_MS = 200;
/** Of the topics with four partitions: what each broker leads. */
const OF_FIRST = [0, 2];
const OF_SECOND = [1, 3];
const ALL = [0, 1, 2, 3];

/** A member whose messages are collected, with the load that it reads. */
interface Reader extends AsyncDisposable {
  readonly member: LocalMember;
  readonly readings: StreamReadings;
  readonly load: PartitionLoads;
}

describe.each(['0.8.2.2', '3.9.1'])('with brokers of Kafka %s', (kafka) => {
  const proxies = new BrokerProxies(kafka);
  let cluster: TestCluster;
  let zookeeper: ZookeeperAdmin;
  let made = 0;

  beforeAll(async () => {
    const advertise: typeof proxies.advertise = async (broker) => ({
      // A broker that is gone does not hold up what is produced for long.
      'replica.lag.time.max.ms': '1000',
      ...(await proxies.advertise(broker)),
    });
    cluster = await startCluster({ kafka, brokers: 2, brokerProperties: advertise });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    await zookeeper.close();
    await cluster.stop();
    await proxies[Symbol.asyncDispose]();
  });

  /** A topic of its own with a load, and a member with two streams that has got something of each partition. */
  async function start({
    properties = {},
    replicas = 1,
    paddingBytes = 0,
    pauseMs = 20,
    workMs = 0,
  }: {
    properties?: Partial<ConnectorConfig>;
    replicas?: number;
    /** Of the load. */
    paddingBytes?: number;
    /** Of the load. */
    pauseMs?: number;
    /** Of the reader, for each message. */
    workMs?: number;
  } = {}): Promise<Reader> {
    const topic = `faults-${(made += 1)}`;
    await cluster.createTopic(topic, { partitions: 4, replicas });
    const load = new PartitionLoads(cluster, topic, ALL, { paddingBytes, pauseMs });
    const member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 2 } },
      ...{ consume: false, properties: { 'client.id': `member-${topic}`, ...properties } },
    });
    const reader = {
      ...{ member, readings: new StreamReadings(member, { workMs }), load },
      [Symbol.asyncDispose]: async () => {
        await load[Symbol.asyncDispose]();
        await member.stop();
      },
    };
    await progress(reader, ALL);
    return reader;
  }

  /** Resolves when new messages of each of the partitions have come since it was called. */
  async function progress({ readings, member }: Reader, partitions: readonly number[]): Promise<void> {
    const before = readings.messages.length;
    await waitFor(
      () => {
        const fresh = new Set(readings.messages.slice(before).map(({ partition }) => partition));
        return partitions.every((partition) => fresh.has(partition));
      },
      {
        timeoutMs: LIMIT_MS,
        description: `new messages of the partitions ${partitions.join(', ')}`,
        details: () =>
          member.events
            .slice(-6)
            .map(({ event, payload }) => `${event} ${'error' in payload ? String(payload.error) : ''}`)
            .join('\n'),
      },
    );
  }

  /** Resolves when a fetch has failed since then. */
  async function failed({ member }: Reader, before = 0): Promise<void> {
    await waitFor(() => member.eventsOf('fetch:failed').length > before, {
      timeoutMs: LIMIT_MS,
      description: 'a failed fetch',
    });
  }

  /** Everything has come once and in order, and no rebalance was needed for it. */
  async function check(
    { member, readings, load }: Reader,
    rebalances: ReturnType<typeof rebalancesOf>,
  ): Promise<void> {
    const produced: readonly ProducedAt[] = await load.stop();
    await waitFor(() => compareDeliveries(produced, [readings]).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: `all of ${produced.length} messages`,
      details: () => compareDeliveries(produced, [readings]).missing.slice(0, 20).join(' '),
    });
    expect(rebalancesOf(member)).toEqual(rebalances);
    await member.stop();
    await readings.ended;
    expect(compareDeliveries(produced, [readings])).toMatchObject({ missing: [], repeated: [] });
    expect(disorderOf(readings.messages)).toEqual([]);
    expect([...readings.errors, ...member.errors]).toEqual([]);
    expect(member.eventsOf('offset:reset').filter(({ why }) => why !== 'none')).toEqual([]);
    expect(member.eventsOf('partition:failed')).toEqual([]);
  }

  /** Those with a reason of their own, and those that changed something for whatever reason. */
  function rebalancesOf(member: LocalMember): { readonly caused: number; readonly changed: number } {
    return {
      caused: member.eventsOf('rebalance:started').filter(({ trigger }) => trigger !== 'interval').length,
      changed: member.eventsOf('rebalance:finished').filter(({ changed }) => changed).length,
    };
  }

  describe('a broker that stops', () => {
    it.each(['the same', 'another'] as const)(
      'and comes back on %s port costs no message and no rebalance, and holds up nobody else’s partitions',
      async (which) => {
        await using reader = await start();
        const { member, load } = reader;
        const rebalances = rebalancesOf(member);
        const taken = load.countOf(OF_FIRST);
        const stoppedMs = performance.now();
        await cluster.stopBroker(1);
        try {
          await failed(reader);
          await progress(reader, OF_SECOND);
          await progress(reader, OF_SECOND);
        } finally {
          const [port = 0] = await freePorts(1);
          // By its own address, not through the proxy: that is new, too.
          if (which === 'another') await cluster.startBrokerOn(port, 1);
          else await cluster.startBroker(1);
        }
        await progress(reader, ALL);
        const awayMs = performance.now() - stoppedMs;
        // At most one per look-up, for each of its two partitions.
        const { length } = member.eventsOf('fetch:failed');
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(2 * (awayMs / BACKOFF_MS + 2));
        await check(reader, rebalances);
        expect(load.countOf(OF_FIRST)).toBeGreaterThan(taken);
        if (which === 'another') {
          await cluster.stopBroker(1);
          await cluster.startBrokerOn(cluster.brokers[0]?.port ?? 0, 1, await proxies.advertise(brokerOf(1)));
        }
      },
    );

    it('as the leader gives its partitions to the other: the dead one that is still named is asked again and again, not for ever', async () => {
      await using reader = await start({ replicas: 2 });
      const { member, load } = reader;
      const rebalances = rebalancesOf(member);
      const proxy = proxies.of(1);
      // Dead for the member only, so everybody names it as the leader.
      const before = proxies.questions.length;
      proxy.refuse();
      try {
        await failed(reader, 4);
        expect(proxies.questions.length - before).toBeGreaterThanOrEqual(4);
        await progress(reader, OF_SECOND);
        const taken = load.countOf(OF_FIRST);
        await cluster.stopBroker(1);
        await waitFor(() => load.countOf(OF_FIRST) > taken, {
          timeoutMs: LIMIT_MS,
          description: 'messages taken by the new leader',
        });
        await progress(reader, ALL);
        expect(rebalancesOf(member)).toEqual(rebalances);
      } finally {
        proxy.accept();
        await cluster.startBroker(1).catch(() => undefined);
      }
      await inSync(member.topics, 1);
      // And back: the other one goes.
      const failures = member.eventsOf('fetch:failed').length;
      await cluster.stopBroker(2);
      try {
        await failed(reader, failures);
        await progress(reader, ALL);
      } finally {
        await cluster.startBroker(2);
      }
      await inSync(member.topics, 2);
      await progress(reader, ALL);
      await check(reader, rebalances);
    });

    it('may be the last one: when they are back, everything goes on, with few failures in between', async () => {
      await using reader = await start();
      const { member } = reader;
      const rebalances = rebalancesOf(member);
      const stoppedMs = performance.now();
      await cluster.stopBroker(1);
      await cluster.stopBroker(2);
      try {
        await waitFor(
          () => {
            const told = member.eventsOf('fetch:failed').map(({ broker }) => broker);
            // Once there is no broker to ask for leaders, it is null.
            return new Set(told.filter((broker) => broker !== null)).size === 2;
          },
          { timeoutMs: LIMIT_MS, description: 'failed fetches from both' },
        );
      } finally {
        await cluster.startBroker(2);
        await progress(reader, OF_SECOND);
        await cluster.startBroker(1);
      }
      await progress(reader, ALL);
      const awayMs = performance.now() - stoppedMs;
      const { length } = member.eventsOf('fetch:failed');
      expect(length).toBeLessThanOrEqual(4 * (awayMs / BACKOFF_MS + 2));
      await check(reader, rebalances);
    });
  });

  describe('a network', () => {
    it('that breaks 40 times in the middle of an answer costs no message, and none comes twice', async () => {
      const properties = { 'refresh.leader.backoff.ms': 20 };
      // What was fetched waits for a slow reader when the connection breaks, and is not fetched again.
      await using reader = await start({ properties, paddingBytes: 5000, workMs: 4 });
      const { member } = reader;
      const rebalances = rebalancesOf(member);
      // Half of it is at least one whole message: each send has three in a row.
      for (const proxy of proxies.all) proxy.cutInsideAnswers(20, 3 * 5000);
      await waitFor(() => proxies.all.every(({ cutAnswers }) => cutAnswers >= 20), {
        timeoutMs: LIMIT_MS,
        description: '20 broken answers of each broker',
        details: () => proxies.all.map(({ cutAnswers }) => cutAnswers).join(' '),
      });
      await progress(reader, ALL);
      const failures = member.eventsOf('fetch:failed');
      expect(failures).toHaveLength(40);
      expect([...new Set(failures.map(({ error }) => error.code))]).toEqual(['BROKER_UNREACHABLE']);
      await check(reader, rebalances);
    });

    it('that is silent towards one broker is given up after socket.timeout.ms, and used again when it works', async () => {
      const timeoutMs = 1200;
      await using reader = await start({ properties: { 'socket.timeout.ms': timeoutMs } });
      const { member, readings } = reader;
      const rebalances = rebalancesOf(member);
      const proxy = proxies.of(1);
      const silentMs = performance.now();
      let firstFailureMs = 0;
      member.connector.on('fetch:failed', () => (firstFailureMs ||= performance.now()));
      proxy.blackHole();
      const oldLinks = proxy.fetchersOf(`member-${Object.keys(member.topics).join('')}`, 'all').length;
      try {
        await progress(reader, OF_SECOND);
        await failed(reader);
        // The last answer may have come just before; the fetch behind it has its whole time.
        expect(firstFailureMs - silentMs).toBeGreaterThan(timeoutMs - 200);
        expect(firstFailureMs - silentMs).toBeLessThan(timeoutMs + MARGIN_MS);
        await progress(reader, OF_SECOND);
        // Connections that are made in the meantime are silent as well, and given up each in its time.
        await waitFor(() => member.eventsOf('fetch:failed').length >= 3, {
          timeoutMs: LIMIT_MS,
          description: 'three failures',
        });
        const { length } = member.eventsOf('fetch:failed');
        const elapsedMs = performance.now() - silentMs;
        expect(length).toBeLessThanOrEqual(2 * (elapsedMs / timeoutMs + 1));
        const late = readings.messages.filter(
          ({ partition, atMs }) => OF_FIRST.includes(partition) && atMs > silentMs + MARGIN_MS / 2,
        );
        expect(late).toEqual([]);
      } finally {
        proxy.heal();
      }
      await progress(reader, ALL);
      const links = proxy.fetchersOf(`member-${Object.keys(member.topics).join('')}`, 'all').length;
      expect(links).toBeGreaterThan(oldLinks);
      await check(reader, rebalances);
    });

    it('that is slow towards one broker is no fault, and does not slow the others down', async () => {
      const delayMs = 250;
      await using reader = await start({ properties: { 'socket.timeout.ms': 2000 } });
      const { member, readings, load } = reader;
      const rebalances = rebalancesOf(member);
      const proxy = proxies.of(1);
      const clientId = `member-${Object.keys(member.topics).join('')}`;
      const [links, slowMs] = [proxy.fetchersOf(clientId, 'all'), performance.now()];
      proxy.delayMs = delayMs;
      try {
        for (let round = 0; round < 4; round += 1) await progress(reader, OF_FIRST);
        const tookMs = performance.now() - slowMs;
        const rounds = (partitions: readonly number[]): number => {
          const times = readings.messages
            .filter(({ atMs, partition }) => atMs >= slowMs && partitions.includes(partition))
            .map(({ atMs }) => Math.round(atMs / 5));
          return new Set(times).size;
        };
        // One answer per two delays at most, while the fast one answers at every send.
        expect(rounds(OF_FIRST)).toBeLessThanOrEqual(4 * (tookMs / (2 * delayMs) + 2));
        expect(rounds(OF_SECOND)).toBeGreaterThan(rounds(OF_FIRST));
      } finally {
        proxy.delayMs = 0;
      }
      expect(load.produced.length).toBeGreaterThan(0);
      await check(reader, rebalances);
      expect(member.eventsOf('fetch:failed')).toEqual([]);
      expect(proxy.fetchersOf(clientId, 'all')).toEqual(links);
    });
  });

  function brokerOf(id: number): TestCluster['brokers'][number] {
    const broker = cluster.brokers.find((one) => one.id === id);
    if (broker === undefined) throw new Error(`there is no broker ${id}`);
    return broker;
  }

  /** Resolves when the broker is in sync for all partitions of the topics. */
  async function inSync(topics: Readonly<Record<string, number>>, id: number): Promise<void> {
    const paths = Object.keys(topics).flatMap((topic) =>
      ALL.map((partition) => `/brokers/topics/${topic}/partitions/${partition}/state`),
    );
    await waitFor(
      async () => {
        const states = await Promise.all(paths.map((at) => zookeeper.get(at)));
        return states.every((state) => {
          const { isr } = JSON.parse(state?.data?.toString() ?? '{}') as { isr?: number[] };
          return isr?.includes(id);
        });
      },
      { timeoutMs: LIMIT_MS, description: `broker ${id} to be in sync` },
    );
  }
});
