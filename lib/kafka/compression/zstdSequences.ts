import { copyLiterals, copyMatch } from './copies';
import { DamagedError } from './damage';
import {
  LITERAL_LENGTH,
  LITERAL_LENGTH_BASES,
  LITERAL_LENGTH_BITS,
  MATCH_LENGTH,
  MATCH_LENGTH_BASES,
  MATCH_LENGTH_BITS,
  OFFSET,
  type SequenceCode,
} from './zstdCodes';
import { endOfFseTable, type FseTable, fseTableOfOne, readFseTable } from './zstdFse';
import { bitsBelowMark } from './zstdHuffman';
import type { ZstdLiterals } from './zstdLiterals';

/** Above it distances are larger than any window, and a word may not hold their bits. */
const MOST_OFFSET_CODE = 27;

const PREDEFINED = 0;
const ONE_SYMBOL = 1;
const OWN_TABLE = 2;

/** Bits that a word holds at least, wherever they begin. */
const WORD_BITS = 25;

/* Positions are compared with the ends before bytes are read or written, and symbols when their table is read. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/** The sequences of one block after the other: each is a run of literals and a match. Tables and distances are kept. */
export class ZstdSequences {
  readonly #input: Buffer;
  /** The same bytes. */
  readonly #view: DataView;
  readonly #output: Buffer;
  /** The same bytes. */
  readonly #outputView: DataView;
  /** Where the frame begins in the output; matches come from there on. */
  readonly #frameStart: number;
  /** The tables of the last block, if it had any. */
  #literalLengths: FseTable | null = null;
  #offsets: FseTable | null = null;
  #matchLengths: FseTable | null = null;
  /** The last distances. */
  #distance1 = 1;
  #distance2 = 4;
  #distance3 = 8;
  /** Where the next table begins. */
  #at = 0;

  constructor(input: Buffer, view: DataView, output: Buffer, frameStart: number) {
    this.#input = input;
    this.#view = view;
    this.#output = output;
    this.#outputView = new DataView(output.buffer, output.byteOffset, output.length);
    this.#frameStart = frameStart;
  }

