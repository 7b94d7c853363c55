import { ConnectorError, type ConnectorErrorCode } from '../../errors';
import { codecName, inflateOf, isTooLarge } from '../compression/codecs';
import { crc32 } from './crc32';
import { errorText } from '../errorText';
import { innerOffsetBase } from './innerSet';
import {
  ENTRY_HEADER_BYTES,
  LEAST_MESSAGE_BYTES,
  MAX_OFFSET,
  readInt64,
  SIZE_AT,
  viewOf,
} from './messageFormat';

export interface MessageCursorOptions {
  /** Most bytes that one compressed set may come to; more is MESSAGE_TOO_LARGE. Default 128 MiB. */
  readonly maxInflatedBytes?: number;
}

/** A set that waits while a compressed set inside it is walked. */
interface OuterSet {
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly at: number;
  readonly base: number;
  readonly timestamp: number;
  readonly timestampType: 'create' | 'append' | null;
}

const DEFAULT_MAX_INFLATED_BYTES = 128 * 1024 * 1024;
/** Right producers nest once; faulty ones were seen to nest twice. */
const MAX_DEPTH = 3;

/* Places inside an entry. */
const CRC_AT = 12;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 17;
const BODY_AT = 18;
const BATCH_LAST_OFFSET_DELTA_AT = 23;
const LEAST_BATCH_BYTES = 49;
const TIMESTAMP_BYTES = 8;

const CODEC_BITS = 0x07;
const APPEND_TIME_BIT = 0x08;

/**
 * Hands out the messages of a fetched set one by one, decoding each when its turn comes: nothing is made but the views of
 * its key and value, so a set that is dropped has cost nothing. Compressed sets are walked in place of their wrapper.
 *
 * The checksum of each message that is handed out is checked, and of each wrapper that is opened. Messages below
 * `fromOffset` are passed over unchecked, so that seeking past a bad message works inside a compressed set too; and so are
 * offsets that were there already, since offsets never go back: brokers from 2.0 send the first messages twice when they
 * convert a set that begins with a transaction marker (seen with 3.9.1).
 *
 * `advance()` throws ConnectorError with topic, partition, offset and nextOffset; after that the cursor is dead, and each
 * later call throws the same error, lest the damage be taken for the end.
 */
export class MessageCursor {
  /** Offset of the message that the last `advance()` came to. */
  offset = -1;
  /** A view into the fetched or inflated bytes; null and empty are different things. */
  key: Buffer | null = null;
  value: Buffer | null = null;
  /** Milliseconds; null in format 0 and if the producer gave none. */
  timestamp: number | null = null;
  /** Who gave the timestamp; null in format 0. */
  timestampType: 'create' | 'append' | null = null;

  /** The set being walked: the fetched one, or one inflated out of it. */
  #bytes: Buffer;
  /** The same bytes; reading integers through it is the fastest way there is. */
  #view: DataView;
  /** Where the next entry begins. */
  #at = 0;
  /** Added to the offsets of this set. */
  #base = 0;
  /** Timestamp of the wrapper, for all inside, if the broker gave it. */
  #wrapperTimestamp = -1;
  /** Type of the wrapper's timestamp, for all inside; null where a message's own counts. */
  #wrapperTimestampType: 'create' | 'append' | null = null;
  /** The sets around the one being walked, outermost first. */
  readonly #outer: OuterSet[] = [];
  /** The least offset that the next message can have: behind the last one, or `fromOffset`. */
  #nextOffset: number;
  /** What was thrown, if anything. */
  #failure: ConnectorError | null = null;
  readonly #topic: string;
  readonly #partition: number;
  readonly #maxInflatedBytes: number;

  constructor(
    records: Buffer,
    fromOffset: number,
    topic: string,
    partition: number,
    { maxInflatedBytes = DEFAULT_MAX_INFLATED_BYTES }: MessageCursorOptions = {},
  ) {
    this.#bytes = records;
    this.#view = viewOf(records);
    this.#nextOffset = fromOffset;
    this.#topic = topic;
    this.#partition = partition;
    this.#maxInflatedBytes = maxInflatedBytes;
  }

