import { fetch } from '../../../../lib/testing/kafka/protocol/fetch';
import { findCoordinator } from '../../../../lib/testing/kafka/protocol/findCoordinator';
import { joinGroup } from '../../../../lib/testing/kafka/protocol/joinGroup';
import { metadata } from '../../../../lib/testing/kafka/protocol/metadata';
import { offsetFetch } from '../../../../lib/testing/kafka/protocol/offsetFetch';
import { produce } from '../../../../lib/testing/kafka/protocol/produce';
import { batchOf, fetchOf, produceOf } from './support/records';
import { TestBrokers } from './support/TestBrokers';

describe('requests that are to fail', () => {
  it('have the error for each partition, and no effect, as often as they are to', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1], [1]]);
    brokers.kafka.failNext({ api: 'Produce', errorCode: 'NOT_ENOUGH_REPLICAS', times: 2 });
    const client = await brokers.client();
    const partitionData = [0, 1].map((index) => ({ index, records: batchOf(['a']) }));
    const request = { ...produceOf('t', null), topicData: [{ name: 't', partitionData }] };
    const codes: (number | undefined)[][] = [];
    for (let count = 0; count < 3; count++) {
      const answer = await client.ask(produce, 8, request);
      codes.push((answer.responses[0]?.partitionResponses ?? []).map(({ errorCode }) => errorCode));
    }
    expect(codes).toEqual([
      [19, 19],
      [19, 19],
      [0, 0],
    ]);
    expect(brokers.kafka.topics.get('t')?.partitions.map(({ log }) => log.endOffset)).toEqual([1, 1]);
  });

  it('can be chosen by broker and by topic; others succeed in between', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    for (const topic of ['t', 'u']) brokers.kafka.createTopic(topic, [[1, 2]]);
    brokers.kafka.failNext({ api: 'Fetch', errorCode: 56, brokerId: 2, topic: 'u' });
    const [one, two] = [await brokers.client(1), await brokers.client(2)];
    const code = async (client: typeof one, topic: string): Promise<number | undefined> =>
      (await client.ask(fetch, 11, fetchOf(topic, 0))).responses[0]?.partitions[0]?.errorCode;
    await expect(code(one, 'u')).resolves.toBe(0);
    await expect(code(two, 't')).resolves.toBe(0);
    await expect(code(two, 'u')).resolves.toBe(56);
    await expect(code(two, 'u')).resolves.toBe(0);
  });

  it('are known by the names of topics in versions that have ids', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.kafka.failNext({ api: 'Fetch', errorCode: 'KAFKA_STORAGE_ERROR', topic: 't' });
    const client = await brokers.client();
    const topicId = brokers.kafka.topics.get('t')?.topicId ?? '';
    const topics = fetchOf('', 0).topics.map((topic) => ({ ...topic, topicId }));
    const answer = await client.ask(fetch, 13, { ...fetchOf('', 0), topics });
    expect(answer.responses).toMatchObject([{ topicId, partitions: [{ errorCode: 56 }] }]);
  });

  it('are answered at once, also if they would wait', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.kafka.failNext({ api: 'Fetch', errorCode: 'UNKNOWN_SERVER_ERROR' });
    const client = await brokers.client();
    const answer = await client.ask(fetch, 11, fetchOf('t', 0, { maxWaitMs: 600_000 }));
    expect(answer.responses[0]?.partitions).toMatchObject([{ errorCode: -1, highWatermark: -1 }]);
  });

  it('for all topics fail for all that there are', async () => {
    await using brokers = await TestBrokers.start();
    for (const topic of ['t', 'u']) brokers.kafka.createTopic(topic, [[1]]);
    brokers.kafka.failNext({ api: 'Metadata', errorCode: 'LEADER_NOT_AVAILABLE' });
    const client = await brokers.client();
    const answer = await client.ask(metadata, 8, { topics: null });
    expect(answer.brokers).toHaveLength(1);
    expect(answer.topics).toMatchObject([
      { errorCode: 5, name: 't', partitions: [] },
      { errorCode: 5, name: 'u', partitions: [] },
    ]);
  });

  it('without a place for an error end the connection', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.kafka.failNext({ api: 'Produce', errorCode: 'NOT_LEADER_OR_FOLLOWER' });
    const client = await brokers.client();
    client.tell(produce, 8, produceOf('t', batchOf(['a']), { acks: 0 }));
    await client.closed();
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(0);
  });

  it('can be those of groups', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    brokers.kafka.failNext({ api: 'FindCoordinator', errorCode: 'COORDINATOR_NOT_AVAILABLE' });
    const found = await client.ask(findCoordinator, 4, { coordinatorKeys: ['g'] });
    expect(found.coordinators).toMatchObject([{ key: 'g', errorCode: 15, nodeId: -1, port: -1 }]);
    brokers.kafka.failNext({ api: 'JoinGroup', errorCode: 'GROUP_MAX_SIZE_REACHED' });
    const joined = await client.ask(joinGroup, 5, { groupId: 'g', memberId: 'm', protocolType: 'consumer' });
    expect(joined).toMatchObject({ errorCode: 81, memberId: 'm', generationId: -1 });
    brokers.kafka.failNext({ api: 'OffsetFetch', errorCode: 'NOT_COORDINATOR', topic: 't' });
    const topics = [{ name: 't', partitionIndexes: [4] }];
    const fetched = await client.ask(offsetFetch, 1, { groupId: 'g', topics });
    expect(fetched.topics).toMatchObject([
      { name: 't', partitions: [{ partitionIndex: 4, committedOffset: -1, errorCode: 16 }] },
    ]);
  });

  it('can be called off', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.failNext({ api: 'Metadata', errorCode: 5, times: 9 });
    brokers.kafka.clearFailures();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const answer = await client.ask(metadata, 8, { topics: null });
    expect(answer.topics).toMatchObject([{ errorCode: 0 }]);
  });

  it('must be of a kind that there is, with an error that there is', async () => {
    await using brokers = await TestBrokers.start();
    expect(() => brokers.kafka.failNext({ api: 'Fetsch' as 'Fetch', errorCode: 5 })).toThrow(
      'there is no request "Fetsch"; there are Produce, Fetch,',
    );
    expect(() => brokers.kafka.failNext({ api: 'Fetch', errorCode: 'NO_LEADER' as 'NONE' })).toThrow(
      'Kafka has no error "NO_LEADER"',
    );
  });
});
