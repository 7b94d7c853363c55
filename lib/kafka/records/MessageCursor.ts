import { ConnectorError } from '../../errors';
import { builtInCodecs, type Codecs } from '../compression/codecs';
import { AbortedTransactions, type AbortedTransaction } from './AbortedTransactions';
import { checkedLastOffset } from './checkRecordBatch';
import { CompressedSet } from './CompressedSet';
import type { Inflating } from './inflateSet';
import { MessageFault } from './MessageFault';
import {
  NO_HEADERS,
  type MessageFields,
  type MessageHeader,
  type MessageRun,
  type TimestampType,
} from './MessageFields';
import {
  ATTRIBUTES_AT,
  CODEC_BITS,
  ENTRY_HEADER_BYTES,
  LEAST_MESSAGE_BYTES,
  MAGIC_AT,
  MAX_OFFSET,
  readInt64,
  RECORD_BATCH,
  SIZE_AT,
  viewOf,
} from './messageFormat';
import { openRecordBatch } from './openRecordBatch';
import { readMessage } from './readMessage';

export interface MessageCursorOptions {
  /** Most bytes that one compressed set may come to; more is MESSAGE_TOO_LARGE. Default 128 MiB. */
  readonly maxInflatedBytes?: number;
  /** Default: the built-in ones. */
  readonly codecs?: Codecs;
  /** Transactions whose records are left out (`isolation.level` read_committed). Default: none. */
  readonly abortedTransactions?: readonly AbortedTransaction[];
}

const DEFAULT_MAX_INFLATED_BYTES = 128 * 1024 * 1024;

/**
 * Hands out the messages of a fetched set one by one, in all formats and also if it has several, decoding each when its turn
 * comes: nothing is made but the views of its key and value, so a set that is dropped has cost nothing. Compressed sets and
 * record batches are walked in place of their entry; transaction markers are left out.
 *
 * The checksum of each message that is handed out is checked, and that of each compressed set or batch before it is opened.
 * Messages below `fromOffset` are passed over unchecked, so that seeking past a bad message works inside these too; but a batch
 * is below it only if its checksum or the next batch says so. Offsets that were there already are passed over, too, since they
 * never go back: brokers from 2.0 send the first messages twice when they convert a set that begins with a transaction marker
 * (seen with 3.9.1).
 *
 * `advance()` throws ConnectorError with topic, partition, offset and nextOffset; after that the cursor is dead, and each
 * later call throws the same error, lest the damage be taken for the end.
 */
export class MessageCursor implements MessageFields {
  offset = -1;
  key: Buffer | null = null;
  value: Buffer | null = null;
  timestamp: number | null = null;
  timestampType: TimestampType | null = null;
  headers: readonly MessageHeader[] = NO_HEADERS;

  /** The fetched set. */
  #bytes: Buffer;
  /** The same bytes; reading integers through it is the fastest way there is. */
  #view: DataView;
  /** Where the next entry begins. */
  #at = 0;
  /** Where the entry that was read last begins. */
  #entryAt = 0;
  /** The largest offset of the entries so far. A batch's own offset is under no checksum, so the order is all there is to check. */
  #lastOffset = -1;
  /** The same without the entry that was read last. */
  #lastOffsetBefore = -1;
  /** The messages of that entry, if it has several. */
  #run: MessageRun | null = null;
  /** The least offset that the next message can have: behind the last one, or `fromOffset`. */
  #nextOffset: number;
  /** What was thrown, if anything. */
  #failure: ConnectorError | null = null;
  readonly #topic: string;
  readonly #partition: number;
  readonly #inflating: Inflating;
  /** null if there are none. */
  readonly #aborted: AbortedTransactions | null;

  constructor(
    records: Buffer,
    fromOffset: number,
    topic: string,
    partition: number,
    options: MessageCursorOptions = {},
  ) {
    const {
      maxInflatedBytes = DEFAULT_MAX_INFLATED_BYTES,
      codecs = builtInCodecs,
      abortedTransactions = [],
    } = options;
    this.#bytes = records;
    this.#view = viewOf(records);
    this.#nextOffset = fromOffset;
    this.#topic = topic;
    this.#partition = partition;
    this.#inflating = { codecs, maxBytes: maxInflatedBytes };
    this.#aborted = abortedTransactions.length === 0 ? null : new AbortedTransactions(abortedTransactions);
  }

