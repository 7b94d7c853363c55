import {
  CORRUPT_MESSAGE,
  TOPIC_AUTHORIZATION_FAILED,
  UNSUPPORTED_COMPRESSION_TYPE,
} from '../../../lib/kafka/errorCodes';
import { waitFor } from '../../support/waitFor';
import { damaged, entry, messageSet, wrapper } from '../kafka/support/encodeMessageSet';
import { isPending } from '../stream/support/parts';
import { FetcherUnderTest, takeAll, values } from './support/parts';
import { ScriptedBroker } from './support/ScriptedBroker';

const NOT_LEADER = 6;
const SIZES = { 'fetch.message.max.bytes': 100, 'fetch.max.bytes': 6400 };

function until(description: string, condition: () => unknown): Promise<unknown> {
  return waitFor(() => Boolean(condition()), { timeoutMs: 3000, intervalMs: 2, description });
}

async function nextMessages(t: FetcherUnderTest, count: number): Promise<string[]> {
  const got: string[] = [];
  await until(`${count} chunks' contents`, () => got.push(...takeAll(t.queue)) && got.length >= count);
  return got;
}

/** Resolves when partition 1, which works, has been asked for so many times more. */
async function otherFetches(broker: ScriptedBroker, count: number): Promise<void> {
  const before = broker.fetches.length;
  await until(`${count} more fetches`, () => broker.fetches.length >= before + count);
}

describe('BrokerFetcher, messages that do not fit', () => {
  it('asks for more until the message fits, then for the usual size', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    broker.produce('orders', 0, 'x'.repeat(3000), 'small');
    t.add(0);
    t.run();
    expect(await nextMessages(t, 2)).toEqual(['0@0', '0@1']);
    const sizes = broker.fetches.map(({ partitions }) => partitions[0]?.maxBytes ?? 0);
    // The first bytes tell how much is needed.
    expect([sizes[0], Math.floor((sizes[1] ?? 0) / 100), sizes[2]]).toEqual([100, 30, 100]);
  });

  it.each([
    ['a message', (): Buffer => entry({ offset: 0, value: Buffer.alloc(9000) })],
    [
      'a compressed set, which is named by its last offset',
      (): Buffer => {
        const inner = Array.from({ length: 300 }, (_, offset) => ({
          offset,
          value: Buffer.from(String(Math.random() * offset).repeat(3)),
        }));
        return wrapper({ offset: 299, magic: 1 }, messageSet(inner));
      },
    ],
  ])('fails with MESSAGE_TOO_LARGE if fetch.max.bytes does not hold %s', async (_, make) => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    const bytes = make();
    const last = Number(bytes.readBigInt64BE(0));
    broker.log('orders', 0).appendRaw(last, bytes);
    const info = t.add(0);
    broker.produce('orders', 1, 'fine');
    t.add(1);
    t.run();
    const got = await nextMessages(t, 2);
    expect(got.sort()).toEqual(['0!MESSAGE_TOO_LARGE', '1@0']);
    expect(info.failure?.context).toMatchObject({
      topic: 'orders',
      partition: 0,
      offset: 0,
      nextOffset: last + 1,
    });
    expect(
      broker.fetches.filter(({ partitions }) => partitions.some((at) => at.partition === 0)).length,
    ).toBeLessThan(10);
    // Past it there may be more.
    broker.produce('orders', 0, 'behind');
    info.jump(info.failure?.context.nextOffset ?? -1);
    t.fetcher.wake();
    expect(await nextMessages(t, 1)).toEqual([`0@${last + 1}`]);
  });

  it('names the offset of the one that does not fit, and not of the old one in front of it', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    const old = wrapper({ offset: 5 }, messageSet([{ offset: 5, value: Buffer.alloc(20) }]));
    const large = entry({ offset: 60, value: Buffer.alloc(9000) });
    broker.log('orders', 0).records = () => Buffer.concat([old, large]);
    const info = t.add(0, { stored: 50 });
    t.run();
    expect(await nextMessages(t, 1)).toEqual(['0!MESSAGE_TOO_LARGE']);
    expect(info.failure?.context).toMatchObject({ offset: 50, nextOffset: 61 });
  });

  it('asks fewer than 10 times in 2 s when it only ever gets the beginning of a message', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'abcdef');
    broker.log('orders', 0).cutAtBytes = 9; // less than offset and size
    t.add(0);
    t.run();
    const startedMs = performance.now();
    await until('the failure', () => t.queue.size > 0);
    expect(takeAll(t.queue)).toEqual(['0!MESSAGE_TOO_LARGE']);
    await waitFor(() => performance.now() - startedMs > 2000, {
      timeoutMs: 3000,
      description: 'two seconds',
    });
    expect(broker.fetches.length).toBeLessThan(10);
  });

  it('neither queues nor spins when all it gets was there before, and asks for more, since what follows may need more room', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    const log = broker.log('orders', 0);
    // A compressed set whose last messages were compacted away.
    const old = wrapper({ offset: 5 }, messageSet([{ offset: 5, value: Buffer.alloc(200) }]));
    log.records = () => old;
    const info = t.add(0, { stored: 50 });
    t.run();
    await until('the first fetch', () => broker.fetches.length > 0);
    const startedMs = performance.now();
    await otherFetches(broker, 10);
    expect(performance.now() - startedMs).toBeGreaterThan(60);
    expect([t.queue.size, info.fetchOffset, info.failure, info.fetchSizeBytes]).toEqual([0, 50, null, 6400]);
    log.records = () => Buffer.concat([old, entry({ offset: 60, value: Buffer.alloc(500) })]);
    expect(await nextMessages(t, 1)).toEqual(['0@60']);
  });
});

