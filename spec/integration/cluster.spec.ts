import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(300_000);

describe.each([
  { kafka: '0.8.2.2', brokers: 3 },
  { kafka: '3.9.1', brokers: 2 },
])('a cluster of Kafka $kafka with $brokers brokers', ({ kafka, brokers }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, brokers });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  it('puts partition p on broker (p % brokers) + 1 and can be written to at once', async () => {
    await cluster.createTopic('placed', { partitions: 12 });
    const node = await zookeeper.get('/brokers/topics/placed');
    const stored: unknown = JSON.parse(node?.data?.toString() ?? '');
    const wanted = Object.fromEntries(Array.from({ length: 12 }, (_, p) => [p, [(p % brokers) + 1]]));
    expect(stored).toMatchObject({ partitions: wanted });
    for (let partition = 0; partition < 12; partition++) {
      await expect(producer.send('placed', partition, [{ value: 'first' }])).resolves.toBe(0);
    }
  });

  it('deletes a topic, whose name can then be used again', async () => {
    await cluster.createTopic('passing', { partitions: 3, config: { 'retention.ms': '3600000' } });
    await producer.send('passing', 0, [{ value: 'gone' }]);
    await cluster.deleteTopic('passing');
    await expect(zookeeper.exists('/brokers/topics/passing')).resolves.toBe(false);
    await cluster.createTopic('passing', { partitions: 1 });
    await expect(producer.send('passing', 0, [{ value: 'again' }])).resolves.toBe(0);
  });

  it('adds partitions, which can be written to at once', async () => {
    await cluster.createTopic('growing', { partitions: 2 });
    await cluster.addPartitions('growing', 5);
    await expect(producer.send('growing', 4, [{ value: 'first' }])).resolves.toBe(0);
  });

  it('stops a broker, whose partitions get another leader, and starts it again', async () => {
    await cluster.createTopic('moving', { partitions: 2, replicas: 2 });
    await producer.send('moving', 0, [{ value: 'before' }]);
    await cluster.stopBroker(1);
    await expect(producer.send('moving', 0, [{ value: 'between' }])).resolves.toBe(1);
    const state = await zookeeper.get('/brokers/topics/moving/partitions/0/state');
    expect(JSON.parse(state?.data?.toString() ?? '')).toMatchObject({ leader: 2 });
    await cluster.createTopic('meanwhile', { assignment: [[2]] });
    await cluster.startBroker(1);
    await expect(zookeeper.exists('/brokers/ids/1')).resolves.toBe(true);
    await expect(producer.send('moving', 0, [{ value: 'after' }])).resolves.toBe(2);
  });

  it('knows the sessions with their time-outs and ephemeral nodes', async () => {
    await using client = await cluster.zookeeper();
    await client.create('/passing', 'x', { ephemeral: true });
    const session = (await cluster.sessions()).find(({ id }) => id === client.sessionId);
    expect(session).toEqual({ id: client.sessionId, timeoutMs: 10_000, ephemerals: ['/kafka/passing'] });
  });

  it('drops a connection, whose session lives on', async () => {
    await using client = await cluster.zookeeper();
    const before = client.sessionId;
    await client.create('/kept', 'x', { ephemeral: true });
    await cluster.dropConnection(before);
    expect(await client.get('/kept')).toMatchObject({ data: Buffer.from('x'), ephemeralOwner: before });
    expect(client.sessionId).toBe(before);
    await expect(cluster.dropConnection('0xdeadbeef')).rejects.toThrow('session 0xdeadbeef');
  });
});

describe('a cluster without brokers', () => {
  it('is an ensemble that survives the loss of one server', async () => {
    await using cluster = await startCluster({ kafka: '3.9.1', brokers: 0, zookeepers: 3, chroot: '/a/b' });
    expect(cluster.zookeeperServers).toHaveLength(3);
    await using zookeeper = await cluster.zookeeper();
    await zookeeper.mkdirp('/x/y/z');
    for (const server of [1, 2, 3]) {
      await cluster.stopZookeeper(server);
      const stored = waitFor(() => zookeeper.exists('/x/y/z'), {
        timeoutMs: 20_000,
        description: 'an answer',
      });
      await expect(stored).resolves.toBe(true);
      await cluster.startZookeeper(server);
    }
    await zookeeper.removeRecursive('/x');
    expect([...(await zookeeper.tree('/'))]).toEqual([['/', '']]);
    await using root = await ZookeeperAdmin.connect(cluster.zookeeperConnect.replace('/a/b', ''));
    await expect(root.children('/a')).resolves.toEqual(['b']);
  });
});
