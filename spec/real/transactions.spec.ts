import type { Message } from '../../lib';
import type { JvmProducer } from '../support/jvm/JvmProducer';
import { OneBroker } from '../support/OneBroker';
import { offsetsIn, range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

// Real servers: the embedded brokers have no transactions.
jest.setTimeout(120_000);

const COMMITTED = { 'isolation.level': 'read_committed' } as const;
const LIMIT_MS = 20_000;

function values(name: string, count: number): { value: string }[] {
  return range(0, count).map((n) => ({ value: `${name} ${n}` }));
}

function namesOf(messages: readonly Message[]): string[] {
  return messages.map(({ value }) => String(value));
}

describe.each(['0.11.0.3', '2.8.2', '3.9.1'])('transactions of Kafka %s', (kafka) => {
  let scene: OneBroker;
  let outside: JvmProducer;
  let first: JvmProducer;
  let second: JvmProducer;

  beforeAll(async () => {
    scene = await OneBroker.start(kafka);
    [outside, first, second] = await Promise.all([
      scene.producer(),
      scene.producer({ transactionalId: 'first' }),
      scene.producer({ transactionalId: 'second', codec: 'gzip' }),
    ]);
  });

  afterAll(() => scene[Symbol.asyncDispose]());

  it('are all read by default, and without the aborted ones with read_committed; markers never, and the lag comes to 0', async () => {
    const topic = await scene.newTopic();
    await outside.send(topic, 0, values('outside', 1)); // 0
    await first.begin();
    await first.send(topic, 0, values('aborted', 2)); // 1, 2
    await first.abort(); // 3
    await scene.untilEnd(topic, 4);
    await second.begin();
    await second.send(topic, 0, values('committed', 2)); // 4, 5
    await first.begin();
    await first.send(topic, 0, values('aborted beside', 1)); // 6
    await second.send(topic, 0, values('committed, too', 1)); // 7
    await second.commit(); // 8
    await scene.untilEnd(topic, 9);
    await first.abort(); // 9
    await scene.untilEnd(topic, 10);

    await using all = await scene.reader(topic, { group: 'all' });
    expect(offsetsIn(await all.untilRead(7), 0)).toEqual([0, 1, 2, 4, 5, 6, 7]);
    expect(await all.untilAtEnd()).toBe(10);
    await using committed = await scene.reader(topic, { properties: COMMITTED });
    expect(namesOf(await committed.untilRead(4))).toEqual([
      'outside 0',
      'committed 0',
      'committed 1',
      'committed, too 0',
    ]);
    expect(await committed.untilAtEnd()).toBe(10);
    await committed.member.stop();
    expect(await scene.stored(topic)).toBe(10);
    expect([...all.read.errors, ...committed.read.errors]).toEqual([]);

    // Whoever goes on there gets what comes, once.
    await first.begin();
    await first.send(topic, 0, values('later', 1));
    await first.commit();
    await using next = await scene.reader(topic, { properties: COMMITTED });
    expect(namesOf(await next.untilRead(1))).toEqual(['later 0']);
    expect(await next.untilAtEnd()).toBe(12);
  });

  it('that are open hold read_committed up, with all that is behind them, until they end', async () => {
    const topic = await scene.newTopic();
    await outside.send(topic, 0, values('before', 1));
    await first.begin();
    await first.send(topic, 0, values('open', 2));
    await outside.send(topic, 0, values('behind', 1));
    await using all = await scene.reader(topic, { group: 'all' });
    await using committed = await scene.reader(topic, { properties: COMMITTED });
    expect(namesOf(await all.untilRead(4))).toEqual(['before 0', 'open 0', 'open 1', 'behind 0']);
    expect(namesOf(await committed.untilRead(1))).toEqual(['before 0']);
    const [position] = committed.member.connector.ownedPartitions();
    expect(position).toMatchObject({ nextOffset: 1, highWatermark: 4 });
    await first.commit();
    expect(namesOf(await committed.untilRead(4))).toEqual(['before 0', 'open 0', 'open 1', 'behind 0']);
    expect(await committed.untilAtEnd()).toBe(5);
    expect(await all.untilAtEnd()).toBe(5);
  });

  it('that were aborted are never read with read_committed, over however many fetches they go, and from wherever one starts', async () => {
    const topic = await scene.newTopic();
    await first.begin();
    for (const n of range(0, 6)) {
      await first.send(topic, 0, values(`aborted ${n}`, 2)); // 3n, 3n + 1
      await outside.send(topic, 0, values(`outside ${n}`, 1)); // 3n + 2
    }
    await first.abort(); // 18
    await scene.untilEnd(topic, 19);
    await first.begin();
    await first.send(topic, 0, values('of the same producer', 1)); // 19
    await first.commit();
    await scene.untilEnd(topic, 21);
    const expected = [2, 5, 8, 11, 14, 17, 19];
    for (const start of [0, 1, 3, 4, 10, 16, 17, 18]) {
      const group = `from-${start}`;
      await scene.store(topic, start, group);
      // One batch in each fetch.
      await using reader = await scene.reader(topic, {
        group,
        properties: { ...COMMITTED, 'fetch.message.max.bytes': 1 },
      });
      const rest = expected.filter((offset) => offset >= start);
      expect(offsetsIn(await reader.untilRead(rest.length), 0)).toEqual(rest);
      expect(await reader.untilAtEnd()).toBe(21);
    }
  });

  it('go on right with a commit and another member in the middle of them', async () => {
    const topic = await scene.newTopic();
    await second.begin();
    await second.send(topic, 0, values('committed', 4)); // 0 to 3
    await first.begin();
    await first.send(topic, 0, values('aborted', 4)); // 4 to 7
    await second.send(topic, 0, values('committed, too', 4)); // 8 to 11
    await second.commit(); // 12
    await scene.untilEnd(topic, 13);
    await first.abort(); // 13
    await scene.untilEnd(topic, 14);
    const got: number[] = [];
    for (const count of [2, 3, 3]) {
      await using member = await scene.member(topic, { properties: COMMITTED });
      let taken = 0;
      for await (const { offset } of member.stream()) {
        got.push(offset);
        taken += 1;
        if (taken === count) break;
      }
      await member.connector.commitOffsets();
    }
    expect(got).toEqual([0, 1, 2, 3, 8, 9, 10, 11]);
    // Behind the last message, in front of the markers.
    expect(await scene.stored(topic)).toBe(12);
  });

  it('that are open at the first claim are read from their beginning with read_committed and `largest`', async () => {
    const topic = await scene.newTopic();
    await outside.send(topic, 0, values('before', 3));
    await first.begin();
    await first.send(topic, 0, values('open', 2)); // 3, 4
    const largest = { 'auto.offset.reset': 'largest' } as const;
    await using committed = await scene.reader(topic, { properties: { ...COMMITTED, ...largest } });
    await using all = await scene.reader(topic, { group: 'all', properties: largest });
    const started = (): (number | undefined)[] =>
      [committed, all].map(({ member }) => member.eventsOf('offset:reset')[0]?.to);
    await waitFor(() => started().every((to) => to !== undefined), {
      ...{ timeoutMs: LIMIT_MS, description: 'both positions' },
    });
    expect(started()).toEqual([3, 5]);
    await first.commit(); // 5
    await scene.untilEnd(topic, 6);
    await outside.send(topic, 0, values('behind', 1));
    expect(namesOf(await committed.untilRead(3))).toEqual(['open 0', 'open 1', 'behind 0']);
    expect(namesOf(await all.untilRead(1))).toEqual(['behind 0']);

    await first.begin();
    await first.send(topic, 0, values('open again', 1));
    await committed.member.connector.seek({ topic, partition: 0, nextOffset: 'largest' });
    expect(committed.member.connector.ownedPartitions()[0]?.nextOffset).toBe(7);
    await first.commit();
    await committed.untilRead(4);
    expect(offsetsIn(committed.read.messages, 0)).toEqual([3, 4, 6, 7]);
  });
});
