import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { ownersOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { range } from '../support/readOn';
import { waitFor } from '../support/waitFor';
import { ZookeeperProxy } from '../support/ZookeeperProxy';
import { NODE_EXISTS } from '../support/zookeeperFrames';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
const RETRIES = 4;
/** Long enough that all attempts are not over before the first one has been seen. */
const BACKOFF_MS = 1000;

let cluster: RealCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;

beforeAll(async () => {
  cluster = await RealCluster.start({ kafka: '1.1.1' });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

const until = (description: string, condition: () => unknown, details?: () => string): Promise<unknown> =>
  waitFor(condition, { timeoutMs: LIMIT_MS, description, ...(details === undefined ? {} : { details }) });

let clock = 0;

function proxyOf(name: string): Promise<ZookeeperProxy> {
  const { host, port } = cluster.zookeeperServers[0] ?? { host: '', port: 0 };
  const chroot = cluster.zookeeperConnect.replace(/^[^/]*/, '');
  return ZookeeperProxy.start({ name, target: { host, port }, chroot, next: () => (clock += 1) });
}

const ownerPath = (group: string, topic: string, partition: number): string =>
  `/consumers/${group}/owners/${topic}/${partition}`;

/** What the requests of the member for this node were refused for, because it exists. */
const conflictsAt = (proxy: ZookeeperProxy, path: string): number =>
  proxy.of('create', path).filter(({ error }) => error === NODE_EXISTS).length;

describe('a foreign owner node in the way of a member of the JVM, and of one of ours', () => {
  it('R4: that goes in between is no matter for either; one that stays for longer than all attempts makes a zombie of the one in the JVM, while ours takes the partition when it goes', async () => {
    const topic = 'held';
    await cluster.createTopic(topic, { partitions: 4 });
    await using proxy = await proxyOf('jvm');
    const [theirs, ours] = ['held-jvm', 'held-ours'];
    const settings = { 'rebalance.backoff.ms': BACKOFF_MS, 'rebalance.max.retries': RETRIES };
    const texts = { 'rebalance.backoff.ms': String(BACKOFF_MS), 'rebalance.max.retries': String(RETRIES) };
    await using jvm = await JvmMember.start({
      ...{ zookeeperConnect: proxy.connectString, group: theirs, topics: { [topic]: 1 }, properties: texts },
    });
    await using node = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: ours, topics: { [topic]: 1 } },
      properties: settings,
    });
    const failures = (): number => node.eventsOf('rebalance:failed').length;
    const ownedBy = async (group: string): Promise<number> =>
      (await ownersOf(zookeeper, group, [topic])).size;
    const untilOwned = (count: number): Promise<unknown> =>
      until(`${count} owners in both groups`, async () => {
        return (await ownedBy(theirs)) === count && (await ownedBy(ours)) === count;
      });
    await untilOwned(4);

    /** A partition is added that somebody else has; it is taken away again when that has been seen. */
    const heldUntil = async (partition: number, seen: () => boolean): Promise<void> => {
      const foreign = await cluster.zookeeper();
      for (const group of [theirs, ours]) {
        await foreign.create(ownerPath(group, topic, partition), `${group}_foreign-0`, { ephemeral: true });
      }
      const adding = cluster.addPartitions(topic, partition + 1);
      try {
        await until('failed attempts', seen, () => `${failures()} of ours\n${jvm.log}`);
        // All or nothing, at both: what was released is not claimed without the rest.
        await until('owners to be the foreign ones', async () => {
          return (await ownedBy(theirs)) === 1 && (await ownedBy(ours)) === 1;
        });
      } finally {
        await foreign.close();
        await adding;
      }
    };

    await heldUntil(4, () => conflictsAt(proxy, ownerPath(theirs, topic, 4)) >= 1 && failures() >= 1);
    await untilOwned(5);

    const [path, before] = [ownerPath(theirs, topic, 5), failures()];
    await heldUntil(5, () => conflictsAt(proxy, path) === RETRIES && failures() >= before + RETRIES + 2);
    await until('all six at ours', async () => (await ownedBy(ours)) === 6);
    const read = { jvm: jvm.messages.length, ours: node.messages.length };
    for (const partition of range(0, 6)) await producer.send(topic, partition, [{ value: 'v' }]);
    await until('messages of all six at ours', () => node.messages.length === read.ours + 6);
    // The one in the JVM is registered, owns nothing, gets nothing and does not try.
    expect(await ownedBy(theirs)).toBe(0);
    expect(jvm.messages).toHaveLength(read.jvm);
    expect(conflictsAt(proxy, path)).toBe(RETRIES);
    await expect(zookeeper.children(`/consumers/${theirs}/ids`)).resolves.toEqual([jvm.consumerId]);
    // Anything that makes it rebalance wakes it.
    await zookeeper.create(
      `/consumers/${theirs}/ids/${theirs}_passer-by`,
      '{"pattern":"static","subscription":{}}',
    );
    await until('all six at the other', async () => (await ownedBy(theirs)) === 6);
    await until('its messages', () => jvm.messages.length === read.jvm + 6);
  });
});

