/** Writes numbers of all sizes one after the other, in as many bytes as each takes. */
export class RecordWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  /** A view of what was written. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Zigzag, seven bits a byte, the lowest first. */
  varint(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 0x80);
    this.byte(rest);
  }

  byte(value: number): void {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  raw(bytes: Buffer): void {
    this.#grow(bytes.length);
    bytes.copy(this.#bytes, this.#length);
    this.#length += bytes.length;
  }

  sized(bytes: Buffer | null): void {
    this.varint(bytes?.length ?? -1);
    if (bytes !== null) this.raw(bytes);
  }

  #grow(sizeBytes: number): void {
    if (this.#length + sizeBytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + sizeBytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
