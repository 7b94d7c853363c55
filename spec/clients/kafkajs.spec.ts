// kafkajs on the embedded cluster: its producer, and a group of the coordinator.
import { Kafka, logLevel, type Consumer } from 'kafkajs';

import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../lib/testing';
import { waitFor } from '../support/waitFor';

jest.setTimeout(60_000);

const CELLS: readonly { kafka: NonNullable<EmbeddedClusterOptions['kafka']> }[] = [
  { kafka: '0.10.2' },
  { kafka: '1.1' },
  { kafka: '3.9' },
];
const PARTITIONS = 6;
const LIMIT_MS = 20_000;

interface Member {
  readonly consumer: Consumer;
  readonly values: string[];
  /** Partitions of its last assignment. */
  assigned: readonly number[];
}

describe.each(CELLS)('kafkajs on embedded brokers of $kafka', ({ kafka }) => {
  let cluster: EmbeddedCluster;
  let client: Kafka;

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start({
      kafka,
      brokers: 2,
      topics: { shared: PARTITIONS },
    });
    const brokers = cluster.brokers.map(({ host, port }) => `${host}:${port}`);
    client = new Kafka({ clientId: 'kafkajs', brokers, logLevel: logLevel.NOTHING });
  });

  afterAll(() => cluster.stop());

  async function join(groupId: string): Promise<Member> {
    // It ends only between two fetches, and looks for a rebalance only then.
    const quick = { heartbeatInterval: 200, maxWaitTimeInMs: 200 };
    const consumer = client.consumer({ groupId, sessionTimeout: 6000, ...quick });
    const member: Member = { consumer, values: [], assigned: [] };
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      member.assigned = payload.memberAssignment['shared'] ?? [];
    });
    await consumer.connect();
    await consumer.subscribe({ topic: 'shared', fromBeginning: true });
    await consumer.run({
      eachMessage: ({ message }) => {
        member.values.push(message.value?.toString() ?? '');
        return Promise.resolve();
      },
    });
    return member;
  }

  async function shared(...members: Member[]): Promise<void> {
    await waitFor(
      () => {
        const all = members.flatMap(({ assigned }) => assigned).sort();
        const isEven = members.every(({ assigned }) => assigned.length === PARTITIONS / members.length);
        return isEven && new Set(all).size === PARTITIONS;
      },
      { timeoutMs: LIMIT_MS, description: `an even share of ${members.length} members` },
    );
  }

  it('two members share a topic, get everything, and the second takes over from the first', async () => {
    const producer = client.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    const send = async (...values: string[]): Promise<void> => {
      await producer.send({
        topic: 'shared',
        messages: values.map((value, key) => ({ key: String(key), value })),
      });
    };
    const a = await join('readers');
    const b = await join('readers');
    try {
      await shared(a, b);
      await send(...Array.from({ length: 60 }, (_, index) => `first ${index}`));
      await waitFor(() => a.values.length + b.values.length === 60, {
        ...{
          timeoutMs: LIMIT_MS,
          description: '60 messages',
          details: () => `${a.values.length} + ${b.values.length}`,
        },
      });
      expect(a.values.length).toBeGreaterThan(0);
      expect(b.values.length).toBeGreaterThan(0);
      await a.consumer.disconnect();
      await shared(b);
      const before = b.values.length;
      await send(...Array.from({ length: 30 }, (_, index) => `then ${index}`));
      await waitFor(() => b.values.length === before + 30, {
        timeoutMs: LIMIT_MS,
        description: '30 messages',
      });
      expect(new Set([...a.values, ...b.values]).size).toBe(90);
    } finally {
      await a.consumer.disconnect();
      await b.consumer.disconnect();
      await producer.disconnect();
    }
  });

  it('commits offsets that its admin client reads', async () => {
    const admin = client.admin();
    await admin.connect();
    try {
      const [topic] = await admin.fetchOffsets({ groupId: 'readers', topics: ['shared'] });
      const committed = topic?.partitions
        .map(({ offset }) => Number(offset))
        .reduce((sum, one) => sum + one, 0);
      expect(committed).toBe(90);
    } finally {
      await admin.disconnect();
    }
  });
});