describe('BrokerFetcher, damaged messages', () => {
  it('hands over what is in front of the damage, and the damage, and does not ask for it again', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'good');
    broker.log('orders', 0).appendRaw(1, Buffer.alloc(40)); // a size of 0
    broker.produce('orders', 0, 'behind');
    const info = t.add(0);
    t.run();
    await until('the chunk', () => t.queue.size === 1);
    expect(await isPending(t.running)).toBe(true);
    expect(broker.fetches).toHaveLength(1);
    expect(takeAll(t.queue)).toEqual(['0@0', '0!MESSAGE_CORRUPT']);
    info.jump(2);
    t.fetcher.wake();
    expect(await nextMessages(t, 1)).toEqual(['0@2']);
  });

  it('goes on behind a message with a wrong checksum when it is told to', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.log('orders', 0).appendRaw(0, damaged(entry({ offset: 0 }), 20));
    broker.produce('orders', 0, 'behind');
    const info = t.add(0);
    t.run();
    expect((await nextMessages(t, 1))[0]).toBe('0!MESSAGE_CORRUPT');
    info.jump(1);
    t.fetcher.wake();
    expect(await nextMessages(t, 1)).toEqual(['0@1']);
  });
});

describe("BrokerFetcher, a partition's error", () => {
  it.each([
    ['CODEC_UNSUPPORTED', UNSUPPORTED_COMPRESSION_TYPE],
    ['MESSAGE_CORRUPT', CORRUPT_MESSAGE],
    ['BROKER_ERROR', TOPIC_AUTHORIZATION_FAILED],
  ])('stops that partition with one %s; the others go on', async (code, errorCode) => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.log('orders', 0).errorCode = errorCode;
    broker.produce('orders', 1, 'fine');
    const info = t.add(0);
    t.add(1);
    t.run();
    expect((await nextMessages(t, 2)).sort()).toEqual([`0!${code}`, '1@0']);
    await otherFetches(broker, 3);
    expect(
      broker.fetches.filter(({ partitions }) => partitions.some((at) => at.partition === 0)),
    ).toHaveLength(1);
    expect(t.givenBack).toEqual([]);
    broker.log('orders', 0).errorCode = 0;
    broker.produce('orders', 0, 'a', 'b');
    info.jump(1);
    t.fetcher.wake();
    expect(await nextMessages(t, 1)).toEqual(['0@1']);
  });

  it('sends that partition to the leader finder if it may pass, and tells so', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.log('orders', 0).errorCode = NOT_LEADER;
    broker.produce('orders', 1, 'fine');
    const info = t.add(0);
    t.add(1);
    t.run();
    expect(await nextMessages(t, 1)).toEqual(['1@0']);
    expect(t.givenBack).toEqual([info]);
    expect(t.told).toHaveLength(1);
    expect(t.told[0]).toMatchObject([
      'fetch:failed',
      {
        error: { code: 'BROKER_UNREACHABLE', context: { partition: 0, brokerCode: NOT_LEADER } },
        retryInMs: 200,
      },
    ]);
    await otherFetches(broker, 2);
    expect(t.givenBack).toHaveLength(1);
  });
});

