import * as zlib from 'node:zlib';
import { DamagedError, TooLargeError } from './damage';
import { finishedOutput, outputFor } from './outputBuffer';
import { decodeZstdFrame } from './zstdDecoder';
import { type ZstdFrame, zstdFramesOf } from './zstdFrames';

type NativeZstd = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Buffer;

/** Absent before Node 22.15; the types of Node 20 do not know it. */
const native = (zlib as { readonly zstdDecompressSync?: NativeZstd }).zstdDecompressSync;

const LEAST_CHUNK_BYTES = 1024;
const MOST_CHUNK_BYTES = 1024 * 1024;

/**
 * Decompresses all frames of a set. Node's own zstd says nothing if a frame is cut off, and stops behind the first one, so it
 * gets one frame after the other, and only whole ones.
 */
export const zstd = native === undefined ? zstdByScript : zstdByNode(native);

/** Exported for its spec: Node before 22.15 has nothing else. */
export function zstdByScript(compressed: Buffer, maxBytes: number): Buffer {
  const frames = zstdFramesOf(compressed);
  const output = outputFor(mostBytesOf(frames, maxBytes));
  const to = Math.min(output.length, maxBytes);
  let out = 0;
  for (const frame of frames) {
    const outEnd = decodeZstdFrame(compressed, frame, output, out, to);
    if (outEnd < 0) throw outOfRoom(frame, maxBytes);
    assertContentSize(frame, outEnd - out);
    out = outEnd;
  }
  return finishedOutput(output, out);
}

/** Exported for its spec. */
export function zstdByNode(decompress: NativeZstd): (compressed: Buffer, maxBytes: number) => Buffer {
  return (compressed, maxBytes) => {
    const frames = zstdFramesOf(compressed);
    mostBytesOf(frames, maxBytes);
    const parts: Buffer[] = [];
    let out = 0;
    for (const frame of frames) {
      // The chunk has a byte to spare, by which the end is seen.
      const mostBytes = Math.min(frame.mostBytes, maxBytes) + 1;
      const chunkSize = Math.min(Math.max(mostBytes, LEAST_CHUNK_BYTES), MOST_CHUNK_BYTES);
      const maxOutputLength = Math.max(maxBytes - out, 1);
      const part = decompress(compressed.subarray(frame.start, frame.end), { maxOutputLength, chunkSize });
      assertContentSize(frame, part.length);
      out += part.length;
      if (out > maxBytes) throw new TooLargeError(maxBytes);
      parts.push(part);
    }
    const [first] = parts;
    return first !== undefined && parts.length === 1 ? slim(first) : Buffer.concat(parts, out);
  };
}

/** The most bytes to expect; what the headers tell for certain is compared with the limit. */
function mostBytesOf(frames: readonly ZstdFrame[], maxBytes: number): number {
  let certainBytes = 0;
  let mostBytes = 0;
  for (const frame of frames) {
    certainBytes += frame.contentBytes ?? 0;
    mostBytes += frame.mostBytes;
  }
  if (certainBytes > maxBytes) throw new TooLargeError(maxBytes);
  return Math.min(mostBytes, maxBytes);
}

function assertContentSize({ contentBytes, start }: ZstdFrame, sizeBytes: number): void {
  if (contentBytes === null || contentBytes === sizeBytes) return;
  throw new DamagedError(`a zstd frame holds ${sizeBytes} bytes in place of ${contentBytes}`, start);
}

/** The output has room for all that can come, so it is the limit that was met, or the size in the header. */
function outOfRoom({ contentBytes, start }: ZstdFrame, maxBytes: number): Error {
  return contentBytes === null
    ? new TooLargeError(maxBytes)
    : new DamagedError(`a zstd frame holds more than its ${contentBytes} bytes`, start);
}

/** A copy if the bytes keep much more alive than themselves. */
function slim(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : bytes;
}
