import { ConnectorError } from '../../../lib/errors';
import type { MessageStream } from '../../../lib/stream/MessageStream';
import { encodeBatch } from '../../support/records/encodeBatch';
import { waitFor } from '../../support/waitFor';
import { entry } from '../kafka/support/encodeMessageSet';
import { MemberUnderTest } from './support/MemberUnderTest';
import { clusterOf, FetcherUnderTest, takeAll, values } from './support/parts';
import { ScriptedBroker, type SeenFetch } from './support/ScriptedBroker';

const SIZES = { 'fetch.message.max.bytes': 100, 'fetch.max.bytes': 6400 };
const NEWER = ['0.10.1', '0.11', '2.1'] as const;
/** Fits into one partition's share of a fetch only if that grows. */
const LARGE = 'x'.repeat(3000);
/** Fits into none. */
const TOO_LARGE = 'x'.repeat(9000);

const HUGE = Buffer.alloc(100_000, 'x');

/** So many records in one batch, the last one with that value. */
function batch(baseOffset: number, count: number, lastValue?: Buffer): Buffer {
  const records = Array.from({ length: count }, (_, offsetDelta) => ({
    offsetDelta,
    value: (offsetDelta === count - 1 ? lastValue : undefined) ?? Buffer.from('small'),
  }));
  return encodeBatch({ baseOffset, records });
}

/** All messages of partitions whose logs are complete, as `takeAll` shows them. */
async function received(t: FetcherUnderTest, count: number): Promise<string[]> {
  const got: string[] = [];
  await waitFor(() => got.push(...takeAll(t.queue)) && got.length >= count, {
    ...{ timeoutMs: 3000, intervalMs: 1, description: `${count} messages` },
  });
  return got;
}

function expectedOf(partitions: readonly number[], count: number): string[] {
  return partitions.flatMap((partition) => values(count).map((_, offset) => `${partition}@${offset}`));
}

function sizeOf({ partitions }: SeenFetch): number {
  return partitions.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
}

describe('BrokerFetcher, large messages in several partitions at once', () => {
  const partitions = [0, 1, 2, 3, 4];

  it('gives each its turn before version 3, within fetch.max.bytes, and small ones theirs between them', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.8' });
    await using t = new FetcherUnderTest(broker, SIZES);
    for (const partition of partitions) broker.produce('orders', partition, LARGE, 'small', LARGE);
    for (const partition of [5, 6]) broker.produce('orders', partition, ...values(3));
    for (const partition of [...partitions, 5, 6]) t.add(partition);
    t.run();
    const got = await received(t, 21);
    expect([...got].sort()).toEqual(expectedOf([...partitions, 5, 6], 3));
    for (const fetch of broker.fetches) expect(sizeOf(fetch)).toBeLessThanOrEqual(6400);
    // Two fetches for each large message, and two of the seven large ones fit into one.
    expect(broker.fetches.length).toBeLessThan(40);
    // Nobody waits until all of another is there.
    const firstOfLast = Math.min(...[4, 5, 6].map((partition) => got.indexOf(`${partition}@0`)));
    const lastOfFirst = got.indexOf('0@2');
    expect(firstOfLast).toBeLessThan(lastOfFirst);
  });

  it.each(NEWER)('reads those above fetch.max.bytes, too, from version 3 on (Kafka %s)', async (kafka) => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker, SIZES);
    for (const partition of partitions) broker.produce('orders', partition, TOO_LARGE, 'small', TOO_LARGE);
    for (const partition of [5, 6]) broker.produce('orders', partition, ...values(3));
    for (const partition of [...partitions, 5, 6]) t.add(partition);
    t.run();
    const got = await received(t, 21);
    expect([...got].sort()).toEqual(expectedOf([...partitions, 5, 6], 3));
    // One comes in each answer, that of the partition whose turn it is.
    expect(broker.fetches.length).toBeLessThan(30);
    expect(Math.max(...[1, 2, 3, 4, 5, 6].map((partition) => got.indexOf(`${partition}@0`)))).toBeLessThan(
      got.indexOf('0@2'),
    );
  });
});

