import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../../lib/testing';
import { waitFor } from '../../support/waitFor';
import { isOpen } from './network/support/isOpen';

const OVER = 'the cluster has been stopped';

describe('an embedded cluster that was stopped', () => {
  it('refuses all controls', async () => {
    const cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    const { id = '' } = cluster.sessions()[0] ?? {};
    await cluster.stop();
    const acts: (() => unknown)[] = [
      () => cluster.createTopic('u'),
      () => cluster.addPartitions('t', 2),
      () => cluster.deleteTopic('t'),
      () => cluster.describeTopic('t'),
      () => cluster.moveLeader('t', 0, 1),
      () => cluster.produce('t', ['a']),
      () => cluster.deleteRecords('t', 0, 0),
      () => cluster.stopBroker(1),
      () => cluster.startBroker(1),
      () => cluster.stopZookeeper(),
      () => cluster.startZookeeper(),
      () => cluster.sessions(),
      () => cluster.expireSession(id),
      () => cluster.dropConnection(id),
      () => cluster.znodes(),
      () => cluster.describeGroup('g'),
      () => cluster.committedOffsets('g'),
      () => cluster.failNextRequest({ api: 'Fetch', errorCode: 3 }),
      () => cluster.failNextOperation({ code: 'NO_AUTH' }),
      () => cluster.clearFailures(),
      () => cluster.network.drop(),
      () => cluster.network.delay(1),
    ];
    for (const act of acts) {
      await expect(Promise.resolve().then(act)).rejects.toThrow(OVER);
    }
    await expect(isOpen(cluster.brokers[0]?.port ?? 0)).resolves.toBe(false);
    await expect(isOpen(cluster.zookeeperServers[0]?.port ?? 0)).resolves.toBe(false);
  });

  it('still tells where it was and what was asked of it', async () => {
    const cluster = await EmbeddedCluster.start({ chroot: '/kafka', topics: { t: 1 } });
    const { zookeeperConnect, bootstrapServers, brokers, zookeeperServers } = cluster;
    await cluster.stop();
    expect(cluster).toMatchObject({
      zookeeperConnect,
      bootstrapServers,
      brokers,
      zookeeperServers,
      kafka: '3.9',
    });
    expect(cluster.operations.map(({ path }) => path)).toContain('/kafka/brokers/topics/t');
    expect(cluster.network.connections()).toEqual([]);
  });

  it('was stopped once, however often it is asked for', async () => {
    const cluster = await EmbeddedCluster.start();
    const first = cluster.stop();
    expect(cluster.stop()).toBe(first);
    expect(cluster[Symbol.asyncDispose]()).toBe(first);
    await first;
  });

  it('waits for servers that are being started, and nothing is left of them', async () => {
    const cluster = await EmbeddedCluster.start({ brokers: 2, zookeepers: 3 });
    await cluster.stopBroker(1);
    await cluster.stopZookeeper(2);
    const starts = Promise.allSettled([
      cluster.startBroker(1),
      cluster.startZookeeper(2),
      cluster.stopBroker(2),
    ]);
    await cluster.stop();
    await starts;
    const ports = [...cluster.brokers, ...cluster.zookeeperServers].map(({ port }) => port);
    await expect(Promise.all(ports.map(isOpen))).resolves.toEqual([false, false, false, false, false]);
  });

  it('ends a start for which the application never says the properties', async () => {
    let asked = 0;
    const brokerProperties: EmbeddedClusterOptions['brokerProperties'] = () => {
      asked += 1;
      return asked === 1 ? {} : new Promise(() => undefined);
    };
    const cluster = await EmbeddedCluster.start({ brokerProperties });
    await cluster.stopBroker(1);
    const starts = Promise.allSettled([cluster.startBroker(1)]);
    await waitFor(() => asked === 2, { timeoutMs: 2000, description: 'the question' });
    await cluster.stop();
    await expect(starts).resolves.toEqual([{ status: 'rejected', reason: new Error(OVER) }]);
    await expect(isOpen(cluster.brokers[0]?.port ?? 0)).resolves.toBe(false);
  });
});
