import type { ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { GroupOffsets } from '../support/GroupOffsets';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import { range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 30_000;
const COUNT = 10;

/** Stored in Kafka only. */
const ALONE = { 'offsets.storage': 'kafka', 'dual.commit.enabled': false } as const;
/** In ZooKeeper, too, as is the default. */
const DUAL = { 'offsets.storage': 'kafka' } as const;

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])('offsets stored in Kafka $kafka', ({ kafka }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, brokers: 2 });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  const groupOf = (topic: string): string => `group-${topic}`;
  const inKafka = (topic: string): GroupOffsets => new GroupOffsets(cluster.brokers, groupOf(topic));
  const pathOf = (topic: string, partition: number): string =>
    `/consumers/${groupOf(topic)}/offsets/${topic}/${partition}`;

  async function inZookeeper(topic: string, partition: number): Promise<string | null> {
    return (await zookeeper.get(pathOf(topic, partition)))?.data?.toString() ?? null;
  }

  async function storeInZookeeper(topic: string, partition: number, text: string): Promise<void> {
    await zookeeper.mkdirp(pathOf(topic, partition));
    await zookeeper.set(pathOf(topic, partition), text);
  }

  /** All on the first broker, with so many messages in each partition. */
  async function newTopic(topic: string, partitions: number): Promise<void> {
    await cluster.createTopic(topic, { assignment: range(0, partitions).map(() => [1]) });
    for (const partition of range(0, partitions)) await produce(topic, partition, COUNT);
  }

  async function produce(topic: string, partition: number, count: number): Promise<void> {
    await producer.send(
      topic,
      partition,
      range(0, count).map((n) => ({ value: `${n}` })),
    );
  }

  function startMember(
    topic: string,
    properties: Partial<ConnectorConfig>,
    group = groupOf(topic),
  ): Promise<LocalMember> {
    return LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 }, properties },
    });
  }

  const offsetsOf = (member: LocalMember, partition: number): number[] =>
    member.messages.filter((one) => one.partition === partition).map(({ offset }) => offset);

  async function untilRead(member: LocalMember, count: number): Promise<void> {
    await waitFor(() => member.messages.length >= count, {
      ...{ timeoutMs: LIMIT_MS, description: `${count} messages` },
      details: () => `${member.messages.length} messages; ${member.errors.map(String).join('; ')}`,
    });
  }

  it('alone: ZooKeeper is neither read nor written, and the next member goes on there', async () => {
    const topic = 'alone';
    await newTopic(topic, 2);
    await storeInZookeeper(topic, 0, '7');
    await using first = await startMember(topic, ALONE);
    await untilRead(first, 2 * COUNT);
    await first.stop();
    expect([offsetsOf(first, 0), offsetsOf(first, 1)]).toEqual([range(0, COUNT), range(0, COUNT)]);
    for (const partition of [0, 1]) {
      await expect(inKafka(topic).stored(topic, partition)).resolves.toBe(COUNT);
    }
    expect([await inZookeeper(topic, 0), await inZookeeper(topic, 1)]).toEqual(['7', null]);

    await produce(topic, 0, 1);
    await produce(topic, 1, 1);
    await using second = await startMember(topic, ALONE);
    await untilRead(second, 2);
    await second.stop();
    expect([offsetsOf(second, 0), offsetsOf(second, 1)]).toEqual([[COUNT], [COUNT]]);
    expect(second.eventsOf('offset:reset')).toEqual([]);
    await expect(inKafka(topic).stored(topic, 1)).resolves.toBe(COUNT + 1);
  });

  it('may be 0, which is not "none"', async () => {
    const topic = 'zero';
    await newTopic(topic, 1);
    await inKafka(topic).store(topic, 0, 0);
    await using member = await startMember(topic, { ...ALONE, 'auto.offset.reset': 'largest' });
    await untilRead(member, COUNT);
    expect(offsetsOf(member, 0)).toEqual(range(0, COUNT));
    expect(member.eventsOf('offset:reset')).toEqual([]);
  });

  it('and in ZooKeeper: the larger one is where a partition starts, and both are written', async () => {
    const topic = 'both';
    await newTopic(topic, 4);
    const [both, more, onlyKafka, onlyZookeeper] = [0, 1, 2, 3];
    await inKafka(topic).store(topic, both, 3);
    await storeInZookeeper(topic, both, '7');
    await inKafka(topic).store(topic, more, 8);
    await storeInZookeeper(topic, more, '2');
    await inKafka(topic).store(topic, onlyKafka, 4);
    await storeInZookeeper(topic, onlyZookeeper, '5');
    await using member = await startMember(topic, DUAL);
    await untilRead(member, 3 + 2 + 6 + 5);
    await member.stop();
    expect(range(0, 4).map((partition) => offsetsOf(member, partition))).toEqual(
      [7, 8, 4, 5].map((from) => range(from, COUNT)),
    );
    for (const partition of range(0, 4)) {
      await expect(inKafka(topic).stored(topic, partition)).resolves.toBe(COUNT);
      await expect(inZookeeper(topic, partition)).resolves.toBe(String(COUNT));
    }
  });

  it('are stored again at each interval though they have not changed: Kafka would forget them', async () => {
    const topic = 'unchanged';
    await newTopic(topic, 1);
    await using member = await startMember(topic, { ...DUAL, 'auto.commit.interval.ms': 200 });
    await untilRead(member, COUNT);
    const offsets = inKafka(topic);
    const untilStored = (): Promise<unknown> =>
      waitFor(async () => (await offsets.stored(topic, 0)) === COUNT, {
        ...{ timeoutMs: LIMIT_MS, description: 'the position' },
      });
    await untilStored();
    await waitFor(async () => (await inZookeeper(topic, 0)) === String(COUNT), {
      ...{ timeoutMs: LIMIT_MS, description: 'the position in ZooKeeper' },
    });
    // Somebody else changes both.
    await storeInZookeeper(topic, 0, '1');
    for (let times = 0; times < 2; times += 1) {
      await offsets.store(topic, 0, 1);
      await untilStored();
    }
    await expect(inZookeeper(topic, 0)).resolves.toBe('1');
  });

  it('cannot be stored while the broker of the coordinator is away; messages go on, and so do commits when it is back', async () => {
    const topic = 'away';
    await newTopic(topic, 1);
    const names = range(0, 30).map((n) => `away-${n}`);
    const ids = await Promise.all(
      names.map(async (name) => (await new GroupOffsets(cluster.brokers, name).coordinator()).id),
    );
    const group = names[ids.indexOf(2)] ?? '';
    await using member = await startMember(
      topic,
      {
        ...ALONE,
        'offsets.channel.backoff.ms': 100,
        'offsets.channel.socket.timeout.ms': 2000,
        'offsets.commit.max.retries': 2,
      },
      group,
    );
    await untilRead(member, COUNT);
    await member.connector.commitOffsets();
    await cluster.stopBroker(2);
    await produce(topic, 0, 1);
    await untilRead(member, COUNT + 1);
    await expect(member.connector.commitOffsets()).rejects.toMatchObject({
      code: 'COMMIT_FAILED',
      cause: { code: 'BROKER_UNREACHABLE' },
    });
    await cluster.startBroker(2);
    await waitFor(() => member.connector.commitOffsets().then(() => true), {
      ...{ timeoutMs: LIMIT_MS, description: 'a commit' },
    });
    await expect(new GroupOffsets(cluster.brokers, group).stored(topic, 0)).resolves.toBe(COUNT + 1);
    expect(member.errors).toEqual([]);
    expect(member.eventsOf('rebalance:failed')).toEqual([]);
  });
});