  /**
   * Decompresses the block whose sequences are in `input[start..end)` to `output[from..to)`, and tells where its output
   * ends, or -1 if it comes to more. Bytes behind the end, but inside the output, may be written over.
   */
  execute(start: number, end: number, literals: ZstdLiterals, from: number, to: number): number {
    const count = this.#readCount(start, end);
    if (count === 0) {
      if (this.#at !== end) throw new DamagedError('a zstd block goes on behind its literals', this.#at);
      return this.#appendLiterals(literals.bytes, literals.start, literals.end, from, to);
    }
    if (this.#at >= end) throw endsEarly(end);
    const modes = this.#input[this.#at++]!;
    if ((modes & 3) !== 0) throw new DamagedError('a zstd block with unknown tables', this.#at - 1);
    this.#literalLengths = this.#table(modes >>> 6, LITERAL_LENGTH, this.#literalLengths, end);
    this.#offsets = this.#table((modes >>> 4) & 3, OFFSET, this.#offsets, end);
    this.#matchLengths = this.#table((modes >>> 2) & 3, MATCH_LENGTH, this.#matchLengths, end);
    return this.#run(count, end, literals, from, to);
  }

  #run(count: number, end: number, literals: ZstdLiterals, from: number, to: number): number {
    const view = this.#view;
    const output = this.#output;
    const target = this.#outputView;
    const frameStart = this.#frameStart;
    const { entries: literalLengths, log: literalLengthLog } = this.#literalLengths!;
    const { entries: offsets, log: offsetLog } = this.#offsets!;
    const { entries: matchLengths, log: matchLengthLog } = this.#matchLengths!;
    const { bytes: literalBytes, end: literalsEnd } = literals;
    const literalView = new DataView(literalBytes.buffer, literalBytes.byteOffset, literalBytes.length);
    const base = this.#at;
    let literalAt = literals.start;
    let out = from;
    let distance1 = this.#distance1;
    let distance2 = this.#distance2;
    let distance3 = this.#distance3;
    let bitsLeft = bitsBelowMark(this.#input, base, end);
    let literalState = bitsBefore(view, base, bitsLeft, literalLengthLog);
    bitsLeft -= literalLengthLog;
    let offsetState = bitsBefore(view, base, bitsLeft, offsetLog);
    bitsLeft -= offsetLog;
    let matchState = bitsBefore(view, base, bitsLeft, matchLengthLog);
    bitsLeft -= matchLengthLog;

    for (let left = count; ;) {
      if (bitsLeft < 0) throw new DamagedError('a zstd block has too few bits for its sequences', base);
      const literalEntry = literalLengths[literalState]!;
      const offsetEntry = offsets[offsetState]!;
      const matchEntry = matchLengths[matchState]!;
      const offsetCode = offsetEntry & 0xff;
      const literalCode = literalEntry & 0xff;
      const matchCode = matchEntry & 0xff;
      if (offsetCode > MOST_OFFSET_CODE) throw fromOutside(base);
      const matchBits = MATCH_LENGTH_BITS[matchCode]!;
      const literalBits = LITERAL_LENGTH_BITS[literalCode]!;
      let offset = 1 << offsetCode;
      let matchLength = MATCH_LENGTH_BASES[matchCode]!;
      let literalLength = LITERAL_LENGTH_BASES[literalCode]!;
      const extraBits = offsetCode + matchBits + literalBits;
      if (extraBits <= WORD_BITS) {
        const wordEnd = (bitsLeft + 7) >>> 3;
        const word = view.getUint32(base + wordEnd - 4, true);
        let shift = bitsLeft - wordEnd * 8 + 32 - offsetCode;
        offset += (word >>> shift) & (offset - 1);
        shift -= matchBits;
        matchLength += (word >>> shift) & ((1 << matchBits) - 1);
        shift -= literalBits;
        literalLength += (word >>> shift) & ((1 << literalBits) - 1);
      } else {
        const highBits = offsetCode >>> 1;
        const lowBits = offsetCode - highBits;
        offset += bitsBefore(view, base, bitsLeft, highBits) << lowBits;
        offset += bitsBefore(view, base, bitsLeft - highBits, lowBits);
        matchLength += bitsBefore(view, base, bitsLeft - offsetCode, matchBits);
        literalLength += bitsBefore(view, base, bitsLeft - offsetCode - matchBits, literalBits);
      }
      bitsLeft -= extraBits;
      if (bitsLeft < 0) throw new DamagedError('a zstd block has too few bits for its sequences', base);

      let distance: number;
      if (offset > 3) {
        distance = offset - 3;
        distance3 = distance2;
        distance2 = distance1;
        distance1 = distance;
      } else {
        // Without literals the last distance would only make the match before longer, so all count one on.
        const place = literalLength === 0 ? offset + 1 : offset;
        if (place === 1) {
          distance = distance1;
        } else {
          distance = place === 2 ? distance2 : place === 3 ? distance3 : distance1 - 1;
          if (place !== 2) distance3 = distance2;
          distance2 = distance1;
          distance1 = distance;
        }
      }

      if (literalLength > literalsEnd - literalAt) {
        throw new DamagedError('a zstd block has too few literals for its sequences', base);
      }
      if (literalLength + matchLength > to - out) return -1;
      copyLiterals(literalBytes, literalView, literalAt, literalLength, output, target, out);
      literalAt += literalLength;
      out += literalLength;
      if (distance <= 0 || distance > out - frameStart) throw fromOutside(base);
      copyMatch(output, target, out, distance, matchLength);
      out += matchLength;

      if (--left === 0) break;
      const literalStateBits = (literalEntry >>> 8) & 0xff;
      const matchStateBits = (matchEntry >>> 8) & 0xff;
      const offsetStateBits = (offsetEntry >>> 8) & 0xff;
      literalState = (literalEntry >>> 16) + bitsBefore(view, base, bitsLeft, literalStateBits);
      bitsLeft -= literalStateBits;
      matchState = (matchEntry >>> 16) + bitsBefore(view, base, bitsLeft, matchStateBits);
      bitsLeft -= matchStateBits;
      offsetState = (offsetEntry >>> 16) + bitsBefore(view, base, bitsLeft, offsetStateBits);
      bitsLeft -= offsetStateBits;
    }
    if (bitsLeft !== 0) throw new DamagedError('a zstd block has bits left over behind its sequences', base);
    this.#distance1 = distance1;
    this.#distance2 = distance2;
    this.#distance3 = distance3;
    return this.#appendLiterals(literalBytes, literalAt, literalsEnd, out, to);
  }

  #appendLiterals(bytes: Buffer, start: number, end: number, out: number, to: number): number {
    if (end - start > to - out) return -1;
    bytes.copy(this.#output, out, start, end);
    return out + end - start;
  }

  /** The number of sequences. */
  #readCount(start: number, end: number): number {
    if (start >= end) throw endsEarly(start);
    const byte = this.#input[start]!;
    const bytes = byte < 128 ? 1 : byte < 255 ? 2 : 3;
    if (bytes > end - start) throw endsEarly(start);
    this.#at = start + bytes;
    if (bytes === 1) return byte;
    if (bytes === 2) return ((byte - 128) << 8) + this.#input[start + 1]!;
    return this.#view.getUint16(start + 1, true) + 0x7f00;
  }

  #table(
    mode: number,
    { maxLog, maxSymbol, predefined }: SequenceCode,
    last: FseTable | null,
    end: number,
  ): FseTable {
    const at = this.#at;
    switch (mode) {
      case PREDEFINED:
        return predefined;
      case ONE_SYMBOL: {
        const symbol = at < end ? this.#input[this.#at++]! : MOST_OFFSET_CODE * 10;
        if (symbol > maxSymbol) throw new DamagedError('a zstd block with an unknown code', at);
        return fseTableOfOne(symbol);
      }
      case OWN_TABLE: {
        const table = readFseTable(this.#input, at, end, maxLog, maxSymbol);
        this.#at = endOfFseTable();
        return table;
      }
      default:
        if (last === null) throw new DamagedError('a zstd block uses a table that is not there', at);
        return last;
    }
  }
}

/** The highest `count` of the bits that are left, at most 25 of them; what is below the stream is another's, and no harm. */
function bitsBefore(view: DataView, start: number, bitsLeft: number, count: number): number {
  const wordEnd = (bitsLeft + 7) >> 3;
  const word = view.getUint32(start + wordEnd - 4, true);
  return (word >>> (bitsLeft - wordEnd * 8 + 32 - count)) & ((1 << count) - 1);
}

function fromOutside(at: number): DamagedError {
  return new DamagedError('a zstd match comes from outside', at);
}

function endsEarly(at: number): DamagedError {
  return new DamagedError('a zstd block ends inside its sequences', at);
}