  /** Goes to the next message and fills the fields; false at the end, which a cut-off last entry is too. */
  advance(): boolean {
    if (this.#failure !== null) throw this.#failure;
    for (;;) {
      const view = this.#view;
      const at = this.#at;
      const leftBytes = view.byteLength - at - ENTRY_HEADER_BYTES;
      if (leftBytes < 0) {
        if (this.#leave()) continue;
        return false;
      }
      const sizeBytes = view.getInt32(at + SIZE_AT);
      if (sizeBytes < LEAST_MESSAGE_BYTES) throw this.#unbelievable(`an entry of ${sizeBytes} bytes`);
      if (sizeBytes > leftBytes) return false;
      const offset = this.#base + readInt64(view, at);
      const end = at + ENTRY_HEADER_BYTES + sizeBytes;
      this.#at = end;
      if (offset >= this.#nextOffset && offset <= MAX_OFFSET) {
        if (this.#decode(at, end, offset)) return true;
      } else if (!this.#passOver(at, sizeBytes, offset)) {
        this.#decode(at, end, offset);
      }
    }
  }

  /** Decodes one entry; false if it was a wrapper, which is entered. */
  #decode(at: number, end: number, offset: number): boolean {
    const view = this.#view;
    const bytes = this.#bytes;
    const magic = view.getInt8(at + MAGIC_AT);
    if (magic !== 0 && magic !== 1) throw this.#unknownFormat(at, end, offset, magic);
    if (crc32(bytes, view, at + MAGIC_AT, end) !== view.getInt32(at + CRC_AT)) {
      throw this.#fail('MESSAGE_CORRUPT', 'its checksum is wrong', offset);
    }
    const attributes = view.getInt8(at + ATTRIBUTES_AT);
    const keyLengthAt = magic === 0 ? at + BODY_AT : at + BODY_AT + TIMESTAMP_BYTES;
    if (keyLengthAt + 8 > end) throw this.#wrongLengths(offset);
    const keyAt = keyLengthAt + 4;
    const keyBytes = view.getInt32(keyLengthAt);
    const keyEnd = keyBytes > 0 ? keyAt + keyBytes : keyAt;
    if (keyBytes < -1 || keyEnd + 4 > end) throw this.#wrongLengths(offset);
    const valueAt = keyEnd + 4;
    const valueBytes = view.getInt32(keyEnd);
    if (valueBytes < -1 || (valueBytes > 0 ? valueAt + valueBytes : valueAt) !== end) {
      throw this.#wrongLengths(offset);
    }
    let timestamp = -1;
    let timestampType: 'create' | 'append' | null = null;
    if (magic === 1) {
      timestampType =
        this.#wrapperTimestampType ?? ((attributes & APPEND_TIME_BIT) === 0 ? 'create' : 'append');
      timestamp =
        this.#wrapperTimestampType === 'append' ? this.#wrapperTimestamp : readInt64(view, at + BODY_AT);
    }
    const value = valueBytes < 0 ? null : bytes.subarray(valueAt, end);
    const codec = attributes & CODEC_BITS;
    if (codec !== 0) {
      this.#enter(codec, magic, offset, value, timestamp, timestampType);
      return false;
    }
    this.offset = offset;
    this.key = keyBytes < 0 ? null : bytes.subarray(keyAt, keyEnd);
    this.value = value;
    this.timestamp = timestamp === -1 ? null : timestamp;
    this.timestampType = timestampType;
    this.#nextOffset = offset + 1;
    return true;
  }

  /** True if an entry outside the expected range is nothing but an old one. */
  #passOver(at: number, sizeBytes: number, offset: number): boolean {
    if (offset < 0 || offset > MAX_OFFSET) throw this.#unbelievable('an offset that is no offset');
    const magic = this.#view.getInt8(at + MAGIC_AT);
    if (magic > 1) {
      // The offset of a record batch is that of its first record, so it may hold some that are not old.
      return lastOffsetOfBatch(this.#view, at, sizeBytes, offset) < this.#nextOffset;
    }
    // The wrappers of some old producers have offset 0 whatever is inside.
    return offset !== 0 || (this.#view.getInt8(at + ATTRIBUTES_AT) & CODEC_BITS) === 0;
  }

  #enter(
    codec: number,
    magic: number,
    offset: number,
    compressed: Buffer | null,
    timestamp: number,
    timestampType: 'create' | 'append' | null,
  ): void {
    const inflate = inflateOf(codec);
    if (inflate === null) {
      throw this.#fail(
        'CODEC_UNSUPPORTED',
        `its codec is ${codecName(codec)}, and there is gzip only`,
        offset,
      );
    }
    if (compressed === null) throw this.#fail('MESSAGE_CORRUPT', 'a compressed set without a value', offset);
    if (this.#outer.length === MAX_DEPTH) {
      throw this.#fail('MESSAGE_CORRUPT', `compressed more than ${MAX_DEPTH} times over`, offset);
    }
    let bytes: Buffer;
    let base: number;
    try {
      bytes = inflate(compressed, this.#maxInflatedBytes);
      base = innerOffsetBase(viewOf(bytes), magic, offset);
    } catch (error) {
      if (isTooLarge(error)) {
        const most = `the compressed set comes to more than ${this.#maxInflatedBytes} bytes`;
        throw this.#fail('MESSAGE_TOO_LARGE', most, offset, offset + 1, error);
      }
      const why = errorText(error);
      throw this.#fail('MESSAGE_CORRUPT', `not a ${codecName(codec)} set: ${why}`, offset, offset + 1, error);
    }
    this.#outer.push({
      bytes: this.#bytes,
      view: this.#view,
      at: this.#at,
      base: this.#base,
      timestamp: this.#wrapperTimestamp,
      timestampType: this.#wrapperTimestampType,
    });
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#at = 0;
    this.#base = base;
    this.#wrapperTimestamp = timestamp;
    this.#wrapperTimestampType = timestampType;
  }

