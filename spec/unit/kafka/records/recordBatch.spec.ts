import { MessageCursor, type MessageCursorOptions } from '../../../../lib/kafka/records/MessageCursor';
import { scanMessageSet } from '../../../../lib/kafka/records/messageSet';
import {
  BATCH_COUNT_AT,
  BATCH_LAST_DELTA_AT,
  BATCH_RECORDS_AT,
  controlBatch,
  encodeBatch,
  encodeRecord,
  finishBatch,
  varint,
  type SpecBatch,
} from '../../../support/records/encodeBatch';
import { damaged, entry, messageSet, wrapper } from '../support/encodeMessageSet';
import { offsetsOf, readAll } from '../support/readAll';

const value = Buffer.from('value');
const at = (...offsetDeltas: number[]): SpecBatch['records'] =>
  offsetDeltas.map((offsetDelta) => ({ offsetDelta, value: Buffer.from(`v${offsetDelta}`) }));

/** A batch whose records section is as given, with a right checksum. */
function batchOf(
  section: Buffer,
  { count, lastOffsetDelta }: { count: number; lastOffsetDelta: number },
): Buffer {
  const header = encodeBatch({ baseOffset: 10, records: [], lastOffsetDelta }).subarray(0, BATCH_RECORDS_AT);
  const batch = Buffer.concat([header, section]);
  batch.writeInt32BE(count, BATCH_COUNT_AT);
  return finishBatch(batch);
}

