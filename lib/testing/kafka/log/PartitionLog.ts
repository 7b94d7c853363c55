import { errorCodeOf, NONE, OFFSET_OUT_OF_RANGE } from '../errorCodes';
import type { Generation } from '../Generation';
import { acceptOldSet } from './acceptOldSet';
import { acceptSet } from './acceptSet';
import { AppendRefusal, RequestRefusal } from './AppendRefusal';
import { checkEntries } from './checkEntries';
import { convertedSet } from './convertSet';
import { MAGIC_AT, type MessageFormat } from './entryLayout';
import { producedEntries } from './producedEntries';
import { ProducerStates } from './ProducerStates';
import { type BatchHeader, readBatchHeader } from './recordBatch';
import { type FoundTimestamp, StoredEntries, storedEntry } from './StoredEntries';

export type { MessageFormat } from './entryLayout';

export interface LogOptions {
  readonly generation: Generation;
  /** In which messages are stored; others are converted when they come. */
  readonly format: MessageFormat;
  /** As `message.timestamp.type`: whose times the messages have. */
  timestampType: 'CreateTime' | 'LogAppendTime';
  /** As `max.message.bytes`: the most bytes of an entry, its offset and size included. */
  maxMessageBytes: number;
}

export interface AppendResult {
  readonly errorCode: number;
  /** -1 with an error, and if there was nothing to append. */
  readonly baseOffset: number;
  /** -1 unless the messages have the broker's time. For a batch that was sent twice, its largest timestamp. */
  readonly logAppendTimeMs: number;
  /** -1 with an error for which brokers do not tell it. */
  readonly logStartOffset: number;
}

export interface ReadLimits {
  readonly maxBytes: number;
  /** True if the first entry is to come whole even if it is larger. */
  readonly isFirstWhole: boolean;
}

export interface Readable {
  readonly errorCode: number;
  /** As it is stored; what is converted can have another size. */
  readonly sizeBytes: number;
  /** True if not even the first entry fits: Fetch from version 3 on answers with nothing in place of its beginning. */
  readonly isFirstCut: boolean;
}

export interface ReadResult extends Pick<Readable, 'errorCode' | 'isFirstCut'> {
  readonly records: Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * The messages of a partition, in memory, as a broker of its generation keeps them: entries (messages, compressed sets or batches)
 * stay as they come where the real broker leaves them so. All replicas share it, so its end is the high watermark, too.
 */
export class PartitionLog {
  readonly options: LogOptions;
  /** Written into the batches that are appended. */
  leaderEpoch = 0;
  readonly #entries = new StoredEntries();
  readonly #producers: ProducerStates;
  readonly #listeners = new Set<() => void>();
  #startOffset = 0;
  #endOffset = 0;

  /** The options may change while there are messages, but for what is readonly. */
  constructor(options: LogOptions) {
    this.options = options;
    this.#producers = new ProducerStates(options.generation);
  }

  /** Offset of the first message that can be read. */
  get startOffset(): number {
    return this.#startOffset;
  }

  /** Offset of the next message that comes. */
  get endOffset(): number {
    return this.#endOffset;
  }

  /**
   * Appends what a Produce request of that version brought for the partition, all or nothing. Throws RangeError where real
   * brokers close the connection: for null, and in 1.1 for sets that a version from 3 on may not bring.
   */
  append(records: Buffer | null, produceVersion: number): AppendResult {
    try {
      if (records === null) throw new RangeError('null in place of records');
      return this.#append(records, produceVersion);
    } catch (error) {
      if (!(error instanceof AppendRefusal)) throw error;
      return this.#refusal(error);
    }
  }

  /**
   * From the entry that contains `offset`, from its beginning, in that format or an older one. As brokers do, it cuts the last
   * entry that does not fit. From the end nothing is read, and beyond it or before the start it is an error.
   */
  read(offset: number, limits: ReadLimits, format: MessageFormat): ReadResult {
    const { errorCode, sizeBytes, isFirstCut } = this.measure(offset, limits);
    if (errorCode !== NONE) return { errorCode, records: NOTHING, isFirstCut };
    const { generation, format: storedFormat } = this.options;
    try {
      const stored = this.#entries.read(offset, sizeBytes);
      // By what the log is set to: brokers do not look into sets that they take for old.
      const needsOlder = storedFormat > format;
      const records = needsOlder ? convertedSet(stored, { generation, format, fromOffset: offset }) : stored;
      return { errorCode: NONE, records, isFirstCut };
    } catch (error) {
      if (!(error instanceof AppendRefusal)) throw error;
      return { errorCode: errorCodeOf(error.errorName), records: NOTHING, isFirstCut: false };
    }
  }

