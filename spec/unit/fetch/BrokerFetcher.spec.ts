import type { MessageCursor } from '../../../lib/kafka/records/MessageCursor';
import { waitFor } from '../../support/waitFor';
import { isPending } from '../stream/support/parts';
import { FetcherUnderTest, takeAll, values } from './support/parts';
import { ScriptedBroker, type SeenFetch } from './support/ScriptedBroker';

const LIMIT = { timeoutMs: 3000, intervalMs: 2 };

function until(description: string, condition: () => unknown): Promise<unknown> {
  return waitFor(() => Boolean(condition()), { ...LIMIT, description });
}

/** Partitions that were asked for, as a text. */
function askedIn({ partitions }: SeenFetch): string {
  return partitions.map(({ partition }) => partition).join();
}

/** Resolves when the broker has got that many more fetches; what was under way before them has been answered. */
async function fetchesMore(broker: ScriptedBroker, count: number): Promise<SeenFetch[]> {
  const before = broker.fetches.length;
  await until(`${count} more fetches`, () => broker.fetches.length >= before + count);
  return broker.fetches.slice(before);
}

describe.each(['0.8', '0.10.1'] as const)('BrokerFetcher and a broker of Kafka %s', (kafka) => {
  it('FetcherTest.testFetcher: brings what is there, then what comes, in order and once, with one fetch under way at a time', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'a', 'b', 'c');
    broker.produce('orders', 1, 'x');
    const info = t.add(0, { stored: 1 });
    t.add(1);
    t.run();
    const got: string[] = [];
    const seen = async (count: number): Promise<void> => {
      await until(`${count} messages`, () => got.push(...takeAll(t.queue)) && got.length >= count);
    };
    await seen(3);
    expect(info.highWatermark).toBe(3);
    broker.produce('orders', 0, 'd');
    broker.produce('orders', 1, 'y');
    await seen(5);
    expect(got.filter((one) => one.startsWith('0'))).toEqual(['0@1', '0@2', '0@3']);
    expect(got.filter((one) => one.startsWith('1'))).toEqual(['1@0', '1@1']);
    expect(broker.mostInFlight).toBe(1);
    expect(new Set(broker.fetches.map(({ version }) => version))).toEqual(new Set([kafka === '0.8' ? 0 : 3]));
  });

  it('leaves out the partitions of a full stream, without holding up others, and goes on when there is space', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker, { 'fetch.message.max.bytes': 40, 'fetch.max.bytes': 1000 });
    for (const partition of [0, 1]) broker.produce('orders', partition, ...values(8));
    t.add(0);
    const other = t.newQueue();
    t.add(1, { queue: other });
    t.run();
    const got: string[] = [];
    await until('all of the other', () => got.push(...takeAll(other)) && got.length === 8);
    expect(got).toEqual(Array.from({ length: 8 }, (_, offset) => `1@${offset}`));
    expect(t.queue.size).toBe(2);
    // They must not wait for the others' messages; but a stream that stays full is no reason to ask all the time.
    const without = broker.fetches.filter((fetch) => askedIn(fetch) === '1').at(0);
    expect(without?.maxWaitMs).toBe(10);
    const later = (await fetchesMore(broker, 6)).at(-1);
    expect([askedIn(later as SeenFetch), later?.maxWaitMs]).toEqual(['1', 100]);
    const rest: string[] = [];
    await until('all of the full one', () => rest.push(...takeAll(t.queue)) && rest.length === 8);
    const idle = (await fetchesMore(broker, 3)).at(-1);
    expect([askedIn(idle as SeenFetch), idle?.maxWaitMs]).toEqual([
      expect.stringMatching(/^(0,1|1,0)$/),
      100,
    ]);
  });

  it('asks nothing while every stream is full, and holds no more than the bound and one chunk a partition', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker);
    const partitions = Array.from({ length: 60 }, (_, partition) => partition);
    for (const partition of partitions) broker.produce('orders', partition, ...values(3));
    for (const partition of partitions) t.add(partition);
    t.run();
    await until('a full queue', () => t.queue.size >= 2);
    await isPending(Promise.resolve());
    const before = broker.fetches.length;
    for (const partition of partitions) broker.produce('orders', partition, 'd');
    expect(await isPending(t.running)).toBe(true);
    expect(broker.fetches.length).toBeLessThanOrEqual(before + 1);
    expect(t.queue.size).toBeLessThanOrEqual(2 + partitions.length);
    const got = new Set<string>();
    await until('everything', () => {
      for (const one of takeAll(t.queue)) got.add(one);
      return got.size === partitions.length * 4;
    });
  });

  it('does not fetch a paused partition, and does when it is woken after the resume', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'a');
    broker.produce('orders', 1, 'x');
    const info = t.add(0);
    info.paused = true;
    t.add(1);
    t.run();
    await fetchesMore(broker, 3);
    expect(new Set(broker.fetches.map(askedIn))).toEqual(new Set(['1']));
    info.paused = false;
    t.fetcher.wake();
    const got: string[] = [];
    await until('its message', () => got.push(...takeAll(t.queue)) && got.includes('0@0'));
  });

  it('drops the answer to a fetch from before a seek', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, ...values(6));
    let open: () => void = () => undefined;
    broker.gate = new Promise((resolve) => (open = resolve));
    const info = t.add(0);
    t.run();
    await until('a fetch under way', () => broker.fetches.length === 1);
    info.jump(4);
    open();
    const got: string[] = [];
    await until('messages', () => got.push(...takeAll(t.queue)) && got.length >= 2);
    expect(got).toEqual(['0@4', '0@5']);
  });

  it('gives all back when the broker closes in the middle of an answer; positions stay', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'a');
    broker.closesInAnswer = true;
    const infos = [t.add(0), t.add(1)];
    broker.log('orders', 1);
    t.run();
    await t.running;
    expect(t.givenBack).toEqual(infos);
    expect(t.fetcher.isEmpty).toBe(true);
    expect([infos[0]?.fetchOffset, t.queue.size]).toEqual([0, 0]);
    expect(t.told).toMatchObject([['fetch:failed', { error: { code: 'BROKER_UNREACHABLE' } }]]);
  });

  it('ends at once when it is stopped, with a fetch under way or without work, and tells nothing', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using idle = new FetcherUnderTest(broker);
    idle.run();
    await using busy = new FetcherUnderTest(broker, { 'fetch.wait.max.ms': 5000 });
    broker.log('orders', 0);
    busy.add(0);
    busy.run();
    await until('a fetch under way', () => broker.fetches.length === 1);
    const startedMs = performance.now();
    for (const { fetcher } of [idle, busy]) fetcher.stop();
    await Promise.all([idle.running, busy.running]);
    expect(performance.now() - startedMs).toBeLessThan(500);
    expect([...idle.told, ...busy.told, ...busy.givenBack]).toEqual([]);
  });

  it('does not spin with fetch.min.bytes=0', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker, { 'fetch.min.bytes': 0 });
    broker.log('orders', 0);
    t.add(0);
    t.run();
    await until('the first fetch', () => broker.fetches.length > 0);
    const startedMs = performance.now();
    await fetchesMore(broker, 10);
    expect(performance.now() - startedMs).toBeGreaterThan(80);
  });
});

