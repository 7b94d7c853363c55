import { metadata } from '../../../../../lib/testing/kafka/protocol/metadata';
import { produce } from '../../../../../lib/testing/kafka/protocol/produce';
import { batchOf, produceOf, setOf } from '../support/records';
import { TestBrokers } from '../support/TestBrokers';

describe('Produce', () => {
  it.each([-1, 1])('with acks %d is answered with the offset of the first record', async (acks) => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const records = batchOf(['a', 'b']);
    await client.ask(produce, 8, produceOf('t', records, { acks }));
    const answer = await client.ask(produce, 8, produceOf('t', records, { acks }));
    expect(answer.responses).toMatchObject([
      {
        ...{ name: 't' },
        partitionResponses: [{ errorCode: 0, baseOffset: 2, logAppendTimeMs: -1, logStartOffset: 0 }],
      },
    ]);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(4);
  });

  it('with acks 0 is not answered', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    client.tell(produce, 8, produceOf('t', batchOf(['a']), { acks: 0 }));
    await expect(client.ask(metadata, 8, { topics: [] })).resolves.toBeDefined();
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(1);
  });

  it('with acks 0 ends the connection if it fails', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    client.tell(produce, 8, produceOf('none', batchOf(['a']), { acks: 0 }));
    await client.closed();
    expect(client.answers).toEqual([]);
  });

  it('without records ends the connection', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1' });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    client.tell(produce, 5, produceOf('t', null));
    await client.closed();
    expect(client.answers).toEqual([]);
  });

  it('without records is never answered by 3.9, nor is what comes behind it', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    client.tell(produce, 8, produceOf('t', null));
    client.tell(metadata, 8, { topics: [] });
    const other = await brokers.client();
    await expect(other.ask(metadata, 8, { topics: [] })).resolves.toBeDefined();
    expect({ answers: client.answers, isClosed: client.isClosed }).toEqual({ answers: [], isClosed: false });
  });

  it('with other acks appends nothing', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1' });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const answer = await client.ask(produce, 2, produceOf('t', setOf(['a'], 1), { acks: 2 }));
    expect(answer.responses[0]?.partitionResponses).toMatchObject([{ errorCode: 21, baseOffset: -1 }]);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(0);
  });

  it('with other acks waits in 0.8 for replicas that there are not', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8' });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const request = { ...produceOf('t', setOf(['a'], 0), { acks: 2 }), timeoutMs: 20 };
    const answer = await client.ask(produce, 0, request);
    expect(answer.responses[0]?.partitionResponses).toMatchObject([{ errorCode: 7, baseOffset: 0 }]);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(1);
  });

  it.each([
    ['0.8', 3],
    ['1.1', 3],
    ['3.9', 6],
  ] as const)('in Kafka %s for a partition of another broker is error %d', async (generation, elsewhere) => {
    await using brokers = await TestBrokers.start({ generation, brokers: 2 });
    brokers.kafka.createTopic('t', [[2], [2, 1]]);
    const client = await brokers.client();
    const partitionData = [0, 1, 2].map((index) => ({ index, records: setOf(['a'], 0) }));
    const topicData = [
      { name: 't', partitionData },
      { name: 'none', partitionData: partitionData.slice(0, 1) },
    ];
    const answer = await client.ask(produce, 0, { acks: 1, timeoutMs: 1000, topicData });
    const codes = answer.responses.map(({ partitionResponses }) =>
      partitionResponses.map(({ errorCode }) => errorCode),
    );
    expect(codes).toEqual([[elsewhere, 6, 3], [3]]);
  });

  it('says from version 10 on whom to ask instead', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    brokers.kafka.moveLeader('t', 0, 2);
    const client = await brokers.client();
    const answer = await client.ask(produce, 10, produceOf('t', batchOf(['a'])));
    expect(answer.responses[0]?.partitionResponses).toMatchObject([
      { errorCode: 6, currentLeader: { leaderId: 2, leaderEpoch: 1 } },
    ]);
    const { port } = brokers.kafka.brokers[1] ?? {};
    expect(answer.nodeEndpoints).toEqual([{ nodeId: 2, host: '127.0.0.1', port, rack: null }]);
  });

  it.each([
    ['0.8', { 'min.insync.replicas': '2' }, 19],
    ['0.9', { 'min.insync.replicas': '2' }, 19],
    ['3.9', { 'min.insync.replicas': '2' }, 0],
  ] as const)(
    'in Kafka %s needs in-sync replicas: with %j the error is %d',
    async (generation, config, code) => {
      await using brokers = await TestBrokers.start({ generation });
      brokers.kafka.createTopic('t', [[1]], config);
      const client = await brokers.client();
      const [all, leader] = [
        await client.ask(produce, 0, produceOf('t', setOf(['a'], 0), { acks: -1 })),
        await client.ask(produce, 0, produceOf('t', setOf(['a'], 0), { acks: 1 })),
      ].map((answer) => answer.responses[0]?.partitionResponses[0]?.errorCode);
      expect({ all, leader }).toEqual({ all: code, leader: 0 });
    },
  );

  it.each([
    ['0.8', 0],
    ['0.10.2', 19],
  ] as const)('in Kafka %s counts them by the setting of brokers with error %d', async (generation, code) => {
    await using brokers = await TestBrokers.start({ generation, properties: { 'min.insync.replicas': '2' } });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const answer = await client.ask(produce, 0, produceOf('t', setOf(['a'], 0)));
    expect(answer.responses[0]?.partitionResponses[0]?.errorCode).toBe(code);
  });

  it('answers once for what is named twice, and appends it once', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const { topicData, ...request } = produceOf('t', batchOf(['a']));
    const answer = await client.ask(produce, 8, { ...request, topicData: [...topicData, ...topicData] });
    expect(answer.responses).toHaveLength(1);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.endOffset).toBe(1);
  });

  it('tells what the log refuses', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]], { 'max.message.bytes': '80' });
    const client = await brokers.client();
    const answer = await client.ask(produce, 8, produceOf('t', batchOf(['a'.repeat(100)])));
    expect(answer.responses[0]?.partitionResponses).toMatchObject([{ errorCode: 10, baseOffset: -1 }]);
  });
});
