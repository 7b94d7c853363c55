import { isDeepStrictEqual } from 'node:util';

import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { dataWatchesOf } from '../support/fourLetterWord';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { namesInOrder } from '../support/orderOfRebalance';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';
import { ZookeeperProxy, type ZookeeperRecord } from '../support/ZookeeperProxy';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
/** Partitions by topic; each has two streams, so that there are six threads. */
const TOPICS = { a: 4, 'b.x': 4, 'c-y': 5 } as const;
const NAMES = Object.keys(TOPICS) as (keyof typeof TOPICS)[];
const STREAMS = { a: 2, 'b.x': 2, 'c-y': 2 };
const PARTITIONS = NAMES.flatMap((topic) =>
  Array.from({ length: TOPICS[topic] }, (_, partition) => ({ topic, partition })),
);
/** Only rebalances and shutdowns commit. */
const PROPERTIES = {
  'consumer.id': 'me',
  'auto.offset.reset': 'smallest',
  'auto.commit.interval.ms': '600000',
  'zookeeper.session.timeout.ms': '6000',
  'rebalance.backoff.ms': '500',
} as const;

/** What a member does to the nodes of its group, as far as the order matters. */
type Kind = 'register' | 'read' | 'claim' | 'commit' | 'release' | 'close';

function kindOf({ op, path, error, ephemeral }: ZookeeperRecord): Kind | null {
  if (op === 'closeSession') return 'close';
  const [, , folder, ...rest] = path?.split('/').slice(1) ?? [];
  if (folder === 'offsets' && rest.length === 2 && op === 'getData') return 'read';
  if (error !== 0) return null;
  if (folder === 'offsets' && rest.length === 2 && (op === 'create' || op === 'setData')) return 'commit';
  if (op === 'create' && ephemeral) return folder === 'ids' ? 'register' : 'claim';
  return op === 'delete' && folder === 'owners' ? 'release' : null;
}

const serverOf = ({ zookeeperServers: [server] }: RealCluster): { host: string; port: number } =>
  server ?? { host: '', port: 0 };

function lastOf({ records }: ZookeeperProxy, kind: Kind, end: string): ZookeeperRecord {
  const last = records.findLast((record) => kindOf(record) === kind && record.path?.endsWith(end) === true);
  if (last === undefined) throw new Error(`There is no ${kind} of ${end}`);
  return last;
}

/** A member behind a door that writes down what it asks; alone in its group at first. */
interface Traced {
  readonly kind: 'jvm' | 'ours';
  readonly group: string;
  readonly proxy: ZookeeperProxy;
  readonly member: JvmMember | LocalMember;
}

