import { AppendRefusal } from './AppendRefusal';
import { inflated, NO_CODEC } from './compression/codecs';
import type { LoggedMessage, MessageHeader } from './LoggedMessage';
import { type BatchHeader, RECORDS_AT } from './recordBatch';

const MOST_VARINT_BYTES = 5;
const MOST_VARLONG_BYTES = 10;

/** Walks the records of a batch. All of it throws AppendRefusal where the bytes make no sense. */
export class RecordCursor {
  readonly #header: BatchHeader;
  /** The records, opened. */
  readonly #bytes: Buffer;
  #at = 0;
  #left: number;
  #timestampMs = -1;
  #offset = -1;
  #keyAt = 0;
  /** -1 for null. */
  #keyBytes = -1;
  #valueAt = 0;
  /** -1 for null. */
  #valueBytes = -1;
  /** Where the number of headers stands. */
  #headersAt = 0;

  constructor(batch: Buffer, header: BatchHeader) {
    this.#header = header;
    this.#left = header.count;
    const records = batch.subarray(RECORDS_AT);
    this.#bytes = header.codec === NO_CODEC ? records : inflated(header.codec, 2, records);
  }

  get offset(): number {
    return this.#offset;
  }

  get timestampMs(): number {
    return this.#timestampMs;
  }

  /** Goes to the next record; false behind the last one. */
  next(): boolean {
    if (this.#left <= 0) {
      if (this.#at < this.#bytes.length) throw refusal('bytes behind the last record');
      return false;
    }
    this.#left--;
    const sizeBytes = this.#varint();
    const end = this.#at + sizeBytes;
    if (sizeBytes <= 0 || end > this.#bytes.length) throw refusal(`a record of ${sizeBytes} bytes`);
    this.#skip(1); // attributes, of which there are none
    const { baseOffset, baseTimestampMs, maxTimestampMs, isAppendTime } = this.#header;
    const timestampMs = baseTimestampMs + this.#varlong();
    this.#timestampMs = isAppendTime ? maxTimestampMs : timestampMs;
    this.#offset = baseOffset + this.#varint();
    this.#keyBytes = this.#varint();
    this.#keyAt = this.#at;
    this.#skip(this.#keyBytes);
    this.#valueBytes = this.#varint();
    this.#valueAt = this.#at;
    this.#skip(this.#valueBytes);
    this.#headersAt = this.#at;
    this.#skipHeaders();
    if (this.#at !== end) throw refusal('a record that does not end where it says');
    return true;
  }

  /** The record where the cursor is. */
  message(): LoggedMessage {
    return {
      offset: this.#offset,
      timestampMs: this.#timestampMs,
      key: this.#slice(this.#keyAt, this.#keyBytes),
      value: this.#slice(this.#valueAt, this.#valueBytes),
      headers: this.#headers(),
    };
  }

  #slice(at: number, sizeBytes: number): Buffer | null {
    return sizeBytes < 0 ? null : this.#bytes.subarray(at, at + sizeBytes);
  }

  #skipHeaders(): void {
    const count = this.#varint();
    if (count < 0) throw refusal(`${count} headers`);
    for (let left = count; left > 0; left--) {
      const keyBytes = this.#varint();
      if (keyBytes < 0) throw refusal('a header without a key');
      this.#skip(keyBytes);
      this.#skip(this.#varint());
    }
  }

  #headers(): MessageHeader[] {
    const behind = this.#at;
    this.#at = this.#headersAt;
    const headers = Array.from({ length: this.#varint() }, (): MessageHeader => {
      const key = this.#sized()?.toString('utf8') ?? '';
      return { key, value: this.#sized() };
    });
    this.#at = behind;
    return headers;
  }

  #sized(): Buffer | null {
    const sizeBytes = this.#varint();
    const at = this.#at;
    this.#skip(sizeBytes);
    return this.#slice(at, sizeBytes);
  }

  #skip(sizeBytes: number): void {
    if (sizeBytes <= 0) return;
    this.#at += sizeBytes;
    if (this.#at > this.#bytes.length) throw refusal('a record without an end');
  }

  #varint(): number {
    return this.#signed(MOST_VARINT_BYTES);
  }

  #varlong(): number {
    return this.#signed(MOST_VARLONG_BYTES);
  }

  /** Zigzag, seven bits a byte, the lowest first. */
  #signed(mostBytes: number): number {
    let value = 0;
    let factor = 1;
    for (let left = mostBytes; left > 0; left--) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw refusal('a number without an end');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 128;
    }
    throw refusal('a number of too many bytes');
  }
}

function refusal(why: string): AppendRefusal {
  return new AppendRefusal('INVALID_RECORD', why);
}
