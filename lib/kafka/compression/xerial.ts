import type { Inflate } from './codecs';
import { DamagedError, TooLargeError } from './damage';
import { decodeSnappyBlock, snappyBlock, snappyBlockSize } from './snappy';

interface Block {
  readonly start: number;
  readonly end: number;
}

/** What a stream of snappy-java begins with; its version and the oldest version that can read it follow. */
const MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const VERSION_AT = 8;
const HEADER_BYTES = 16;
const SIZE_BYTES = 4;

/**
 * Decompresses what producers write for snappy: blocks in the framing of snappy-java, or one raw block. No raw block begins
 * like the framing, since its first element would be a copy of what is not there.
 */
export function inflateSnappy(compressed: Buffer, maxBytes: number): Buffer {
  if (!hasHeader(compressed, 0)) return snappyBlock(compressed, maxBytes);
  const blocks = blocksOf(compressed);
  const sizes = blocks.map(({ start, end }) => snappyBlockSize(compressed, start, end));
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
  if (sizeBytes > maxBytes) throw new TooLargeError(maxBytes);
  const output = Buffer.allocUnsafe(sizeBytes);
  let out = 0;
  for (const [index, { start, end }] of blocks.entries()) {
    const outEnd = out + (sizes[index] ?? 0);
    decodeSnappyBlock(compressed, start, end, output, out, outEnd);
    out = outEnd;
  }
  return output;
}

/** The same with another decompressor of raw blocks. */
export function inflateSnappyWith(inflateBlock: Inflate, compressed: Buffer, maxBytes: number): Buffer {
  if (!hasHeader(compressed, 0)) return inflateBlock(compressed, maxBytes);
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for (const { start, end } of blocksOf(compressed)) {
    const part = inflateBlock(compressed.subarray(start, end), maxBytes - sizeBytes);
    parts.push(part);
    sizeBytes += part.length;
  }
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts, sizeBytes);
}

function hasHeader(bytes: Buffer, at: number): boolean {
  return bytes.length - at >= MAGIC.length && MAGIC.compare(bytes, at, at + MAGIC.length) === 0;
}

/** The raw blocks inside the framing. Streams may be put together, so a header may follow a block. */
function blocksOf(stream: Buffer): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < stream.length) {
    if (hasHeader(stream, at)) {
      if (stream.length - at < HEADER_BYTES)
        throw new DamagedError('a snappy stream ends inside its header', at);
      const version = stream.readInt32BE(at + VERSION_AT);
      if (version < 1) throw new DamagedError(`a snappy stream of version ${version}`, at + VERSION_AT);
      at += HEADER_BYTES;
      continue;
    }
    if (stream.length - at < SIZE_BYTES) throw new DamagedError('a snappy stream ends inside a size', at);
    const start = at + SIZE_BYTES;
    const sizeBytes = stream.readInt32BE(at);
    if (sizeBytes <= 0 || sizeBytes > stream.length - start) {
      throw new DamagedError(
        `a snappy stream has ${stream.length - start} bytes for a block of ${sizeBytes}`,
        at,
      );
    }
    at = start + sizeBytes;
    blocks.push({ start, end: at });
  }
  return blocks;
}