  /**
   * Lets go of the answer that it is the lesser part of, so that it no longer keeps that in memory: what is left is copied out.
   * An entry that is being read is opened anew; what it has given is below the next offset. The fields are emptied.
   */
  unpin(): void {
    if (this.#bytes.length * 2 >= this.#bytes.buffer.byteLength) return;
    const at = this.#run === null ? this.#at : this.#entryAt;
    this.#bytes = Buffer.from(this.#bytes.subarray(at));
    this.#view = viewOf(this.#bytes);
    this.#at = 0;
    if (this.#run !== null) this.#lastOffset = this.#lastOffsetBefore;
    this.#run = null;
    this.key = this.value = null;
    this.headers = NO_HEADERS;
  }

  /** Goes to the next message and fills the fields; false at the end, which a cut-off last entry is too. */
  advance(): boolean {
    if (this.#failure !== null) throw this.#failure;
    try {
      return this.#advance();
    } catch (error) {
      throw error instanceof MessageFault ? this.#fail(error) : error;
    }
  }

  #advance(): boolean {
    for (;;) {
      if (this.#run !== null) {
        if (this.#run.next(this, this.#nextOffset)) break;
        this.#run = null;
      }
      const view = this.#view;
      const at = this.#at;
      const leftBytes = view.byteLength - at - ENTRY_HEADER_BYTES;
      if (leftBytes < 0) return false;
      const sizeBytes = view.getInt32(at + SIZE_AT);
      if (sizeBytes < LEAST_MESSAGE_BYTES) throw this.#unbelievable(`an entry of ${sizeBytes} bytes`);
      if (sizeBytes > leftBytes) return false;
      const offset = readInt64(view, at);
      if (offset < 0 || offset > MAX_OFFSET) throw this.#unbelievable('an offset that is no offset');
      this.#entryAt = at;
      this.#lastOffsetBefore = this.#lastOffset;
      this.#at = at + ENTRY_HEADER_BYTES + sizeBytes;
      if (view.getInt8(at + MAGIC_AT) === RECORD_BATCH) {
        this.#openBatch(at, offset);
        continue;
      }
      if (offset > this.#lastOffset) this.#lastOffset = offset;
      if (!this.#isOld(at, offset) && this.#open(at, offset)) break;
    }
    this.#nextOffset = this.offset + 1;
    return true;
  }

  /** Whether an entry in format 0 or 1 is below the next offset. */
  #isOld(at: number, offset: number): boolean {
    if (offset >= this.#nextOffset) return false;
    // The offset of a compressed set is that of its last message, but some old producers gave 0 whatever is inside.
    return offset !== 0 || (this.#view.getInt8(at + ATTRIBUTES_AT) & CODEC_BITS) === 0;
  }

  /** Opens an entry in format 0 or 1; true if it is a message by itself, which the fields are filled with. */
  #open(at: number, offset: number): boolean {
    const codec = readMessage(this.#bytes, this.#view, at, this.#at, offset, this);
    if (codec === 0) return true;
    const { value, timestamp, timestampType } = this;
    const magic = timestampType === null ? 0 : 1;
    this.#run = new CompressedSet({ codec, magic, offset, value, timestamp, timestampType }, this.#inflating);
    return false;
  }

  #openBatch(at: number, offset: number): void {
    if (offset <= this.#lastOffset) {
      throw this.#unbelievable(`a batch from offset ${offset} on behind offset ${this.#lastOffset}`);
    }
    const view = this.#view;
    const end = this.#at;
    const from = this.#nextOffset;
    const lastOffset = checkedLastOffset(view, at, end, from);
    if (lastOffset === null) return;
    this.#lastOffset = lastOffset;
    this.#run = openRecordBatch(this.#bytes, view, at, end, from, this.#inflating, this.#aborted);
  }

  /** For an entry whose own offset says nothing: the one that should be here is named, and the way past is one on. */
  #unbelievable(what: string): MessageFault {
    return new MessageFault('MESSAGE_CORRUPT', `found ${what}`, this.#nextOffset, this.#nextOffset);
  }

  /** Offsets below the next one are the fault's, too, so they are not named: seeking there would lead back to it. */
  #fail(fault: MessageFault): ConnectorError {
    const topic = this.#topic;
    const partition = this.#partition;
    const offset = Math.max(fault.firstOffset ?? 0, this.#nextOffset);
    const nextOffset = Math.max(fault.lastOffset, offset) + 1;
    const messages =
      nextOffset - offset === 1 ? `message ${offset}` : `messages ${offset} to ${nextOffset - 1}`;
    this.#failure = new ConnectorError(
      fault.code,
      `${messages} of ${topic} partition ${partition} cannot be handed out: ${fault.message}; ` +
        `seek to nextOffset ${nextOffset} to go on behind`,
      { topic, partition, offset, nextOffset, cause: fault.cause },
    );
    return this.#failure;
  }
}
