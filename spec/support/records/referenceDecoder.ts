import type { AbortedTransaction } from './fetchAnswer';
import { FoundFault } from './FoundFault';
import { openCompressed, type ZstdReader } from './openCompressed';
import { ReferenceTransactions } from './ReferenceTransactions';
import { isOldDamage, lastOffsetOf, readBatch } from './referenceBatch';
import { readEntry, readInnerSet, type TimeOfWrapper } from './referenceMessage';

/** The largest offset whose successor is an exact number. */
export const MOST_OFFSET = BigInt(Number.MAX_SAFE_INTEGER) - 1n;
const ENTRY_HEADER_BYTES = 12;
const LEAST_ENTRY_BYTES = 14;
const MAGIC_AT = 16;
const MOST_NESTED = 3;

export interface ReferenceHeader {
  readonly key: string;
  readonly value: Buffer | null;
}

/** What the bytes say about one message. */
export interface ReferenceMessage {
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly timestamp: bigint | null;
  /** False if numbers beyond 2^53 made it, which the code under test does not have exactly. */
  readonly isTimeExact: boolean;
  readonly timestampType: 'create' | 'append' | null;
  readonly headers: readonly ReferenceHeader[];
}

export interface ReferenceFault {
  readonly code: string;
  readonly why: string;
  /** The first offset that is lost. */
  readonly offset: bigint;
  /** Where reading goes on behind the fault. */
  readonly nextOffset: bigint;
  /** True if a checksum is wrong. */
  readonly isChecksum: boolean;
}

export interface ReferenceResult {
  readonly messages: readonly ReferenceMessage[];
  /** What ended the reading, unless it was the end. */
  readonly fault: ReferenceFault | null;
  /** Compressed sets that were opened, or tried to. */
  readonly setsOpened: number;
}

export interface ReferenceOptions {
  readonly fromOffset: bigint;
  /** Most bytes that one compressed set may come to. */
  readonly maxInflatedBytes: number;
  /** Transactions to be left out. */
  readonly aborted: readonly AbortedTransaction[];
  /** What opens zstd frames with entropy coding. */
  readonly zstd: ZstdReader;
}

interface Compressed {
  readonly codec: number;
  readonly magic: number;
  readonly payload: Buffer;
}

/**
 * Says what fetched bytes mean, in formats 0, 1 and 2 and any mixture: slow, with BigInts, one step after the other, and
 * without a line of the code under test. Strict where the protocol leaves something open.
 */
export class ReferenceDecoder {
  readonly #options: ReferenceOptions;
  readonly #messages: ReferenceMessage[] = [];
  readonly #transactions: ReferenceTransactions;
  /** The largest offset of the entries so far. */
  #largest = -1n;
  /** Below it nothing is handed out any more. */
  #nextOffset: bigint;
  #setsOpened = 0;

  constructor(options: ReferenceOptions) {
    this.#options = options;
    this.#nextOffset = options.fromOffset;
    this.#transactions = new ReferenceTransactions(options.aborted);
  }

  /** To the end, or to the first fault. */
  decode(bytes: Buffer): ReferenceResult {
    const fault = this.#faultIn(() => this.#fetchedSet(bytes));
    return { messages: this.#messages, fault, setsOpened: this.#setsOpened };
  }

  #faultIn(read: () => void): ReferenceFault | null {
    try {
      read();
    } catch (error) {
      if (!(error instanceof FoundFault)) throw error;
      const { code, message: why, isChecksum } = error;
      // What was there before is no part of what is lost.
      const offset = max(error.firstOffset ?? this.#nextOffset, this.#nextOffset);
      const nextOffset = max(error.lastOffset ?? offset, offset) + 1n;
      return { code, why, offset, nextOffset, isChecksum };
    }
    return null;
  }

  #fetchedSet(bytes: Buffer): void {
    let at = 0;
    while (bytes.length - at >= ENTRY_HEADER_BYTES) {
      const size = bytes.readInt32BE(at + 8);
      if (size < LEAST_ENTRY_BYTES) throw new FoundFault('MESSAGE_CORRUPT', `an entry of ${size} bytes`);
      if (size > bytes.length - at - ENTRY_HEADER_BYTES) return; // cut off by the size of the fetch
      const offset = bytes.readBigInt64BE(at);
      if (offset < 0n || offset > MOST_OFFSET) throw new FoundFault('MESSAGE_CORRUPT', `offset ${offset}`);
      const entry = bytes.subarray(at, at + ENTRY_HEADER_BYTES + size);
      at += entry.length;
      if (entry.readInt8(MAGIC_AT) === 2) this.#batch(entry, offset, offsetAt(bytes, at));
      else this.#entry(entry, offset);
    }
  }

