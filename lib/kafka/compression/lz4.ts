import { DamagedError, TooLargeError } from './damage';
import { decodeLz4Block } from './lz4Block';
import { type Lz4Header, readLz4Header } from './lz4Header';
import { finishedOutput, outputFor } from './outputBuffer';
import { xxHash32 } from './xxHash32';

/** Set in the size of a block that is stored as it is. */
const STORED = 0x8000_0000;
const SIZE_BYTES = 4;
const CHECKSUM_BYTES = 4;
/** A byte of a length adds at most this to a match, and nothing else yields more. */
const MOST_BYTES_PER_BYTE = 255;

/** Decompresses one frame, which must be all there is; the JVM's reader stops behind it, so more would be lost there. */
export function lz4Frame(compressed: Buffer, maxBytes: number): Buffer {
  const header = readLz4Header(compressed);
  const mostBytes = mostBytesOf(compressed, header);
  const { contentBytes } = header;
  if (contentBytes !== null) {
    if (contentBytes > mostBytes) {
      throw new DamagedError(`an lz4 frame of ${compressed.length} bytes claims to hold ${contentBytes}`, 0);
    }
    if (contentBytes > maxBytes) throw new TooLargeError(maxBytes);
  }
  const output = outputFor(Math.min(contentBytes ?? mostBytes, maxBytes));
  const sizeBytes = decodeBlocks(compressed, header, output, maxBytes);
  if (contentBytes !== null && contentBytes !== sizeBytes) {
    throw new DamagedError(`an lz4 frame holds ${sizeBytes} bytes in place of ${contentBytes}`, 0);
  }
  if (header.contentChecksum) {
    const checksumAt = compressed.length - CHECKSUM_BYTES;
    if (xxHash32(output, 0, sizeBytes) !== compressed.readUInt32LE(checksumAt)) {
      throw new DamagedError('an lz4 frame has a wrong content checksum', checksumAt);
    }
  }
  return finishedOutput(output, sizeBytes);
}

/** Walks the sizes of the blocks, so that they need no more checks; tells the most bytes that they can come to. */
function mostBytesOf(compressed: Buffer, header: Lz4Header): number {
  const { endAt, maxBlockBytes, blockChecksums, contentChecksum } = header;
  const checksumBytes = blockChecksums ? CHECKSUM_BYTES : 0;
  let mostBytes = 0;
  let at = endAt;
  for (;;) {
    if (compressed.length - at < SIZE_BYTES)
      throw new DamagedError('an lz4 frame ends without its end mark', at);
    const size = compressed.readUInt32LE(at);
    if (size === 0) break;
    const blockBytes = size % STORED;
    if (blockBytes > maxBlockBytes) {
      throw new DamagedError(`an lz4 block of ${blockBytes} bytes, with ${maxBlockBytes} the most,`, at);
    }
    const nextAt = at + SIZE_BYTES + blockBytes + checksumBytes;
    if (nextAt > compressed.length)
      throw new DamagedError('an lz4 frame ends inside the block that begins', at);
    mostBytes += size >= STORED ? blockBytes : Math.min(blockBytes * MOST_BYTES_PER_BYTE, maxBlockBytes);
    at = nextAt;
  }
  at += SIZE_BYTES + (contentChecksum ? CHECKSUM_BYTES : 0);
  if (at > compressed.length)
    throw new DamagedError('an lz4 frame ends without its checksum', compressed.length);
  if (at < compressed.length) {
    throw new DamagedError(`${compressed.length - at} bytes are left over behind the lz4 frame,`, at);
  }
  return mostBytes;
}

/** Tells how many bytes the blocks came to. */
function decodeBlocks(compressed: Buffer, header: Lz4Header, output: Buffer, maxBytes: number): number {
  let at = header.endAt;
  let out = 0;
  for (;;) {
    const sizeAt = at;
    const size = compressed.readUInt32LE(at);
    at += SIZE_BYTES;
    if (size === 0) return out;
    const end = at + (size % STORED);
    if (header.blockChecksums && xxHash32(compressed, at, end) !== compressed.readUInt32LE(end)) {
      throw new DamagedError('an lz4 block with a wrong checksum', sizeAt);
    }
    const room = Math.min(output.length, maxBytes) - out;
    const mostBytes = Math.min(room, header.maxBlockBytes);
    if (size >= STORED) {
      if (end - at > room) throw outOfRoom(header, maxBytes, sizeAt);
      compressed.copy(output, out, at, end);
      out += end - at;
    } else {
      const windowStart = header.linkedBlocks ? 0 : out;
      const outEnd = decodeLz4Block(compressed, at, end, output, out, out + mostBytes, windowStart);
      if (outEnd < 0) {
        if (mostBytes < header.maxBlockBytes) throw outOfRoom(header, maxBytes, sizeAt);
        throw new DamagedError(`an lz4 block comes to more than ${mostBytes} bytes`, sizeAt);
      }
      out = outEnd;
    }
    at = header.blockChecksums ? end + CHECKSUM_BYTES : end;
  }
}

/** The output has room for all that can come, so it is the limit that was met, or the size in the header. */
function outOfRoom({ contentBytes }: Lz4Header, maxBytes: number, at: number): Error {
  return contentBytes === null
    ? new TooLargeError(maxBytes)
    : new DamagedError(`an lz4 frame holds more than its ${contentBytes} bytes`, at);
}
