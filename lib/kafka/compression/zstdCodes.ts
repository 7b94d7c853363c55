import { type FseTable, fseTable } from './zstdFse';

/** What describes one of the three codes of a sequence. */
export interface SequenceCode {
  readonly maxLog: number;
  readonly maxSymbol: number;
  /** The table that is used if the block has none. */
  readonly predefined: FseTable;
}

export const LITERAL_LENGTH: SequenceCode = {
  maxLog: 9,
  maxSymbol: 35,
  predefined: fseTable(
    [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
      -1, -1,
    ],
    6,
  ),
};
export const OFFSET: SequenceCode = {
  maxLog: 8,
  maxSymbol: 31,
  predefined: fseTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
};
export const MATCH_LENGTH: SequenceCode = {
  maxLog: 9,
  maxSymbol: 52,
  predefined: fseTable(
    [
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    6,
  ),
};

/** The bits that follow the code of a length, and the lengths from which they count. */
export const LITERAL_LENGTH_BITS = Uint8Array.of(
  ...new Array<number>(16).fill(0),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
export const LITERAL_LENGTH_BASES = basesOf(LITERAL_LENGTH_BITS, 0);
export const MATCH_LENGTH_BITS = Uint8Array.of(
  ...new Array<number>(32).fill(0),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
export const MATCH_LENGTH_BASES = basesOf(MATCH_LENGTH_BITS, 3);

function basesOf(bits: Uint8Array, first: number): Uint32Array {
  const bases = new Uint32Array(bits.length);
  let base = first;
  for (const [code, count] of bits.entries()) {
    bases[code] = base;
    base += 1 << count;
  }
  return bases;
}
