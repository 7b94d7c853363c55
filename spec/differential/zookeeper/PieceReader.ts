import type { Piece } from '../Comparison';

/**
 * Cuts a frame into pieces that cover all of its bytes, whatever is in it: where bytes are missing, the last piece is
 * what is left, and everything behind that reads as zero.
 */
export class PieceReader {
  readonly pieces: Piece[] = [];
  readonly #frame: Buffer;
  #at = 0;

  constructor(frame: Buffer) {
    this.#frame = frame;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#frame.length;
  }

  int32(field: string): number {
    const bytes = this.take(field, 4);
    return bytes.length === 4 ? bytes.readInt32BE() : 0;
  }

  int64(field: string): Buffer {
    return this.take(field, 8);
  }

  boolean(field: string): boolean {
    return this.take(field, 1)[0] === 1;
  }

  /** A text or bytes. */
  buffer(field: string): void {
    const length = this.int32(`${field}.length`);
    if (length > 0) this.take(field, length);
  }

  /** @param read - reads one item, whose field is given */
  list(field: string, read: (item: string) => void): void {
    const count = this.int32(`${field}.count`);
    for (let index = 0; index < count && !this.isAtEnd; index++) read(`${field}[${index}]`);
  }

  /** What no shape speaks of. */
  rest(): void {
    if (!this.isAtEnd) this.take('rest', this.#frame.length - this.#at);
  }

  /** @param rewrite - what to compare instead of these bytes; as many bytes */
  take(field: string, size: number, rewrite: (bytes: Buffer) => Buffer = (bytes) => bytes): Buffer {
    const bytes = this.#frame.subarray(this.#at, this.#at + size);
    this.#at += bytes.length;
    if (bytes.length === size) this.pieces.push({ field, bytes: rewrite(bytes) });
    else if (bytes.length > 0) this.pieces.push({ field: `${field} (cut off)`, bytes });
    return bytes;
  }
}
