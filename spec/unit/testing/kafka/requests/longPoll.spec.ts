import { fetch } from '../../../../../lib/testing/kafka/protocol/fetch';
import { metadata } from '../../../../../lib/testing/kafka/protocol/metadata';
import { append, askOne } from '../support/fetching';
import { batchOf, fetchOf } from '../support/records';
import { TestBrokers } from '../support/TestBrokers';

const VERSION = 11;
const LONG_MS = 600_000;

describe('sessions of Fetch', () => {
  it.each([
    ['asks for one', 0, 0, 0],
    ['ends one', 7, -1, 0],
    ['has one', 7, 3, 70],
    ['goes on without an id', 0, 3, 70],
  ])('a client that %s (id %d, epoch %d) gets error %d and no session', async (_, sessionId, epoch, code) => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const request = { ...fetchOf('t', 0), sessionId, sessionEpoch: epoch };
    const answer = await client.ask(fetch, VERSION, request);
    expect(answer).toMatchObject({ errorCode: code, sessionId: 0 });
    expect(answer.responses).toHaveLength(code === 0 ? 1 : 0);
  });
});

describe('a long poll', () => {
  it('ends with an append that brings enough', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1], [1]]);
    const client = await brokers.client();
    const size = batchOf(['a']).length;
    const topics = [0, 1].flatMap((partition) => fetchOf('t', 0, { partition }).topics);
    const request = { ...fetchOf('t', 0, { maxWaitMs: LONG_MS, minBytes: size + 1 }), topics };
    client.tell(fetch, VERSION, request);
    const other = await brokers.client();
    await other.ask(metadata, 8, { topics: [] });
    append(brokers, 't', batchOf(['a']), 0);
    await other.ask(metadata, 8, { topics: [] });
    expect(client.answers).toEqual([]);
    append(brokers, 't', batchOf(['a']), 1);
    await client.next();
    expect(brokers.faults).toEqual([]);
  });

  it('ends with its time, with what there is', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    append(brokers, 't', batchOf(['a']));
    const client = await brokers.client();
    const before = performance.now();
    const { records } = await askOne(
      client,
      VERSION,
      fetchOf('t', 0, { maxWaitMs: 30, minBytes: 1_000_000 }),
    );
    expect(performance.now() - before).toBeGreaterThan(25);
    expect(records).toHaveLength(batchOf(['a']).length);
  });

  it('ends when its broker does not lead any more', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1', brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    const client = await brokers.client();
    const waiting = askOne(client, 7, fetchOf('t', 0, { maxWaitMs: LONG_MS }));
    await (await brokers.client()).ask(metadata, 5, { topics: [] });
    brokers.kafka.moveLeader('t', 0, 2);
    await expect(waiting).resolves.toMatchObject({ errorCode: 6 });
  });

  it('of several partitions is not held up by one that fails', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    const topics = [0, 5].flatMap((partition) => fetchOf('t', 0, { partition }).topics);
    const answer = await client.ask(fetch, VERSION, { ...fetchOf('t', 0, { maxWaitMs: LONG_MS }), topics });
    expect(answer.responses[0]?.partitions.map(({ errorCode }) => errorCode)).toEqual([0, 3]);
  });

  it('reads once, however much comes while it waits', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const log = brokers.kafka.topics.get('t')?.partitions[0]?.log;
    if (log === undefined) throw new Error('no log');
    const reads = jest.spyOn(log, 'read');
    const client = await brokers.client();
    const size = batchOf(['a']).length;
    client.tell(fetch, VERSION, fetchOf('t', 0, { maxWaitMs: LONG_MS, minBytes: 5 * size }));
    const other = await brokers.client();
    for (let count = 0; count < 5; count++) {
      await other.ask(metadata, 8, { topics: [] });
      expect(reads).not.toHaveBeenCalled();
      append(brokers, 't', batchOf(['a']));
    }
    await client.next();
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('counts what fits into its limits only', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1], [1]]);
    const size = batchOf(['a']).length;
    for (const partition of [0, 0, 1]) append(brokers, 't', batchOf(['a']), partition);
    const client = await brokers.client();
    const limit = { partitionMaxBytes: size, maxBytes: 2 * size - 1, maxWaitMs: 30 };
    const topics = [0, 1].flatMap((partition) => fetchOf('t', 0, { partition, ...limit }).topics);
    const before = performance.now();
    const request = { ...fetchOf('t', 0, { ...limit, minBytes: size + 1 }), topics };
    const { responses } = await client.ask(fetch, VERSION, request);
    expect(performance.now() - before).toBeGreaterThan(25);
    const sizes = responses.flatMap(({ partitions }) => partitions.map(({ records }) => records?.length));
    expect(sizes).toEqual([size, 0]);
  });

  it('leaves nothing behind in the log', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const log = brokers.kafka.topics.get('t')?.partitions[0]?.log;
    if (log === undefined) throw new Error('no log');
    let listeners = 0;
    const subscribe = log.onAppend.bind(log);
    jest.spyOn(log, 'onAppend').mockImplementation((listener) => {
      listeners += 1;
      const end = subscribe(listener);
      return () => {
        listeners -= 1;
        end();
      };
    });
    const client = await brokers.client();
    await askOne(client, VERSION, fetchOf('t', 0, { maxWaitMs: 5 }));
    expect(listeners).toBe(0);
    client.tell(fetch, VERSION, fetchOf('t', 0, { maxWaitMs: LONG_MS }));
    await (await brokers.client()).ask(metadata, 8, { topics: [] });
    expect(listeners).toBe(1);
    await brokers.kafka.stopBroker(1);
    expect(listeners).toBe(0);
  });
});
