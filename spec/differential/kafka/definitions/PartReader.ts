/** A part of an answer, as it was on the wire. */
export interface Part {
  readonly field: string;
  readonly bytes: Buffer;
  /** It is inside another part that is compressed, so it is not on the wire itself. */
  readonly isInside?: boolean;
}

/** Thrown where an answer ends too early or says what cannot be. */
export class Uncut extends Error {}

/** Takes bytes from the front, and keeps them as parts. */
export class PartReader {
  readonly parts: Part[] = [];
  readonly #bytes: Buffer;
  readonly #isInside: boolean;
  #at = 0;

  constructor(bytes: Buffer, isInside = false) {
    this.#bytes = bytes;
    this.#isInside = isInside;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Looks at bytes that are not taken yet. */
  peek(offset: number, count: number): Buffer {
    return this.#bytes.subarray(this.#at + offset, this.#at + offset + count);
  }

  take(field: string, count: number): Buffer {
    if (count < 0 || count > this.left) throw new Uncut(`${field}: ${count} bytes of ${this.left}`);
    const bytes = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    this.add({ field, bytes, ...(this.#isInside ? { isInside: true } : {}) });
    return bytes;
  }

  add(part: Part): void {
    this.parts.push(part);
  }

  int8(field: string): number {
    return this.take(field, 1).readInt8();
  }

  int16(field: string): number {
    return this.take(field, 2).readInt16BE();
  }

  int32(field: string): number {
    return this.take(field, 4).readInt32BE();
  }

  int64(field: string): bigint {
    return this.take(field, 8).readBigInt64BE();
  }

  unsignedVarint(field: string): number {
    const count = this.varintBytes(0);
    return this.take(field, count).reduce((sum, byte, index) => sum + (byte & 0x7f) * 128 ** index, 0);
  }

  /** How many bytes the variable number has that begins so far ahead. */
  varintBytes(offset: number): number {
    let count = 1;
    while ((this.peek(offset, count).at(-1) ?? 0) >= 0x80 && count < 10) count += 1;
    return count;
  }

  /** What is left, if anything, as one part. */
  rest(field: string): void {
    if (this.left > 0) this.take(field, this.left);
  }
}
