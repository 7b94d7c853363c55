import { SlowReader, Unreadable } from './SlowReader';
import { TooLarge } from './TooLarge';

const MAGIC = 0xfd2f_b528;
const RAW = 0;
const RLE = 1;

const MOST_BLOCK_BYTES = 128 * 1024;
/** What libzstd takes unless told otherwise. */
const MOST_WINDOW_BYTES = 128 * 1024 * 1024;

interface FrameHeader {
  /** Size of the content; null if it is not told. */
  readonly size: bigint | null;
  readonly mostBlockBytes: number;
}

/**
 * Opens frames whose blocks are raw or one byte repeated; null where there is more to it (entropy coding, a checksum, several
 * frames), since that would be as long as all the rest of the reference together.
 */
export function readPlainZstd(bytes: Buffer, maxBytes: number): Buffer | null {
  const reader = new SlowReader(bytes);
  const header = frameHeader(reader);
  if (header === null) return null;
  const out: Buffer[] = [];
  let length = 0;
  for (let isLast = false; !isLast;) {
    const word = reader.take(3).readUIntLE(0, 3);
    isLast = (word & 1) === 1;
    const type = (word >> 1) & 3;
    const count = word >> 3;
    if (type !== RAW && type !== RLE) return null;
    if (count > header.mostBlockBytes) throw new Unreadable(`a block of ${count} bytes`);
    const content = type === RAW ? reader.take(count) : Buffer.alloc(count, reader.take(1));
    length += count;
    if (length > maxBytes) throw new TooLarge();
    out.push(content);
  }
  if (reader.left > 0) return null;
  if (header.size !== null && header.size !== BigInt(length))
    throw new Unreadable('another size than it says');
  return Buffer.concat(out);
}

/** Null for a frame with a dictionary, a checksum or reserved bits, or of another kind. */
function frameHeader(reader: SlowReader): FrameHeader | null {
  if (reader.take(4).readUInt32LE() !== MAGIC) return null;
  const [flags = 0] = reader.take(1);
  if ((flags & 0x1f) !== 0) return null;
  const isSingleSegment = (flags & 0x20) !== 0;
  const [descriptor = 0] = isSingleSegment ? [] : reader.take(1);
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
  const size = sizeBytes === 0 ? null : sizeIn(reader.take(sizeBytes));
  const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
  if (!isSingleSegment && window > MOST_WINDOW_BYTES) throw new Unreadable(`a window of ${window} bytes`);
  return { size, mostBlockBytes: Math.min(MOST_BLOCK_BYTES, isSingleSegment ? Number(size) : window) };
}

function sizeIn(field: Buffer): bigint {
  const value = BigInt(`0x${Buffer.from(field).reverse().toString('hex')}`);
  return field.length === 2 ? value + 256n : value;
}