  /** How much there is for `read`, without reading it. */
  measure(offset: number, { maxBytes, isFirstWhole }: ReadLimits): Readable {
    if (offset < this.#startOffset || offset > this.#endOffset) {
      return { errorCode: OFFSET_OUT_OF_RANGE, sizeBytes: 0, isFirstCut: false };
    }
    const firstBytes = this.#entries.sizeAt(offset);
    const mostBytes = Math.max(maxBytes, isFirstWhole ? firstBytes : 0);
    const sizeBytes = Math.min(mostBytes, this.#entries.sizeFrom(offset));
    return { errorCode: NONE, sizeBytes, isFirstCut: mostBytes < firstBytes };
  }

  /** The first message with that timestamp or a later one, as ListOffsets from version 1 on finds it; null if there is none. */
  offsetForTimestamp(timestampMs: number): FoundTimestamp | null {
    // Nobody has looked into what old brokers store, and format 0 has no timestamps.
    if (this.options.format === 0) return null;
    return this.#entries.findTimestamp(timestampMs, this.#startOffset);
  }

  /** The message with the largest timestamp, as ListOffsets from version 7 on finds it; null if there is none. */
  newestMessage(): FoundTimestamp | null {
    return this.#entries.findNewest(this.#startOffset);
  }

  /** Moves the start of the log, as retention does. Throws RangeError beyond the end. */
  deleteBefore(offset: number): void {
    if (offset > this.#endOffset)
      throw new RangeError(`offset ${offset} of a log that ends at ${this.#endOffset}`);
    if (offset <= this.#startOffset) return;
    this.#startOffset = offset;
    this.#entries.deleteBefore(offset);
    this.#producers.forgetBefore(offset);
  }

  /** Calls the listener after each append that brought something; the function that is returned ends that. */
  onAppend(listener: () => void): () => void {
    // Its own function, so that a listener that is given twice is called twice.
    const call = (): void => listener();
    this.#listeners.add(call);
    return () => void this.#listeners.delete(call);
  }

  #append(records: Buffer, produceVersion: number): AppendResult {
    const { generation, format, maxMessageBytes, timestampType } = this.options;
    const entries = producedEntries(records, generation, produceVersion);
    checkEntries(entries, { generation, maxMessageBytes });
    if (entries.length === 0) return this.#result(-1, -1);
    const baseOffset = this.#endOffset;
    const accepting = { generation, format, maxMessageBytes, nextOffset: baseOffset };
    const isOld = generation === '0.8' || generation === '0.9';
    const appendTimeMs = !isOld && timestampType === 'LogAppendTime' ? Date.now() : null;
    const accepted = isOld
      ? acceptOldSet(entries, accepting)
      : acceptSet(entries, { ...accepting, appendTimeMs, leaderEpoch: this.leaderEpoch });
    const ofProducers = accepted.filter(isBatch).map(readBatchHeader).filter(hasProducer);
    for (const header of ofProducers) {
      const duplicate = this.#producers.duplicateOf(header);
      if (duplicate !== null) return this.#result(duplicate.baseOffset, duplicate.maxTimestampMs);
      this.#producers.check(header);
    }
    for (const header of ofProducers) this.#producers.add(header);
    this.#store(accepted);
    return this.#result(baseOffset, appendTimeMs ?? -1);
  }

  #store(accepted: readonly Buffer[]): void {
    for (const bytes of accepted) {
      const entry = storedEntry(bytes);
      this.#entries.push(entry);
      this.#endOffset = entry.lastOffset + 1;
    }
    if (accepted.length === 0) return;
    for (const listener of [...this.#listeners]) listener();
  }

  #result(baseOffset: number, logAppendTimeMs: number): AppendResult {
    return { errorCode: NONE, baseOffset, logAppendTimeMs, logStartOffset: this.#startOffset };
  }

  #refusal(refusal: AppendRefusal): AppendResult {
    // Brokers before 2.4 have no name of its own for a record that makes no sense.
    const isOlder = refusal.errorName === 'INVALID_RECORD' && this.options.generation !== '3.9';
    const errorName = isOlder ? 'CORRUPT_MESSAGE' : refusal.errorName;
    const isTold =
      errorName !== 'CORRUPT_MESSAGE' &&
      errorName !== 'MESSAGE_TOO_LARGE' &&
      !(refusal instanceof RequestRefusal);
    return {
      errorCode: errorCodeOf(errorName),
      baseOffset: -1,
      logAppendTimeMs: -1,
      logStartOffset: isTold ? this.#startOffset : -1,
    };
  }
}

function isBatch(entry: Buffer): boolean {
  return entry.readInt8(MAGIC_AT) === 2;
}

function hasProducer({ producerId }: BatchHeader): boolean {
  return producerId >= 0;
}
