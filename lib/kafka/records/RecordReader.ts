import { MessageFault } from './MessageFault';
import { NO_HEADERS, type MessageFields, type MessageHeader, type MessageRun } from './MessageFields';

/** What records have in common: their batch. */
export interface RecordBase {
  readonly firstOffset: number;
  readonly lastOffset: number;
  readonly timestamp: number;
  /** The broker's time, which is that of all its records; null if each has its own. */
  readonly appendTimestamp: number | null;
}

/** A key length and a value length. */
const LEAST_HEADER_BYTES = 2;
const SEVEN_BITS = 0x7f;
const MORE_BIT = 0x80;
/** A varint of 32 bits has at most 5 bytes, one of 64 bits 10; the last one has but the bits that are left. */
const LAST_SHIFT_32 = 28;
const LAST_BITS_32 = 0x0f;
const LAST_POWER_64 = 63;
const LAST_BITS_64 = 1;

/**
 * Reads the records of a batch (format 2), one after the other. A record is its length, attributes (int8, unused), timestamp
 * delta, offset delta, key length, key, value length, value, the number of headers, and these: all numbers are varints.
 */
export class RecordReader implements MessageRun {
  readonly #bytes: Buffer;
  readonly #base: RecordBase;
  /** Where the next byte to read is, and where the records end. */
  #at: number;
  readonly #end: number;
  /** Records that are still to come. */
  #left: number;
  /** Offset of the last record, handed out or passed over. */
  #offset: number;
  /** Inside a record whose offset and end are known, so that the ones behind it can be read whatever it holds. */
  #isInside = false;

  constructor(bytes: Buffer, start: number, end: number, count: number, base: RecordBase) {
    this.#bytes = bytes;
    this.#base = base;
    this.#at = start;
    this.#end = end;
    this.#left = count;
    this.#offset = base.firstOffset - 1;
    if (count < 0 || (count === 0 && start !== end)) {
      throw this.#brokenBatch(`it counts ${count} records in ${end - start} bytes`);
    }
  }

  /** Fills in the next record from offset `from` on; false behind the last one. */
  next(into: MessageFields, from: number): boolean {
    while (this.#left > 0) {
      const lengthBytes = this.#varint(this.#end);
      const end = this.#at + lengthBytes;
      // The end of the records must be the end of the last record, and not before.
      if (lengthBytes < 0 || end > this.#end || (this.#left === 1 && end !== this.#end)) {
        throw this.#brokenBatch(
          `a record of ${lengthBytes} bytes, with ${this.#end - this.#at} bytes left for ${this.#left} of them`,
        );
      }
      this.#at += 1; // attributes
      const timestampDelta = this.#varlong(end);
      const offset = this.#base.firstOffset + this.#varint(end);
      if (offset <= this.#offset || offset > this.#base.lastOffset) {
        throw this.#brokenBatch(`offset ${offset} follows ${this.#offset}`);
      }
      if (offset === this.#base.lastOffset && this.#left > 1) {
        throw this.#brokenBatch(`${this.#left - 1} records follow its last offset`);
      }
      this.#left -= 1;
      this.#offset = offset;
      if (offset >= from) {
        this.#read(into, end, offset, timestampDelta);
        return true;
      }
      this.#at = end;
    }
    return false;
  }

  #read(into: MessageFields, end: number, offset: number, timestampDelta: number): void {
    const { timestamp, appendTimestamp } = this.#base;
    into.offset = offset;
    this.#isInside = true;
    into.key = this.#sized(end);
    into.value = this.#sized(end);
    into.headers = this.#headers(end);
    this.#isInside = false;
    const time = appendTimestamp ?? timestamp + timestampDelta;
    into.timestamp = time === -1 ? null : time;
    into.timestampType = appendTimestamp === null ? 'create' : 'append';
    if (this.#at !== end) throw this.#brokenRecord(`${end - this.#at} bytes are left over in it`);
  }

  /** Bytes with their length in front; null for -1. */
  #sized(end: number): Buffer | null {
    const sizeBytes = this.#varint(end);
    if (sizeBytes === -1) return null;
    const from = this.#at;
    const to = from + sizeBytes;
    if (sizeBytes < 0 || to > end) throw this.#brokenRecord(`${sizeBytes} bytes in it, ${end - from} left`);
    this.#at = to;
    return this.#bytes.subarray(from, to);
  }

  #headers(end: number): readonly MessageHeader[] {
    const count = this.#varint(end);
    if (count === 0) return NO_HEADERS;
    if (count < 0 || count * LEAST_HEADER_BYTES > end - this.#at) {
      throw this.#brokenRecord(`${count} headers in it, ${end - this.#at} bytes left`);
    }
    const headers: MessageHeader[] = [];
    for (let index = 0; index < count; index++) {
      const key = this.#sized(end);
      if (key === null) throw this.#brokenRecord('a header without a key');
      headers.push({ key: key.toString('utf8'), value: this.#sized(end) });
    }
    return headers;
  }

  /** A number of up to 32 bits: seven bits a byte, the lowest first; 0, -1, 1, -2 … are 0, 1, 2, 3 (zigzag). */
  #varint(end: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let value = 0;
    for (let shift = 0; at < end && shift <= LAST_SHIFT_32; shift += 7) {
      const byte = bytes[at++] ?? 0;
      if (shift === LAST_SHIFT_32 && byte > LAST_BITS_32) break;
      value |= (byte & SEVEN_BITS) << shift;
      if (byte < MORE_BIT) {
        this.#at = at;
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw this.#brokenNumber(at, end);
  }

  /** The same with up to 64 bits. Beyond 2^53 it is only near. */
  #varlong(end: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let value = 0;
    let power = 1;
    for (let shift = 0; at < end && shift <= LAST_POWER_64; shift += 7) {
      const byte = bytes[at++] ?? 0;
      if (shift === LAST_POWER_64 && byte > LAST_BITS_64) break;
      value += (byte & SEVEN_BITS) * power;
      power *= SEVEN_BITS + 1;
      if (byte < MORE_BIT) {
        this.#at = at;
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
    }
    throw this.#brokenNumber(at, end);
  }

  #brokenNumber(at: number, end: number): MessageFault {
    const why = at >= end ? 'a record ends inside a number' : 'a number has too many bits';
    return this.#isInside ? this.#brokenRecord(why) : this.#brokenBatch(why);
  }

  /** It alone is lost. */
  #brokenRecord(why: string): MessageFault {
    return new MessageFault('MESSAGE_CORRUPT', why, this.#offset, this.#offset);
  }

  /** What is behind is lost. */
  #brokenBatch(why: string): MessageFault {
    return new MessageFault('MESSAGE_CORRUPT', why, this.#offset + 1, this.#base.lastOffset);
  }
}
