import { RealCluster } from '../support/cluster/RealCluster';
import { freePorts } from '../support/cluster/freePorts';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { ownersOf, rangeOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';
import { ZookeeperProxy } from '../support/ZookeeperProxy';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

const until = (description: string, condition: () => unknown, details?: () => string): Promise<unknown> =>
  waitFor(condition, { timeoutMs: LIMIT_MS, description, ...(details === undefined ? {} : { details }) });

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])(
  'a member of the JVM (0.8.2.2) and one of ours, with a broker of Kafka $kafka',
  ({ kafka }) => {
    let cluster: RealCluster;
    let zookeeper: ZookeeperAdmin;
    let producer: Producer;

    beforeAll(async () => {
      cluster = await RealCluster.start({ kafka });
      zookeeper = await cluster.zookeeper();
      producer = new Producer({ brokers: cluster.brokers });
    });

    afterAll(async () => {
      producer.close();
      await zookeeper.close();
      await cluster.stop();
    });

    const optionsOf = (group: string, topic = group) => ({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 } },
      properties: { 'auto.offset.reset': 'smallest', 'auto.commit.interval.ms': '200' } as const,
    });

    /** Resolves when each has its range of the topic. */
    async function shared(
      group: string,
      partitions: number,
      members: readonly { readonly consumerId: string }[],
    ): Promise<void> {
      const threads = members.map(({ consumerId }) => `${consumerId}-0`);
      const wanted = [...rangeOf(group, partitions, threads)].sort();
      await until(`owners ${JSON.stringify(wanted)}`, async () => {
        return (
          JSON.stringify([...(await ownersOf(zookeeper, group, [group]))].sort()) === JSON.stringify(wanted)
        );
      });
    }

    /** Sends one message to each partition; resolves when the members have got each of them once. */
    async function everythingOnce(
      topic: string,
      partitions: number,
      members: readonly (JvmMember | LocalMember)[],
    ): Promise<void> {
      const count = (): number => members.reduce((sum, { messages }) => sum + messages.length, 0);
      const before = count();
      for (let partition = 0; partition < partitions; partition += 1) {
        await producer.send(topic, partition, [{ value: 'v' }]);
      }
      await until('one message of each partition', () => count() >= before + partitions);
      const read = members.flatMap(({ messages }) => messages.map((one) => `${one.partition}@${one.offset}`));
      expect(new Set(read).size).toBe(read.length);
      for (const { errors } of members) expect(errors).toEqual([]);
    }

    it('R8: share a topic that is made after both have subscribed', async () => {
      const group = 'later';
      await using jvm = await JvmMember.start(optionsOf(group));
      await using ours = await LocalMember.start(optionsOf(group));
      await expect(zookeeper.exists(`/brokers/topics/${group}`)).resolves.toBe(false);
      await cluster.createTopic(group, { partitions: 3 });
      await shared(group, 3, [jvm, ours]);
      await everythingOnce(group, 3, [jvm, ours]);
    });

    it('R8: read a topic that is deleted: the one of the JVM makes it again by asking a broker for it, ours does not', async () => {
      const [theirs, own] = ['doomed-jvm', 'doomed-ours'];
      for (const topic of [theirs, own]) await cluster.createTopic(topic, { partitions: 2 });
      await using jvm = await JvmMember.start(optionsOf(theirs));
      const [server = { host: '', port: 0 }] = cluster.zookeeperServers;
      await using door = await ZookeeperProxy.start({
        ...{ name: 'ours', target: server, chroot: '/kafka', next: () => 0 },
      });
      await using ours = await LocalMember.start({
        ...optionsOf(own),
        zookeeperConnect: door.connectString,
      });
      await shared(theirs, 2, [jvm]);
      await shared(own, 2, [ours]);
      await everythingOnce(theirs, 2, [jvm]);
      await everythingOnce(own, 2, [ours]);
      const made = (await zookeeper.get(`/brokers/topics/${theirs}`))?.createdZxid;
      // With an invalid registration it keeps its partitions, and looks for their leaders again and again.
      const invalid = `/consumers/${own}/ids/${own}_invalid`;
      await zookeeper.create(invalid, 'no JSON');
      await until('a failed rebalance', () => ours.eventsOf('rebalance:failed').length > 0);
      await cluster.deleteTopic(own); // would fail if ours made it again
      const looks = (): number => door.records.filter(({ path }) => path === `/brokers/topics/${own}`).length;
      const before = looks();
      await zookeeper.create(`/admin/delete_topics/${theirs}`);
      await until(
        'the topic to be back',
        async () => {
          const now = await zookeeper.get(`/brokers/topics/${theirs}`);
          return now !== null && now.createdZxid !== made;
        },
        () => jvm.log,
      );
      await until('more look-ups by ours', () => looks() > before + 3);
      expect(ours.owned).toHaveLength(2);
      await expect(zookeeper.exists(`/brokers/topics/${own}`)).resolves.toBe(false);
      await zookeeper.remove(invalid);
      await until('ours to have nothing', () => ours.owned.length === 0);
      await expect(zookeeper.exists(`/brokers/topics/${own}`)).resolves.toBe(false);
    });

    it('R13: go on after a bounce of the broker: nobody rebalances, and nothing is lost or repeated', async () => {
      const group = 'bounced';
      await cluster.createTopic(group, { partitions: 4 });
      await using jvm = await JvmMember.start(optionsOf(group));
      await using ours = await LocalMember.start(optionsOf(group));
      await shared(group, 4, [jvm, ours]);
      await everythingOnce(group, 4, [jvm, ours]);
      const claims = (): Promise<(bigint | undefined)[]> =>
        Promise.all(
          [0, 1, 2, 3].map(async (partition) => {
            const node = await zookeeper.get(`/consumers/${group}/owners/${group}/${partition}`);
            return node?.createdZxid;
          }),
        );
      const before = await claims();
      await cluster.stopBroker(1);
      await until('failed fetches', () => ours.eventsOf('fetch:failed').length > 0);
      await cluster.startBroker(1);
      await everythingOnce(group, 4, [jvm, ours]);
      expect(await claims()).toEqual(before);
      await ours.stop();
      await jvm.stop();
      expect(jvm.messages.length + ours.messages.length).toBe(8);
    });

    it('R11: without a broker the one of the JVM claims nothing, ours does; when there is one, both share', async () => {
      const group = 'brokerless';
      await cluster.createTopic(group, { partitions: 4 });
      await cluster.stopBroker(1);
      await until('no broker', async () => (await zookeeper.children('/brokers/ids')).length === 0);
      await using jvm = await JvmMember.start(optionsOf(group));
      await using ours = await LocalMember.start(optionsOf(group));
      await until('the claims of ours', () => ours.owned.length === 2);
      const owners = await ownersOf(zookeeper, group, [group]);
      expect(new Set(owners.values())).toEqual(new Set([`${ours.consumerId}-0`]));
      await cluster.startBroker(1);
      await shared(group, 4, [jvm, ours]);
      await everythingOnce(group, 4, [jvm, ours]);
    });
  },
);

