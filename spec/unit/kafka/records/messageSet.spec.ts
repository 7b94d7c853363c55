import { scanMessageSet } from '../../../../lib/kafka/records/messageSet';
import { entry, messageSet, rawEntry, wrapper } from '../support/encodeMessageSet';
import { readAll } from '../support/readAll';

const value = Buffer.from('value');

describe('scanMessageSet', () => {
  it('finds nothing in an empty set', () => {
    expect(scanMessageSet(Buffer.alloc(0))).toEqual({
      validBytes: 0,
      nextOffset: -1,
      partial: false,
      needsBytes: 0,
      damaged: false,
    });
  });

  it('gives the offset behind the last entry, over gaps and in every format', () => {
    const set = messageSet([
      { offset: 4, magic: 0, value },
      { offset: 9, magic: 1, value },
    ]);
    const scan = scanMessageSet(set);

    expect(scan).toMatchObject({ validBytes: set.length, nextOffset: 10, partial: false, damaged: false });
  });

  it('counts a compressed set by its wrapper alone', () => {
    const set = wrapper({ offset: 7 }, messageSet([{ offset: 0 }, { offset: 1 }]));

    expect(scanMessageSet(set)).toMatchObject({ validBytes: set.length, nextOffset: 8 });
  });

  it('is right for a set cut at every byte', () => {
    const first = entry({ offset: 5, value });
    const second = entry({ offset: 6, value });
    const set = Buffer.concat([first, second]);
    for (let length = 1; length < set.length; length++) {
      const whole = length >= first.length;

      expect(scanMessageSet(set.subarray(0, length))).toEqual({
        validBytes: whole ? first.length : 0,
        nextOffset: whole ? 6 : -1,
        partial: length !== first.length,
        // The size is known once the entry's header is there.
        needsBytes: !whole && length >= 12 ? first.length : 0,
        damaged: false,
      });
    }
  });

  it('says how much a fetch must take for a wrapper that was cut', () => {
    const inner = messageSet(
      Array.from({ length: 50 }, (_, offset) => ({ offset, value: Buffer.alloc(99) })),
    );
    const set = wrapper({ offset: 49 }, inner);

    expect(scanMessageSet(set.subarray(0, set.length >> 1))).toMatchObject({
      partial: true,
      needsBytes: set.length,
    });
  });

  it.each([
    ['negative', -1],
    ['zero', 0],
    ['below the smallest message', 13],
    ['the most negative one', -0x8000_0000],
  ])('stops at an entry whose size is %s, in front of which the offset stays', (_name, sizeBytes) => {
    const good = entry({ offset: 5, value });
    const set = Buffer.concat([good, rawEntry(6, value, sizeBytes), entry({ offset: 7, value })]);
    const scan = scanMessageSet(set);

    expect(scan).toEqual({
      validBytes: good.length,
      nextOffset: 6,
      partial: false,
      needsBytes: 0,
      damaged: true,
    });
    expect(readAll(set, 5)).toMatchObject({ messages: [{ offset: 5 }], error: { code: 'MESSAGE_CORRUPT' } });
    expect(scanMessageSet(set.subarray(good.length))).toMatchObject({ nextOffset: -1, damaged: true });
  });

  it.each([
    ['is negative', -3],
    ['is beyond exact numbers', 2n ** 53n - 1n],
    ['is the largest one', 2n ** 63n - 1n],
  ])('stops at an entry whose offset %s', (_name, offset) => {
    const good = entry({ offset: 5, value });
    const set = Buffer.concat([good, rawEntry(offset, entry({ offset: 0, value }).subarray(12))]);

    expect(scanMessageSet(set)).toMatchObject({ validBytes: good.length, nextOffset: 6, damaged: true });
    expect(readAll(set, 5).error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { offset: 6, nextOffset: 7 },
    });
  });

  it('is not led back by entries that come twice', () => {
    const set = messageSet([5, 6, 5, 6, 6, 7, 3].map((offset) => ({ offset, value })));

    expect(scanMessageSet(set)).toMatchObject({ validBytes: set.length, nextOffset: 8, damaged: false });
  });

  it('takes the filling at the end of a converted set for nothing', () => {
    const good = entry({ offset: 5, value });
    const filling = rawEntry(-1, Buffer.alloc(30), 61);

    expect(scanMessageSet(Buffer.concat([good, filling]))).toMatchObject({
      validBytes: good.length,
      nextOffset: 6,
      partial: false,
      damaged: false,
    });
    expect(scanMessageSet(filling)).toEqual({
      validBytes: 0,
      nextOffset: -1,
      partial: false,
      needsBytes: 0,
      damaged: false,
    });
    expect(readAll(filling)).toEqual({ messages: [], error: null });
  });
});
