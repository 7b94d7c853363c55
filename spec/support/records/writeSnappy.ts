import { copySteps } from './copySteps';

const XERIAL_MAGIC = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const MOST_COPY_BYTES = 64;
/** Tags whose length is in the bytes behind them. */
const SHORTEST_LONG_LITERAL = 60;

/** An unsigned number, seven bits a byte, the lowest first. */
export function unsignedVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function littleEndian(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => Math.floor(value / 256 ** n) % 256);
}

function literal(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes;
  const last = bytes.length - 1;
  if (last < SHORTEST_LONG_LITERAL) return Buffer.concat([Buffer.from([last << 2]), bytes]);
  const count = last < 0x100 ? 1 : last < 0x1_0000 ? 2 : 3;
  const tag = [(SHORTEST_LONG_LITERAL + count - 1) << 2, ...littleEndian(last, count)];
  return Buffer.concat([Buffer.from(tag), bytes]);
}

/** All three forms of a copy come up: by the distance, and by whether it is odd. */
function copy(distance: number, length: number): number[] {
  if (length >= 4 && length <= 11 && distance < 2048) {
    return [((distance >> 8) << 5) | ((length - 4) << 2) | 1, distance & 0xff];
  }
  if (distance % 2 === 0) return [((length - 1) << 2) | 2, ...littleEndian(distance, 2)];
  return [((length - 1) << 2) | 3, ...littleEndian(distance, 4)];
}

/** One block: its length when opened, then literals and copies. */
export function snappyBlock(bytes: Buffer): Buffer {
  const parts: Buffer[] = [unsignedVarint(bytes.length)];
  for (const { literals, distance, length } of copySteps(bytes)) {
    parts.push(literal(literals));
    for (let left = length; left > 0; left -= MOST_COPY_BYTES) {
      parts.push(Buffer.from(copy(distance, Math.min(left, MOST_COPY_BYTES))));
    }
  }
  return Buffer.concat(parts);
}

/** The framing of the JVM's library: a header, then blocks with their sizes in front. */
export function snappyXerial(bytes: Buffer, blockBytes: number): Buffer {
  const parts: Buffer[] = [XERIAL_MAGIC, Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])];
  for (let at = 0; at < bytes.length || at === 0; at += blockBytes) {
    const block = snappyBlock(bytes.subarray(at, at + blockBytes));
    const size = Buffer.alloc(4);
    size.writeInt32BE(block.length);
    parts.push(size, block);
  }
  return Buffer.concat(parts);
}
