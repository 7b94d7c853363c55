import fc from 'fast-check';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { errorOf, inflate } from './support/inflate';
import {
  compressedBlock,
  type FrameOptions,
  lz4FrameOf,
  lz4Frames,
  slowXxHash32,
  uint32,
} from './support/lz4Writer';

const PLAIN: FrameOptions = {
  linked: false,
  blockChecksums: false,
  contentChecksum: false,
  contentSize: false,
  kafkaChecksum: false,
};
const frame = (body: readonly number[], options: Partial<FrameOptions> = {}, content = ''): Buffer => {
  const all = { ...PLAIN, ...options };
  return lz4FrameOf([compressedBlock(Buffer.from(body), all)], Buffer.from(content), all);
};
const ABC = [3 << 4, 97, 98, 99];

describe('lz4', () => {
  it('inflates frames of all kinds in each format that may have their header checksum', () => {
    fc.assert(
      fc.property(lz4Frames, ({ compressed, plain, options }) => {
        const before = Buffer.from(compressed);
        for (const magic of options.kafkaChecksum ? ([0] as const) : ([0, 1, 2] as const)) {
          expect(inflate('lz4', compressed, { magic, maxBytes: plain.length }).equals(plain)).toBe(true);
        }
        expect(compressed.equals(before)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("takes Kafka's old header checksum in format 0 only (KAFKA-3160)", () => {
    const old = frame(ABC, { kafkaChecksum: true });

    expect(inflate('lz4', old, { magic: 0 }).toString()).toBe('abc');
    for (const magic of [1, 2] as const) {
      expect(() => inflate('lz4', old, { magic })).toThrow(
        'an lz4 frame has a wrong header checksum at byte 6',
      );
    }
  });

  it('takes no other wrong header checksum in any format', () => {
    for (const magic of [0, 1, 2] as const) {
      const wrong = frame(ABC);
      wrong.writeUInt8(wrong.readUInt8(6) ^ 1, 6);

      expect(() => inflate('lz4', wrong, { magic })).toThrow(
        'an lz4 frame has a wrong header checksum at byte 6',
      );
    }
  });

  it('finds any flipped bit in bytes under a checksum', () => {
    const options = { blockChecksums: true, contentChecksum: true, contentSize: true };
    const whole = frame([...ABC], options, 'abc');
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);

      expect(() => inflate('lz4', flipped)).toThrow(/ at byte \d+$/);
    }
  });

  it.each([
    ['nothing at all', Buffer.alloc(0), 'an lz4 frame ends inside its header at byte 0'],
    ['no frame', Buffer.from('no frame of lz4'), 'not the magic number of an lz4 frame at byte 0'],
    ['a frame to be skipped, as the JVM does', skippable(), 'not the magic number of an lz4 frame at byte 0'],
    ['no end mark', frame(ABC).subarray(0, -4), 'an lz4 frame ends without its end mark at byte 15'],
    [
      'a cut-off block',
      frame(ABC).subarray(0, -5),
      'an lz4 frame ends inside the block that begins at byte 7',
    ],
    [
      'no content checksum',
      frame(ABC, { contentChecksum: true }, 'abc').subarray(0, -1),
      'an lz4 frame ends without its checksum at byte 22',
    ],
    [
      'a wrong content checksum',
      frame(ABC, { contentChecksum: true }, 'abd'),
      'an lz4 frame has a wrong content checksum at byte 19',
    ],
    [
      'a wrong content size',
      frame(ABC, { contentSize: true }, 'abcd'),
      'an lz4 frame holds 3 bytes in place of 4 at byte 0',
    ],
    [
      'a second frame, which the JVM would lose',
      Buffer.concat([frame(ABC), frame(ABC)]),
      '19 bytes are left over behind the lz4 frame, at byte 19',
    ],
    [
      'a size that so few bytes cannot hold',
      frame(ABC, { contentSize: true }, 'x'.repeat(2_000)),
      'an lz4 frame of 27 bytes claims to hold 2000 at byte 0',
    ],
  ])('refuses %s', (_name, compressed, message) => {
    const error = errorOf(() => inflate('lz4', compressed));

    expect(error.message).toBe(message);
    expect(isTooLarge(error)).toBe(false);
  });

  it.each([
    ['another version', 0x80, 0x40, 'an lz4 frame of an unknown version at byte 4'],
    ['a reserved flag', 0x62, 0x40, 'an lz4 frame of an unknown version at byte 4'],
    ['small blocks', 0x60, 0x30, 'an lz4 frame with an unknown size of blocks at byte 5'],
    ['reserved bits', 0x60, 0x41, 'an lz4 frame with an unknown size of blocks at byte 5'],
    ['a dictionary', 0x61, 0x40, 'an lz4 frame asks for a dictionary at byte 4'],
  ])('refuses a header with %s', (_name, flags, sizes, message) => {
    const header = Buffer.from([
      0x04,
      0x22,
      0x4d,
      0x18,
      flags,
      sizes,
      ...((flags & 1) === 0 ? [] : [1, 0, 0, 0]),
    ]);

    expect(
      errorOf(() => inflate('lz4', Buffer.concat([withChecksum(header), Buffer.alloc(4)]))).message,
    ).toBe(message);
  });

  it.each([
    ['no token', [], undefined],
    ['a cut-off length', [0xf0, 255], 'an lz4 block ends inside a length at byte 11'],
    ['cut-off literals', [3 << 4, 97], 'an lz4 block ends inside its literals at byte 11'],
    ['a cut-off distance', [...ABC, 1], 'an lz4 block ends inside a distance at byte 15'],
    ['a cut-off match length', [0x3f, 97, 98, 99, 1, 0, 255], 'an lz4 block ends inside a length at byte 11'],
    ['a match in front of its beginning', [...ABC, 4, 0, 0], 'an lz4 match comes from outside at byte 15'],
    ['a match of distance 0', [...ABC, 0, 0, 0], 'an lz4 match comes from outside at byte 15'],
    ['a match as its end', [...ABC, 1, 0], 'an lz4 block ends without its last literals at byte 17'],
  ])('refuses a block with %s', (_name, body, message) => {
    const error = errorOf(() => inflate('lz4', frame(body)));

    // A block of no bytes is the end mark, so that the true one is left over.
    expect(error.message).toBe(message ?? '4 bytes are left over behind the lz4 frame, at byte 11');
  });

  it('lets only linked blocks copy from the ones before', () => {
    const second = [0, 3, 0, 0];
    const blocks = [ABC, second].map((body) => compressedBlock(Buffer.from(body), PLAIN));
    const linked = lz4FrameOf(blocks, Buffer.alloc(0), { ...PLAIN, linked: true });

    expect(inflate('lz4', linked).toString()).toBe('abcabca');
    expect(() => inflate('lz4', lz4FrameOf(blocks, Buffer.alloc(0), PLAIN))).toThrow(
      'an lz4 match comes from outside at byte 20',
    );
  });

  it('refuses a block that comes to more than the header allows, and one whose bytes are more', () => {
    const lengths = new Array<number>(300).fill(255);

    expect(() => inflate('lz4', frame([0x1f, 97, 1, 0, ...lengths, 0, 0]))).toThrow(
      'an lz4 block comes to more than 65536 bytes at byte 7',
    );
    expect(() => inflate('lz4', frame(new Array<number>(65_537).fill(0)))).toThrow(
      'an lz4 block of 65537 bytes, with 65536 the most, at byte 7',
    );
  });

  it('refuses too much by the limit, whatever the header says', () => {
    const long = [0x1f, 97, 1, 0, ...new Array<number>(200).fill(255), 0, 0];
    for (const options of [{}, { contentSize: true }]) {
      const compressed = frame(long, options, 'a'.repeat(1 + 19 + 200 * 255));

      expect(inflate('lz4', compressed, { maxBytes: 51_020 }).toString()).toBe('a'.repeat(51_020));
      expect(isTooLarge(errorOf(() => inflate('lz4', compressed, { maxBytes: 51_019 })))).toBe(true);
    }
  });
});

function skippable(): Buffer {
  return Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18]), uint32(3), Buffer.from('abc')]);
}

/** A header with the checksum that is right for it; the flags of the frame are in it. */
function withChecksum(header: Buffer): Buffer {
  return Buffer.concat([header, Buffer.from([(slowXxHash32(header.subarray(4)) >>> 8) & 0xff])]);
}
