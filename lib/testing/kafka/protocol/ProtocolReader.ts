/** Reads a request of Kafka's protocol; every step is checked. */
export class ProtocolReader {
  readonly #bytes: Buffer;
  /** The version of the request whose body is read. */
  readonly version: number;
  /** True for versions with compact lengths and tagged fields (KIP-482). */
  readonly isFlexible: boolean;
  #at = 0;

  constructor(bytes: Buffer, version = 0, isFlexible = false) {
    this.#bytes = bytes;
    this.version = version;
    this.isFlexible = isFlexible;
  }

  get remainingBytes(): number {
    return this.#bytes.length - this.#at;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#step(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#step(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#step(4));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#step(8));
  }

  unsignedVarint(): number {
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#step(1));
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a length of more than five bytes');
  }

  raw(sizeBytes: number): Buffer {
    const at = this.#step(sizeBytes);
    return this.#bytes.subarray(at, at + sizeBytes);
  }

  #step(sizeBytes: number): number {
    const at = this.#at;
    if (sizeBytes < 0 || sizeBytes > this.#bytes.length - at) {
      throw new RangeError(`${sizeBytes} bytes wanted at ${at}, the request has ${this.#bytes.length}`);
    }
    this.#at = at + sizeBytes;
    return at;
  }
}
