import { copyLiterals, copyMatch } from './copies';
import { DamagedError } from './damage';

const LEAST_MATCH_BYTES = 4;
const RUN_MASK = 15;

/* Positions are compared with the ends before bytes are read or written. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/**
 * Decompresses the block in `input[start..end)` to `output[from..to)` and tells where its output ends, or -1 if it comes to
 * more. Matches may come from `output[windowStart..)`. Bytes behind the end, but inside `output`, may be written over.
 */
export function decodeLz4Block(
  input: Buffer,
  start: number,
  end: number,
  output: Buffer,
  from: number,
  to: number,
  windowStart: number,
): number {
  const source = new DataView(input.buffer, input.byteOffset, input.length);
  const target = new DataView(output.buffer, output.byteOffset, output.length);
  let at = start;
  let out = from;
  for (;;) {
    if (at >= end) throw new DamagedError('an lz4 block ends without its last literals', at);
    const tokenAt = at;
    const token = input[at++]!;
    let length = token >>> 4;
    if (length === RUN_MASK) {
      let byte: number;
      do {
        if (at === end) throw new DamagedError('an lz4 block ends inside a length', tokenAt);
        byte = input[at++]!;
        length += byte;
      } while (byte === 255);
    }
    if (length > end - at) throw new DamagedError('an lz4 block ends inside its literals', tokenAt);
    if (length > to - out) return -1;
    copyLiterals(input, source, at, length, output, target, out);
    at += length;
    out += length;
    if (at === end) return out;

    if (end - at < 2) throw new DamagedError('an lz4 block ends inside a distance', at);
    const distance = input[at]! | (input[at + 1]! << 8);
    at += 2;
    if (distance === 0 || distance > out - windowStart) {
      throw new DamagedError('an lz4 match comes from outside', at - 2);
    }
    length = (token & RUN_MASK) + LEAST_MATCH_BYTES;
    if (length === RUN_MASK + LEAST_MATCH_BYTES) {
      let byte: number;
      do {
        if (at === end) throw new DamagedError('an lz4 block ends inside a length', tokenAt);
        byte = input[at++]!;
        length += byte;
      } while (byte === 255);
    }
    if (length > to - out) return -1;
    copyMatch(output, target, out, distance, length);
    out += length;
  }
}
