import { zstdByScript } from '../../../../lib/kafka/compression/zstd';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { errorOf, inflate } from './support/inflate';
import { vectors, vectorsOf } from './support/vectors';

describe.each(vectors)('$codec: $name', ({ codec, magic, compressed, plain }) => {
  const inflateOne = (bytes: Buffer, maxBytes = plain.length): Buffer =>
    inflate(codec, bytes, { magic, maxBytes: Math.max(maxBytes, 1) });

  it('is inflated', () => {
    expect(inflateOne(compressed).equals(plain)).toBe(true);
  });

  it('is inflated where it lies at the end of a larger buffer, or inside it', () => {
    const larger = Buffer.concat([Buffer.alloc(3, 0xff), compressed, Buffer.alloc(40, 0xff)]);
    const atEnd = larger.subarray(0, 3 + compressed.length).subarray(3);
    const alone = Buffer.from(new Uint8Array(compressed).buffer);

    expect(inflateOne(atEnd).equals(plain)).toBe(true);
    expect(inflateOne(alone).equals(plain)).toBe(true);
  });

  it('is too large by one byte', () => {
    const limits = plain.length > 1 ? [1, Math.floor(plain.length / 2), plain.length - 1] : [];
    for (const maxBytes of limits) {
      expect(isTooLarge(errorOf(() => inflateOne(compressed, maxBytes)))).toBe(true);
    }
    expect(limits.length > 0 || plain.length === 0).toBe(true);
  });

  it('is damaged if a byte more follows', () => {
    const longer = Buffer.concat([compressed, Buffer.from([1])]);

    expect(isTooLarge(errorOf(() => inflateOne(longer, plain.length + 100)))).toBe(false);
  });

  it('never gives anything but its beginning if it is cut off', () => {
    const step = Math.max(1, Math.floor(compressed.length / 300));
    const outputs: (Buffer | null)[] = [];
    for (let length = 0; length < compressed.length; length += step) {
      outputs.push(outputOrNull(() => inflateOne(compressed.subarray(0, length))));
    }
    const given = outputs.filter((output) => output !== null);

    // Only the framing of snappy-java has no end mark, so that a stream may end behind each block.
    expect(codec === 'snappy' ? [] : given).toEqual([]);
    for (const output of given) {
      expect(output.length < plain.length || plain.length === 0).toBe(true);
      expect(plain.subarray(0, output.length).equals(output)).toBe(true);
    }
  });

  it('shares no memory with what is inflated next', () => {
    const first = inflateOne(compressed);
    for (const other of vectorsOf(codec)) inflate(codec, other.compressed, { magic: other.magic });

    expect(first.equals(plain)).toBe(true);
  });
});

describe('zstd without the help of Node', () => {
  it.each(vectorsOf('zstd'))('inflates $name', ({ compressed, plain }) => {
    expect(zstdByScript(compressed, plain.length).equals(plain)).toBe(true);
  });
});

/** Null for damage; other errors are errors. */
function outputOrNull(action: () => Buffer): Buffer | null {
  try {
    return action();
  } catch (error) {
    if (isTooLarge(error)) throw error;
    return null;
  }
}
