import { copyLiterals, copyMatch } from './copies';
import { DamagedError, TooLargeError } from './damage';

/** A copy of 64 bytes takes three, and no element yields more for its bytes. */
const MOST_BYTES_PER_BYTE = 22;
const MOST_LENGTH_BYTES = 5;

/** Decompresses one raw block. */
export function snappyBlock(compressed: Buffer, maxBytes: number): Buffer {
  const sizeBytes = snappyBlockSize(compressed, 0, compressed.length);
  if (sizeBytes > maxBytes) throw new TooLargeError(maxBytes);
  const output = Buffer.allocUnsafe(sizeBytes);
  decodeSnappyBlock(compressed, 0, compressed.length, output, 0, sizeBytes);
  return output;
}

/* Positions are compared with the ends before bytes are read or written. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/** How many bytes the raw block in `input[start..end)` says it comes to; never more than it can come to. */
export function snappyBlockSize(input: Buffer, start: number, end: number): number {
  let size = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    if (at === end) throw new DamagedError('a snappy block ends inside its size', at);
    const byte = input[at++]!;
    size += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
    if (at - start === MOST_LENGTH_BYTES)
      throw new DamagedError('the size of a snappy block does not end', at);
  }
  if (size > (end - at) * MOST_BYTES_PER_BYTE) {
    throw new DamagedError(`a snappy block of ${end - start} bytes claims to hold ${size}`, start);
  }
  return size;
}

/** Decompresses the raw block in `input[start..end)` to `output[from..to)`, where `to - from` is its `snappyBlockSize`. */
export function decodeSnappyBlock(
  input: Buffer,
  start: number,
  end: number,
  output: Buffer,
  from: number,
  to: number,
): void {
  const source = new DataView(input.buffer, input.byteOffset, input.length);
  const target = new DataView(output.buffer, output.byteOffset, output.length);
  let at = start;
  let out = from;
  while (input[at++]! >= 0x80);
  while (at < end) {
    const tagAt = at;
    const tag = input[at++]!;
    const kind = tag & 3;
    if (kind === 0) {
      let length = (tag >>> 2) + 1;
      if (length > 60) {
        const sizeBytes = length - 60;
        if (sizeBytes > end - at) throw new DamagedError('a snappy block ends inside a literal', tagAt);
        length = input.readUIntLE(at, sizeBytes) + 1;
        at += sizeBytes;
      }
      if (length > end - at) throw new DamagedError('a snappy block ends inside a literal', tagAt);
      if (length > to - out) throw tooLong(tagAt);
      copyLiterals(input, source, at, length, output, target, out);
      at += length;
      out += length;
      continue;
    }
    let length = (tag >>> 2) + 1;
    let distance: number;
    if (end - at < kind) throw new DamagedError('a snappy block ends inside a copy', tagAt);
    if (kind === 1) {
      length = ((tag >>> 2) & 7) + 4;
      distance = ((tag >>> 5) << 8) | input[at++]!;
    } else if (kind === 2) {
      distance = input[at]! | (input[at + 1]! << 8);
      at += 2;
    } else {
      if (end - at < 4) throw new DamagedError('a snappy block ends inside a copy', tagAt);
      distance = source.getUint32(at, true);
      at += 4;
    }
    if (distance === 0 || distance > out - from) {
      throw new DamagedError('a snappy copy comes from outside its block', tagAt);
    }
    if (length > to - out) throw tooLong(tagAt);
    copyMatch(output, target, out, distance, length);
    out += length;
  }
  if (out !== to) throw new DamagedError(`a snappy block ends ${to - out} bytes early`, end);
}

function tooLong(at: number): DamagedError {
  return new DamagedError('a snappy block comes to more than its size', at);
}