/** A record's length in front of a body. */
function record(...body: Buffer[]): Buffer {
  const bytes = Buffer.concat(body);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** Attributes, timestamp delta, offset delta. */
function head(offsetDelta: number): Buffer {
  return Buffer.concat([Buffer.from([0]), varint(0), varint(offsetDelta)]);
}

const NULLS = Buffer.concat([varint(-1), varint(-1)]);
const NO_HEADERS = varint(0);

describe('record batches', () => {
  it('give offsets, times, keys, values and headers', () => {
    const set = encodeBatch({
      baseOffset: 100,
      baseTimestamp: 5000,
      records: [
        { offsetDelta: 0, key: Buffer.from('k'), value, timestampDelta: 7 },
        {
          offsetDelta: 3,
          key: null,
          value: null,
          timestampDelta: -20,
          headers: [
            { key: 'trace', value: Buffer.from('1') },
            { key: 'trace', value: null },
            { key: 'größe', value: Buffer.alloc(0) },
          ],
        },
        { offsetDelta: 4, key: Buffer.alloc(0), value: Buffer.alloc(0) },
      ],
    });
    const cursor = new MessageCursor(set, 0, 'orders', 3);

    expect(cursor.advance()).toBe(true);
    expect(cursor).toMatchObject({ offset: 100, timestamp: 5007, timestampType: 'create', headers: [] });
    expect([cursor.key?.toString(), cursor.value?.toString()]).toEqual(['k', 'value']);
    expect(cursor.advance()).toBe(true);
    expect(cursor).toMatchObject({ offset: 103, key: null, value: null, timestamp: 4980 });
    expect(cursor.headers).toEqual([
      { key: 'trace', value: Buffer.from('1') },
      { key: 'trace', value: null },
      { key: 'größe', value: Buffer.alloc(0) },
    ]);
    expect(cursor.advance()).toBe(true);
    expect(cursor).toMatchObject({ offset: 104, key: Buffer.alloc(0), value: Buffer.alloc(0), headers: [] });
    expect(cursor.advance()).toBe(false);
  });

  it('give the time of the broker if it is theirs, and none if there is none', () => {
    const records = [{ offsetDelta: 0, timestampDelta: 5 }];
    const set = Buffer.concat([
      encodeBatch({ baseOffset: 0, records, baseTimestamp: 1000, maxTimestamp: 9000, isAppendTime: true }),
      encodeBatch({ baseOffset: 1, records: at(0), baseTimestamp: -1 }),
    ]);

    expect(readAll(set).messages).toMatchObject([
      { timestamp: 9000, timestampType: 'append' },
      { timestamp: null, timestampType: 'create' },
    ]);
  });

  it('stand behind messages of older formats, whose headers stay empty', () => {
    const headers = [{ key: 'h', value }];
    const set = Buffer.concat([
      entry({ offset: 1, magic: 0, value }),
      encodeBatch({ baseOffset: 2, records: [{ offsetDelta: 0, headers }] }),
      entry({ offset: 3, value }),
    ]);
    const cursor = new MessageCursor(set, 0, 'orders', 3);
    const counts: number[] = [];
    while (cursor.advance()) counts.push(cursor.headers.length);

    expect(counts).toEqual([0, 1, 0]);
    expect(scanMessageSet(set)).toMatchObject({ nextOffset: 4, damaged: false, partial: false });
  });

  it('begin in the middle where that was asked for, and keep the holes of compaction', () => {
    const set = encodeBatch({ baseOffset: 100, records: at(2, 5, 9), lastOffsetDelta: 12 });

    expect(offsetsOf(readAll(set))).toEqual([102, 105, 109]);
    expect(offsetsOf(readAll(set, 103))).toEqual([105, 109]);
    expect(offsetsOf(readAll(set, 110))).toEqual([]);
    expect(scanMessageSet(set)).toMatchObject({ nextOffset: 113, damaged: false });
  });

  it('are read on after they have been copied out of their answer, at any moment', () => {
    const set = Buffer.concat([
      entry({ offset: 1, value }),
      encodeBatch({ baseOffset: 2, records: at(0, 1, 2), codec: 1 }),
      encodeBatch({ baseOffset: 5, records: at(0, 1, 2), producerId: 7, isTransactional: true }),
      controlBatch(8, 7, 'abort'),
      wrapper({ offset: 11 }, messageSet([{ offset: 0 }, { offset: 1 }])),
    ]);
    const answer = Buffer.concat([Buffer.alloc(3 * set.length), set]);
    const records = answer.subarray(3 * set.length);
    const abortedTransactions = [{ producerId: 7, firstOffset: 6 }];
    const expected = offsetsOf(readAll(records, 0, { abortedTransactions }));
    for (let before = 0; before <= expected.length + 1; before++) {
      const cursor = new MessageCursor(records, 0, 'orders', 3, { abortedTransactions });
      const offsets: number[] = [];
      for (let step = 0; step === offsets.length; step++) {
        if (step === before) cursor.unpin();
        if (cursor.advance()) offsets.push(cursor.offset);
      }

      expect(offsets).toEqual(expected);
    }
  });

  it('may be empty, as compaction leaves them', () => {
    const set = Buffer.concat([
      encodeBatch({ baseOffset: 5, records: [], lastOffsetDelta: 3 }),
      encodeBatch({ baseOffset: 9, records: at(0) }),
    ]);

    expect(readAll(set)).toMatchObject({ messages: [{ offset: 9 }], error: null });
  });

  it('leave out what a cut-off last batch holds', () => {
    const whole = encodeBatch({ baseOffset: 0, records: at(0, 1) });
    const set = Buffer.concat([whole, encodeBatch({ baseOffset: 2, records: at(0, 1) })]).subarray(0, -1);

    expect(offsetsOf(readAll(set))).toEqual([0, 1]);
    expect(scanMessageSet(set)).toMatchObject({ nextOffset: 2, partial: true, damaged: false });
  });

  describe('of transactions', () => {
    const transaction = (baseOffset: number, producerId: number): Buffer =>
      encodeBatch({ baseOffset, producerId, records: at(0, 1), isTransactional: true });
    const read = (set: Buffer, from: number, options: MessageCursorOptions): readonly number[] =>
      offsetsOf(readAll(set, from, options));
    const set = Buffer.concat([
      transaction(0, 7),
      transaction(2, 8),
      encodeBatch({ baseOffset: 4, producerId: 7, records: at(0) }),
      controlBatch(5, 7, 'abort'),
      transaction(6, 7),
      controlBatch(8, 8, 'commit'),
      controlBatch(9, 7, 'commit'),
      transaction(10, 7),
      controlBatch(12, 7, 'abort'),
    ]);

    it('are all handed out without their markers by default', () => {
      expect(read(set, 0, {})).toEqual([0, 1, 2, 3, 4, 6, 7, 10, 11]);
    });

    it('are left out if they were aborted, from their first record to their marker', () => {
      const abortedTransactions = [
        { producerId: 7, firstOffset: 10 },
        { producerId: 7, firstOffset: 0 },
      ];

      expect(read(set, 0, { abortedTransactions })).toEqual([2, 3, 4, 6, 7]);
      expect(read(set, 3, { abortedTransactions })).toEqual([3, 4, 6, 7]);
    });

    it('are left out if they began before the set', () => {
      expect(
        read(transaction(50, 7), 50, { abortedTransactions: [{ producerId: 7, firstOffset: 3 }] }),
      ).toEqual([]);
    });

    it('of other producers stay', () => {
      const abortedTransactions = [{ producerId: 8, firstOffset: 2 }];

      expect(read(set, 0, { abortedTransactions })).toEqual([0, 1, 4, 6, 7, 10, 11]);
    });

    it('end with their marker, also if that is below what was asked for', () => {
      const old = Buffer.concat([transaction(0, 7), controlBatch(2, 7, 'abort'), transaction(3, 7)]);
      const abortedTransactions = [{ producerId: 7, firstOffset: 0 }];

      expect(read(old, 3, { abortedTransactions })).toEqual([3, 4]);
      // Damage in front of what was asked for does not matter.
      expect(read(damaged(old, transaction(0, 7).length + 70), 3, {})).toEqual([3, 4]);
    });

    it('are read on behind a marker that compaction has emptied', () => {
      const emptied = encodeBatch({
        ...{ baseOffset: 2, producerId: 7, records: [], lastOffsetDelta: 0 },
        ...{ isTransactional: true, isControl: true },
      });
      const rest = Buffer.concat([
        transaction(0, 7),
        emptied,
        encodeBatch({ baseOffset: 3, records: at(0) }),
      ]);

      expect(read(rest, 0, { abortedTransactions: [{ producerId: 7, firstOffset: 0 }] })).toEqual([3]);
    });
  });

  describe('that are damaged', () => {
    it('are found by their checksum at each place that it covers', () => {
      const batch = encodeBatch({ baseOffset: 20, records: at(0, 1, 2) });
      for (let place = 17; place < batch.length; place++) {
        expect(readAll(damaged(batch, place), 20)).toMatchObject({
          messages: [],
          error: { code: 'MESSAGE_CORRUPT', context: { topic: 'orders', partition: 3, offset: 20 } },
        });
      }
    });

    it('can be passed, and a damaged last offset does not lead beyond the next batch', () => {
      const bad = damaged(encodeBatch({ baseOffset: 20, records: at(0, 1, 2) }), BATCH_LAST_DELTA_AT + 1);
      const set = Buffer.concat([bad, encodeBatch({ baseOffset: 23, records: at(0) })]);

      expect(readAll(set, 21).error).toMatchObject({ context: { offset: 21, nextOffset: 23 } });
      expect(scanMessageSet(set)).toMatchObject({ nextOffset: 24 });
    });

    it('are not taken for old ones because they say so: only the next batch proves that', () => {
      const claimsLess = Buffer.from(encodeBatch({ baseOffset: 0, records: at(0, 1, 2, 3, 4, 5) }));
      claimsLess.writeInt32BE(1, BATCH_LAST_DELTA_AT);
      const behind = encodeBatch({ baseOffset: 6, records: at(0) });

      expect(readAll(Buffer.concat([claimsLess, behind]), 3)).toMatchObject({
        messages: [],
        error: { code: 'MESSAGE_CORRUPT', context: { offset: 3 } },
      });
      expect(offsetsOf(readAll(Buffer.concat([claimsLess, behind]), 6))).toEqual([6]);
    });

    it('or begin in front of the end of what is before them are MESSAGE_CORRUPT: their offset is under no checksum', () => {
      const first = encodeBatch({ baseOffset: 10, records: at(0, 1, 2) });
      for (const baseOffset of [3, 10, 12]) {
        const set = Buffer.concat([first, encodeBatch({ baseOffset, records: at(0, 1, 2) })]);

        expect(readAll(set)).toMatchObject({
          messages: [{ offset: 10 }, { offset: 11 }, { offset: 12 }],
          error: { code: 'MESSAGE_CORRUPT', context: { offset: 13, nextOffset: 14 } },
        });
        expect(scanMessageSet(set)).toMatchObject({ nextOffset: 13, damaged: true });
      }
    });

    it('do not lead the fetches beyond the high watermark, or behind the next batch', () => {
      const farther = (delta: number): Buffer => {
        const batch = encodeBatch({ baseOffset: 20, records: at(0, 1, 2) });
        batch.writeInt32BE(delta, BATCH_LAST_DELTA_AT);
        return batch;
      };
      const next = encodeBatch({ baseOffset: 23, records: at(0) });

      expect(scanMessageSet(farther(1000), 24)).toMatchObject({ damaged: true, nextOffset: -1 });
      expect(scanMessageSet(Buffer.concat([farther(1000), next]), 5000)).toMatchObject({ nextOffset: 24 });
      // A right one may be a little ahead of a high watermark that was looked up before it was read.
      expect(scanMessageSet(next, 20)).toMatchObject({ damaged: false, nextOffset: 24 });
    });

    it('can be passed where nothing follows, in two steps if compaction has left gaps', () => {
      const whole = encodeBatch({ baseOffset: 20, records: at(0, 1, 2) });
      const compacted = encodeBatch({ baseOffset: 20, records: at(0, 4, 9) });

      expect(readAll(damaged(whole, BATCH_LAST_DELTA_AT), 20).error?.context).toMatchObject({
        nextOffset: 23,
      });
      expect(readAll(damaged(compacted, 70), 20).error?.context).toMatchObject({ nextOffset: 23 });
      expect(readAll(damaged(compacted, 70), 23).error?.context).toMatchObject({ nextOffset: 30 });
    });

    it.each([
      ['negative', -1],
      ['beyond all offsets', 0x7fff_ffff],
    ])('are not passed over if their last offset is %s', (_name, delta) => {
      const batch = encodeBatch({ baseOffset: 2 ** 53 - 10, records: at(0), lastOffsetDelta: delta });

      expect(readAll(batch).error).toMatchObject({ code: 'MESSAGE_CORRUPT' });
      expect(scanMessageSet(batch)).toMatchObject({ damaged: true, nextOffset: -1 });
    });

    it('or too short for their header are no batches', () => {
      const short = encodeBatch({ baseOffset: 2, records: [] }).subarray(0, -2);
      short.writeInt32BE(short.length - 12, 8);

      expect(readAll(short).error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { nextOffset: 3 } });
    });

    it.each([
      ['more records than it counts', Buffer.concat(at(0, 1).map(encodeRecord)), 1],
      ['fewer records than it counts', Buffer.concat(at(0, 1).map(encodeRecord)), 3],
      ['fewer records than it counts up to its last offset', Buffer.concat(at(0, 5).map(encodeRecord)), 3],
      ['records, but counts none', encodeRecord({ offsetDelta: 0 }), 0],
      ['a negative count', Buffer.alloc(0), -1],
      ['a count without records', Buffer.alloc(0), 1],
      ['a record of a negative length', varint(-9), 1],
      ['a record longer than the batch', Buffer.concat([varint(99), head(0)]), 1],
      ['a record that ends in its offset', Buffer.concat([varint(2), Buffer.from([0, 0, 0])]), 1],
      ['a length of too many bytes', Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0]), 1],
      ['a time of too many bytes', record(Buffer.from([0]), Buffer.alloc(10, 0x80), Buffer.alloc(9)), 1],
      ['an offset below the batch', encodeRecord({ offsetDelta: -1 }), 1],
      ['an offset above the batch', encodeRecord({ offsetDelta: 6 }), 1],
      ['an offset twice', Buffer.concat(at(0, 0).map(encodeRecord)), 2],
    ])('hold %s: the way past leads behind the batch', (_name, section, count) => {
      const set = Buffer.concat([
        batchOf(section, { count, lastOffsetDelta: 5 }),
        encodeBatch({ baseOffset: 16, records: at(0) }),
      ]);
      const { error } = readAll(set, 10);

      expect(error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { nextOffset: 16 } });
      expect(offsetsOf(readAll(set, 16))).toEqual([16]);
    });

    it.each([
      ['a key of length -2', [varint(-2), varint(-1), NO_HEADERS]],
      ['a key longer than the record', [varint(9), value, varint(-1), NO_HEADERS]],
      ['a value of length -2', [varint(-1), varint(-2), NO_HEADERS]],
      ['a value longer than the record', [varint(-1), varint(9), value, NO_HEADERS]],
      ['bytes left over', [NULLS, NO_HEADERS, value]],
      ['a negative number of headers', [NULLS, varint(-1)]],
      ['more headers than bytes', [NULLS, varint(0x7fff_ffff)]],
      ['a header without a key', [NULLS, varint(1), NULLS]],
      ['a header longer than the record', [NULLS, varint(1), varint(40), value]],
      ['a length that does not end in it', [Buffer.from([0x80])]],
      ['a length of too many bytes', [Buffer.alloc(5, 0x80), Buffer.alloc(9)]],
    ])('hold a record with %s: it alone is passed', (_name, body) => {
      const bad = record(head(1), ...body);
      const section = Buffer.concat([
        encodeRecord({ offsetDelta: 0 }),
        bad,
        encodeRecord({ offsetDelta: 2 }),
      ]);
      const set = batchOf(section, { count: 3, lastOffsetDelta: 2 });

      expect(readAll(set, 10)).toMatchObject({
        messages: [{ offset: 10 }],
        error: { code: 'MESSAGE_CORRUPT', context: { offset: 11, nextOffset: 12 } },
      });
      expect(offsetsOf(readAll(set, 12))).toEqual([12]);
    });
  });

  it('are inflated within the limit, and tell what is lost otherwise', () => {
    const large = { offsetDelta: 0, value: Buffer.alloc(100_000) };
    const set = encodeBatch({ baseOffset: 10, records: [large], lastOffsetDelta: 4, codec: 1 });

    expect(offsetsOf(readAll(set, 0, { maxInflatedBytes: 100_100 }))).toEqual([10]);
    expect(readAll(set, 0, { maxInflatedBytes: 99_999 }).error).toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      context: { offset: 10, nextOffset: 15 },
    });
  });

  it('in a codec that nobody knows are refused by its number', () => {
    const batch = encodeBatch({ baseOffset: 10, records: at(0, 1) });
    batch.writeInt16BE(5, 21);

    expect(readAll(finishBatch(batch), 11).error).toMatchObject({
      code: 'CODEC_UNSUPPORTED',
      message: expect.stringContaining('number 5') as string,
      context: { offset: 11, nextOffset: 12 },
    });
  });
});
