import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageCursor } from '../../../../lib/kafka/records/MessageCursor';
import {
  APPEND_TIME,
  CRC_AT,
  damaged,
  ENTRY_HEADER_BYTES,
  entry,
  int64,
  MAGIC_AT,
  messageSet,
  rawEntry,
  withCrc,
  wrapper,
} from '../support/encodeMessageSet';
import { offsetsOf, readAll } from '../support/readAll';

const value = Buffer.from('value');

/** A message of format 1 whose key and value lengths are what is said, with a right checksum. */
function withLengths(keyBytes: number, valueBytes: number, body = Buffer.from('keyvalue')): Buffer {
  const lengths = Buffer.alloc(8);
  lengths.writeInt32BE(keyBytes, 0);
  const key = body.subarray(0, Math.max(0, Math.min(keyBytes, body.length)));
  const rest = body.subarray(key.length);
  lengths.writeInt32BE(valueBytes, 4);
  return rawEntry(
    5,
    withCrc(
      Buffer.concat([Buffer.from([1, 0]), int64(0), lengths.subarray(0, 4), key, lengths.subarray(4), rest]),
    ),
  );
}

describe('MessageCursor', () => {
  it('is at the end of an empty set at once, and stays there', () => {
    const cursor = new MessageCursor(Buffer.alloc(0), 0, 'orders', 0);

    expect(cursor.advance()).toBe(false);
    expect(cursor.advance()).toBe(false);
  });

  it('gives each field of format 0', () => {
    const set = entry({ offset: 7, magic: 0, key: Buffer.from('key'), value });

    expect(readAll(set)).toEqual({
      messages: [{ offset: 7, key: 'key', value: 'value', timestamp: null, timestampType: null }],
      error: null,
    });
  });

  it('gives each field of format 1', () => {
    const set = messageSet([
      { offset: 7, key: Buffer.from('key'), value, timestamp: 1_480_000_000_123 },
      { offset: 8, value, timestamp: 1_480_000_000_124, attributes: APPEND_TIME },
      { offset: 9, value, timestamp: -1 },
    ]);

    expect(readAll(set).messages).toEqual([
      { offset: 7, key: 'key', value: 'value', timestamp: 1_480_000_000_123, timestampType: 'create' },
      { offset: 8, key: null, value: 'value', timestamp: 1_480_000_000_124, timestampType: 'append' },
      { offset: 9, key: null, value: 'value', timestamp: null, timestampType: 'create' },
    ]);
  });

  it.each([0, 1] as const)('keeps null and empty apart in key and value of format %d', (magic) => {
    const empty = Buffer.alloc(0);
    const set = messageSet([
      { offset: 0, magic, key: null, value: null },
      { offset: 1, magic, key: null, value: empty },
      { offset: 2, magic, key: empty, value: null },
      { offset: 3, magic, key: empty, value: empty },
    ]);

    expect(readAll(set).messages.map((message) => [message.key, message.value])).toEqual([
      [null, null],
      [null, ''],
      ['', null],
      ['', ''],
    ]);
  });

  it('reads offsets up to the last one whose successor is exact', () => {
    const set = messageSet([
      { offset: 2 ** 32 + 5, value },
      { offset: Number.MAX_SAFE_INTEGER - 1, value },
    ]);

    expect(offsetsOf(readAll(set))).toEqual([2 ** 32 + 5, Number.MAX_SAFE_INTEGER - 1]);
  });

  it('passes over what is below the offset asked for', () => {
    const set = messageSet([4, 6, 9].map((offset) => ({ offset, value })));

    expect(offsetsOf(readAll(set, 0))).toEqual([4, 6, 9]);
    expect(offsetsOf(readAll(set, 5))).toEqual([6, 9]);
    expect(offsetsOf(readAll(set, 9))).toEqual([9]);
    expect(offsetsOf(readAll(set, 10))).toEqual([]);
  });

  it('gives views, not copies', () => {
    const set = entry({ offset: 0, key: Buffer.from('key'), value });
    const cursor = new MessageCursor(set, 0, 'orders', 0);
    cursor.advance();

    expect(cursor.value?.buffer).toBe(set.buffer);
    expect(cursor.key?.buffer).toBe(set.buffer);
  });

  it('takes a last message cut at any byte for the end', () => {
    const first = entry({ offset: 5, value });
    const set = Buffer.concat([first, entry({ offset: 6, value })]);
    for (let length = 0; length < set.length; length++) {
      expect(readAll(set.subarray(0, length), 5)).toMatchObject({
        messages: length >= first.length ? [{ offset: 5 }] : [],
        error: null,
      });
    }
  });

  it.each([0, 1] as const)('finds damage at each place that the checksum of format %d covers', (magic) => {
    const good = entry({ offset: 5, magic, value });
    const bad = entry({ offset: 6, magic, key: Buffer.from('key'), value });
    for (let at = CRC_AT; at < bad.length; at++) {
      if (at === MAGIC_AT) continue;
      const set = Buffer.concat([good, damaged(bad, at), entry({ offset: 7, magic, value })]);
      const result = readAll(set, 5);

      expect(offsetsOf(result)).toEqual([5]);
      expect(result.error).toMatchObject({
        code: 'MESSAGE_CORRUPT',
        context: { topic: 'orders', partition: 3, offset: 6, nextOffset: 7 },
      });
    }
  });

  it('finds damage in the checksum of a large message', () => {
    const set = damaged(entry({ offset: 0, value: Buffer.alloc(5000, 'x') }), 3000);

    expect(readAll(set).error).toMatchObject({ code: 'MESSAGE_CORRUPT' });
  });

  it('goes on behind a bad message when it starts at nextOffset', () => {
    const set = Buffer.concat([damaged(entry({ offset: 6, value }), 30), entry({ offset: 7, value })]);

    expect(readAll(set, 7)).toMatchObject({ messages: [{ offset: 7 }], error: null });
  });

  it('throws the same error again at each later call', () => {
    const cursor = new MessageCursor(damaged(entry({ offset: 6, value }), 30), 0, 'orders', 0);
    const thrown = (): unknown => {
      try {
        return cursor.advance();
      } catch (error) {
        return error;
      }
    };
    const first = thrown();

    expect(first).toBeInstanceOf(Error);
    expect(thrown()).toBe(first);
  });

  it.each([
    ['key length below -1', -2, 5],
    ['value length below -1', 3, -2],
    ['key longer than the message', 1000, 5],
    ['the longest key there is', 0x7fff_ffff, 5],
    ['value longer than the message', 3, 6],
    ['value shorter than the message', 3, 4],
    ['the longest value there is', 3, 0x7fff_ffff],
    ['null value with bytes behind', 3, -1],
  ])('refuses lengths that do not fit, though the checksum does: %s', (_name, keyBytes, valueBytes) => {
    expect(readAll(withLengths(keyBytes, valueBytes), 5)).toMatchObject({
      messages: [],
      error: { code: 'MESSAGE_CORRUPT', context: { offset: 5, nextOffset: 6 } },
    });
    expect(readAll(withLengths(3, 5), 5)).toMatchObject({ messages: [{ offset: 5 }], error: null });
  });

  it('refuses a message of format 1 that has only the size of format 0', () => {
    const set = rawEntry(5, withCrc(Buffer.concat([Buffer.from([1, 0]), Buffer.alloc(8)])));

    expect(set).toHaveLength(ENTRY_HEADER_BYTES + 14);
    expect(readAll(set, 5).error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { offset: 5 } });
  });

  it('names the offset that is due when that of the entry cannot be believed', () => {
    const broken = rawEntry(2 ** 50, value, 3);

    expect(readAll(broken, 41).error).toMatchObject({ context: { offset: 41, nextOffset: 42 } });
    expect(readAll(Buffer.concat([entry({ offset: 44, value }), broken]), 41).error).toMatchObject({
      context: { offset: 45, nextOffset: 46 },
    });
  });

  it('hands out once what the broker sends twice', () => {
    const set = messageSet([7, 8, 9, 7, 8, 9, 11].map((offset) => ({ offset, value })));

    expect(offsetsOf(readAll(set, 6))).toEqual([7, 8, 9, 11]);
    expect(offsetsOf(readAll(set, 8))).toEqual([8, 9, 11]);
  });

  it.each([
    [5, 'number 5'],
    [6, 'number 6'],
    [7, 'number 7'],
  ])('refuses codec %d by its number, and never hands out its bytes', (codec, name) => {
    for (const magic of [0, 1] as const) {
      const set = messageSet([
        { offset: 3, magic, value },
        { offset: 9, magic, value, attributes: codec },
      ]);
      const { messages, error } = readAll(set, 3);

      expect(messages).toHaveLength(1);
      expect(error).toMatchObject({ code: 'CODEC_UNSUPPORTED', context: { offset: 4, nextOffset: 10 } });
      expect(error?.message).toContain(name);
    }
  });

  it('tells an unknown format from a damaged one by the checksum', () => {
    const future = rawEntry(5, withCrc(Buffer.concat([Buffer.from([9, 0]), Buffer.alloc(8)])));

    expect(readAll(future, 5).error).toMatchObject({ code: 'FORMAT_UNSUPPORTED' });
    expect(readAll(damaged(entry({ offset: 5, value }), MAGIC_AT, 0x08), 5).error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
    });
  });

  it('does not look into a compressed set that is too old', () => {
    const set = Buffer.concat([
      damaged(wrapper({ offset: 4 }, messageSet([{ offset: 0 }])), 40),
      entry({ offset: 5, value }),
    ]);

    expect(readAll(set, 5)).toMatchObject({ messages: [{ offset: 5 }], error: null });
  });

  it.each([1, 2, 3])('lets go of its answer when it is told to, behind %d of 3 messages', async (count) => {
    const set = messageSet([1, 2, 3].map((offset) => ({ offset, key: Buffer.from('k'), value })));
    const inAnswer = (): Buffer =>
      Buffer.concat([Buffer.alloc(500_000), set, Buffer.alloc(500_000)]).subarray(500_000, -500_000);
    const cursor = new MessageCursor(inAnswer(), 0, 'orders', 3);
    cursor.advance();
    const answer = new WeakRef(cursor.key?.buffer ?? set);
    for (let step = 1; step < count; step++) cursor.advance();
    cursor.unpin();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // What a job has made a reference to stays until its end.
    for (let round = 0; round < 3; round++) {
      await nextTurn();
      collect();
    }
    await nextTurn();

    expect(answer.deref()).toBeUndefined();
    expect(cursor.advance()).toBe(count < 3);
  });
});