describe('BrokerFetcher, batches', () => {
  it('go on behind their last offset, whatever their first one is', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '2.1' });
    await using t = new FetcherUnderTest(broker, SIZES);
    broker.log('orders', 0).appendRaw(9, batch(0, 10));
    broker.log('orders', 0).appendRaw(12, batch(10, 3));
    t.add(0, { stored: 7 });
    t.run();
    expect(await received(t, 6)).toEqual(['0@7', '0@8', '0@9', '0@10', '0@11', '0@12']);
    expect(broker.fetches.slice(0, 2).map(({ partitions: [at] }) => at?.offset)).toEqual([7, 10]);
  });
});

/** Reads until `count` messages are there; what cannot be handed out is sought past. */
async function readPast(
  member: MemberUnderTest,
  stream: MessageStream<Buffer, Buffer>,
  count: number,
): Promise<{ readonly got: string[]; readonly errors: ConnectorError[] }> {
  const got: string[] = [];
  const errors: ConnectorError[] = [];
  while (got.length < count) {
    try {
      for await (const { partition, offset } of stream) {
        got.push(`${partition}@${offset}`);
        if (got.length === count) break;
      }
    } catch (error) {
      if (!ConnectorError.is(error)) throw error;
      errors.push(error);
      const { partition = -1, nextOffset = -1 } = error.context;
      await member.consumption.seek(member.at(partition), nextOffset);
    }
  }
  return { got, errors };
}

describe('A connection that takes answers up to 50,000 bytes', () => {
  const cluster = (broker: ScriptedBroker): ReturnType<typeof clusterOf> => clusterOf([broker], 5000, 50_000);

  it.each([
    ['a record batch', batch(2, 100, HUGE), 101],
    ['a compressed set, by its last offset', entry({ offset: 101, value: HUGE }), 101],
    ['a message', entry({ offset: 2, value: HUGE }), 2],
  ])('ends with MESSAGE_TOO_LARGE of the right partition, and goes on behind %s', async (_, bytes, last) => {
    await using broker = await ScriptedBroker.start({ kafka: '2.1' });
    await using member = new MemberUnderTest(cluster(broker), { settings: SIZES });
    // Partitions without messages stand in front of it in the answer.
    for (const partition of [0, 1, 2, 4]) broker.log('orders', partition);
    broker.produce('orders', 3, 'a', 'b');
    broker.log('orders', 3).appendRaw(last, bytes);
    broker.produce('orders', 3, 'behind');
    await member.claim([0, 1, 2, 3, 4]);
    const { got, errors } = await readPast(member, member.stream, 3);
    expect(got).toEqual(['3@0', '3@1', `3@${last + 1}`]);
    expect(errors).toMatchObject([
      {
        code: 'MESSAGE_TOO_LARGE',
        context: { topic: 'orders', partition: 3, offset: 2, nextOffset: last + 1 },
      },
    ]);
    expect(errors[0]?.message).toContain(`needs ${bytes.length} bytes, more than fetch.max.bytes (6400)`);
    // It came once, and cost one connection, beside those that ask for the leaders.
    expect(member.told.filter(([event]) => event === 'fetch:failed')).toHaveLength(1);
    expect(broker.fetches.filter(({ partitions }) => partitions.some((at) => at.offset === 2))).toHaveLength(
      1,
    );
  });

  it('reads the others while one stands still, and connects anew once for it', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '2.1' });
    await using member = new MemberUnderTest(cluster(broker), { settings: SIZES });
    broker.log('orders', 0).appendRaw(99, batch(0, 100, HUGE));
    broker.log('orders', 1);
    await member.claim([0, 1]);
    const tooLarge = { code: 'MESSAGE_TOO_LARGE', context: { partition: 0 } };
    await expect(member.stream.messages().next()).rejects.toMatchObject(tooLarge);
    broker.produce('orders', 1, 'a');
    expect((await readPast(member, member.stream, 1)).got).toEqual(['1@0']);
    const before = broker.connections;
    for (const value of ['b', 'c', 'd']) {
      broker.produce('orders', 1, value);
      await readPast(member, member.stream, 1);
    }
    expect(broker.connections).toBe(before);
    expect(member.told.filter(([event]) => event === 'fetch:failed')).toHaveLength(1);
  });
});