describe('BrokerFetcher, how much it asks for', () => {
  const SIZES = { 'fetch.message.max.bytes': 100, 'fetch.max.bytes': 250 };

  it('keeps the sizes within fetch.max.bytes before version 3, and gives every partition its turn', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    const partitions = [0, 1, 2, 3, 4, 5, 6];
    // The first ones have nothing: they must not keep the others out.
    for (const partition of partitions) {
      broker.log('orders', partition);
      if (partition >= 4) broker.produce('orders', partition, ...values(8));
      t.add(partition);
    }
    t.run();
    const got: string[] = [];
    await until('all messages', () => got.push(...takeAll(t.queue)) && got.length === 24);
    await fetchesMore(broker, 8);
    for (const { partitions: asked, maxWaitMs } of broker.fetches) {
      expect(asked.reduce((sum, { maxBytes }) => sum + maxBytes, 0)).toBeLessThanOrEqual(250);
      // Who is left out must not wait for those that are asked for.
      expect(maxWaitMs).toBe(10);
    }
    const lastRound = broker.fetches.slice(-4).flatMap(({ partitions: asked }) => asked);
    expect(new Set(lastRound.map(({ partition }) => partition))).toEqual(new Set(partitions));
  });

  it('asks for all from version 3 on, those first whose turn it is', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker, SIZES);
    const partitions = [0, 1, 2, 3, 4, 5];
    for (const partition of partitions) {
      broker.produce('orders', partition, ...values(26));
      t.add(partition);
    }
    t.run();
    const counts = new Map<string, number>();
    await until('three chunks of each', () => {
      for (const one of takeAll(t.queue)) {
        const partition = one.split('@')[0] ?? '';
        counts.set(partition, (counts.get(partition) ?? 0) + 1);
      }
      return counts.size === partitions.length && Math.min(...counts.values()) >= 6;
    });
    // Each has about as much as the others, although an answer holds two or three of six.
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(2 * Math.min(...counts.values()) + 3);
    for (const { partitions: asked } of broker.fetches) expect(asked).toHaveLength(partitions.length);
  });

  it('copies out of an answer what is still queued of it when the next one comes, but not the better part', async () => {
    await using broker = await ScriptedBroker.start();
    await using t = new FetcherUnderTest(broker);
    broker.produce('orders', 0, 'small', 'too');
    broker.produce('orders', 1, 'x'.repeat(100_000));
    broker.produce('orders', 2, 'small');
    for (const partition of [0, 1, 2]) t.add(partition);
    t.run();
    await until('the first answer', () => t.queue.size === 3);
    const cursors = new Map<number, MessageCursor>();
    for (let chunk = t.queue.take(); chunk?.kind === 'messages'; chunk = t.queue.take()) {
      cursors.set(chunk.info.partition, chunk.cursor);
    }
    const keptBytes = (partition: number): number => {
      const cursor = cursors.get(partition);
      expect(cursor?.advance()).toBe(true);
      return cursor?.value?.buffer.byteLength ?? 0;
    };
    const inAnswerBytes = keptBytes(0);
    broker.produce('orders', 2, 'next');
    await until('the next answer', () => t.queue.size === 1);

    expect(inAnswerBytes).toBeGreaterThan(100_000);
    expect(keptBytes(0)).toBeLessThanOrEqual(8192);
    expect(keptBytes(1)).toBe(inAnswerBytes);
    expect(keptBytes(2)).toBeLessThanOrEqual(8192);
  });

  it('copies it out, too, when nothing else is fetched for a while, and when the broker is lost', async () => {
    for (const ends of ['a rest', 'the broker'] as const) {
      await using broker = await ScriptedBroker.start();
      await using t = new FetcherUnderTest(broker);
      broker.produce('orders', 0, 'small');
      broker.produce('orders', 1, 'x'.repeat(100_000));
      const infos = [t.add(0), t.add(1)];
      if (ends === 'the broker') {
        broker.log('orders', 2);
        t.add(2, { queue: t.newQueue() });
      }
      t.run();
      await until('the answer', () => t.queue.size === 2);
      if (ends === 'a rest') {
        for (const info of infos) info.paused = true;
        await new Promise((resolve) => setTimeout(resolve, 400));
        for (const info of infos) info.paused = false;
      } else {
        broker.closesInAnswer = true;
        broker.produce('orders', 2, 'lost');
        await t.running;
      }
      const chunk = t.queue.take();

      expect(chunk?.kind === 'messages' && chunk.cursor.advance()).toBe(true);
      expect(chunk?.kind === 'messages' && chunk.cursor.value?.buffer.byteLength).toBeLessThanOrEqual(8192);
    }
  });
});