  /** Goes on behind the wrapper; false at the end of the fetched set. */
  #leave(): boolean {
    const outer = this.#outer.pop();
    if (outer === undefined) return false;
    this.#bytes = outer.bytes;
    this.#view = outer.view;
    this.#at = outer.at;
    this.#base = outer.base;
    this.#wrapperTimestamp = outer.timestamp;
    this.#wrapperTimestampType = outer.timestampType;
    return true;
  }

  #unknownFormat(at: number, end: number, offset: number, magic: number): ConnectorError {
    const sizeBytes = end - at - ENTRY_HEADER_BYTES;
    if (
      magic !== 2 &&
      crc32(this.#bytes, this.#view, at + MAGIC_AT, end) !== this.#view.getInt32(at + CRC_AT)
    ) {
      return this.#fail('MESSAGE_CORRUPT', 'its checksum is wrong', offset);
    }
    const last = magic === 2 ? lastOffsetOfBatch(this.#view, at, sizeBytes, offset) : offset;
    return this.#fail(
      'FORMAT_UNSUPPORTED',
      `its format is ${magic}, and only 0 and 1 are known`,
      offset,
      last + 1,
    );
  }

  #wrongLengths(offset: number): ConnectorError {
    return this.#fail('MESSAGE_CORRUPT', 'the lengths inside do not add up to its size', offset);
  }

  /** For an entry whose own offset says nothing: the one that should be here is named, and the way past is one on. */
  #unbelievable(what: string): ConnectorError {
    return this.#fail('MESSAGE_CORRUPT', `found ${what}`, this.#nextOffset);
  }

  /** Offsets below the next one are the fault's, too, so they are not named: seeking there would lead back to it. */
  #fail(code: ConnectorErrorCode, why: string, at: number, next = at + 1, cause?: unknown): ConnectorError {
    const topic = this.#topic;
    const partition = this.#partition;
    const offset = Math.max(at, this.#nextOffset);
    const nextOffset = Math.max(next, offset + 1);
    this.#failure = new ConnectorError(
      code,
      `message ${offset} of ${topic} partition ${partition} cannot be handed out: ${why}; ` +
        `seek to nextOffset ${nextOffset} to go on behind it`,
      { topic, partition, offset, nextOffset, cause },
    );
    return this.#failure;
  }
}

/** Last offset of a record batch (format 2), whose entry bears the first. */
function lastOffsetOfBatch(view: DataView, at: number, sizeBytes: number, firstOffset: number): number {
  const delta = sizeBytes < LEAST_BATCH_BYTES ? 0 : view.getInt32(at + BATCH_LAST_OFFSET_DELTA_AT);
  return Math.min(firstOffset + Math.max(delta, 0), MAX_OFFSET);
}