describe('a ZooKeeper that cannot be used', () => {
  it.each([
    { release: '0.8.2.2', says: /IllegalArgumentException: Path length must be > 0/ },
    { release: '1.1.1', says: /ZkNoNodeException/ },
  ] as const)(
    'R11: because the chroot is missing is an error of the connector of $release and of ours, and nobody makes it',
    async ({ release, says }) => {
      await using cluster = await RealCluster.start({ kafka: '0.8.2.2', brokers: 0, chroot: '' });
      const zookeeperConnect = `${cluster.zookeeperConnect}/absent/below`;
      const options = { zookeeperConnect, group: 'g', topics: { t: 1 } };
      await expect(JvmMember.start({ ...options, release })).rejects.toThrow(says);
      await expect(LocalMember.start(options)).rejects.toMatchObject({ code: 'CHROOT_MISSING' });
      await using root = await ZookeeperAdmin.connect(cluster.zookeeperConnect);
      await expect(root.children('/')).resolves.toEqual(['zookeeper']);
    },
  );

  it('R11: because nobody listens is an error of both after zookeeper.connection.timeout.ms', async () => {
    const [port] = await freePorts(1);
    const options = {
      ...{ zookeeperConnect: `127.0.0.1:${String(port)}`, group: 'g', topics: { t: 1 } },
      properties: { 'zookeeper.connection.timeout.ms': '1000' } as const,
    };
    await expect(JvmMember.start(options)).rejects.toThrow(
      /ZkTimeoutException: Unable to connect to zookeeper server within timeout: 1000/,
    );
    await expect(LocalMember.start(options)).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
  });
});