describe.each(['0.8.2.2', '0.10.2.2', '1.1.1'] as const)(
  'beside the connector of Kafka %s, ours',
  (release) => {
    let cluster: RealCluster;
    let zookeeper: ZookeeperAdmin;
    let producer: Producer;
    let both: readonly Traced[] = [];
    let at = 0;
    const next = (): number => (at += 1);

    async function proxyOf(name: string): Promise<ZookeeperProxy> {
      const target = serverOf(cluster);
      const chroot = cluster.zookeeperConnect.replace(/^[^/]*/, '');
      return ZookeeperProxy.start({ name, target, chroot, next });
    }

    async function traced(kind: Traced['kind']): Promise<Traced> {
      const group = `g-${kind}`;
      const proxy = await proxyOf(kind);
      const options = { zookeeperConnect: proxy.connectString, group, topics: STREAMS };
      const member =
        kind === 'jvm'
          ? await JvmMember.start({ ...options, release, properties: PROPERTIES })
          : await LocalMember.start({ ...options, properties: PROPERTIES });
      return { kind, group, proxy, member };
    }

    beforeAll(async () => {
      cluster = await RealCluster.start({ kafka: '1.1.1' });
      zookeeper = await cluster.zookeeper();
      producer = new Producer({ brokers: cluster.brokers });
      await Promise.all(NAMES.map((topic) => cluster.createTopic(topic, { partitions: TOPICS[topic] })));
      both = await Promise.all([traced('jvm'), traced('ours')]);
    });

    afterAll(async () => {
      for (const { member, proxy } of both) {
        await member[Symbol.asyncDispose]();
        await proxy[Symbol.asyncDispose]();
      }
      producer.close();
      await zookeeper.close();
      await cluster.stop();
    });

    const each = <T>(of: (traced: Traced) => T | Promise<T>): Promise<T[]> => Promise.all(both.map(of));

    /** The phases since then: what is done several times in a row counts once. */
    function phases({ proxy }: Traced, since = 0): Kind[] {
      const kinds = proxy.records.filter(({ sentAt }) => sentAt > since).map(kindOf);
      return kinds.filter((kind) => kind !== null).filter((kind, n, all) => kind !== all[n - 1]);
    }

    /** Resolves when these have been the first phases since then. */
    async function untilPhases(one: Traced, since: number, wanted: readonly string[]): Promise<void> {
      await waitFor(() => isDeepStrictEqual(phases(one, since).slice(0, wanted.length), wanted), {
        timeoutMs: LIMIT_MS,
        description: `${wanted.join(', ')} by ${one.kind}`,
        details: () => phases(one, since).join(', '),
      });
    }

    async function untilOwned({ group }: Traced, consumerIds: readonly string[]): Promise<void> {
      const threads = consumerIds.flatMap((id) => [`${group}_${id}-0`, `${group}_${id}-1`]);
      const wanted = new Map(NAMES.flatMap((topic) => [...rangeOf(topic, TOPICS[topic], threads)]));
      await waitFor(async () => asText(await ownersOf(zookeeper, group, NAMES)) === asText(wanted), {
        timeoutMs: LIMIT_MS,
        description: `owners ${asText(wanted)}`,
      });
    }

    /** Sends one message to each partition; resolves when both groups have got it. */
    async function produceAndRead(others: readonly LocalMember[] = []): Promise<void> {
      const members = [...both.map(({ member }) => member), ...others];
      const count = (): number => members.reduce((sum, { messages }) => sum + messages.length, 0);
      const before = count();
      for (const { topic, partition } of PARTITIONS) await producer.send(topic, partition, [{ value: 'v' }]);
      await waitFor(() => count() === before + 2 * PARTITIONS.length, {
        timeoutMs: LIMIT_MS,
        description: 'a message of each partition in both groups',
      });
    }

    it('R1: registers, claims and stores the same nodes with three topics and six threads; but it claims before it reads offsets, and stores first positions at once', async () => {
      await each((one) => untilOwned(one, ['me']));
      // Order of the JVM: an offset that the old owner commits between its two last steps is read too old.
      const wanted = { jvm: ['register', 'read', 'claim'], ours: ['register', 'claim', 'read', 'commit'] };
      for (const one of both) {
        await waitFor(() => isDeepStrictEqual(phases(one), wanted[one.kind]), {
          timeoutMs: LIMIT_MS,
          description: `${wanted[one.kind].join(', ')} by ${one.kind}`,
          details: () => phases(one).join(', '),
        });
      }
      await produceAndRead();
      const [jvm = {}, ours = {}] = await each(async ({ group }) => {
        const tree = await zookeeper.tree(`/consumers/${group}`);
        const texts = [...tree].map(([path, data]) => [path, data.replace(/"\d{13}"/, '"MILLISECONDS"')]);
        return JSON.parse(JSON.stringify(Object.fromEntries(texts)).replaceAll(group, 'GROUP')) as object;
      });
      const withoutOffsets = Object.entries(ours).filter(
        ([path]) => !path.startsWith('/consumers/GROUP/offsets'),
      );
      expect(Object.fromEntries(withoutOffsets)).toEqual(jvm);
      expect(jvm).toMatchObject({
        '/consumers/GROUP/ids/GROUP_me':
          '{"version":1,"subscription":{"a":2,"b.x":2,"c-y":2},"pattern":"static","timestamp":"MILLISECONDS"}',
        '/consumers/GROUP/owners/b.x/3': 'GROUP_me-1',
      });
      for (const { topic, partition } of PARTITIONS) {
        expect(ours).toHaveProperty([`/consumers/GROUP/offsets/${topic}/${partition}`], '0');
      }
    });

    it('R19: watches the children of ids and the data of its topics, and nothing else', async () => {
      const topics = NAMES.map((topic) => `/brokers/topics/${topic}`);
      const [jvm = [], ours = []] = await each(({ group, proxy }) => {
        const watches = proxy.records.filter(({ watch }) => watch);
        const asked = watches.map(({ op, path }) => `${op} ${path?.replaceAll(group, 'GROUP') ?? ''}`);
        return [...new Set(asked)].sort();
      });
      expect(ours).toEqual(
        [...topics.map((path) => `getData ${path}`), 'getChildren /consumers/GROUP/ids'].sort(),
      );
      // ZkClient asks for each node's existence, too, before it asks for its children or its data.
      const more = [...topics, '/consumers/GROUP/ids'].map((path) => `exists ${path}`);
      expect(jvm).toEqual([...ours, ...more].sort());
      // What the server itself says: it does not tell watches of children, but for the JVM the one of existence.
      const told = await each(async ({ group }) => {
        const node = await zookeeper.get(`/consumers/${group}/ids/${group}_me`);
        return dataWatchesOf(serverOf(cluster), node?.ephemeralOwner ?? '');
      });
      const data = topics.map((path) => `/kafka${path}`);
      expect(told).toEqual([[...data, '/kafka/consumers/g-jvm/ids'], data]);
    });

    it('R3: commits, releases and claims in this order when a member joins or leaves; but it reads offsets after the claim, and releases before its session ends', async () => {
      const orders = {
        jvm: ['commit', 'release', 'read', 'claim'],
        ours: ['commit', 'release', 'claim', 'read'],
      };
      const joinedAt = next();
      const others = await each(async ({ group, kind }) => {
        const proxy = await proxyOf(`beside ${kind}`);
        const properties = { ...PROPERTIES, 'consumer.id': 'other' };
        const options = { zookeeperConnect: proxy.connectString, group, topics: STREAMS, properties };
        return { proxy, member: await LocalMember.start(options) };
      });
      try {
        await each((one) => untilOwned(one, ['me', 'other']));
        for (const [n, one] of both.entries()) {
          await untilPhases(one, joinedAt, orders[one.kind]);
          const other = others[n]?.proxy;
          if (other === undefined) throw new Error('nobody has joined');
          // What has moved is the last partition of each topic. The one who gets it is ours in both groups.
          for (const topic of NAMES) {
            const of = (proxy: ZookeeperProxy, kind: Kind): ZookeeperRecord =>
              lastOf(proxy, kind, `/${topic}/${TOPICS[topic] - 1}`);
            const [commit, read] = [of(one.proxy, 'commit'), of(other, 'read')];
            const order = {
              'commit answered': commit.answeredAt,
              'release asked for': of(one.proxy, 'release').sentAt,
              'claim answered': of(other, 'claim').answeredAt,
              'read of the offset asked for': read.sentAt,
            };
            expect(namesInOrder(order)).toEqual(Object.keys(order));
            expect([commit.data, read.data]).toEqual(['1', '1']);
          }
        }
        await produceAndRead(others.map(({ member }) => member));
        const leftAt = next();
        await Promise.all(others.map(({ member }) => member.stop()));
        await each((one) => untilOwned(one, ['me']));
        await each((one) => untilPhases(one, leftAt, orders[one.kind]));
      } finally {
        for (const { member } of others) await member.stop();
        for (const { proxy } of others) await proxy[Symbol.asyncDispose]();
      }
      await produceAndRead();
      const endedAt = next();
      const [jvm = [], ours = []] = await each(async (one) => {
        await one.member.stop();
        return phases(one, endedAt);
      });
      // The first session that ends in the JVM is the one with which the spec's own code there looks at owner nodes.
      expect(jvm).toEqual(['close', 'commit', 'close']);
      expect(ours).toEqual(['commit', 'release', 'close']);
      const [left = new Map(), right = new Map()] = await each(({ group }) =>
        zookeeper.tree(`/consumers/${group}/offsets`),
      );
      expect([...left.values()].filter((text) => text !== '')).toEqual(PARTITIONS.map(() => '3'));
      expect([...right.values()]).toEqual([...left.values()]);
    });
  },
);
