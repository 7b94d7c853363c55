import { decoders, type KafkaStream, type Message, type PartitionOwner } from '../../../lib';
import type { TestCluster } from '../../support/cluster/TestCluster';
import { compareDeliveries, type DeliveryReport, type Receiver } from '../../support/deliveries';
import { LocalMember, type LocalMemberOptions } from '../../support/LocalMember';
import { Producer } from '../../support/produce/Producer';
import type { ProducedAt } from '../../support/produce/SteadyLoad';
import { offsetsIn, range } from '../../support/readOn';
import { waitFor } from '../../support/waitFor';
import { LIMIT_MS, PROPERTIES, sendMessages, startTwoBrokers, untilOwners } from './setUp';

jest.setTimeout(120_000);

const GROUP = 'group1';

let cluster: TestCluster;
let producer: Producer;

beforeAll(async () => {
  cluster = await startTwoBrokers();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await cluster.stop();
});

function options<K = Buffer, V = Buffer>(
  consumer: string,
  topics: Record<string, number>,
  more: Pick<LocalMemberOptions<K, V>, 'properties' | 'streams' | 'consume'> = {},
): LocalMemberOptions<K, V> {
  return {
    ...{ zookeeperConnect: cluster.zookeeperConnect, group: GROUP, topics },
    ...more,
    properties: { ...PROPERTIES, 'consumer.id': consumer, ...more.properties },
  };
}

/** Resolves when these members have together got everything, each message once. */
async function untilOnce(produced: readonly ProducedAt[], members: readonly Receiver[]): Promise<void> {
  await waitFor(() => members.reduce((sum, { messages }) => sum + messages.length, 0) >= produced.length, {
    timeoutMs: LIMIT_MS,
    description: `${produced.length} messages`,
    details: () => compareDeliveries(produced, members).missing.join(' '),
  });
  expect(compareDeliveries(produced, members)).toMatchObject({ missing: [], repeated: [] });
}

/** The next messages of a stream. */
async function take<K, V>(stream: KafkaStream<K, V>, count: number): Promise<Message<K, V>[]> {
  const messages: Message<K, V>[] = [];
  for await (const message of stream) if (messages.push(message) === count) break;
  return messages;
}

interface Told {
  readonly released: ReadonlyMap<string, ReadonlySet<number>>[];
  readonly starting: {
    readonly id: string;
    readonly all: ReadonlyMap<string, ReadonlyMap<number, PartitionOwner>>;
  }[];
}

/** What the member's listener is told, in the order in which it is. */
function listenTo({ connector }: LocalMember): Told {
  const told: Told = { released: [], starting: [] };
  connector.setConsumerRebalanceListener({
    beforeReleasingPartitions: (owned) => void told.released.push(owned),
    beforeStartingFetchers: (id, all) => void told.starting.push({ id, all }),
  });
  return told;
}

/** What happens to the group while a second member joins, and a third one that wants nothing. */
async function joinOneAfterTheOther(topic: string, gzip: boolean): Promise<DeliveryReport> {
  const at = { group: GROUP, topic };
  const send = (text: string): Promise<ProducedAt[]> =>
    sendMessages(producer, topic, { count: 2, text, gzip });
  const produced = await send('alone');
  await using first = await LocalMember.start(options('consumer1', { [topic]: 1 }));
  await untilOnce(produced, [first]);
  await untilOwners(cluster, at, ['group1_consumer1-0', 'group1_consumer1-0']);

  await using second = await LocalMember.start(options('consumer2', { [topic]: 1 }));
  const shared = ['group1_consumer1-0', 'group1_consumer2-0'];
  await untilOwners(cluster, at, shared);
  produced.push(...(await send('together')));
  await untilOnce(produced, [first, second]);
  expect(new Set(second.messages.map(({ partition }) => partition))).toEqual(new Set([1]));

  await using third = await LocalMember.start(options('consumer3', {}));
  expect(third.streams.size).toBe(0);
  produced.push(...(await send('with an idle one')));
  await untilOnce(produced, [first, second]);
  await untilOwners(cluster, at, shared);
  await expect(third.connector.createMessageStreams({ [topic]: 1 })).rejects.toMatchObject({
    code: 'STREAMS_EXIST',
  });
  return compareDeliveries(produced, [first, second]);
}

it('ZookeeperConsumerConnectorTest.testBasic: times out twice on an empty topic; then members that join share the partitions, and one with an empty map changes nothing', async () => {
  await cluster.createTopic('basic', { partitions: 2 });
  const waiting = options('consumer0', { basic: 1 }, { consume: false });
  const properties = { ...waiting.properties, 'consumer.timeout.ms': 200 };
  await using impatient = await LocalMember.start({ ...waiting, properties });
  await expect(take(impatient.stream(), 1)).rejects.toMatchObject({ code: 'CONSUMER_TIMEOUT' });
  await expect(take(impatient.stream(), 1)).rejects.toMatchObject({ code: 'CONSUMER_TIMEOUT' });
  await impatient.stop();
  expect(await joinOneAfterTheOther('basic', false)).toEqual({
    ...{ missing: [], repeated: [] },
    takenOver: new Set(['basic/1']),
  });
});

