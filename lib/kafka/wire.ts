import { ConnectorError } from '../errors';

/** One request of Kafka's protocol, with the way to read its answer. */
export interface KafkaRequest<T> {
  readonly apiKey: number;
  readonly apiVersion: number;
  /** Name and version for messages, such as `Fetch v3`. */
  readonly name: string;
  /** How much of an answer that is too long for the connection is read all the same, before that ends. Default: nothing. */
  readonly headBytes?: number;
  /** Writes the body; the header is the connection's. */
  write(writer: ByteWriter): void;
  /** Reads the body of the answer, to its last byte, or the head of one that is too long. */
  read(reader: ByteReader): T;
}

const WORD = 0x1_0000_0000;
const FIRST_CAPACITY_BYTES = 256;
/** More than this cannot be in a string, whose length is an int16. */
const MAX_STRING_BYTES = 0x7fff;
const EMPTY = Buffer.alloc(0);

/** Builds a request in one buffer that grows. */
export class ByteWriter {
  /** What was written so far, and room behind it. */
  #buffer = Buffer.allocUnsafe(FIRST_CAPACITY_BYTES);
  /** Number of bytes written. */
  #length = 0;

  #room(sizeBytes: number): number {
    const at = this.#length;
    const needed = at + sizeBytes;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    this.#length = needed;
    return at;
  }

  int8(value: number): void {
    const at = this.#room(1);
    this.#buffer.writeInt8(value, at);
  }

  int16(value: number): void {
    const at = this.#room(2);
    this.#buffer.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.#room(4);
    this.#buffer.writeInt32BE(value, at);
  }

  /** Any safe integer, negative ones too. */
  int64(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
    const at = this.#room(8);
    this.#buffer.writeInt32BE(Math.floor(value / WORD), at);
    this.#buffer.writeUInt32BE(((value % WORD) + WORD) % WORD, at + 4);
  }

  /** The length in front counts bytes of UTF-8, not characters. */
  string(value: string): void {
    const sizeBytes = Buffer.byteLength(value, 'utf8');
    if (sizeBytes > MAX_STRING_BYTES) {
      throw new RangeError(`a string of ${sizeBytes} bytes does not fit, the most is ${MAX_STRING_BYTES}`);
    }
    this.int16(sizeBytes);
    const at = this.#room(sizeBytes);
    this.#buffer.write(value, at, sizeBytes, 'utf8');
  }

  bytes(value: Buffer): void {
    this.int32(value.length);
    const at = this.#room(value.length);
    value.copy(this.#buffer, at);
  }

  nullableString(value: string | null): void {
    if (value === null) this.int16(-1);
    else this.string(value);
  }

  /** Puts `value` where a 4-byte length was left open. */
  setInt32(value: number, at: number): void {
    this.#buffer.writeInt32BE(value, at);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of what was written; write nothing more afterwards. */
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

/**
 * Reads an answer; every step is checked, so that a cut or malformed answer is a `BROKER_ERROR`.
 *
 * Of an answer that is too long only the head is there (`isCut`). Bytes that go on behind it are read as far as they go, and
 * arrays end with them.
 */
export class ByteReader {
  /** The body of the answer. */
  readonly #bytes: Buffer;
  /** Name of the request, for messages. */
  readonly #name: string;
  /** `host:port` that answered, for messages. */
  readonly #broker: string | undefined;
  /** True if more would follow. */
  readonly isCut: boolean;
  /** Where the next read begins. */
  #at = 0;

  constructor(bytes: Buffer, name: string, broker?: string, isCut = false) {
    this.#bytes = bytes;
    this.#name = name;
    this.#broker = broker;
    this.isCut = isCut;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  #malformed(why: string): ConnectorError {
    return new ConnectorError(
      'BROKER_ERROR',
      `cut or malformed answer to ${this.#name}: ${why} at byte ${this.#at} of ${this.#bytes.length}`,
      this.#broker === undefined ? {} : { broker: this.#broker },
    );
  }

  #take(sizeBytes: number): number {
    const at = this.#at;
    if (sizeBytes > this.#bytes.length - at) {
      throw this.#malformed(`${sizeBytes} bytes expected, ${this.#bytes.length - at} left`);
    }
    this.#at = at + sizeBytes;
    return at;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#take(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  /** Refuses what a number cannot hold exactly. */
  int64(): number {
    const at = this.#take(8);
    const value = this.#bytes.readInt32BE(at) * WORD + this.#bytes.readUInt32BE(at + 4);
    if (!Number.isSafeInteger(value)) {
      throw this.#malformed('an int64 beyond 2^53-1');
    }
    return value;
  }

  string(): string {
    const value = this.nullableString();
    if (value === null) throw this.#malformed('null where a string is due');
    return value;
  }

  nullableString(): string | null {
    const sizeBytes = this.int16();
    if (sizeBytes === -1) return null;
    if (sizeBytes < 0) throw this.#malformed(`string length ${sizeBytes}`);
    const at = this.#take(sizeBytes);
    return this.#bytes.toString('utf8', at, at + sizeBytes);
  }

  /** A view into the answer; null (length -1) is an empty one. */
  bytes(): Buffer {
    const sizeBytes = this.int32();
    if (sizeBytes === -1) return EMPTY;
    if (sizeBytes < 0) throw this.#malformed(`length ${sizeBytes}`);
    const takenBytes = this.isCut ? Math.min(sizeBytes, this.remaining) : sizeBytes;
    const at = this.#take(takenBytes);
    return this.#bytes.subarray(at, at + takenBytes);
  }

  /** Reads an array: its count is checked against what is left before anything is read or allocated. */
  array<T>(leastEntryBytes: number, readEntry: (reader: this) => T): T[] {
    return this.#entries(this.int32(), leastEntryBytes, readEntry);
  }

  /** The same; null (count -1) is an empty one. */
  nullableArray<T>(leastEntryBytes: number, readEntry: (reader: this) => T): T[] {
    const count = this.int32();
    return this.#entries(count === -1 ? 0 : count, leastEntryBytes, readEntry);
  }

  #entries<T>(count: number, leastEntryBytes: number, readEntry: (reader: this) => T): T[] {
    if (count < 0 || (count * leastEntryBytes > this.remaining && !this.isCut)) {
      throw this.#malformed(`array of ${count} entries, ${this.remaining} bytes left`);
    }
    const entries: T[] = [];
    for (let i = 0; i < count && !(this.isCut && this.remaining === 0); i++) entries.push(readEntry(this));
    return entries;
  }

  /** Bytes left over mean that the answer has another layout than the version that was asked for. */
  end(): void {
    if (this.remaining > 0) throw this.#malformed(`${this.remaining} bytes more than expected`);
  }
}