describe('a second member with the consumer.id of a member that lives', () => {
  const topic = 'twice';
  const idPath = (group: string): string => `/consumers/${group}/ids/${group}_one`;

  beforeAll(() => cluster.createTopic(topic, { partitions: 2 }));

  /** Of one with a session of 2 s. */
  const optionsOf = (group: string) => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 } },
    properties: { 'consumer.id': 'one', 'zookeeper.session.timeout.ms': '2000' } as const,
  });

  /** Does this while somebody has the id, and sees that nothing of theirs was touched. */
  async function besides(group: string, act: () => Promise<unknown>): Promise<void> {
    const paths = [idPath(group), ...[0, 1].map((partition) => ownerPath(group, topic, partition))];
    const ids = async (): Promise<unknown[]> => {
      const nodes = await Promise.all(paths.map((path) => zookeeper.get(path)));
      return nodes.map((node) => node?.createdZxid);
    };
    await until('the first one', async () => (await ids()).every((id) => id !== undefined));
    const before = await ids();
    await act();
    expect(await ids()).toEqual(before);
  }

  it.each(['0.8.2.2', '0.10.2.2'] as const)(
    'R5: that is ours, beside one of the JVM (%s), gets CONSUMER_ID_IN_USE after one session timeout',
    async (release) => {
      const group = `twice-${release}`;
      await using jvm = await JvmMember.start({ ...optionsOf(group), release });
      await using second = new LocalMember(optionsOf(group));
      await besides(group, async () => {
        await expect(second.connector.createMessageStreams({ [topic]: 1 })).rejects.toMatchObject({
          code: 'CONSUMER_ID_IN_USE',
          context: { path: idPath(group) },
        });
      });
      await jvm.stop();
      // It may be tried again.
      await expect(second.connector.createMessageStreams({ [topic]: 1 })).resolves.toBeInstanceOf(Map);
    },
  );

  it('R5: that is of the JVM (0.8.2.2), beside one of ours, hangs until ours has left', async () => {
    const group = 'twice-waits';
    await using proxy = await proxyOf('second');
    await using first = await LocalMember.start(optionsOf(group));
    const starting = JvmMember.start({ ...optionsOf(group), zookeeperConnect: proxy.connectString });
    starting.catch(() => undefined); // waited for below
    await besides(group, async () => {
      await until('two attempts to register', () => conflictsAt(proxy, idPath(group)) >= 2);
    });
    await first.stop();
    await using second = await starting;
    await until('its claims', () => second.owned.size === 2);
    expect(new Set(second.owned.values())).toEqual(new Set([`${group}_one-0`]));
  });

  it('R5: that is of the JVM (0.10.2.2), beside one of ours, fails with ZkNodeExistsException', async () => {
    const group = 'twice-fails';
    await using first = await LocalMember.start(optionsOf(group));
    await besides(group, async () => {
      const starting = JvmMember.start({ ...optionsOf(group), release: '0.10.2.2' });
      await expect(starting).rejects.toThrow('ZkNodeExistsException');
    });
    expect(first.eventsOf('session:lost')).toEqual([]);
  });
});
