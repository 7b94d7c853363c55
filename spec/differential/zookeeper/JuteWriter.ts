/** Writes jute, ZooKeeper's encoding: big-endian numbers, a length in front of texts, bytes and lists; -1 is null. */
export class JuteWriter {
  readonly #parts: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  int32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeInt32BE(value);
    return this.raw(part);
  }

  int64(value: bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigInt64BE(value);
    return this.raw(part);
  }

  boolean(value: boolean): this {
    return this.raw(Buffer.of(value ? 1 : 0));
  }

  buffer(value: Buffer | string | null): this {
    if (value === null) return this.int32(-1);
    const bytes = Buffer.from(value);
    return this.int32(bytes.length).raw(bytes);
  }

  /** @param write - writes one item to this writer */
  list<T>(items: readonly T[] | null, write: (item: T) => void): this {
    if (items === null) return this.int32(-1);
    this.int32(items.length);
    for (const item of items) write(item);
    return this;
  }

  /** As they are, without a length. */
  raw(bytes: Buffer): this {
    this.#parts.push(bytes);
    return this;
  }
}
