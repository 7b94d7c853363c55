import { metadata } from '../../../../../lib/testing/kafka/protocol/metadata';
import { TestBrokers } from '../support/TestBrokers';

const ALL_VERSIONS = { topics: null, allowAutoTopicCreation: true };

async function soon(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
}

describe('the answer to Metadata', () => {
  it('tells leaders, replicas, epochs and ids', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2], [2]]);
    brokers.kafka.moveLeader('t', 0, 2);
    const client = await brokers.client();
    const answer = await client.ask(metadata, 10, { topics: [{ name: 't' }] });
    expect(answer).toMatchObject({ clusterId: brokers.kafka.clusterId, controllerId: 1 });
    expect(answer.topics).toMatchObject([
      {
        ...{ errorCode: 0, name: 't', isInternal: false, topicId: brokers.kafka.topics.get('t')?.topicId },
        partitions: [
          { errorCode: 0, leaderId: 2, leaderEpoch: 1, replicaNodes: [1, 2], isrNodes: [1, 2] },
          { errorCode: 0, leaderId: 2, leaderEpoch: 0, replicaNodes: [2], isrNodes: [2] },
        ],
      },
    ]);
  });

  it.each([
    [0, [], ['a', 'b']],
    [1, [], []],
    [1, null, ['a', 'b']],
    [12, null, ['a', 'b']],
  ])('in version %d is for topics %j about %j', async (version, topics, expected) => {
    await using brokers = await TestBrokers.start();
    for (const name of ['a', 'b']) brokers.kafka.createTopic(name, [[1]]);
    const client = await brokers.client();
    const answer = await client.ask(metadata, version, { ...ALL_VERSIONS, topics });
    expect(answer.topics.map(({ name }) => name)).toEqual(expected);
  });

  it('creates a topic that is missing: its leaders are there the next time', async () => {
    await using brokers = await TestBrokers.start({
      ...{ brokers: 3, properties: { 'num.partitions': '4', 'default.replication.factor': '2' } },
    });
    const client = await brokers.client();
    const ask = () => client.ask(metadata, 4, { topics: [{ name: 'new' }], allowAutoTopicCreation: true });
    expect((await ask()).topics).toMatchObject([{ errorCode: 5, name: 'new', partitions: [] }]);
    const [topic] = (await ask()).topics;
    expect(topic?.partitions).toHaveLength(4);
    for (const { errorCode, replicaNodes, isrNodes, leaderId } of topic?.partitions ?? []) {
      expect({ errorCode, isrNodes, leaderId }).toEqual({
        ...{ errorCode: 0, isrNodes: replicaNodes, leaderId: replicaNodes[0] },
      });
      expect(new Set(replicaNodes).size).toBe(2);
    }
  });

  it.each([
    ['the client does not want it', { allowAutoTopicCreation: false }, {}, 3],
    ['brokers do not', {}, { 'auto.create.topics.enable': 'false' }, 3],
    ['there are not enough brokers', {}, { 'default.replication.factor': '2' }, 38],
    ['its name is none', { topics: [{ name: 'a b' }] }, {}, 17],
  ])('creates no topic if %s', async (_, request, properties, errorCode) => {
    await using brokers = await TestBrokers.start({ properties });
    const client = await brokers.client();
    const asked = { topics: [{ name: 'new' }], allowAutoTopicCreation: true, ...request };
    expect((await client.ask(metadata, 4, asked)).topics).toMatchObject([{ errorCode, partitions: [] }]);
    await soon();
    expect([...brokers.kafka.topics.keys()]).toEqual([]);
  });

  it('creates the topic of the offsets, which is internal', async () => {
    await using brokers = await TestBrokers.start({
      ...{ properties: { 'auto.create.topics.enable': 'false', 'offsets.topic.num.partitions': '3' } },
    });
    const client = await brokers.client();
    const ask = () => client.ask(metadata, 4, { topics: [{ name: '__consumer_offsets' }] });
    expect((await ask()).topics).toMatchObject([{ errorCode: 5, isInternal: true }]);
    const [topic] = (await ask()).topics;
    expect(topic).toMatchObject({ errorCode: 0, isInternal: true });
    expect(topic?.partitions).toHaveLength(3);
    expect(brokers.kafka.topics.get('__consumer_offsets')?.config.get('cleanup.policy')).toBe('compact');
  });

  it('of 0.8 is an error for all topics if the name of one is none', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8' });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const answer = await client.ask(metadata, 0, { topics: [{ name: 't' }, { name: 'a b' }] });
    expect(answer).toMatchObject({
      ...{ brokers: [] },
      topics: [
        { errorCode: 17, name: 't' },
        { errorCode: 17, name: 'a b' },
      ],
    });
  });

  it('finds topics by their ids', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const topicId = brokers.kafka.topics.get('t')?.topicId ?? '';
    const unknown = 'ab'.repeat(16);
    const client = await brokers.client();
    const answer = await client.ask(metadata, 12, {
      topics: [topicId, unknown].map((id) => ({ name: null, topicId: id })),
    });
    expect(answer.topics).toMatchObject([
      { errorCode: 0, name: 't', topicId },
      { errorCode: 100, name: null, topicId: unknown },
    ]);
  });

  it('tells what a client may do only if it asks for that', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const operations = async (isAsked: boolean): Promise<number[]> => {
      const answer = await client.ask(metadata, 8, {
        topics: [{ name: 't' }],
        includeClusterAuthorizedOperations: isAsked,
        includeTopicAuthorizedOperations: isAsked,
      });
      const [topic] = answer.topics;
      return [answer.clusterAuthorizedOperations, topic?.topicAuthorizedOperations ?? NaN];
    };
    await expect(operations(false)).resolves.toEqual([-0x8000_0000, -0x8000_0000]);
    await expect(operations(true)).resolves.toEqual([0x1fa0, 0x0df8]);
  });
});

describe('without a broker that has replicas', () => {
  const FOLLOWED = { partitionIndex: 0, leaderId: 1 };
  const ALONE = { partitionIndex: 1, leaderId: -1, errorCode: 5 };

  it.each([
    ['0.8', 0, { errorCode: 9, replicaNodes: [1], isrNodes: [1] }, { replicaNodes: [], isrNodes: [] }],
    ['1.1', 0, { errorCode: 9, replicaNodes: [1], isrNodes: [1] }, { replicaNodes: [], isrNodes: [] }],
    ['1.1', 1, { errorCode: 0, replicaNodes: [1, 2], isrNodes: [1] }, { replicaNodes: [2], isrNodes: [] }],
    ['3.9', 1, { errorCode: 0, replicaNodes: [1, 2], isrNodes: [1] }, { replicaNodes: [2], isrNodes: [2] }],
    ['3.9', 0, { errorCode: 9, replicaNodes: [1], isrNodes: [1] }, { replicaNodes: [], isrNodes: [] }],
    ['3.9', 5, { errorCode: 0, offlineReplicas: [2] }, { offlineReplicas: [2] }],
  ] as const)('Kafka %s tells in version %d: %j and %j', async (generation, version, followed, alone) => {
    await using brokers = await TestBrokers.start({ generation, brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2], [2]]);
    await brokers.kafka.stopBroker(2);
    const client = await brokers.client();
    const answer = await client.ask(metadata, version, { topics: [{ name: 't' }] });
    expect(answer.brokers.map(({ nodeId }) => nodeId)).toEqual([1]);
    expect(answer.topics).toMatchObject([
      {
        errorCode: 0,
        partitions: [
          { ...FOLLOWED, ...followed },
          { ...ALONE, ...alone },
        ],
      },
    ]);
  });
});
