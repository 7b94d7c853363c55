import { fetch } from '../../../../../lib/testing/kafka/protocol/fetch';
import { append, askOne } from '../support/fetching';
import { batchOf, fetchOf, setOf } from '../support/records';
import { TestBrokers } from '../support/TestBrokers';

const VERSION = 11;
const LONG_MS = 600_000;

describe('Fetch', () => {
  it('reads from an offset to the end', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', batchOf(['a', 'b']));
    append(brokers, 't', batchOf(['c']));
    const client = await brokers.client();
    const all = await askOne(client, VERSION, fetchOf('t', 0));
    expect(all).toMatchObject({
      ...{ errorCode: 0, highWatermark: 3, lastStableOffset: 3, logStartOffset: 0 },
      ...{ abortedTransactions: null, preferredReadReplica: -1 },
    });
    const last = await askOne(client, VERSION, fetchOf('t', 2));
    expect(last.records?.readBigInt64BE()).toBe(2n);
    expect(all.records?.subarray(batchOf(['a', 'b']).length)).toEqual(last.records);
    expect((await askOne(client, VERSION, fetchOf('t', 3))).records).toHaveLength(0);
  });

  it.each([
    ['1.1', 0, { lastStableOffset: -1, abortedTransactions: null }],
    ['1.1', 1, { lastStableOffset: 1, abortedTransactions: [] }],
    ['3.9', 0, { lastStableOffset: 1, abortedTransactions: null }],
    ['3.9', 1, { lastStableOffset: 1, abortedTransactions: [] }],
  ] as const)(
    'in Kafka %s with isolation level %d answers %j',
    async (generation, isolationLevel, expected) => {
      await using brokers = await TestBrokers.start({ generation });
      brokers.kafka.createTopic('t', [[1]]);
      append(brokers, 't', batchOf(['a']));
      const client = await brokers.client();
      const request = { ...fetchOf('t', 0), isolationLevel };
      await expect(askOne(client, 5, request)).resolves.toMatchObject(expected);
    },
  );

  it('answers in the format that the version has', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', batchOf(['a']));
    const client = await brokers.client();
    const formats: (number | undefined)[] = [];
    for (const version of [0, 2, 4]) {
      formats.push((await askOne(client, version, fetchOf('t', 0))).records?.readInt8(16));
    }
    expect(formats).toEqual([0, 1, 2]);
  });

  it.each([
    ['-1', -1],
    ['2', 2],
  ])('refuses the offset %s of a log from 0 to 1', async (_, offset) => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', batchOf(['a']));
    const client = await brokers.client();
    await expect(
      askOne(client, VERSION, fetchOf('t', offset, { maxWaitMs: LONG_MS })),
    ).resolves.toMatchObject({
      ...{ errorCode: 1, highWatermark: -1, records: Buffer.alloc(0) },
    });
  });

  it('has a limit for each partition, and up to version 2 cuts what does not fit', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8' });
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', setOf(['a'.repeat(100)], 0));
    const client = await brokers.client();
    const { records } = await askOne(client, 0, fetchOf('t', 0, { partitionMaxBytes: 50 }));
    expect(records).toHaveLength(50);
  });

  it('has a limit for all partitions from version 3 on, but the first batch comes whole', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1], [1], [1]]);
    const batch = batchOf(['a'.repeat(100)]);
    for (const partition of [0, 1, 2]) append(brokers, 't', batch, partition);
    const client = await brokers.client();
    const sizes = async (maxBytes: number, partitionMaxBytes: number): Promise<(number | undefined)[]> => {
      const partitions = [2, 0, 1].map((partition) => ({ partition, fetchOffset: 0, partitionMaxBytes }));
      const request = { ...fetchOf('t', 0, { maxBytes }), topics: [{ topic: 't', partitions }] };
      const answer = await client.ask(fetch, 3, request);
      return (answer.responses[0]?.partitions ?? []).map(({ records }) => records?.length);
    };
    const whole = batch.length;
    await expect(sizes(1, 1)).resolves.toEqual([expect.any(Number), 0, 0]);
    await expect(sizes(1_000_000, 1)).resolves.toEqual([expect.any(Number), 0, 0]);
    const [first, ...others] = await sizes(1_000_000, whole);
    expect(first).toBeGreaterThan(100);
    expect(others).toEqual([first, first]);
    expect((await sizes(1, 1))[0]).toBe(first);
  });

  it('is, at a broker of 3.9, no larger than fetch.max.bytes', async () => {
    await using brokers = await TestBrokers.start({ properties: { 'fetch.max.bytes': '100' } });
    brokers.kafka.createTopic('t', [[1], [1]]);
    for (const partition of [0, 1]) append(brokers, 't', batchOf(['a'.repeat(100)]), partition);
    const client = await brokers.client();
    const topics = [0, 1].map((partition) => fetchOf('t', 0, { partition }).topics).flat();
    const answer = await client.ask(fetch, VERSION, { ...fetchOf('t', 0), topics });
    const records = answer.responses.flatMap(({ partitions }) =>
      partitions.map((one) => one.records?.length),
    );
    expect(records).toEqual([batchOf(['a'.repeat(100)]).length, 0]);
  });

  it('knows topics by their ids from version 13 on', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', batchOf(['a']));
    const client = await brokers.client();
    const known = brokers.kafka.topics.get('t')?.topicId ?? '';
    const unknown = 'cd'.repeat(16);
    const topics = [unknown, known].map((topicId) => ({ ...fetchOf('', 0).topics[0], topicId }));
    const answer = await client.ask(fetch, 16, { ...fetchOf('', 0), topics });
    expect(answer.responses).toMatchObject([
      { topicId: unknown, partitions: [{ errorCode: 100, highWatermark: -1 }] },
      { topicId: known, partitions: [{ errorCode: 0, highWatermark: 1 }] },
    ]);
  });

  it.each([
    ['0.9', 1, [3, 6, 3]],
    ['1.1', 4, [3, 6, 3]],
    ['3.9', 10, [6, 6, 3]],
    ['3.9', 11, [6, 0, 3]],
  ] as const)('in Kafka %s, version %d, answers for other brokers %j', async (generation, version, codes) => {
    await using brokers = await TestBrokers.start({ generation, brokers: 2 });
    brokers.kafka.createTopic('t', [[2], [2, 1]]);
    const client = await brokers.client();
    const answered: number[] = [];
    for (const partition of [0, 1, 2]) {
      answered.push((await askOne(client, version, fetchOf('t', 0, { partition }))).errorCode);
    }
    expect(answered).toEqual(codes);
  });

  it('holds the epoch of a client against its own, and says from version 16 on who leads', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    brokers.kafka.moveLeader('t', 0, 2);
    brokers.kafka.moveLeader('t', 0, 1);
    const topicId = brokers.kafka.topics.get('t')?.topicId ?? '';
    const client = await brokers.client();
    const withEpoch = async (currentLeaderEpoch: number) => {
      const [topic] = fetchOf('t', 0).topics;
      const partitions = (topic?.partitions ?? []).map((one) => ({ ...one, currentLeaderEpoch }));
      return client.ask(fetch, 16, { ...fetchOf('t', 0), topics: [{ topicId, partitions }] });
    };
    const codes: (number | undefined)[] = [];
    for (const epoch of [1, 2, 3])
      codes.push((await withEpoch(epoch)).responses[0]?.partitions[0]?.errorCode);
    expect(codes).toEqual([74, 0, 75]);
    const old = await withEpoch(1);
    expect(old.responses[0]?.partitions[0]?.currentLeader).toEqual({ leaderId: 1, leaderEpoch: 2 });
    expect(old.nodeEndpoints.map(({ nodeId }) => nodeId)).toEqual([1]);
  });
});
