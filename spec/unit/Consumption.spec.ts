import { ConnectorError } from '../../lib/errors';
import { waitFor } from '../support/waitFor';
import { MemberUnderTest, Reader } from './fetch/support/MemberUnderTest';
import { clusterOf, values } from './fetch/support/parts';
import { ScriptedBroker } from './fetch/support/ScriptedBroker';
import { MemoryOffsetStore } from './offsets/support/MemoryOffsetStore';
import { damaged, entry } from './kafka/support/encodeMessageSet';
import { isPending } from './stream/support/parts';

function until(description: string, condition: () => unknown): Promise<unknown> {
  return waitFor(() => Boolean(condition()), { timeoutMs: 4000, intervalMs: 2, description });
}

/** "partition@from" to "partition@to". */
function range(partition: number, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${partition}@${from + index}`);
}

/** A sign that opens once. */
function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}

async function brokerWith(messages: number, partitions = 1): Promise<ScriptedBroker> {
  const broker = await ScriptedBroker.start();
  for (let partition = 0; partition < partitions; partition += 1)
    broker.produce('orders', partition, ...values(messages));
  return broker;
}

describe('Consumption, from claim to claim', () => {
  it('goes on in memory when a partition is claimed again, also when nothing is committed by itself', async () => {
    await using broker = await brokerWith(10);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'auto.commit.enable': 'false' },
    });
    member.store.stored.set('orders/0', 2);
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(8);
    await member.rebalance([0]);
    broker.produce('orders', 0, 'k');
    await reader.until(9);
    expect(reader.seen).toEqual(range(0, 2, 10));
    expect(member.store.writes).toEqual([]);
  });

  it('goes on where the store is when another one has moved that', async () => {
    await using broker = await brokerWith(10);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(10);
    await member.giveUp();
    expect(member.store.stored.get('orders/0')).toBe(10);
    member.store.stored.set('orders/0', 4);
    await member.claim([0]);
    await reader.until(16);
    expect(reader.seen.slice(10)).toEqual(range(0, 4, 9));
  });

  it('goes on after the broker was restarted, at the position in memory', async () => {
    const first = await brokerWith(5);
    await using second = await brokerWith(9);
    const cluster = [first];
    await using member = new MemberUnderTest(clusterOf(cluster), {
      settings: { 'auto.commit.enable': 'false' },
    });
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(5);
    await first.stop();
    cluster[0] = second;
    await reader.until(9);
    expect(reader.seen).toEqual(range(0, 0, 8));
  });

  it('keeps the first position that auto.offset.reset gave, although a rebalance comes before the first message', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'auto.offset.reset': 'largest' },
    });
    await member.claim([0]);
    await until('the position', () => member.consumption.ownedPartitions()[0]?.nextOffset === 5);
    broker.produce('orders', 0, 'f', 'g'); // fetched perhaps, but nobody reads
    await member.rebalance([0]);
    expect(member.store.stored.get('orders/0')).toBe(5);
    const reader = new Reader(member.stream);
    await reader.until(2);
    expect(reader.seen).toEqual(range(0, 5, 6));
    expect(member.told.filter(([event]) => event === 'offset:reset')).toHaveLength(1);
  });

  it('moves a partition to another thread; what the old one still has in hand comes again and is not counted there', async () => {
    await using broker = await brokerWith(6);
    await using member = new MemberUnderTest(clusterOf([broker]), { threads: 2 });
    const [first, second] = member.streams.map((stream) => new Reader(stream)) as [Reader, Reader];
    const work = gate();
    first.onMessage = ({ offset }) => (offset === 2 ? work.promise : undefined);
    await member.claim([0], []);
    await first.until(3);
    await member.rebalance([], [0]);
    expect(member.store.stored.get('orders/0')).toBe(2);
    await second.until(4);
    expect(second.seen).toEqual(range(0, 2, 5));
    work.open();
    expect(await isPending(first.done)).toBe(true);
    expect(first.seen).toEqual(range(0, 0, 2));
  });

  it('lets two members in one process have their messages side by side', async () => {
    await using broker = await brokerWith(5);
    for (const value of values(5)) broker.produce('bills', 0, value);
    await using orders = new MemberUnderTest(clusterOf([broker]));
    await using bills = new MemberUnderTest(clusterOf([broker]), { topic: 'bills' });
    const readers = [orders, bills].map(({ stream }) => new Reader(stream));
    await Promise.all([orders.claim([0]), bills.claim([0])]);
    await Promise.all(readers.map((reader) => reader.until(5)));
    expect(readers.map(({ seen }) => seen)).toEqual([range(0, 0, 4), range(0, 0, 4)]);
  });

  it('says whether it runs exactly what was assigned', async () => {
    await using broker = await brokerWith(1, 2);
    await using member = new MemberUnderTest(clusterOf([broker]), { threads: 2 });
    const { consumption } = member;
    const assigned = [{ ...member.at(0), threadId: 'g_a-0' }];
    expect([consumption.runs([]), consumption.flows, consumption.isClaimed]).toEqual([false, false, false]);
    await member.claim([0]);
    expect([consumption.runs(assigned), consumption.flows, consumption.isClaimed]).toEqual([
      true,
      true,
      true,
    ]);
    expect(consumption.runs([{ ...member.at(0), threadId: 'g_a-1' }])).toBe(false);
    expect(consumption.runs([{ ...member.at(1), threadId: 'g_a-0' }])).toBe(false);
    await consumption.stop();
    expect([consumption.runs(assigned), consumption.flows, consumption.isClaimed]).toEqual([
      false,
      false,
      true,
    ]);
    await consumption.release();
    await consumption.release();
    expect(member.told.filter(([event]) => event === 'partitions:released')).toHaveLength(1);
  });

  it('claims, reads and gives up 10,000 partitions without trouble', async () => {
    await using broker = await brokerWith(1, 10_000);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const reader = new Reader(member.stream);
    await member.claim(Array.from({ length: 10_000 }, (_, partition) => partition));
    await waitFor(() => reader.seen.length >= 10_000, { timeoutMs: 15_000, description: 'all messages' });
    await member.giveUp();
    expect([new Set(reader.seen).size, reader.seen.length, member.store.stored.size]).toEqual([
      10_000, 10_000, 10_000,
    ]);
  }, 30_000);
});

describe('Consumption, stopping', () => {
  it('waits until what is in hand is asked past, then commits it', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'rebalance.drain.timeout.ms': 60_000 },
    });
    const reader = new Reader(member.stream);
    const work = gate();
    reader.onMessage = ({ offset }) => (offset === 2 ? work.promise : undefined);
    await member.claim([0]);
    await reader.until(3);
    const givenUp = member.giveUp();
    expect(await isPending(givenUp)).toBe(true);
    work.open();
    await givenUp;
    expect(member.store.stored.get('orders/0')).toBe(3);
    expect(reader.seen).toEqual(range(0, 0, 2));
  });

  it('waits no longer than rebalance.drain.timeout.ms; what is in hand is not committed, whatever is done with it later', async () => {
    await using broker = await brokerWith(5, 2);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const reader = new Reader(member.stream);
    const work = gate();
    reader.onMessage = ({ offset }) => (offset === 2 ? work.promise : undefined);
    await member.claim([0]);
    await reader.until(3);
    const startedMs = performance.now();
    await member.giveUp();
    const tookMs = performance.now() - startedMs;
    expect([tookMs >= 95, tookMs < 1000]).toEqual([true, true]);
    expect(member.store.stored.get('orders/0')).toBe(2);
    // The partition goes elsewhere; the message is done with only then.
    await member.claim([1]);
    work.open();
    await reader.until(8);
    await member.consumption.commitProcessed({ retryOnFailure: false });
    await member.consumption.commitHanded();
    expect(member.store.stored).toEqual(
      new Map([
        ['orders/0', 2],
        ['orders/1', 5],
      ]),
    );
    await expect(
      member.consumption.commitExactly([{ ...member.at(0), nextOffset: 3 }]),
    ).rejects.toMatchObject({
      code: 'NOT_OWNED',
    });
  });

  it('does not wait for a loop that was left, whose last message stays unprocessed', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'rebalance.drain.timeout.ms': 60_000 },
    });
    await member.claim([0]);
    for await (const { offset } of member.stream) if (offset === 2) break;
    await member.giveUp();
    expect(member.store.stored.get('orders/0')).toBe(2);
  });

  it('lets everything go at once when the claim is lost, and commits nothing', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]));
    member.store.stored.set('orders/0', 0);
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(5);
    member.consumption.letGo();
    member.consumption.letGo();
    broker.produce('orders', 0, 'f');
    expect(await isPending(reader.done)).toBe(true);
    await member.consumption.commitProcessed({ retryOnFailure: false });
    await member.consumption.commitHanded();
    expect([member.store.writes, member.consumption.ownedPartitions()]).toEqual([[], []]);
    expect(member.told.map(([event]) => event)).toEqual(['partitions:lost']);
    await member.rebalance([0]);
    await reader.until(6);
    expect(reader.seen).toEqual(range(0, 0, 5));
  });

  it('hands nothing out once the lease is over, although nobody has told', async () => {
    await using broker = await brokerWith(3);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const lease = { provedUntilMs: Number.POSITIVE_INFINITY };
    member.lease = lease;
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(3);
    lease.provedUntilMs = performance.now();
    broker.produce('orders', 0, 'd');
    await until('the message to be fetched', () => member.stream.queue.size === 1);
    expect(reader.seen).toHaveLength(3);
  });

  it('ends its loops and its connections when it is closed', async () => {
    await using broker = await brokerWith(3);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(3);
    await member.giveUp();
    member.consumption.removeStreams();
    await reader.done;
    expect(reader.errors).toEqual([]);
  });
});

describe('Consumption, commits', () => {
  it('stores a position that was looked up at once, lest a crash loses what comes next', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'auto.offset.reset': 'largest' },
    });
    await member.claim([0]);
    await until('the first position to be stored', () => member.store.writes.length > 0);
    expect(member.store.writes).toEqual(['orders/0=5']);
  });

  it('leaves a position that was looked up to an application that commits itself', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'auto.commit.enable': 'false' },
    });
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await reader.until(5);
    expect(member.store.writes).toEqual([]);
  });

  it('are waited for before the claim is given up', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]));
    member.store.stored.set('orders/0', 0);
    await member.claim([0]);
    const open = member.store.block();
    const commit = member.consumption.commitExactly([{ ...member.at(0), nextOffset: 3 }]);
    const release = member.consumption.release();
    expect(await isPending(release)).toBe(true);
    open();
    await Promise.all([commit, release]);
    expect(member.store.stored.get('orders/0')).toBe(3);
  });

  it('stores what is processed, what is handed out, or what is named', async () => {
    await using broker = await brokerWith(5, 2);
    await using member = new MemberUnderTest(clusterOf([broker]));
    const { consumption, store } = member;
    await member.claim([0]);
    const loop = member.stream.messages();
    for (let count = 0; count < 3; count += 1) await loop.next();
    await consumption.commitProcessed({ retryOnFailure: false });
    expect(store.stored.get('orders/0')).toBe(2);
    await consumption.commitHanded();
    expect(store.stored.get('orders/0')).toBe(3);
    await consumption.commitProcessed({ retryOnFailure: false }); // nothing goes back
    await consumption.commitExactly([
      { ...member.at(0), nextOffset: 5 },
      { ...member.at(0), nextOffset: 4 },
    ]);
    expect(store.writes).toEqual(['orders/0=0', 'orders/0=2', 'orders/0=3', 'orders/0=4']);
    await expect(consumption.commitExactly([{ ...member.at(1), nextOffset: 1 }])).rejects.toMatchObject({
      code: 'NOT_OWNED',
    });
    for (const nextOffset of [-1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(consumption.commitExactly([{ ...member.at(0), nextOffset }])).rejects.toMatchObject({
        code: 'OFFSET_INVALID',
        message: `commitOffsets: nextOffset of orders/0 must be a whole number from 0, not ${nextOffset} (number)`,
      });
    }
    await loop.return?.();
  });

  it('stores what was handed out when it was asked, not what came while it waited', async () => {
    await using broker = await brokerWith(5);
    await using member = new MemberUnderTest(clusterOf([broker]));
    await member.claim([0]);
    const loop = member.stream.messages();
    await loop.next();
    const open = member.store.block();
    const commits = [member.consumption.commitHanded()];
    await loop.next();
    commits.push(member.consumption.commitHanded());
    await loop.next();
    open();
    await Promise.all(commits);
    expect(member.store.writes).toEqual(['orders/0=0', 'orders/0=1', 'orders/0=2']);
    await loop.return?.();
  });

  it('goes back after a seek, also when the partition has changed its thread in between', async () => {
    await using broker = await brokerWith(10);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      ...{ threads: 2, settings: { 'auto.commit.enable': 'false' } },
    });
    const [first, second] = member.streams.map((stream) => new Reader(stream)) as [Reader, Reader];
    await member.claim([0], []);
    await first.until(10);
    await member.consumption.commitHanded();
    await member.consumption.seek(member.at(0), 4);
    await member.rebalance([], [0]);
    await second.until(6);
    expect(second.seen).toEqual(range(0, 4, 9));
    await member.consumption.commitExactly([{ ...member.at(0), nextOffset: 6 }]);
    expect(member.store.stored.get('orders/0')).toBe(6);
  });
});

describe('Consumption, pause and seek', () => {
  it('hands nothing of a paused partition out, also after rebalances, also on another thread, until the resume', async () => {
    await using broker = await brokerWith(3, 2);
    await using member = new MemberUnderTest(clusterOf([broker]), { threads: 2 });
    member.store.stored.set('orders/0', 1);
    const readers = member.streams.map((stream) => new Reader(stream)) as [Reader, Reader];
    await member.claim([0, 1], []);
    await readers[0].until(5);
    member.consumption.pause([member.at(0)]);
    broker.produce('orders', 0, 'd');
    broker.produce('orders', 1, 'd');
    await readers[0].until(6);
    await member.rebalance([0, 1], []);
    await member.rebalance([1], [0]);
    broker.produce('orders', 1, 'e');
    await readers[0].until(7);
    expect(readers[0].seen.filter((one) => one.startsWith('0'))).toEqual(range(0, 1, 2));
    expect(readers[1].seen).toEqual([]);
    expect(member.consumption.ownedPartitions()).toContainEqual({
      ...member.at(0),
      ...{ threadId: 'g_a-1', nextOffset: 3, highWatermark: -1, paused: true },
    });
    member.consumption.resume([member.at(0)]);
    await readers[1].until(1);
    expect(readers[1].seen).toEqual(['0@3']);
  });

  it('never goes below the stored position, however often it is paused and resumed during rebalances', async () => {
    await using broker = await brokerWith(600);
    await using member = new MemberUnderTest(clusterOf([broker]));
    member.store.stored.set('orders/0', 500);
    const reader = new Reader(member.stream);
    const flip = (): void => {
      try {
        member.consumption.pause([member.at(0)]);
        member.consumption.resume([member.at(0)]);
      } catch (error) {
        // Between two claims nothing is owned.
        if (!ConnectorError.is(error) || error.code !== 'NOT_OWNED') throw error;
      }
    };
    const timer = setInterval(flip, 1);
    await member.claim([0]);
    for (let round = 0; round < 5; round += 1) {
      flip();
      await member.rebalance([0]);
    }
    await reader.until(100);
    clearInterval(timer);
    expect(reader.seen).toEqual(range(0, 500, 599));
  });

  it('gives the others of a stream their messages while a paused partition fills its queue', async () => {
    await using broker = await brokerWith(0, 2);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'fetch.message.max.bytes': 40 },
    });
    broker.produce('orders', 0, ...values(20));
    await member.claim([0, 1]);
    const loop = member.stream.messages();
    await loop.next();
    await until('a full queue', () => member.stream.queue.size === 2);
    member.consumption.pause([member.at(0)]);
    broker.produce('orders', 1, ...values(3));
    const offsets: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { value } = (await loop.next()) as { value: { partition: number; offset: number } };
      offsets.push(`${value.partition}@${value.offset}`);
    }
    expect(offsets).toEqual(range(1, 0, 2));
    member.consumption.resume([member.at(0)]);
    expect(await loop.next()).toMatchObject({ value: { partition: 0, offset: 1 } });
    await loop.return?.();
  });

  it('goes on elsewhere after a seek in the loop, with a full queue and a fetcher that waits for space', async () => {
    await using broker = await brokerWith(30);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'fetch.message.max.bytes': 40 },
    });
    await member.claim([0]);
    const loop = member.stream.messages();
    expect(await loop.next()).toMatchObject({ value: { offset: 0 } });
    await until('a full queue', () => member.stream.queue.size === 2);
    const before = broker.fetches.length;
    expect(
      await isPending(until('no fetch', () => broker.fetches.length > before).catch(() => undefined)),
    ).toBe(true);
    await member.consumption.seek(member.at(0), 20);
    expect(await isPending(Promise.resolve())).toBe(false); // the application takes its time
    expect(await loop.next()).toMatchObject({ value: { offset: 20 } });
    await member.consumption.seek(member.at(0), 'smallest');
    expect(await loop.next()).toMatchObject({ value: { offset: 0 } });
    await member.consumption.seek(member.at(0), 'largest');
    broker.produce('orders', 0, 'new');
    expect(await loop.next()).toMatchObject({ value: { offset: 30 } });
    await member.consumption.seek(member.at(0), 10);
    await member.giveUp(); // in hand: what the seek has made void
    expect(member.store.stored.get('orders/0')).toBe(10);
    await loop.return?.();
  });

  it('keeps a seek that comes while it stops', async () => {
    await using broker = await brokerWith(10);
    await using member = new MemberUnderTest(clusterOf([broker]));
    await member.claim([0]);
    const loop = member.stream.messages();
    await loop.next();
    const givenUp = member.giveUp();
    await member.consumption.seek(member.at(0), 7);
    await givenUp;
    await expect(member.consumption.seek(member.at(0), 3)).rejects.toMatchObject({ code: 'NOT_OWNED' });
    expect(member.store.stored.get('orders/0')).toBe(7);
    const next = loop.next();
    await member.claim([0]);
    expect(await next).toMatchObject({ value: { offset: 7 } });
    await loop.return?.();
  });

  it('refuses positions that are none, and partitions of others', async () => {
    await using broker = await brokerWith(1);
    await using member = new MemberUnderTest(clusterOf([broker]));
    await member.claim([0]);
    for (const to of [-1, 0.5, Number.NaN, 'earliest' as 'smallest', null as unknown as number]) {
      await expect(member.consumption.seek(member.at(0), to)).rejects.toMatchObject({
        code: 'OFFSET_INVALID',
        message: expect.stringMatching(
          /^seek: nextOffset of orders\/0 must be a whole number from 0, or "smallest" or "largest", not /,
        ) as string,
      });
    }
    await expect(member.consumption.seek(member.at(1), 0)).rejects.toMatchObject({ code: 'NOT_OWNED' });
    expect(() => member.consumption.pause([member.at(0), member.at(1)])).toThrow(ConnectorError);
    expect(() => member.consumption.resume([member.at(1)])).toThrow(ConnectorError);
    expect(member.consumption.ownedPartitions()).toMatchObject([{ paused: false }]);
  });

  it('ends the pause of a partition that has gone to another member, for when it comes back', async () => {
    await using broker = await brokerWith(2, 2);
    await using member = new MemberUnderTest(clusterOf([broker]));
    await member.claim([0, 1]);
    member.consumption.pause([member.at(0)]);
    await member.rebalance([1]);
    member.consumption.resume([member.at(0), member.at(1)]);
    await member.rebalance([0, 1]);
    expect(member.consumption.ownedPartitions().map(({ paused }) => paused)).toEqual([false, false]);
  });
});

describe('Consumption, partitions that stand still', () => {
  it('goes on with the others when one fails with a full queue behind it, and with it after a seek', async () => {
    await using broker = await brokerWith(0, 2);
    await using member = new MemberUnderTest(clusterOf([broker]), {
      settings: { 'fetch.message.max.bytes': 60 },
    });
    const log = broker.log('orders', 0);
    log.appendRaw(0, damaged(entry({ offset: 0, value: Buffer.from('corrupt') }), 20));
    broker.produce('orders', 0, ...values(10));
    await member.claim([0, 1]);
    await until('a full queue', () => member.stream.queue.size === 2);
    const reader = new Reader(member.stream);
    await until('the error', () => reader.errors.length === 1);
    broker.produce('orders', 1, ...values(3));
    await reader.until(3);
    expect(reader.seen).toEqual(range(1, 0, 2));
    const [error] = reader.errors;
    expect(error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { partition: 0, nextOffset: 1 } });
    await member.consumption.seek(member.at(0), 1);
    await reader.until(13);
    expect(reader.seen.slice(3)).toEqual(range(0, 1, 10));
    expect(reader.errors).toHaveLength(1);
  });

  it('tries a failed partition again with the next claim, behind what is processed', async () => {
    await using broker = await brokerWith(2);
    await using member = new MemberUnderTest(clusterOf([broker]));
    broker.log('orders', 0).appendRaw(2, damaged(entry({ offset: 2 }), 20));
    const reader = new Reader(member.stream);
    await member.claim([0]);
    await until('the error', () => reader.errors.length === 1);
    await member.rebalance([0]);
    await until('the error again', () => reader.errors.length === 2);
    expect([reader.seen, member.store.stored.get('orders/0')]).toEqual([range(0, 0, 1), 2]);
  });

  it('stops only the partition whose stored position is no number, in each claim, until a seek', async () => {
    await using broker = await brokerWith(3, 2);
    const store = new MemoryOffsetStore();
    store.stored.set(
      'orders/0',
      new ConnectorError('OFFSET_INVALID', 'no number', { topic: 'orders', partition: 0 }),
    );
    await using member = new MemberUnderTest(clusterOf([broker]), { store });
    const reader = new Reader(member.stream);
    await member.claim([0, 1]);
    await reader.until(3);
    await member.rebalance([0, 1]);
    await until('two errors', () => reader.errors.length === 2);
    expect(reader.errors).toMatchObject([{ code: 'OFFSET_INVALID' }, { code: 'OFFSET_INVALID' }]);
    await member.consumption.seek(member.at(0), 1);
    await reader.until(5);
    expect(reader.seen).toEqual([...range(1, 0, 2), ...range(0, 1, 2)]);
    await member.consumption.commitProcessed({ retryOnFailure: false });
    await member.rebalance([0, 1]);
    expect(store.stored.get('orders/0')).toBe(3);
    expect(reader.errors).toHaveLength(2);
  });
});
