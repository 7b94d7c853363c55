import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';
import { ZookeeperProxy } from '../support/ZookeeperProxy';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

let cluster: RealCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;
let clock = 0;

beforeAll(async () => {
  cluster = await RealCluster.start({ kafka: '1.1.1' });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
  await Promise.all(['b.x', 'bxx'].map((topic) => cluster.createTopic(topic, { partitions: 2 })));
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

describe.each([
  { release: '0.8.2.2', readsItself: true },
  { release: '0.10.2.2', readsItself: true },
  { release: '1.1.1', readsItself: false },
] as const)(
  'a white list with escapes, beside the connector of Kafka $release',
  ({ release, readsItself }) => {
    /** The dot of the first one is escaped; nothing is called like the last one, whose slash the JVM escapes in JSON. */
    const whitelist = ` b\\.x, ${release}-c.*, q/z `;
    const other = `${release}-c`;

    beforeAll(() => cluster.createTopic(other, { partitions: 3 }));

    const optionsOf = (group: string, name: string, zookeeperConnect = cluster.zookeeperConnect) => ({
      ...{ zookeeperConnect, group, filter: { whitelist, streams: 2 } },
      properties: { 'consumer.id': name, 'auto.offset.reset': 'smallest' } as const,
    });

    function proxyOf(name: string): Promise<ZookeeperProxy> {
      const { host, port } = cluster.zookeeperServers[0] ?? { host: '', port: 0 };
      const chroot = cluster.zookeeperConnect.replace(/^[^/]*/, '');
      return ZookeeperProxy.start({ name, target: { host, port }, chroot, next: () => (clock += 1) });
    }

    /** Resolves when the owners are those that `range` gives to these threads of each topic. */
    async function owned(
      group: string,
      topics: Readonly<Record<string, { readonly partitions: number; readonly names: readonly string[] }>>,
    ): Promise<void> {
      const shares = Object.entries(topics).map(([topic, { partitions, names }]) =>
        rangeOf(
          topic,
          partitions,
          names.flatMap((name) => [0, 1].map((n) => `${group}_${name}-${n}`)),
        ),
      );
      const wanted = asText(new Map(shares.flatMap((share) => [...share])));
      await waitFor(async () => asText(await ownersOf(zookeeper, group)) === wanted, {
        timeoutMs: LIMIT_MS,
        description: `owners ${wanted}`,
      });
    }

    /** Of one that is alone in its group. */
    const registered = async (group: string): Promise<string> => {
      const node = await zookeeper.get(`/consumers/${group}/ids/${group}_me`);
      return node?.data?.toString().replace(/"\d{13}"/, '"MILLISECONDS"') ?? '';
    };

    const watchesOf = (proxy: ZookeeperProxy, ops: readonly string[]): string[] => {
      const watches = proxy.records.filter(({ op, watch }) => watch && ops.includes(op));
      return [...new Set(watches.map(({ path }) => path ?? ''))].sort();
    };

    it('R2: is registered, and takes the same topics, as in the JVM; only 1.1.1 escapes twice, so that it misses a topic that ours reads; R19: and the same is watched', async () => {
      const [theirs, own] = [`alone-jvm-${release}`, `alone-ours-${release}`];
      await using jvmDoor = await proxyOf('jvm');
      await using ourDoor = await proxyOf('ours');
      await using jvm = await JvmMember.start({
        ...optionsOf(theirs, 'me', jvmDoor.connectString),
        release,
      });
      await using ours = await LocalMember.start(optionsOf(own, 'me', ourDoor.connectString));
      const readByBoth = { [other]: { partitions: 3, names: ['me'] } };
      const all = { ...readByBoth, 'b.x': { partitions: 2, names: ['me'] } };
      expect([...jvm.errors, ...ours.errors]).toEqual([]);
      await owned(own, all);
      await owned(theirs, readsItself ? all : readByBoth);
      const text = await registered(own);
      expect(text).toBe(
        String.raw`{"version":1,"subscription":{"b\\.x|${release}-c.*|q\/z":2},"pattern":"white_list","timestamp":"MILLISECONDS"}`,
      );
      expect(await registered(theirs)).toBe(readsItself ? text : text.replaceAll('\\', '\\\\'));

      const children = ['/brokers/topics', `/consumers/${own}/ids`];
      expect(watchesOf(ourDoor, ['getChildren'])).toEqual(children);
      expect(watchesOf(jvmDoor, ['getChildren'])).toEqual(children.map((path) => path.replace(own, theirs)));
      const data = ['/brokers/topics/b.x', `/brokers/topics/${other}`].sort();
      expect(watchesOf(ourDoor, ['getData', 'exists'])).toEqual(data);
      expect(watchesOf(jvmDoor, ['getData'])).toEqual(readsItself ? data : [`/brokers/topics/${other}`]);
    });

    it('R2: is the same to both in one group, and R8: a topic that is made later is shared, too', async () => {
      const group = `both-${release}`;
      await using jvm = await JvmMember.start({ ...optionsOf(group, 'jvm'), release });
      await using ours = await LocalMember.start(optionsOf(group, 'ours'));
      const names = ['jvm', 'ours'];
      const topics = {
        'b.x': { partitions: 2, names: readsItself ? names : ['ours'] },
        [other]: { partitions: 3, names },
      };
      await owned(group, topics);
      const added = `${other}-new`;
      await cluster.createTopic(added, { partitions: 5 });
      const all = { ...topics, [added]: { partitions: 5, names } };
      await owned(group, all);
      const sent: string[] = [];
      for (const [topic, { partitions }] of Object.entries(all)) {
        for (let partition = 0; partition < partitions; partition += 1) {
          const offset = await producer.send(topic, partition, [{ value: release }]);
          sent.push(`${topic}/${partition}@${offset}`);
        }
      }
      const read = (): string[] =>
        [...jvm.messages, ...ours.messages]
          .filter(({ value }) => value === release)
          .map(({ topic, partition, offset }) => `${topic}/${partition}@${offset}`);
      await waitFor(() => read().length >= sent.length, { timeoutMs: LIMIT_MS, description: 'all messages' });
      expect(read().sort()).toEqual(sent.sort());
      expect([...jvm.errors, ...ours.errors]).toEqual([]);
    });
  },
);