it('ZookeeperConsumerConnectorTest.testCompression: shares the partitions with those who join, when all messages come in gzip sets', async () => {
  await cluster.createTopic('compression', { partitions: 2 });
  expect(await joinOneAfterTheOther('compression', true)).toEqual({
    ...{ missing: [], repeated: [] },
    takenOver: new Set(['compression/1']),
  });
});

it('ZookeeperConsumerConnectorTest.testCompressionSetConsumption: reads each of 400 messages in two gzip sets once', async () => {
  await cluster.createTopic('sets', { partitions: 2 });
  const produced = await sendMessages(producer, 'sets', { count: 200, text: 'set', gzip: true });
  await using member = await LocalMember.start(options('consumer0', { sets: 1 }));
  await untilOnce(produced, [member]);
  await member.stop();
  expect(member.messages).toHaveLength(400);
  expect(offsetsIn(member.messages, 0)).toEqual(range(0, 200));
  expect(offsetsIn(member.messages, 1)).toEqual(range(0, 200));
});

it('ZookeeperConsumerConnectorTest.testConsumerDecoder: gives text to an iterator that is asked by hand, without asking whether there is more', async () => {
  await cluster.createTopic('decoded', { partitions: 2 });
  const produced = await sendMessages(producer, 'decoded', { count: 2, text: 'tëxt', gzip: true });
  await using member = await LocalMember.start(
    options<string, string>(
      'consumer1',
      { decoded: 1 },
      { consume: false, streams: { keyDecoder: decoders.utf8, valueDecoder: decoders.utf8 } },
    ),
  );
  const iterator = member.stream().messages();
  const values: (string | null)[] = [];
  while (values.length < produced.length) {
    const { value: message } = (await iterator.next()) as IteratorYieldResult<Message<string, string>>;
    values.push(message.value);
  }
  await iterator.return?.();
  expect(values.sort()).toEqual(produced.map(({ value }) => value).sort());
});

it('ZookeeperConsumerConnectorTest.testLeaderSelectionForPartition: owns the one partition that there is, and gives its values in order', async () => {
  const topic = 'topic1';
  await cluster.createTopic(topic, { partitions: 1 });
  const produced = await sendMessages(producer, topic, { count: 20, text: 'one', partitions: [0] });
  await using member = await LocalMember.start(options('consumer1', { [topic]: 1 }));
  await untilOwners(cluster, { group: GROUP, topic }, ['group1_consumer1-0']);
  expect(member.owned).toEqual(['topic1/0']);
  await untilOnce(produced, [member]);
  expect(member.messages.map(({ value }) => value)).toEqual(produced.map(({ value }) => value));
});

it('javaapi ZookeeperConsumerConnectorTest.testBasic: gives each of two streams of a topic its partition, and refuses to make more of them', async () => {
  await cluster.createTopic('streams', { partitions: 2 });
  const produced = await sendMessages(producer, 'streams', { count: 2, text: 'java' });
  await using member = await LocalMember.start(options('consumer1', { streams: 2 }, { consume: false }));
  await untilOwners(cluster, { group: GROUP, topic: 'streams' }, [
    'group1_consumer1-0',
    'group1_consumer1-1',
  ]);
  for (const n of [0, 1]) {
    const messages = await take(member.stream('streams', n), 2);
    expect(messages.map(({ partition, value }) => ({ partition, value: String(value) }))).toEqual(
      produced.filter(({ partition }) => partition === n).map(({ value }) => ({ partition: n, value })),
    );
  }
  await expect(member.connector.createMessageStreams({ streams: 1 })).rejects.toMatchObject({
    code: 'STREAMS_EXIST',
  });
});
it('ZookeeperConsumerConnectorTest.testConsumerRebalanceListener: tells what is released, nothing at first, and the same owners to all with the own id', async () => {
  const topic = 'listened';
  await cluster.createTopic(topic, { partitions: 2 });
  await using first = new LocalMember(options('consumer1', { [topic]: 1 }));
  const toldFirst = listenTo(first);
  await first.connector.createMessageStreams(first.topics);
  const alone = { consumer: 'group1_consumer1', threadId: 'group1_consumer1-0' };
  expect(toldFirst.released).toEqual([new Map()]);
  expect(toldFirst.starting).toEqual([
    {
      id: 'group1_consumer1',
      all: new Map([
        [
          topic,
          new Map([
            [0, alone],
            [1, alone],
          ]),
        ],
      ]),
    },
  ]);

  await using second = new LocalMember(options('consumer2', { [topic]: 1 }));
  const toldSecond = listenTo(second);
  await second.connector.createMessageStreams(second.topics);
  await untilOwners(cluster, { group: GROUP, topic }, ['group1_consumer1-0', 'group1_consumer2-0']);
  await waitFor(() => first.owned.length === 1, { timeoutMs: LIMIT_MS, description: 'one left' });
  expect(toldFirst.released[1]).toEqual(new Map([[topic, new Set([0, 1])]]));
  expect(toldSecond.released[0]).toEqual(new Map());
  const other = { consumer: 'group1_consumer2', threadId: 'group1_consumer2-0' };
  const all = new Map([
    [
      topic,
      new Map([
        [0, alone],
        [1, other],
      ]),
    ],
  ]);
  expect(toldFirst.starting.at(-1)).toEqual({ id: 'group1_consumer1', all });
  expect(toldSecond.starting.at(-1)).toEqual({ id: 'group1_consumer2', all });
});
