import { DamagedError } from './damage';

/** A decoding table of finite state entropy; `entries[state]` is the symbol, with `bits << 8` and `nextState << 16`. */
export interface FseTable {
  /** Bits of a state. */
  readonly log: number;
  readonly entries: Uint32Array;
}

const MOST_SYMBOLS = 256;
const LEAST_LOG = 5;

/* Positions are compared with the ends, and symbols with their number, before they are used. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/** Where the last table that was read ended. */
let nextAt = 0;

/** Where the table that was just read ended. */
export function endOfFseTable(): number {
  return nextAt;
}

/** Reads the description of a table in `input[start..end)`. */
export function readFseTable(
  input: Buffer,
  start: number,
  end: number,
  maxLog: number,
  maxSymbol: number,
): FseTable {
  const counts = new Int16Array(MOST_SYMBOLS);
  let bitAt = start * 8 + 4;
  const log = (byteAt(input, start, end) & 0x0f) + LEAST_LOG;
  if (log > maxLog) throw new DamagedError('a zstd table is too large', start);
  // It ends with the input, since the bits behind it are 0: a symbol that comes less than once.
  let remaining = 1 << log;
  let symbol = 0;
  while (remaining > 0) {
    const bits = 32 - Math.clz32(remaining + 1);
    let value = bitsAt(input, bitAt, end) & ((1 << bits) - 1);
    const lowerMask = (1 << (bits - 1)) - 1;
    const threshold = (1 << bits) - 2 - remaining;
    bitAt += bits;
    if ((value & lowerMask) < threshold) {
      value &= lowerMask;
      bitAt--;
    } else if (value > lowerMask) {
      value -= threshold;
    }
    const count = value - 1;
    remaining -= Math.abs(count);
    counts[symbol++] = count;
    if (count !== 0) continue;
    // The symbols that are passed over have the count 0 already.
    for (let zeros = 3; zeros === 3; symbol += zeros) {
      zeros = bitsAt(input, bitAt, end) & 3;
      bitAt += 2;
    }
  }
  nextAt = (bitAt + 7) >>> 3;
  if (nextAt > end || symbol > maxSymbol + 1)
    throw new DamagedError('a zstd table with too many symbols, or without an end,', start);
  return fseTable(counts.subarray(0, symbol), log);
}

/** The table for symbols that come so often out of `1 << log` times; -1 stands for less than once. */
export function fseTable(counts: ArrayLike<number>, log: number): FseTable {
  const size = 1 << log;
  const entries = new Uint32Array(size);
  const next = new Uint16Array(MOST_SYMBOLS);
  let high = size;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const count = counts[symbol]!;
    next[symbol] = Math.abs(count);
    if (count === -1) entries[--high] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    for (let times = counts[symbol]!; times > 0; times--) {
      entries[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  }
  for (let state = 0; state < size; state++) {
    const symbol = entries[state]!;
    const number = next[symbol]!++;
    const bits = log - (31 - Math.clz32(number));
    entries[state] = symbol | (bits << 8) | (((number << bits) - size) << 16);
  }
  return { log, entries };
}

/** The table for one symbol that is all there is. */
export function fseTableOfOne(symbol: number): FseTable {
  return { log: 0, entries: Uint32Array.of(symbol) };
}

/** At least 16 bits from there on; behind the end they are 0. */
function bitsAt(input: Buffer, bitAt: number, end: number): number {
  const at = bitAt >>> 3;
  const word =
    byteAt(input, at, end) | (byteAt(input, at + 1, end) << 8) | (byteAt(input, at + 2, end) << 16);
  return word >>> (bitAt & 7);
}

function byteAt(input: Buffer, at: number, end: number): number {
  return at < end ? input[at]! : 0;
}
