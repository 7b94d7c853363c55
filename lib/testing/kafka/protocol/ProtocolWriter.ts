const FIRST_CAPACITY_BYTES = 512;
/** Record sets of this size or more are copied once only, by toBuffer(). */
const LARGE_BYTES = 4096;

/** Writes an answer of Kafka's protocol. */
export class ProtocolWriter {
  /** The version of the answer that is written. */
  readonly version: number;
  /** True for versions with compact lengths and tagged fields (KIP-482). */
  readonly isFlexible: boolean;
  /** What stands before #bytes. */
  readonly #parts: Buffer[] = [];
  /** Grows; the first #length bytes of it are written. */
  #bytes = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
  #length = 0;

  constructor(version = 0, isFlexible = false) {
    this.version = version;
    this.isFlexible = isFlexible;
  }

  int8(value: number): void {
    const at = this.#room(1);
    this.#bytes.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#room(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#room(4);
    this.#bytes.writeInt32BE(value, at);
  }

  int64(value: bigint): void {
    const at = this.#room(8);
    this.#bytes.writeBigInt64BE(value, at);
  }

  unsignedVarint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.int8(((rest & 0x7f) | 0x80) - 0x100);
      rest = Math.floor(rest / 0x80);
    }
    this.int8(rest);
  }

  /** Large pieces are kept as they are until toBuffer() is called: do not change them before. */
  raw(bytes: Buffer): void {
    if (bytes.length >= LARGE_BYTES) {
      this.#parts.push(this.#bytes.subarray(0, this.#length), bytes);
      this.#bytes = this.#bytes.subarray(this.#length);
      this.#length = 0;
      return;
    }
    const at = this.#room(bytes.length);
    bytes.copy(this.#bytes, at);
  }

  /** All that was written; write nothing more afterwards. */
  toBuffer(): Buffer {
    const written = this.#bytes.subarray(0, this.#length);
    return this.#parts.length === 0 ? written : Buffer.concat([...this.#parts, written]);
  }

  #room(sizeBytes: number): number {
    const at = this.#length;
    this.#length += sizeBytes;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length * 2, FIRST_CAPACITY_BYTES));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}
