import { fetch } from '../../../../lib/testing/kafka/protocol/fetch';
import { findCoordinator } from '../../../../lib/testing/kafka/protocol/findCoordinator';
import { joinGroup } from '../../../../lib/testing/kafka/protocol/joinGroup';
import { metadata } from '../../../../lib/testing/kafka/protocol/metadata';
import { offsetFetch } from '../../../../lib/testing/kafka/protocol/offsetFetch';
import { produce } from '../../../../lib/testing/kafka/protocol/produce';
import type { RequestFailure } from '../../../../lib/testing/kafka/RequestFailures';
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

  it('tell how many of them are still to come, and can be called off one by one', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const code = async (): Promise<number | undefined> =>
      (await client.ask(metadata, 8, { topics: null })).topics[0]?.errorCode;
    const first = brokers.kafka.failNext({ api: 'Metadata', errorCode: 5, times: 2 });
    const second = brokers.kafka.failNext({ api: 'Metadata', errorCode: 3 });
    expect([first.timesLeft, second.timesLeft]).toEqual([2, 1]);
    await expect(code()).resolves.toBe(5);
    expect([first.timesLeft, second.timesLeft]).toEqual([1, 1]);
    first.cancel();
    await expect(code()).resolves.toBe(3);
    await expect(code()).resolves.toBe(0);
    expect([first.timesLeft, second.timesLeft]).toEqual([1, 0]);
  });

  it('end with the block that uses them', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    {
      using failure = brokers.kafka.failNext({ api: 'Metadata', errorCode: 5 });
      expect(failure.timesLeft).toBe(1);
    }
    const answer = await client.ask(metadata, 8, { topics: null });
    expect(answer.topics).toMatchObject([{ errorCode: 0 }]);
  });

  it.each<[string, object | null | string, string]>([
    [
      'null',
      null,
      "failure must be an object such as { api: 'Fetch', errorCode: 'NOT_LEADER_OR_FOLLOWER' }, not null",
    ],
    ['a text', 'Fetch', 'failure must be an object such as { api:'],
    [
      'a misspelt request',
      { api: 'Fetsch' },
      'api with Kafka 3.9 cannot be "Fetsch" (string). Did you mean "Fetch"?',
    ],
    ['an unknown request', { api: 'X' }, 'api with Kafka 3.9 must be "Produce", "Fetch", "ListOffsets", '],
    ['no request', {}, 'or "InitProducerId", not undefined'],
    ['no error', { errorCode: 0 }, 'or its code, -1 or 1 to 100, not 0 (number)'],
    ['NONE', { errorCode: 'NONE' }, 'or its code, -1 or 1 to 100, not "NONE" (string)'],
    ['an unknown code', { errorCode: 101 }, 'or its code, -1 or 1 to 100, not 101 (number)'],
    ['half a code', { errorCode: 1.5 }, 'or its code, -1 or 1 to 100, not 1.5 (number)'],
    ['a code as text', { errorCode: '5' }, 'or its code, -1 or 1 to 100, not "5" (string)'],
    [
      'a misspelt error',
      { errorCode: 'NOT_LEADER_OR_FOLOWER' },
      'errorCode must be the name of one of Kafka\'s errors, such as "NOT_LEADER_OR_FOLLOWER", or its code, -1 or 1 to 100, not "NOT_LEADER_OR_FOLOWER" (string). Did you mean "NOT_LEADER_OR_FOLLOWER"?',
    ],
    ['an unknown name', { broker: 1 }, '"broker" is none of the names in failure. Did you mean "brokerId"?'],
    ['a broker as text', { brokerId: '1' }, 'brokerId must be a whole number from 1 on, not "1" (string)'],
    ['a topic that is no text', { topic: /t/ }, 'topic must be a text, not {} (object)'],
    ['no times', { times: 0 }, 'times must be a whole number from 1 on, not 0 (number)'],
    ['endless times', { times: Infinity }, 'times must be a whole number from 1 on, not Infinity (number)'],
  ])('are refused with what would be right: %s', async (_, given, message) => {
    await using brokers = await TestBrokers.start();
    const right = { api: 'Fetch', errorCode: 5 };
    const isPart = typeof given === 'object' && given !== null && Object.keys(given).length > 0;
    const failure = (isPart ? { ...right, ...given } : given) as RequestFailure;
    expect(() => brokers.kafka.failNext(failure)).toThrow(TypeError);
    expect(() => brokers.kafka.failNext(failure)).toThrow(/^failNextRequest: /);
    expect(() => brokers.kafka.failNext(failure)).toThrow(message);
  });

  it('cannot be of a kind that their generation does not answer', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8' });
    expect(() => brokers.kafka.failNext({ api: 'JoinGroup', errorCode: 5 })).toThrow(
      'api with Kafka 0.8 must be "Produce", "Fetch", "ListOffsets", "Metadata", "OffsetCommit", "OffsetFetch" or "FindCoordinator", not "JoinGroup" (string)',
    );
  });

  it('cannot be of a broker that there is not', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    expect(() => brokers.kafka.failNext({ api: 'Fetch', errorCode: 5, brokerId: 3 })).toThrow(
      new RangeError('there is no broker 3; there are: 1, 2'),
    );
  });
});
