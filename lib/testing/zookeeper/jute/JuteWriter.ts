const INITIAL_BYTES = 256;

/** Writes records for clients. */
export class JuteWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;

  /** What has been written; to be changed in place only when nothing more is written. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Leaves room for what is put there later. */
  skip(length: number): void {
    this.#reserve(length);
    this.#at += length;
  }

  boolean(value: boolean): this {
    this.#reserve(1);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
    return this;
  }

  int32(value: number): this {
    this.#reserve(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
    return this;
  }

  int64(value: bigint): this {
    this.#reserve(8);
    this.#at = this.#bytes.writeBigInt64BE(value, this.#at);
    return this;
  }

  bytes(value: Buffer | null): this {
    if (value === null) return this.int32(-1);
    return this.int32(value.length).raw(value);
  }

  /** Bytes without their length in front. */
  raw(value: Buffer): this {
    this.#reserve(value.length);
    this.#at += value.copy(this.#bytes, this.#at);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.int32(-1);
    const length = Buffer.byteLength(value);
    this.int32(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(value, this.#at);
    return this;
  }

  list<T>(items: readonly T[], item: (value: T) => void): this {
    this.int32(items.length);
    for (const value of items) item(value);
    return this;
  }

  #reserve(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
