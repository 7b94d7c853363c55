import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { listOffsets } from '../../../../../lib/testing/kafka/protocol/listOffsets';
import { batchOf, setOf } from '../support/records';
import { TestBrokers } from '../support/TestBrokers';

const TIME = 1_700_000_000_000;

async function withMessages(generation: Generation): Promise<TestBrokers> {
  const brokers = await TestBrokers.start({ generation });
  brokers.kafka.createTopic('t', [[1]]);
  const log = brokers.kafka.topics.get('t')?.partitions[0]?.log;
  if (generation === '3.9')
    for (const ms of [TIME, TIME + 50, TIME + 20]) log?.append(batchOf(['a', 'b'], ms), 8);
  else log?.append(setOf(['a', 'b'], generation === '0.10.2' ? 1 : 0), 0);
  return brokers;
}

function of(timestamp: number, more: object = {}) {
  return {
    ...{ replicaId: -1 },
    topics: [{ name: 't', partitions: [{ partitionIndex: 0, timestamp, maxNumOffsets: 5, ...more }] }],
  };
}

describe('ListOffsets', () => {
  it.each([
    [-1, [2, 0]],
    [-2, [0]],
    [0, []],
    [TIME * 2, [2, 0]],
  ])('in version 0 answers time %d with %j', async (timestamp, oldStyleOffsets) => {
    await using brokers = await withMessages('0.8');
    const client = await brokers.client();
    const answer = await client.ask(listOffsets, 0, of(timestamp));
    expect(answer.topics[0]?.partitions).toMatchObject([{ errorCode: 0, oldStyleOffsets }]);
  });

  it('in version 0 tells no more than so many, and of an empty log one', async () => {
    await using brokers = await withMessages('0.8');
    const client = await brokers.client();
    const one = await client.ask(listOffsets, 0, of(-1, { maxNumOffsets: 1 }));
    expect(one.topics[0]?.partitions[0]?.oldStyleOffsets).toEqual([2]);
    brokers.kafka.deleteTopic('t');
    brokers.kafka.createTopic('t', [[1]]);
    const empty = await client.ask(listOffsets, 0, of(-1));
    expect(empty.topics[0]?.partitions[0]?.oldStyleOffsets).toEqual([0]);
  });

  it.each([
    ['the end', -1, { timestamp: -1, offset: 6, leaderEpoch: 0 }],
    ['the start', -2, { timestamp: -1, offset: 0, leaderEpoch: 0 }],
    ['the newest message', -3, { timestamp: TIME + 50, offset: 2 }],
    ['the local start', -4, { timestamp: -1, offset: 0 }],
    ['what is stored elsewhere', -5, { timestamp: -1, offset: -1 }],
    ['the first one from a time on', TIME + 10, { timestamp: TIME + 50, offset: 2 }],
    ['nothing behind the newest', TIME + 51, { timestamp: -1, offset: -1, leaderEpoch: -1 }],
  ])('finds %s (time %d)', async (_, timestamp, expected) => {
    await using brokers = await withMessages('3.9');
    const client = await brokers.client();
    const answer = await client.ask(listOffsets, 9, of(timestamp));
    expect(answer.topics[0]?.partitions).toMatchObject([{ errorCode: 0, ...expected }]);
  });

  it('tells the start that deleted messages have left', async () => {
    await using brokers = await withMessages('3.9');
    brokers.kafka.topics.get('t')?.partitions[0]?.log.deleteBefore(3);
    const client = await brokers.client();
    const answer = await client.ask(listOffsets, 5, of(-2));
    expect(answer.topics[0]?.partitions).toMatchObject([{ offset: 3 }]);
  });

  it.each([
    [6, -3, 35],
    [7, -3, 0],
    [7, -4, 35],
    [8, -5, 35],
    [9, -6, 35],
  ])('in version %d answers time %d with error %d', async (version, timestamp, errorCode) => {
    await using brokers = await withMessages('3.9');
    const client = await brokers.client();
    const answer = await client.ask(listOffsets, version, of(timestamp));
    expect(answer.topics[0]?.partitions).toMatchObject([{ errorCode }]);
  });

  it('does not know times of messages that have none', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.10.2' });
    brokers.kafka.createTopic('t', [[1]], { 'message.format.version': '0.9.0' });
    const client = await brokers.client();
    const codes: (number | undefined)[] = [];
    for (const timestamp of [5, -1, -2]) {
      const answer = await client.ask(listOffsets, 1, of(timestamp));
      codes.push(answer.topics[0]?.partitions[0]?.errorCode);
    }
    expect(codes).toEqual([43, 0, 0]);
  });

  it('refuses what is named twice, from version 1 on', async () => {
    await using brokers = await withMessages('0.10.2');
    const client = await brokers.client();
    const { topics } = of(-1);
    const twice = { ...of(-1), topics: [...topics, ...topics] };
    expect((await client.ask(listOffsets, 0, twice)).topics).toMatchObject([
      { partitions: [{ errorCode: 0, oldStyleOffsets: [2, 0] }] },
    ]);
    expect((await client.ask(listOffsets, 1, twice)).topics).toMatchObject([
      { partitions: [{ errorCode: 42, offset: -1 }] },
    ]);
  });

  it('refuses what others lead, what there is not, and epochs that are not its own', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[2], [1]]);
    const client = await brokers.client();
    const codes: (number | undefined)[] = [];
    for (const more of [
      {},
      { partitionIndex: 1 },
      { partitionIndex: 2 },
      { partitionIndex: 1, currentLeaderEpoch: 1 },
    ]) {
      const answer = await client.ask(listOffsets, 5, of(-1, more));
      codes.push(answer.topics[0]?.partitions[0]?.errorCode);
    }
    expect(codes).toEqual([6, 0, 3, 75]);
  });
});
