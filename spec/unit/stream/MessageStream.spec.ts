import { getEventListeners, getMaxListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { EventLoopTurn } from '../../../lib/stream/EventLoopTurn';
import type { MessageStream, MessageStreamSettings } from '../../../lib/stream/MessageStream';
import { connectorErrorOf } from '../connectorErrorOf';
import { CRC_AT, damaged, entry, messageSet, wrapper } from '../kafka/support/encodeMessageSet';
import { withDeadline } from '../../support/waitFor';
import {
  chunkOf,
  feed,
  feedMany,
  infoOf,
  isPending,
  PROVED,
  streamOf,
  textOf,
  type StreamUnderTest,
} from './support/parts';

const DONE = { value: undefined, done: true };

interface Parts extends StreamUnderTest {
  readonly a: PartitionTopicInfo;
  readonly b: PartitionTopicInfo;
}

function parts(settings: Partial<MessageStreamSettings<Buffer, Buffer>> = {}): Parts {
  const tested = streamOf(settings);
  const { queue } = tested.stream;
  return { ...tested, a: infoOf(queue), b: infoOf(queue, { partition: 1 }) };
}

/** A message that cannot be handed out. */
function feedCorrupt(info: PartitionTopicInfo): void {
  const offset = info.fetchOffset ?? 0;
  info.queue.put(chunkOf(info, damaged(entry({ offset }), CRC_AT), offset + 1));
}

/** The values of the next `count` messages, by a loop that ends with `break` behind the last. */
async function read(
  stream: AsyncIterable<{ value: Buffer | null }>,
  count: number,
): Promise<(string | null)[]> {
  const values: (string | null)[] = [];
  for await (const message of stream) {
    values.push(textOf(message));
    if (values.length === count) break;
  }
  return values;
}

describe('MessageStream, its loops', () => {
  it('waits for a chunk, and goes on with each that comes', async () => {
    const { stream, a } = parts();
    const reading = read(stream, 3);
    expect(await isPending(reading)).toBe(true);
    feed(a, 2);
    expect(await isPending(reading)).toBe(true);
    feed(a, 1);
    expect(await reading).toEqual(['0', '1', '2']);
  });

  it('has one loop at a time; a loop that was not begun keeps no other out', async () => {
    const { stream, a } = parts();
    feed(a, 3);
    const unused = stream.messages();
    const first = stream.messages();
    expect(await first.next()).toMatchObject({ done: false });
    await expect(unused.next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    await expect(read(stream, 1)).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    await expect(stream.batches().next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    // The ones that were refused have done no harm.
    expect(await first.next()).toMatchObject({ value: { offset: 1 } });
    await first.return?.();
    expect(await unused.next()).toMatchObject({ value: { offset: 2 } });
  });

  it('refuses a second next() while one waits, and still serves the first', async () => {
    const { stream, a } = parts();
    const loop = stream.messages();
    const waiting = loop.next();
    await expect(loop.next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    feed(a, 1);
    expect(await waiting).toMatchObject({ value: { offset: 0 } });
  });

  it('is done for good after return(), which also ends a next() that waits', async () => {
    const { stream, a } = parts();
    const loop = stream.messages();
    const waiting = loop.next();
    expect(await loop.return?.()).toEqual(DONE);
    expect(await waiting).toEqual(DONE);
    feed(a, 1);
    expect([await loop.next(), await loop.next()]).toEqual([DONE, DONE]);
    expect(await loop.return?.()).toEqual(DONE);
    expect(await read(stream, 1)).toEqual(['0']);
  });

  it('does not end the loop of another by the return() of one that was refused', async () => {
    const { stream, a } = parts();
    const loop = stream.messages();
    const waiting = loop.next();
    const refused = stream.messages();
    await expect(refused.next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    await refused.return?.();
    feed(a, 1);
    expect(await waiting).toMatchObject({ value: { offset: 0 } });
  });

  it('leaves a message unprocessed after break and after a throw, until a new loop asks', async () => {
    const { stream, a } = parts();
    feed(a, 4);
    await read(stream, 2);
    expect([a.handedOffset, a.processedOffset]).toEqual([2, 1]);
    const thrown = new Error('thrown by the application');
    const loop = async (): Promise<void> => {
      for await (const { offset } of stream) if (offset === 2) throw thrown;
    };
    await expect(loop()).rejects.toBe(thrown);
    expect([a.handedOffset, a.processedOffset]).toEqual([3, 2]);
    expect(await read(stream, 1)).toEqual(['3']);
    expect(a.processedOffset).toBe(3);
  });

  it('gives batches of at most so many messages, and refuses what is no number of them', async () => {
    const { stream, a } = parts();
    feed(a, 5);
    const sizes: number[] = [];
    for await (const { messages, nextOffset } of stream.batches({ maxMessages: 2 })) {
      sizes.push(messages.length);
      if (nextOffset === 5) break;
    }
    expect(sizes).toEqual([2, 2, 1]);
    for (const maxMessages of [0, -1, 1.5, Number.NaN]) {
      expect(connectorErrorOf(() => stream.batches({ maxMessages })).code).toBe('CONFIG_INVALID');
    }
  });

  it('can be paused and resumed while a loop waits', async () => {
    const { stream, a } = parts();
    stream.pause();
    const reading = read(stream, 1);
    feed(a, 1);
    expect(await isPending(reading)).toBe(true);
    stream.resume();
    expect(await reading).toEqual(['0']);
  });

  it('ConsumerIteratorTest.testConsumerIteratorDeduplicationDeepIterator: hands out of a compressed set what is behind the position, and ends when it is closed', async () => {
    const { stream } = parts();
    const info = infoOf(stream.queue, { stored: 5 });
    const inside = Array.from({ length: 10 }, (_, offset) => ({ offset, value: Buffer.from(`${offset}`) }));
    stream.queue.put(chunkOf(info, wrapper({ offset: 9 }, messageSet(inside)), 10));
    expect(await read(stream, 5)).toEqual(['5', '6', '7', '8', '9']);
    const next = stream.messages().next();
    expect(await isPending(next)).toBe(true);
    expect(stream.queue.size).toBe(0);
    stream.close();
    expect(await next).toEqual(DONE);
    expect(info.handedOffset).toBe(10);
  });
});

describe('MessageStream, ends by signals', () => {
  it.each(['of the streams', 'of the loop'])(
    'ends a loop that waits when the signal %s is aborted',
    async (which) => {
      const controller = new AbortController();
      const { signal } = controller;
      const { stream } = parts(which === 'of the streams' ? { signal } : {});
      const reading = read(stream.messages(which === 'of the loop' ? { signal } : {}), 1);
      expect(await isPending(reading)).toBe(true);
      controller.abort();
      expect(await reading).toEqual([]);
      expect(await isPending(stream.messages().next())).toBe(which === 'of the loop');
    },
  );

  it('ends a loop in work when it asks again, which marks what it had as processed', async () => {
    const controller = new AbortController();
    const { stream, a } = parts();
    feed(a, 3);
    const values: (string | null)[] = [];
    for await (const message of stream.messages({ signal: controller.signal })) {
      values.push(textOf(message));
      controller.abort();
    }
    expect([values, a.processedOffset]).toEqual([['0'], 1]);
    expect(await read(stream, 1)).toEqual(['1']);
  });

  it('begins no loop with a signal that is aborted already', async () => {
    const { stream, a } = parts();
    feed(a, 1);
    expect(await read(stream.messages({ signal: AbortSignal.abort() }), 1)).toEqual([]);
    expect(await read(stream, 1)).toEqual(['0']);
  });

  it('leaves no listener on a signal, and does not call many streams with one signal a leak', async () => {
    const { signal } = new AbortController();
    const counts: number[] = [];
    const streams = Array.from({ length: 20 }, () => parts({ signal }));
    for (const { stream, a } of streams) {
      feed(a, 1);
      await read(stream, 1);
      counts.push(getEventListeners(signal, 'abort').length);
    }
    expect(counts).toEqual(streams.map(() => 0));
    expect(getMaxListeners(signal)).toBe(Infinity);
  });
});

describe('MessageStream, consumer.timeout.ms', () => {
  it('rejects a next() that waits for too long, and goes on in a new loop', async () => {
    const { stream, a } = parts({ timeoutMs: 20 });
    feed(a, 1);
    const loop = stream.messages();
    expect(await loop.next()).toMatchObject({ value: { offset: 0 } });
    await expect(loop.next()).rejects.toMatchObject({ code: 'CONSUMER_TIMEOUT', retriable: true });
    await expect(read(stream, 1)).rejects.toMatchObject({ code: 'CONSUMER_TIMEOUT' });
    feed(a, 2);
    expect(await read(stream, 1)).toEqual(['1']);
    // The iterator that timed out may go on, too.
    expect(await loop.next()).toMatchObject({ value: { offset: 2 } });
  });

  it('times out at once with 0, but never while there is a message', async () => {
    const { stream, a } = parts({ timeoutMs: 0 });
    feed(a, 2);
    expect(await read(stream, 2)).toEqual(['0', '1']);
    await expect(read(stream, 1)).rejects.toMatchObject({ code: 'CONSUMER_TIMEOUT' });
  });

  it('does not time out over ready messages when the event loop was held up before their turn', async () => {
    const { stream, a } = parts({ timeoutMs: 5 });
    feed(a, 2);
    const loop = stream.messages();
    await loop.next();
    const holdUp = (ms: number): void => {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
    };
    await turn(); // what is set now comes before the next immediate
    holdUp(12); // from now on the event loop is due to turn before the next message
    const second = loop.next();
    holdUp(12); // and its timers are due as well
    expect(await second).toMatchObject({ value: { offset: 1 } });
  });
});

describe('MessageStream, messages that cannot be handed out', () => {
  it('rejects the loop that waits; a new one goes on with the other partitions', async () => {
    const { stream, a, b, failures } = parts();
    const reading = read(stream, 1);
    expect(await isPending(reading)).toBe(true);
    feedCorrupt(a);
    const error = await reading.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { partition: 0, offset: 0, nextOffset: 1 },
    });
    expect(failures).toEqual([error]);
    feed(b, 1);
    expect(await read(stream, 1)).toEqual(['0']);
  });

  it('rejects a loop that finds it ready', async () => {
    const { stream, a } = parts();
    feedCorrupt(a);
    await expect(read(stream, 1)).rejects.toMatchObject({ code: 'MESSAGE_CORRUPT' });
    a.jump(1);
    feed(a, 1);
    expect(await read(stream, 1)).toEqual(['1']);
  });

  it('rejects once even if a listener of the failure wakes the stream', async () => {
    const woken: { stream?: MessageStream<Buffer, Buffer> } = {};
    const { stream, a, b } = parts({ onFailure: () => woken.stream?.wake() });
    woken.stream = stream;
    const waiting = stream.messages().next();
    expect(await isPending(waiting)).toBe(true);
    const { onChunk } = stream.queue;
    stream.queue.onChunk = () => undefined;
    feedCorrupt(a);
    feed(b, 1);
    onChunk();
    await expect(waiting).rejects.toMatchObject({ code: 'MESSAGE_CORRUPT' });
    stream.queue.onChunk = onChunk;
    expect(await read(stream, 1)).toEqual(['0']);
  });
});

describe('MessageStream, in a rebalance', () => {
  it('hands nothing to a next() that waits, from the hold to the release', async () => {
    const { stream, a } = parts();
    const reading = read(stream, 1);
    stream.hold();
    feed(a, 1);
    expect(await isPending(reading)).toBe(true);
    stream.release(PROVED);
    expect(await reading).toEqual(['0']);
  });

  it('hands nothing to a next() that waits once the lease is over, although no timer has told', async () => {
    const { stream, a } = parts();
    const lease = { provedUntilMs: performance.now() + 60_000 };
    stream.release(lease);
    const reading = read(stream, 1);
    expect(await isPending(reading)).toBe(true);
    lease.provedUntilMs = performance.now();
    feed(a, 1);
    expect(await isPending(reading)).toBe(true);
    expect(a.handedOffset).toBe(0);
    stream.release(PROVED);
    expect(await reading).toEqual(['0']);
  });

  it('is drained at once if nothing is in hand, or no loop runs', async () => {
    const { stream, a } = parts();
    await stream.drained();
    const waiting = stream.messages();
    const next = waiting.next();
    await stream.drained();
    feed(a, 2);
    await next;
    await waiting.return?.();
    await stream.drained();
    expect([a.handedOffset, a.processedOffset]).toEqual([1, 0]);
  });

  it('is drained when the application asks again', async () => {
    const { stream, a } = parts();
    feed(a, 2);
    const loop = stream.messages();
    await loop.next();
    stream.hold();
    const drained = stream.drained();
    expect(await isPending(drained)).toBe(true);
    const next = loop.next();
    await drained;
    expect(a.processedOffset).toBe(1);
    expect(await isPending(next)).toBe(true);
  });

  it.each(['break', 'close'] as const)('is drained by %s, which processes nothing', async (how) => {
    const { stream, a } = parts();
    feed(a, 2);
    const loop = stream.messages();
    await loop.next();
    stream.hold();
    const drained = stream.drained();
    expect(await isPending(drained)).toBe(true);
    if (how === 'break') await loop.return?.();
    else stream.close();
    await drained;
    expect(a.processedOffset).toBe(0);
  });

  it('ends every loop when it is closed, now and later', async () => {
    const { stream, a } = parts();
    const waiting = read(stream, 1);
    stream.close();
    expect(await waiting).toEqual([]);
    feed(a, 1);
    stream.release(PROVED);
    expect(await read(stream, 1)).toEqual([]);
    const other = stream.batches();
    expect([await other.next(), await other.next()]).toEqual([DONE, DONE]);
  });
});

/** What this process has worked so far; while others have the processor no timer of it can fire. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

describe('MessageStream, the event loop', () => {
  it('lets timers fire while 500,000 ready messages are handed out', async () => {
    const { stream, a } = parts({ maxChunks: 500 });

    for (let chunks = 0; chunks < 500; chunks += 1) feedMany(a, 1000);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const startedMs = processorMs();
    let count = 0;
    for await (const { offset } of stream) {
      if (offset !== count) throw new Error(`offset ${offset} came where ${count} was due`);
      count += 1;
      if (count === 500_000) break;
    }
    const tookMs = processorMs() - startedMs;
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(tookMs / 25));
    expect(ticks).toBeGreaterThan(0);
  });

  it('shares the turns of one connector: busy streams side by side leave timers alive, too', async () => {
    const shared = new EventLoopTurn();
    const all = Array.from({ length: 4 }, () => parts({ turn: shared, maxChunks: 100 }));

    for (const { a } of all) for (let chunks = 0; chunks < 50; chunks += 1) feedMany(a, 1000);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    const startedMs = processorMs();
    await Promise.all(
      all.map(async ({ stream }) => {
        for await (const { offset } of stream) if (offset === 49_999) break;
      }),
    );
    const tookMs = processorMs() - startedMs;
    clearInterval(timer);
    expect(ticks).toBeGreaterThanOrEqual(Math.floor(tookMs / 25));
  });
});

describe('MessageStream, as a Readable', () => {
  it('gives the messages, and ends with its signal', async () => {
    const controller = new AbortController();
    const { stream, a } = parts();
    feed(a, 2);
    const readable = stream.toReadable({ signal: controller.signal });
    const values: (string | null)[] = [];
    const ended = new Promise<void>((resolve) => readable.on('end', resolve));
    readable.on('data', (message: { value: Buffer | null }) => {
      values.push(textOf(message));
      if (values.length === 2) controller.abort();
    });
    await withDeadline(ended, 2000, 'the end');
    expect(values).toEqual(['0', '1']);
    expect(await isPending(stream.messages().next())).toBe(true);
  });

  it('begins no loop before it is read, and reads one ahead', async () => {
    const { stream, a } = parts();
    feed(a, 5);
    const readable = stream.toReadable();
    expect(await read(stream, 1)).toEqual(['0']);
    const first = await new Promise((resolve) => readable.once('data', resolve));
    readable.pause();
    expect(first).toMatchObject({ offset: 1 });
    expect(await isPending(Promise.resolve())).toBe(false);
    expect(a.handedOffset).toBeLessThanOrEqual(3);
    readable.destroy();
    expect(await isPending(new Promise((resolve) => readable.on('close', resolve)))).toBe(false);
    expect(await read(stream, 1)).toHaveLength(1);
  });

  it.each([
    { how: 'without an error', error: undefined },
    { how: 'with an error', error: new Error('by the application') },
  ])('may be destroyed $how while it waits, and then another loop may begin', async ({ error }) => {
    const { stream, a } = parts();
    const readable = stream.toReadable();
    const errors: unknown[] = [];
    readable.on('error', (reason) => errors.push(reason));
    readable.on('data', () => undefined);
    expect(await isPending(new Promise((resolve) => readable.once('data', resolve)))).toBe(true);
    await expect(stream.messages().next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    readable.destroy(error);
    const closed = new Promise((resolve) => readable.on('close', resolve));
    await withDeadline(closed, 2000, 'the readable to be closed');
    expect(errors).toEqual(error === undefined ? [] : [error]);
    feed(a, 1);
    expect(await read(stream, 1)).toEqual(['0']);
  });

  it('tells of a bad message as an error, and of CONSUMER_TIMEOUT; a new one goes on', async () => {
    const { stream, a, b } = parts({ timeoutMs: 20 });
    const failed = async (): Promise<unknown> => {
      const readable = stream.toReadable();
      const error = new Promise((resolve) => readable.on('error', resolve));
      readable.resume();
      return withDeadline(error, 2000, 'an error');
    };
    feedCorrupt(a);
    expect(await failed()).toMatchObject({ code: 'MESSAGE_CORRUPT' });
    expect(await failed()).toMatchObject({ code: 'CONSUMER_TIMEOUT' });
    feed(b, 1);
    const readable = stream.toReadable();
    expect(await new Promise((resolve) => readable.once('data', resolve))).toMatchObject({
      partition: 1,
      offset: 0,
    });
    readable.destroy();
  });
});
