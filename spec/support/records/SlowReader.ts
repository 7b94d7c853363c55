/** Thrown where bytes do not mean what they should; whoever knows where that was makes a fault of it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Reads the fields of Kafka's protocol one by one, each number as a BigInt: made to be read, not to be fast. */
export class SlowReader {
  /** All bytes. */
  readonly bytes: Buffer;
  /** Where the next field begins. */
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  take(count: number | bigint): Buffer {
    if (count < 0 || count > this.left) throw new Unreadable(`${count} bytes where ${this.left} are left`);
    const from = this.at;
    this.at += Number(count);
    return this.bytes.subarray(from, this.at);
  }

  /** A signed number of so many bytes, the highest first. */
  int(byteCount: 1 | 2 | 4 | 8): bigint {
    const bytes = this.take(byteCount);
    return byteCount === 8 ? bytes.readBigInt64BE() : BigInt(bytes.readIntBE(0, byteCount));
  }

  /** A number in zigzag, of at most so many bits: seven a byte, the lowest first. */
  varint(bits: 32 | 64): bigint {
    let raw = 0n;
    for (let count = 0; ; count += 1) {
      if (7 * count >= bits) throw new Unreadable(`a varint of more than ${count} bytes`);
      const [byte = 0] = this.take(1);
      raw += BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) break;
    }
    if (raw >> BigInt(bits) !== 0n) throw new Unreadable(`a varint of more than ${bits} bits`);
    return raw % 2n === 0n ? raw / 2n : -(raw + 1n) / 2n;
  }

  /** Bytes with their length in front; null for the length -1. */
  sized(length: bigint): Buffer | null {
    if (length === -1n) return null;
    return this.take(length);
  }
}
