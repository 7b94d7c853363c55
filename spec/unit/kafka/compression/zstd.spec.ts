import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { zstd, zstdByNode, zstdByScript } from '../../../../lib/kafka/compression/zstd';
import { errorOf } from './support/inflate';
import { noise, plainTexts } from './support/plainTexts';
import { vectorsOf } from './support/vectors';
import { zstdFrameOf, zstdFrames, zstdFramesOfFarMatches } from './support/zstdWriter';

type NativeZstd = Parameters<typeof zstdByNode>[0];

const native = (zlib as { readonly zstdDecompressSync?: NativeZstd }).zstdDecompressSync;
const implementations: [string, typeof zstdByScript][] = [
  ['by script', zstdByScript],
  ...(native === undefined ? [] : [['by Node', zstdByNode(native)] as [string, typeof zstdByScript]]),
];
const STORED_ABC = { kind: 0, size: 3, body: [...Buffer.from('abc')] };
const ABC = zstdFrameOf([STORED_ABC]);
const SKIPPABLE = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const AMPLE_BYTES = 1 << 20;
const MIXED = vectorsOf('zstd').filter(({ plain }) => plain === plainTexts.mixed);

it('Node helps as soon as it can', () => {
  expect(zstd === zstdByScript).toBe(native === undefined);
});

describe.each(implementations)('zstd %s', (_name, inflate) => {
  it('inflates stored, repeated and compressed blocks', () => {
    fc.assert(
      fc.property(zstdFrames, ({ compressed, plain }) => {
        expect(inflate(compressed, plain.length).equals(plain)).toBe(true);
        expect(isTooLarge(errorOf(() => inflate(compressed, plain.length - 1)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('inflates matches from far away', () => {
    fc.assert(
      fc.property(zstdFramesOfFarMatches(noise(66_000)), ({ compressed, plain }) => {
        expect(inflate(compressed, plain.length).equals(plain)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('inflates frames one after the other, and passes over those that are to be skipped', () => {
    const compressed = Buffer.concat([SKIPPABLE, ABC, SKIPPABLE, ABC, SKIPPABLE]);

    expect(inflate(compressed, 6).toString()).toBe('abcabc');
    expect(isTooLarge(errorOf(() => inflate(compressed, 5)))).toBe(true);
    expect(inflate(SKIPPABLE, 5)).toHaveLength(0);
  });

  it.each(MIXED)('inflates two frames of $name, whose matches do not reach into each other', (vector) => {
    const { compressed, plain } = vector;

    const both = inflate(Buffer.concat([compressed, compressed]), AMPLE_BYTES);

    expect(both.equals(Buffer.concat([plain, plain]))).toBe(true);
  });

  it.each([
    ['nothing at all', Buffer.alloc(0), 'no zstd frame at byte 0'],
    ['no frame', Buffer.from('no frame of zstd'), 'not the magic number of a zstd frame at byte 0'],
    [
      'other bytes behind it',
      Buffer.concat([ABC, Buffer.alloc(20)]),
      'not the magic number of a zstd frame at byte 12',
    ],
    [
      'a byte behind it',
      Buffer.concat([ABC, Buffer.alloc(1)]),
      'zstd data ends inside the frame that begins at byte 12',
    ],
    [
      'a second frame that is cut off',
      Buffer.concat([ABC, ABC.subarray(0, -1)]),
      'zstd data ends inside the frame that begins at byte 12',
    ],
    [
      'no last block',
      Buffer.concat([ABC.subarray(0, 6), Buffer.from([24, 0, 0, 97, 98, 99])]),
      'zstd data ends inside the frame that begins at byte 0',
    ],
    [
      'a skippable frame that is cut off',
      SKIPPABLE.subarray(0, -1),
      'zstd data ends inside the frame that begins at byte 0',
    ],
    [
      'a block of an unknown kind',
      zstdFrameOf([{ ...STORED_ABC, kind: 3 }]),
      'a zstd block of an unknown kind at byte 6',
    ],
    [
      'a block above 128 KiB',
      zstdFrameOf([{ kind: 1, size: 131_073, body: [7] }]),
      'a zstd block of 131073 bytes, with 131072 the most, at byte 6',
    ],
    ['a reserved flag', flipped(ABC, 4, 0x08), 'a zstd frame of an unknown kind at byte 4'],
    ['a dictionary', header(0x01, 0, 7), 'a zstd frame asks for a dictionary at byte 6'],
    [
      'a window above 128 MiB',
      header(0x00, 17 * 8 + 1),
      'a zstd frame with a window of 150994944 bytes at byte 5',
    ],
    [
      'a size that the blocks cannot hold',
      header(0xa0, 0xff, 0xff, 0xff, 0xff),
      'a zstd frame of 15 bytes claims to hold 4294967295 at byte 5',
    ],
    ['a size that is not there', ABC.subarray(0, 4), 'zstd data ends inside the frame that begins at byte 0'],
    ['a size that is not what came', sized(4), 'a zstd frame of 12 bytes claims to hold 4 at byte 5'],
  ])('refuses %s', (_what, compressed, message) => {
    const error = errorOf(() => inflate(compressed, AMPLE_BYTES));

    expect(error.message).toBe(message);
    expect(isTooLarge(error)).toBe(false);
  });

  it('refuses without a hang what fzstd 0.1.1 reads for ever: Huffman weights that take no bits', () => {
    const compressed = Buffer.from('28b52ffd20645d0000a2c00104f0030080558100', 'hex');

    expect(isTooLarge(errorOf(() => inflate(compressed, AMPLE_BYTES)))).toBe(false);
  });

  it('refuses at once the longest matches in the greatest number', () => {
    // 98,046 matches of up to 131,074 bytes each, out of a block of 12 bytes.
    const body = [0x08, 7, 0xff, 0xff, 0xff, 0x54, 0, 0, 52, 0xff, 0xff, 0x01];
    const compressed = zstdFrameOf(new Array(1_000).fill({ kind: 2, size: body.length, body }) as never);
    const startedMs = performance.now();

    expect(isTooLarge(errorOf(() => inflate(compressed, AMPLE_BYTES)))).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  it('takes the size in the header as the limit', () => {
    expect(inflate(sized(3), 3).toString()).toBe('abc');
    expect(isTooLarge(errorOf(() => inflate(sized(3), 2)))).toBe(true);
    expect(errorOf(() => inflate(sized(2), AMPLE_BYTES)).message).toMatch(/zstd|corrupt/i);
  });

  it('gives a buffer that keeps little else alive', () => {
    for (const { compressed } of vectorsOf('zstd')) {
      const bytes = inflate(compressed, AMPLE_BYTES);

      expect(bytes.buffer.byteLength).toBeLessThanOrEqual(Math.max(2 * bytes.length, Buffer.poolSize));
    }
  });
});

/** A header and a stored block. */
function header(...bytes: number[]): Buffer {
  return Buffer.concat([ABC.subarray(0, 4), Buffer.from(bytes), ABC.subarray(6)]);
}

/** A frame in one segment, with one byte for its size. */
function sized(contentBytes: number): Buffer {
  return header(0x20, contentBytes);
}

function flipped(bytes: Buffer, at: number, bits: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ bits, at);
  return copy;
}
