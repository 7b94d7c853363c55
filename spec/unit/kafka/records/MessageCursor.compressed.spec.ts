import { gzipSync } from 'node:zlib';
import { MessageCursor } from '../../../../lib/kafka/records/MessageCursor';
import {
  APPEND_TIME,
  damaged,
  entry,
  GZIP,
  messageSet,
  rawEntry,
  wrapper,
} from '../support/encodeMessageSet';
import { offsetsOf, readAll } from '../support/readAll';

const value = Buffer.from('value');
const inner = (offsets: readonly number[], magic: 0 | 1 = 1): Buffer =>
  messageSet(
    offsets.map((offset) => ({ offset, magic, value: Buffer.from(`v${offset}`), timestamp: 100 + offset })),
  );

describe('MessageCursor in compressed sets', () => {
  it('counts offsets of format 1 back from the wrapper', () => {
    const set = Buffer.concat([
      wrapper({ offset: 12 }, inner([0, 1, 2])),
      entry({ offset: 13, value }),
      wrapper({ offset: 15 }, inner([0, 1])),
    ]);

    expect(offsetsOf(readAll(set))).toEqual([10, 11, 12, 13, 14, 15]);
  });

  it('keeps the gaps that compaction left (zendesk/ruby-kafka#495)', () => {
    expect(offsetsOf(readAll(wrapper({ offset: 107 }, inner([0, 3, 7]))))).toEqual([100, 103, 107]);
  });

  it('keeps a gap in front of the first message', () => {
    expect(offsetsOf(readAll(wrapper({ offset: 107 }, inner([3, 7]))))).toEqual([103, 107]);
  });

  it('takes offsets of format 0 as they are', () => {
    expect(readAll(wrapper({ offset: 12, magic: 0 }, inner([10, 12], 0)))).toEqual({
      messages: [
        { offset: 10, key: null, value: 'v10', timestamp: null, timestampType: null },
        { offset: 12, key: null, value: 'v12', timestamp: null, timestampType: null },
      ],
      error: null,
    });
  });

  it.each([
    ['relative', [0, 2]],
    ['true', [10, 12]],
  ])('reads format 0 inside a format 1 wrapper with %s offsets (apache/kafka#3203)', (_name, offsets) => {
    const result = readAll(wrapper({ offset: 12, timestamp: 55 }, inner(offsets, 0)));

    expect(offsetsOf(result)).toEqual([10, 12]);
    expect(result.messages[0]).toMatchObject({ timestamp: null, timestampType: null });
  });

  it('reads format 1 inside a format 0 wrapper, as a faulty producer writes it', () => {
    const result = readAll(wrapper({ offset: 12, magic: 0 }, inner([11, 12])));

    expect(result.messages).toMatchObject([
      { offset: 11, timestamp: 111, timestampType: 'create' },
      { offset: 12, timestamp: 112, timestampType: 'create' },
    ]);
  });

  it('takes inner offsets as they are if the wrapper has none', () => {
    const set = wrapper({ offset: 0 }, inner([0, 1, 2]));

    expect(offsetsOf(readAll(set))).toEqual([0, 1, 2]);
    expect(offsetsOf(readAll(set, 2))).toEqual([2]);
    expect(offsetsOf(readAll(set, 3))).toEqual([]);
  });

  it("puts the broker's time over the producer's inside, and only there", () => {
    const set = Buffer.concat([
      wrapper({ offset: 1, timestamp: 999, attributes: APPEND_TIME }, inner([0, 1])),
      wrapper({ offset: 2, timestamp: 998 }, inner([0])),
      entry({ offset: 3, timestamp: 997 }),
    ]);

    expect(readAll(set).messages).toMatchObject([
      { offset: 0, timestamp: 999, timestampType: 'append' },
      { offset: 1, timestamp: 999, timestampType: 'append' },
      { offset: 2, timestamp: 100, timestampType: 'create' },
      { offset: 3, timestamp: 997, timestampType: 'create' },
    ]);
  });

  it('takes the word of the outermost set for who gave the time', () => {
    const inside = wrapper({ offset: 1, timestamp: 2000, attributes: APPEND_TIME }, inner([0, 1]));
    const byProducer = wrapper({ offset: 7, timestamp: 3000 }, inside);
    const byBroker = wrapper({ offset: 9, timestamp: 4000, attributes: APPEND_TIME }, inside);

    expect(readAll(Buffer.concat([byProducer, byBroker])).messages).toMatchObject([
      { offset: 6, timestamp: 100, timestampType: 'create' },
      { offset: 7, timestamp: 101, timestampType: 'create' },
      { offset: 8, timestamp: 4000, timestampType: 'append' },
      { offset: 9, timestamp: 4000, timestampType: 'append' },
    ]);
  });

  it('starts in the middle of a set, and passes it over if its last message is too old', () => {
    const set = Buffer.concat([wrapper({ offset: 9 }, inner([0, 1, 2, 3, 4])), entry({ offset: 20, value })]);

    expect(offsetsOf(readAll(set, 8))).toEqual([8, 9, 20]);
    expect(offsetsOf(readAll(set, 9))).toEqual([9, 20]);
    expect(offsetsOf(readAll(set, 10))).toEqual([20]);
    expect(offsetsOf(readAll(set, 21))).toEqual([]);
  });

  it('hands out a set once that the broker sends twice', () => {
    const twice = wrapper({ offset: 9 }, inner([0, 1, 2]));

    expect(offsetsOf(readAll(Buffer.concat([twice, twice, entry({ offset: 10, value })])))).toEqual([
      7, 8, 9, 10,
    ]);
  });

  it('comes to the end behind a set of which everything is too old', () => {
    const set = wrapper({ offset: 9, magic: 0 }, inner([3, 4], 0));

    expect(readAll(set, 7)).toEqual({ messages: [], error: null });
  });

  it('gives a tombstone inside as null', () => {
    const set = wrapper({ offset: 0 }, entry({ offset: 0, key: Buffer.from('k'), value: null }));

    expect(readAll(set).messages).toMatchObject([{ key: 'k', value: null }]);
  });

  it('decodes sets in sets, three deep (dpkp/kafka-python#718)', () => {
    const two = wrapper({ offset: 12 }, wrapper({ offset: 2 }, inner([0, 1, 2])));
    const three = wrapper({ offset: 12 }, wrapper({ offset: 0 }, wrapper({ offset: 0 }, inner([0]))));

    expect(offsetsOf(readAll(two, 11))).toEqual([11, 12]);
    expect(offsetsOf(readAll(three))).toEqual([12]);
  });

  it('refuses sets nested deeper, with the way past', () => {
    const three = wrapper({ offset: 0 }, wrapper({ offset: 0 }, inner([0])));
    const set = wrapper({ offset: 12 }, wrapper({ offset: 0 }, three));

    expect(readAll(set).error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { offset: 0, nextOffset: 13 },
    });
  });

  it('finds damage at each place of a wrapper that its checksum covers', () => {
    const good = wrapper({ offset: 2 }, inner([0, 1, 2]));
    for (let at = 12; at < good.length; at++) {
      if (at === 16) continue;

      // Whether it is a wrapper at all is told by what may be damaged.
      const isTold = (damaged(good, at).readUInt8(17) & 7) !== 0;
      expect(readAll(damaged(good, at)).error).toMatchObject({
        code: 'MESSAGE_CORRUPT',
        context: { offset: isTold ? 0 : 2, nextOffset: 3 },
      });
    }
  });

  it('finds a bad checksum inside, hands out what is in front, and can be passed by one message', () => {
    const bad = damaged(entry({ offset: 1, value }), 30);
    const set = wrapper(
      { offset: 12 },
      Buffer.concat([entry({ offset: 0, value }), bad, entry({ offset: 2, value })]),
    );

    expect(readAll(set)).toMatchObject({
      messages: [{ offset: 10 }],
      error: { code: 'MESSAGE_CORRUPT', context: { offset: 11, nextOffset: 12 } },
    });
    expect(readAll(set, 12)).toMatchObject({ messages: [{ offset: 12 }], error: null });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a cut message', inner([0, 1]).subarray(0, -1)],
    ['a cut header', Buffer.concat([inner([0]), Buffer.alloc(5)])],
    ['a size of zero', Buffer.concat([inner([0]), Buffer.alloc(20)])],
    ['offsets that go back', Buffer.concat([inner([1]), inner([0])])],
    ['a negative offset', rawEntry(-1, entry({ offset: 0, value }).subarray(12))],
    ['an offset above the wrapper', inner([0, 13])],
  ])('refuses a set that holds %s inside', (_name, bytes) => {
    for (const magic of [0, 1] as const) {
      expect(readAll(wrapper({ offset: 12, magic }, bytes))).toMatchObject({
        messages: [],
        error: {
          code: 'MESSAGE_CORRUPT',
          context: { topic: 'orders', partition: 3, offset: 0, nextOffset: 13 },
        },
      });
    }
  });

  it.each([
    ['null', null],
    ['empty', Buffer.alloc(0)],
    ['not gzip', Buffer.from('this is no gzip at all')],
    ['cut', gzipSync(inner([0])).subarray(0, -9)],
    ['of a wrong inner checksum', damaged(gzipSync(inner([0])), gzipSync(inner([0])).length - 7)],
  ])('refuses a set whose gzip is %s', (_name, bytes) => {
    const set = entry({ offset: 12, value: bytes, attributes: GZIP });

    expect(readAll(set).error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { offset: 0, nextOffset: 13 },
    });
  });

  it('names all the messages that a set may hold which cannot be opened', () => {
    const set = Buffer.concat([entry({ offset: 7, value }), entry({ offset: 12, value, attributes: GZIP })]);
    const { error } = readAll(set, 5);

    expect(error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { offset: 8, nextOffset: 13 } });
    expect(error?.message).toContain('messages 8 to 12 of orders partition 3');
  });

  it('refuses to inflate more than it may', () => {
    const bomb = wrapper({ offset: 12 }, entry({ offset: 0, value: Buffer.alloc(1_000_000) }));

    expect(readAll(bomb, 0, { maxInflatedBytes: 999_999 }).error).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      context: { offset: 0, nextOffset: 13 },
    });
    expect(readAll(bomb, 0, { maxInflatedBytes: 1_000_100 })).toMatchObject({
      messages: [{ offset: 12 }],
      error: null,
    });
  });

  it('inflates sets larger than any hint and chunk', () => {
    const large = Buffer.alloc(5_000_000, 'x');
    const set = wrapper(
      { offset: 1 },
      messageSet([
        { offset: 0, value: large },
        { offset: 1, value: large },
      ]),
    );
    const cursor = new MessageCursor(set, 0, 'orders', 0);

    expect(cursor.advance()).toBe(true);
    expect(cursor.value?.equals(large)).toBe(true);
    expect(cursor.advance()).toBe(true);
    expect(cursor.advance()).toBe(false);
  });
});
