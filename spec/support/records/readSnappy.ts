import { SlowReader, Unreadable } from './SlowReader';
import { TooLarge } from './TooLarge';

const XERIAL_MAGIC = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);

function uint32LE(reader: SlowReader, byteCount: number): number {
  return reader.take(byteCount).readUIntLE(0, byteCount);
}

function unsignedVarint(reader: SlowReader): number {
  let sum = 0;
  for (let count = 0; count < 5; count += 1) {
    const [byte = 0] = reader.take(1);
    sum += (byte & 0x7f) * 128 ** count;
    if (byte < 0x80) {
      if (sum > 0xffff_ffff) throw new Unreadable('a length of more than 32 bits');
      return sum;
    }
  }
  throw new Unreadable('a length of more than five bytes');
}

function block(bytes: Buffer, maxBytes: number): number[] {
  const reader = new SlowReader(bytes);
  const length = unsignedVarint(reader);
  if (length > maxBytes) throw new TooLarge();
  const out: number[] = [];
  while (reader.left > 0) {
    const [tag = 0] = reader.take(1);
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const count = high < 60 ? high + 1 : uint32LE(reader, high - 59) + 1;
      for (const byte of reader.take(count)) out.push(byte);
    } else {
      const isShort = (tag & 3) === 1;
      const count = isShort ? (high & 7) + 4 : high + 1;
      const distance = isShort
        ? ((tag >> 5) << 8) + uint32LE(reader, 1)
        : uint32LE(reader, (tag & 3) === 2 ? 2 : 4);
      if (distance === 0 || distance > out.length) throw new Unreadable('a copy of what is not there');
      for (let n = 0; n < count; n += 1) out.push(out[out.length - distance] ?? 0);
    }
    if (out.length > length) throw new Unreadable('more than the length in front');
  }
  if (out.length !== length) throw new Unreadable('less than the length in front');
  return out;
}

/** Opens snappy, in the framing of the JVM's library or as one block. */
export function readSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC))
    return Buffer.from(block(bytes, maxBytes));
  const reader = new SlowReader(bytes);
  const out: Buffer[] = [];
  let left = maxBytes;
  while (reader.left > 0) {
    // Streams may be put together, so a header may follow a block. Two versions are behind the magic number.
    if (bytes.subarray(reader.at, reader.at + XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) {
      reader.take(XERIAL_MAGIC.length);
      if (reader.int(4) < 1n) throw new Unreadable('a stream of an unknown version');
      reader.take(4);
      continue;
    }
    const opened = Buffer.from(block(reader.take(reader.int(4)), left));
    left -= opened.length;
    out.push(opened);
  }
  return Buffer.concat(out);
}
