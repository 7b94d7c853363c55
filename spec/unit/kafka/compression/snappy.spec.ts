import fc from 'fast-check';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { errorOf, inflate } from './support/inflate';
import { snappyBlocks, varint, XERIAL_HEADER, xerialStream } from './support/snappyWriter';

const inflateSnappy = (compressed: Buffer, maxBytes?: number): Buffer =>
  inflate('snappy', compressed, maxBytes === undefined ? {} : { maxBytes });
const block = (size: number, ...body: number[]): Buffer => Buffer.from([...varint(size), ...body]);
const ABC = [2 << 2, 97, 98, 99];

describe('snappy', () => {
  it('inflates raw blocks of literals and copies of all kinds', () => {
    fc.assert(
      fc.property(snappyBlocks, ({ compressed, plain }) => {
        expect(inflateSnappy(compressed, plain.length).equals(plain)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('inflates the framing of snappy-java, also where streams were put together', () => {
    fc.assert(
      fc.property(fc.array(fc.array(snappyBlocks, { maxLength: 3 }), { maxLength: 3 }), (streams) => {
        const parts = streams.map((blocks) => xerialStream(blocks.map(({ compressed }) => compressed)));
        const plain = Buffer.concat(streams.flat().map((one) => one.plain));

        expect(inflateSnappy(Buffer.concat([XERIAL_HEADER, ...parts]), plain.length).equals(plain)).toBe(
          true,
        );
      }),
    );
  });

  it.each([
    ['nothing at all', Buffer.alloc(0), 'a snappy block ends inside its size at byte 0'],
    ['a size that is cut off', Buffer.from([0x80]), 'a snappy block ends inside its size at byte 1'],
    ['a size without an end', Buffer.alloc(9, 0x80), 'the size of a snappy block does not end at byte 5'],
    ['a literal that is cut off', block(3, 2 << 2, 97), 'a snappy block ends inside a literal at byte 1'],
    [
      'the size of a literal that is cut off',
      block(9, 61 << 2, 8),
      'a snappy block ends inside a literal at byte 1',
    ],
    [
      'a literal of nearly 4 GiB (a negative size to 32 bits; snappyjs 0.7.0 never ends)',
      Buffer.from('05fcfaffffff0000', 'hex'),
      'a snappy block ends inside a literal at byte 1',
    ],
    [
      'a copy that is cut off',
      block(9, ...ABC, (5 << 2) | 2, 1),
      'a snappy block ends inside a copy at byte 5',
    ],
    [
      'a long copy that is cut off',
      block(9, ...ABC, 0x17, 1, 0, 0),
      'a snappy block ends inside a copy at byte 5',
    ],
    [
      'a copy from itself',
      block(9, ...ABC, (5 << 2) | 2, 0, 0),
      'a snappy copy comes from outside its block at byte 5',
    ],
    [
      'a copy from in front',
      block(9, ...ABC, (5 << 2) | 2, 4, 0),
      'a snappy copy comes from outside its block at byte 5',
    ],
    [
      'a copy from nearly 4 GiB before',
      block(9, ...ABC, (5 << 2) | 3, 0xff, 0xff, 0xff, 0xff),
      'a snappy copy comes from outside its block at byte 5',
    ],
    ['more literals than its size', block(2, ...ABC), 'a snappy block comes to more than its size at byte 1'],
    [
      'more copies than its size',
      block(8, ...ABC, (5 << 2) | 2, 1, 0),
      'a snappy block comes to more than its size at byte 5',
    ],
    ['less than its size', block(5, ...ABC), 'a snappy block ends 2 bytes early at byte 5'],
  ])('refuses %s', (_name, compressed, message) => {
    const error = errorOf(() => inflateSnappy(compressed));

    expect(error.message).toBe(message);
    expect(isTooLarge(error)).toBe(false);
  });

  it('does not let a block copy from the one before', () => {
    const stream = xerialStream([block(3, ...ABC), block(4, (3 << 2) | 2, 3, 0)]);

    expect(() => inflateSnappy(stream)).toThrow('a snappy copy comes from outside its block at byte 30');
  });

  it('refuses what so few bytes cannot hold, before there is memory for it', () => {
    expect(() => inflateSnappy(block(100_000_000, ...ABC), 2 ** 30)).toThrow(
      'a snappy block of 8 bytes claims to hold 100000000 at byte 0',
    );
  });

  it.each([
    ['its header', XERIAL_HEADER.subarray(0, 15), 'a snappy stream ends inside its header at byte 0'],
    [
      'a size',
      Buffer.concat([XERIAL_HEADER, Buffer.alloc(3)]),
      'a snappy stream ends inside a size at byte 16',
    ],
    [
      'a block',
      xerialStream([block(3, ...ABC)]).subarray(0, -1),
      'a snappy stream has 4 bytes for a block of 5 at byte 16',
    ],
    [
      'a second header',
      Buffer.concat([xerialStream([block(3, ...ABC)]), XERIAL_HEADER.subarray(0, 9)]),
      'a snappy stream ends inside its header at byte 25',
    ],
  ])('refuses a stream that ends inside %s', (_name, compressed, message) => {
    expect(errorOf(() => inflateSnappy(compressed)).message).toBe(message);
  });

  it.each([0, -1, -2_147_483_648])('refuses a block of %p bytes', (size) => {
    const sizeBytes = Buffer.alloc(4);
    sizeBytes.writeInt32BE(size);

    expect(() => inflateSnappy(Buffer.concat([XERIAL_HEADER, sizeBytes]))).toThrow(
      `a snappy stream has 0 bytes for a block of ${size} at byte 16`,
    );
  });

  it('refuses the versions that snappy-java refuses', () => {
    const stream = Buffer.from(XERIAL_HEADER);
    stream.writeInt32BE(0, 8);

    expect(() => inflateSnappy(stream)).toThrow('a snappy stream of version 0 at byte 8');
  });

  it('adds up the sizes of all blocks before it compares them with the limit', () => {
    const stream = xerialStream([block(3, ...ABC), block(3, ...ABC)]);

    expect(inflateSnappy(stream, 6).toString()).toBe('abcabc');
    expect(isTooLarge(errorOf(() => inflateSnappy(stream, 5)))).toBe(true);
  });
});
