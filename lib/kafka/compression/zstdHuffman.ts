import { DamagedError } from './damage';
import { endOfFseTable, readFseTable } from './zstdFse';

/** A decoding table for literals; `entries[next bits]` is the symbol, with the bits that it takes `<< 8`. */
export interface HuffmanTable {
  /** Bits of the longest code. */
  readonly log: number;
  readonly entries: Uint16Array;
}

const MOST_BITS = 11;
const MOST_WEIGHTS = 255;
const MOST_WEIGHTS_LOG = 6;
/** A byte from here on is a number of weights of four bits; below it is the size of compressed ones. */
const PLAIN_WEIGHTS = 128;

/* Positions are compared with the ends before bytes are read or written. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/** Where the last table that was read ended. */
let nextAt = 0;

/** Where the table that was just read ended. */
export function endOfHuffmanTable(): number {
  return nextAt;
}

/** Reads the description of a table in `input[start..end)`. */
export function readHuffmanTable(input: Buffer, view: DataView, start: number, end: number): HuffmanTable {
  if (start >= end) throw new DamagedError('a zstd block ends before its Huffman table', start);
  const weights = new Uint8Array(MOST_WEIGHTS + 1);
  const header = input[start]!;
  const plainWeights = header - PLAIN_WEIGHTS + 1;
  const sizeBytes = plainWeights > 0 ? (plainWeights + 1) >>> 1 : header;
  nextAt = start + 1 + sizeBytes;
  if (nextAt > end) throw new DamagedError('a zstd block ends inside its Huffman table', start);
  let count: number;
  if (plainWeights > 0) {
    count = plainWeights;
    for (let index = 0; index < count; index++) {
      const byte = input[start + 1 + (index >>> 1)]!;
      weights[index] = (index & 1) === 0 ? byte >>> 4 : byte & 0x0f;
    }
  } else {
    count = readWeights(input, view, start + 1, nextAt, weights);
  }
  return huffmanTable(weights, count, start);
}

/** Decompresses weights, whose number shows by the end of their bits. */
function readWeights(input: Buffer, view: DataView, start: number, end: number, weights: Uint8Array): number {
  const { log, entries } = readFseTable(input, start, end, MOST_WEIGHTS_LOG, MOST_BITS + 1);
  const base = endOfFseTable();
  let bitsLeft = bitsBelowMark(input, base, end) - 2 * log;
  if (bitsLeft < 0) throw new DamagedError('a zstd Huffman table ends too early', end);
  let state = bitsBelow(view, base, bitsLeft + log, log);
  let other = bitsBelow(view, base, bitsLeft, log);
  for (let count = 0; count < MOST_WEIGHTS;) {
    const entry = entries[state]!;
    weights[count++] = entry & 0xff;
    const bits = (entry >>> 8) & 0xff;
    bitsLeft -= bits;
    if (bitsLeft < 0) {
      if (count === MOST_WEIGHTS) break;
      weights[count++] = entries[other]! & 0xff;
      return count;
    }
    state = other;
    other = (entry >>> 16) + bitsBelow(view, base, bitsLeft, bits);
  }
  throw new DamagedError('a zstd Huffman table has too many weights', start);
}

/** The last weight is not told: it is what makes the sum a power of two. */
function huffmanTable(weights: Uint8Array, count: number, start: number): HuffmanTable {
  let sum = 0;
  for (let index = 0; index < count; index++) {
    if (weights[index]! > MOST_BITS) throw new DamagedError('a zstd Huffman table has codes too long', start);
    sum += (1 << weights[index]!) >>> 1;
  }
  const log = 32 - Math.clz32(sum);
  const left = (1 << log) - sum;
  if (sum === 0 || log > MOST_BITS || (left & (left - 1)) !== 0) {
    throw new DamagedError('a zstd Huffman table whose codes do not fit', start);
  }
  weights[count] = 32 - Math.clz32(left);
  const entries = new Uint16Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    for (let symbol = 0; symbol <= count; symbol++) {
      if (weights[symbol] !== weight) continue;
      const from = at;
      at += 1 << (weight - 1);
      entries.fill(symbol | ((log + 1 - weight) << 8), from, at);
    }
  }
  return { log, entries };
}

/** Decodes a stream of literals in `input[start..end)`, which fills `output[from..to)` to the last bit. */
export function decodeHuffmanStream(
  input: Buffer,
  view: DataView,
  start: number,
  end: number,
  output: Uint8Array,
  from: number,
  to: number,
  { log, entries }: HuffmanTable,
): void {
  const mask = (1 << log) - 1;
  let bitsLeft = bitsBelowMark(input, start, end);
  let out = from;
  // A word holds at least 25 bits that are left, so two codes.
  for (const last = to - 2; out <= last && bitsLeft >= 2 * MOST_BITS; out += 2) {
    const wordEnd = (bitsLeft + 7) >>> 3;
    const word = view.getUint32(start + wordEnd - 4, true);
    const shift = bitsLeft - wordEnd * 8 + 32 - log;
    const first = entries[(word >>> shift) & mask]!;
    const second = entries[(word >>> (shift - (first >>> 8))) & mask]!;
    output[out] = first;
    output[out + 1] = second;
    bitsLeft -= (first >>> 8) + (second >>> 8);
  }
  for (; out < to && bitsLeft > 0; out++) {
    const wordEnd = (bitsLeft + 7) >>> 3;
    const word = view.getUint32(start + wordEnd - 4, true);
    const entry = entries[(word >>> (bitsLeft - wordEnd * 8 + 32 - log)) & mask]!;
    output[out] = entry;
    bitsLeft -= entry >>> 8;
  }
  if (out !== to || bitsLeft !== 0)
    throw new DamagedError('a zstd stream of literals with a wrong length', start);
}

/** The bits of a stream that is read backwards; it ends with a mark, the highest bit of its last byte. */
export function bitsBelowMark(input: Buffer, start: number, end: number): number {
  const last = end > start ? input[end - 1]! : 0;
  if (last === 0) throw new DamagedError('a zstd stream of bits without a mark at its end', end);
  return (end - start) * 8 - 8 + 31 - Math.clz32(last);
}

/** The `count` bits above the lowest `bits`, at most 25; `start` is at least 4, since zstd frames begin with a magic number. */
function bitsBelow(view: DataView, start: number, bits: number, count: number): number {
  const wordEnd = (bits + count + 7) >>> 3;
  const word = view.getUint32(start + wordEnd - 4, true);
  return (word >>> (bits - wordEnd * 8 + 32)) & ((1 << count) - 1);
}
