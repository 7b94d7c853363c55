import { DamagedError } from './damage';
import { decodeHuffmanStream, endOfHuffmanTable, type HuffmanTable, readHuffmanTable } from './zstdHuffman';

const MOST_LITERALS = 128 * 1024;
/** Whole words are read at the end. */
const ROOM_FOR_WORDS = 16;
const STORED = 0;
const ONE_BYTE = 1;
const WITH_TABLE = 2;
/** Three sizes of two bytes in front of four streams. */
const JUMPS_BYTES = 6;

/** Used again and again; nothing of it is ever handed out. */
let scratch: Buffer | null = null;

/** The literals of one block after the other; the Huffman table of one may serve the next. */
export class ZstdLiterals {
  /** Where the literals of the block are: in the input, or in a buffer of their own. */
  bytes: Buffer;
  start = 0;
  end = 0;

  readonly #input: Buffer;
  /** The same bytes. */
  readonly #view: DataView;
  /** The last table that was read in this frame. */
  #table: HuffmanTable | null = null;

  constructor(input: Buffer, view: DataView) {
    this.#input = input;
    this.#view = view;
    this.bytes = input;
  }

  /** Reads the literals of the block in `input[start..blockEnd)`; tells where the sequences begin. */
  read(start: number, blockEnd: number, maxBytes: number): number {
    const kind = this.#byte(start, blockEnd) & 3;
    const sizeFormat = (this.#byte(start, blockEnd) >>> 2) & 3;
    return kind === STORED || kind === ONE_BYTE
      ? this.#readPlain(kind, sizeFormat, start, blockEnd, maxBytes)
      : this.#readCompressed(kind, sizeFormat, start, blockEnd, maxBytes);
  }

  #readPlain(kind: number, sizeFormat: number, start: number, blockEnd: number, maxBytes: number): number {
    const headerBytes = sizeFormat === 1 ? 2 : sizeFormat === 3 ? 3 : 1;
    const size = this.#header(start, headerBytes, blockEnd) >>> (headerBytes === 1 ? 3 : 4);
    const at = start + headerBytes;
    const nextAt = at + (kind === STORED ? size : 1);
    checkSizes(size, maxBytes, nextAt, blockEnd, start);
    if (kind === STORED) {
      this.bytes = this.#input;
      this.start = at;
      this.end = nextAt;
    } else {
      this.#own(size).fill(this.#byte(at, blockEnd), 0, size);
    }
    return nextAt;
  }

  #readCompressed(
    kind: number,
    sizeFormat: number,
    start: number,
    blockEnd: number,
    maxBytes: number,
  ): number {
    const headerBytes = sizeFormat < 2 ? 3 : sizeFormat + 2;
    const sizeBits = sizeFormat < 2 ? 10 : 4 * sizeFormat + 6;
    // With 5 bytes it is more than 32 bits.
    const header = Math.floor(this.#header(start, headerBytes, blockEnd) / 16);
    const size = header % (1 << sizeBits);
    let at = start + headerBytes;
    const nextAt = at + Math.floor(header / (1 << sizeBits));
    checkSizes(size, maxBytes, nextAt, blockEnd, start);
    if (kind === WITH_TABLE) {
      this.#table = readHuffmanTable(this.#input, this.#view, at, nextAt);
      at = endOfHuffmanTable();
    }
    if (this.#table === null)
      throw new DamagedError('a zstd block uses a Huffman table that is not there', start);
    const output = this.#own(size);
    if (sizeFormat === 0) {
      decodeHuffmanStream(this.#input, this.#view, at, nextAt, output, 0, size, this.#table);
    } else {
      this.#decodeFourStreams(at, nextAt, output, size, this.#table);
    }
    return nextAt;
  }

  #decodeFourStreams(start: number, end: number, output: Buffer, size: number, table: HuffmanTable): void {
    const partBytes = (size + 3) >>> 2;
    if (end - start < JUMPS_BYTES)
      throw new DamagedError('a zstd block has too little for four streams', start);
    let at = start + JUMPS_BYTES;
    for (let stream = 0; stream < 4; stream++) {
      const streamEnd = stream === 3 ? end : at + this.#view.getUint16(start + 2 * stream, true);
      if (streamEnd > end) throw new DamagedError('a zstd stream of literals ends outside', start);
      const from = stream * partBytes;
      const to = stream === 3 ? size : from + partBytes;
      decodeHuffmanStream(this.#input, this.#view, at, streamEnd, output, from, to, table);
      at = streamEnd;
    }
  }

  /** Room for literals that are not in the input as they are. */
  #own(size: number): Buffer {
    scratch ??= Buffer.allocUnsafeSlow(MOST_LITERALS + ROOM_FOR_WORDS);
    this.bytes = scratch;
    this.start = 0;
    this.end = size;
    return scratch;
  }

  #header(start: number, headerBytes: number, blockEnd: number): number {
    if (headerBytes > blockEnd - start) throw endsEarly(start);
    return this.#input.readUIntLE(start, headerBytes);
  }

  #byte(at: number, blockEnd: number): number {
    if (at >= blockEnd) throw endsEarly(at);
    return this.#input.readUInt8(at);
  }
}

function checkSizes(size: number, maxBytes: number, nextAt: number, blockEnd: number, at: number): void {
  if (size > maxBytes) throw new DamagedError(`a zstd block has ${size} literals`, at);
  if (nextAt > blockEnd) throw endsEarly(at);
}

function endsEarly(at: number): DamagedError {
  return new DamagedError('a zstd block ends inside its literals', at);
}
