/** Writes Kafka's big-endian primitives. */
export class ByteWriter {
  readonly #parts: Buffer[] = [];

  int8(value: number): this {
    return this.#fixed(1, (buffer) => buffer.writeInt8(value));
  }

  int16(value: number): this {
    return this.#fixed(2, (buffer) => buffer.writeInt16BE(value));
  }

  int32(value: number): this {
    return this.#fixed(4, (buffer) => buffer.writeInt32BE(value));
  }

  uint32(value: number): this {
    return this.#fixed(4, (buffer) => buffer.writeUInt32BE(value));
  }

  int64(value: number | bigint): this {
    return this.#fixed(8, (buffer) => buffer.writeBigInt64BE(BigInt(value)));
  }

  string(value: string): this {
    const bytes = Buffer.from(value);
    return this.int16(bytes.length).raw(bytes);
  }

  /** With a length in front; null is the length -1. */
  bytes(value: Buffer | null): this {
    return value === null ? this.int32(-1) : this.int32(value.length).raw(value);
  }

  raw(value: Buffer): this {
    this.#parts.push(value);
    return this;
  }

  array<T>(items: readonly T[], write: (item: T) => void): this {
    this.int32(items.length);
    items.forEach(write);
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #fixed(sizeBytes: number, write: (buffer: Buffer) => void): this {
    const buffer = Buffer.alloc(sizeBytes);
    write(buffer);
    return this.raw(buffer);
  }
}

/** Reads what ByteWriter writes. */
export class ByteReader {
  readonly #buffer: Buffer;
  #position = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  int8(): number {
    return this.#buffer.readInt8(this.#advance(1));
  }

  int16(): number {
    return this.#buffer.readInt16BE(this.#advance(2));
  }

  int32(): number {
    return this.#buffer.readInt32BE(this.#advance(4));
  }

  int64(): number {
    return Number(this.#buffer.readBigInt64BE(this.#advance(8)));
  }

  string(): string {
    const length = this.int16();
    const start = this.#advance(Math.max(length, 0));
    return this.#buffer.toString('utf8', start, this.#position);
  }

  array<T>(read: () => T): T[] {
    return Array.from({ length: Math.max(this.int32(), 0) }, read);
  }

  #advance(sizeBytes: number): number {
    const start = this.#position;
    this.#position += sizeBytes;
    return start;
  }
}