  #handOut(message: ReferenceMessage): void {
    if (message.offset < this.#nextOffset) return;
    this.#messages.push(message);
    this.#nextOffset = message.offset + 1n;
  }

  #batch(entry: Buffer, firstOffset: bigint, offsetBehind: bigint | null): void {
    const lastOffset = lastOffsetOf(entry);
    // The offset of a batch is under no checksum.
    if (firstOffset <= this.#largest) throw new FoundFault('MESSAGE_CORRUPT', `offset ${firstOffset} again`);
    const inflate = (codec: number, payload: Buffer): Buffer =>
      this.#inflated({ codec, magic: 2, payload }, firstOffset, lastOffset ?? firstOffset);
    const context = { offsetBehind, from: this.#nextOffset, transactions: this.#transactions, inflate };
    if (isOldDamage(entry, context)) return;
    for (const record of readBatch(entry, context)) {
      // Old records count for their places only, so what is wrong inside them is not looked at.
      if (record.offset >= this.#nextOffset) this.#handOut(record.content());
    }
    this.#largest = lastOffset ?? firstOffset;
  }

  /** An entry of format 0 or 1 in the fetched set. */
  #entry(entry: Buffer, offset: bigint): void {
    const mayHoldMore = offset === 0n && (entry.readUInt8(17) & 7) !== 0;
    this.#largest = max(this.#largest, offset);
    if (offset < this.#nextOffset && !mayHoldMore) return;
    this.#message(entry, offset, null, 0);
  }

  /** A message, or a compressed set in its place. */
  #message(entry: Buffer, offset: bigint, time: TimeOfWrapper | null, depth: number): void {
    const { codec, magic, message } = readEntry(entry, offset, time);
    if (codec === 0) {
      this.#handOut(message);
      return;
    }
    const lost = { firstOffset: null, lastOffset: offset };
    if (message.value === null) throw new FoundFault('MESSAGE_CORRUPT', 'a set without a value', lost);
    if (depth === MOST_NESTED) throw new FoundFault('MESSAGE_CORRUPT', 'too many sets in sets', lost);
    const inner = this.#inflated({ codec, magic, payload: message.value }, null, offset);
    for (const one of readInnerSet(inner, magic, offset)) {
      if (one.offset < this.#nextOffset) continue;
      this.#message(one.entry, one.offset, magic === 0 ? time : message, depth + 1);
    }
  }

  #inflated({ codec, magic, payload }: Compressed, firstOffset: bigint | null, lastOffset: bigint): Buffer {
    this.#setsOpened += 1;
    const { maxInflatedBytes, zstd } = this.#options;
    const opened = openCompressed(codec, magic, payload, maxInflatedBytes, zstd);
    if (Buffer.isBuffer(opened)) return opened;
    throw new FoundFault(opened.code, opened.why, { firstOffset, lastOffset });
  }
}

/** Offset of the entry that begins there, if its offset is whole and one. */
function offsetAt(bytes: Buffer, at: number): bigint | null {
  const offset = bytes.length - at >= 8 ? bytes.readBigInt64BE(at) : 0n;
  return offset > 0n && offset <= MOST_OFFSET ? offset : null;
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** What the bytes mean, from one offset on. */
export function decodeByReference(bytes: Buffer, options: ReferenceOptions): ReferenceResult {
  return new ReferenceDecoder(options).decode(bytes);
}