describe('BrokerFetcher, positions that are not there', () => {
  it.each([
    ['smallest', 3],
    ['largest', 5],
  ] as const)(
    'looks up the %s offset if nothing was ever stored, and knows it before the first message',
    async (reset, to) => {
      await using broker = await ScriptedBroker.start();
      await using t = new FetcherUnderTest(broker, { 'auto.offset.reset': reset });
      broker.produce('orders', 0, ...values(5));
      broker.log('orders', 0).deleteBelow(3);
      const info = t.add(0, { stored: null });
      t.run();
      await until('the position', () => info.fetchOffset !== null);
      expect([info.handedOffset, info.processedOffset]).toEqual([to, to]);
      expect(t.told).toEqual([
        ['offset:reset', { topic: 'orders', partition: 0, from: null, to, why: 'none' }],
      ]);
      // A rebalance now would go on here, whatever comes in the meantime.
      broker.produce('orders', 0, 'f');
      info.discardFetched();
      expect(info.fetchOffset).toBe(to);
    },
  );

  it('lets go of a position that runs out of range in the middle, when what is queued has been handed out', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker, { 'auto.offset.reset': 'smallest' });
    const log = broker.log('orders', 0);
    broker.produce('orders', 0, 'a', 'b');
    t.add(0);
    t.run();
    await until('the first chunk', () => t.queue.size === 1);
    log.deleteBelow(7);
    broker.produce('orders', 0, 'h');
    await until('the reset and what is behind', () => t.queue.size === 2 && broker.listed.length > 0);
    expect(t.told).toEqual([
      ['offset:reset', { topic: 'orders', partition: 0, from: 2, to: 7, why: 'out-of-range' }],
    ]);
    expect(takeAll(t.queue)).toEqual(['0@0', '0@1', '0>7']);
    expect(await nextMessages(t, 1)).toEqual(['0@7']);
  });

  it('moves at once if everything before has been processed: a stored position that is gone', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker, { 'auto.offset.reset': 'smallest' });
    broker.log('orders', 0).deleteBelow(7);
    const info = t.add(0, { stored: 2 });
    t.run();
    await until('the position', () => info.processedOffset === 7);
    broker.produce('orders', 0, 'h');
    expect(await nextMessages(t, 1)).toEqual(['0@7']);
  });

  it('gives a partition back if the broker does not say where its log begins, and fails it if that is forbidden', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.log('orders', 0).listErrorCode = NOT_LEADER;
    broker.log('orders', 1).listErrorCode = TOPIC_AUTHORIZATION_FAILED;
    const moved = t.add(0, { stored: null });
    const forbidden = t.add(1, { stored: null });
    t.run();
    expect(await nextMessages(t, 1)).toEqual(['1!BROKER_ERROR']);
    expect(t.givenBack).toEqual([moved]);
    expect(forbidden.failure?.context).toMatchObject({ brokerCode: TOPIC_AUTHORIZATION_FAILED });
    expect(broker.listed).toEqual(['orders/0', 'orders/1']);
  });

  it('gives a partition back if the broker refuses the very position that it has named', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker, { 'auto.offset.reset': 'smallest' });
    broker.log('orders', 0).errorCode = 1;
    const info = t.add(0, { stored: 5 });
    t.run();
    await until('it to be given back', () => t.givenBack.length > 0);
    expect([t.givenBack, info.resetsInARow]).toEqual([[info], 0]);
    expect(broker.listed).toHaveLength(1);
  });

  it('drops a position that was looked up before a seek', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker, { 'auto.offset.reset': 'largest' });
    broker.produce('orders', 0, ...values(5));
    const info = t.add(0, { stored: null });
    t.run();
    info.jump(2); // the connection is not even there
    expect(await nextMessages(t, 3)).toEqual(['0@2', '0@3', '0@4']);
    expect([t.told, broker.listed]).toEqual([[], []]);
  });

  it('gives everything back if the broker cannot be connected to', async () => {
    const broker = await ScriptedBroker.start();
    await broker.stop();
    await using t = new FetcherUnderTest(broker);
    const infos = [t.add(0), t.add(1)];
    t.run();
    await t.running;
    expect(t.givenBack).toEqual(infos);
    expect(t.told).toMatchObject([['fetch:failed', { error: { code: 'BROKER_UNREACHABLE' } }]]);
  });
});
