import { Copies } from './Copies';

/** What a stream of snappy-java begins with: its name, its version, and the oldest version that can read it. */
const STREAM_HEADER = Buffer.concat([
  Buffer.from([0x82]),
  Buffer.from('SNAPPY'),
  Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, 1]),
]);
const BLOCK_BYTES = 32 * 1024;
/** From here on the length of literals is in bytes behind the tag. */
const LONG_LITERAL = 60;
const COPY_OF_TWO_BYTES_DISTANCE = 2;
const MOST_COPY_BYTES = 64;

/** Compresses as JVM clients and brokers do: blocks in the framing of snappy-java. */
export function snappy(bytes: Buffer): Buffer {
  const parts: Buffer[] = [STREAM_HEADER];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = snappyBlock(bytes.subarray(at, at + BLOCK_BYTES));
    const size = Buffer.alloc(4);
    size.writeInt32BE(block.length);
    parts.push(size, block);
  }
  return Buffer.concat(parts);
}

function snappyBlock(block: Buffer): Buffer {
  const parts: Buffer[] = [sizeOf(block.length)];
  const copies = new Copies(block);
  let at = 0;
  while (copies.next()) {
    pushLiterals(parts, block.subarray(at, copies.start));
    for (let left = copies.length; left > 0; left -= MOST_COPY_BYTES) {
      const length = Math.min(left, MOST_COPY_BYTES);
      const tag = ((length - 1) << 2) | COPY_OF_TWO_BYTES_DISTANCE;
      parts.push(Buffer.from([tag, copies.distance & 0xff, copies.distance >> 8]));
    }
    at = copies.start + copies.length;
  }
  pushLiterals(parts, block.subarray(at));
  return Buffer.concat(parts);
}

function sizeOf(sizeBytes: number): Buffer {
  const bytes: number[] = [];
  let rest = sizeBytes;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function pushLiterals(parts: Buffer[], literals: Buffer): void {
  if (literals.length === 0) return;
  const last = literals.length - 1;
  const tag =
    last < LONG_LITERAL ? [last << 2] : last < 0x100 ? [60 << 2, last] : [61 << 2, last & 0xff, last >> 8];
  parts.push(Buffer.from(tag), literals);
}
