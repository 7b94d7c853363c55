import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import { range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

jest.setTimeout(60_000);

const LIMIT_MS = 30_000;

describe.each(['0.8.2.2', '3.9.1'])('what is handed out, with Kafka %s', (kafka) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await startCluster({ kafka });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  const stored = async (topic: string, partition: number): Promise<string | undefined> => {
    const node = await zookeeper.get(`/consumers/${topic}/offsets/${topic}/${partition}`);
    return node?.data?.toString();
  };

  const untilStored = (topic: string, partition: number, offset: string): Promise<unknown> =>
    waitFor(async () => (await stored(topic, partition)) === offset, {
      ...{ timeoutMs: LIMIT_MS, description: `offset ${offset} of partition ${partition}` },
    });

  const numbered = (count: number): { value: string }[] => range(0, count).map((n) => ({ value: String(n) }));

  // With Scala the offset behind a message is stored while it is in work, so that a crash there loses it.
  it('R14: counts for the auto-commit when the next message is asked for, not while it is in work', async () => {
    const topic = 'slow';
    await cluster.createTopic(topic, { partitions: 2 });
    await producer.send(topic, 0, numbered(3));
    await using member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 2 }, consume: false },
      properties: { 'auto.commit.interval.ms': 50 },
    });
    let free: () => void = () => undefined;
    const freed = new Promise<void>((resolve) => (free = resolve));
    const read: number[] = [];
    const slow = async (): Promise<void> => {
      for await (const { offset } of member.stream(topic, 0)) {
        read.push(offset);
        if (offset === 1) await freed;
      }
    };
    const quick = async (): Promise<void> => {
      for await (const { partition } of member.stream(topic, 1)) expect(partition).toBe(1);
    };
    const loops = Promise.all([slow(), quick()]);
    await waitFor(() => read.length === 2, { timeoutMs: LIMIT_MS, description: 'the second message' });
    // What is stored of the other partition tells that there were commits meanwhile.
    for (const offset of ['1', '2', '3']) {
      await producer.send(topic, 1, [{ value: 'v' }]);
      await untilStored(topic, 1, offset);
      await expect(stored(topic, 0)).resolves.toBe('1');
    }
    free();
    await untilStored(topic, 0, '3');
    await member.stop();
    await loops;
    expect(read).toEqual([0, 1, 2]);
  });

  // With Scala messages of the current chunk still come, though the last commit is over.
  it('R14: ends with the shutdown: what had been fetched comes to the next member, and to nobody before', async () => {
    const topic = 'ended';
    await cluster.createTopic(topic);
    await producer.send(topic, 0, numbered(10));
    const options = { zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 } };
    const properties = { 'rebalance.drain.timeout.ms': 100 };
    await using first = await LocalMember.start({ ...options, properties, consume: false });
    const messages = first.stream()[Symbol.asyncIterator]();
    for (const offset of [0, 1, 2, 3]) {
      await expect(messages.next()).resolves.toMatchObject({ value: { offset } });
    }
    await first.connector.shutdown(); // with the last one in hand, and six more ready
    await expect(messages.next()).resolves.toMatchObject({ done: true });
    await expect(stored(topic, 0)).resolves.toBe('3');

    await using second = await LocalMember.start(options);
    await waitFor(() => second.messages.length === 7, { timeoutMs: LIMIT_MS, description: 'the others' });
    expect(second.messages.map(({ offset }) => offset)).toEqual(range(3, 10));
  });
});
