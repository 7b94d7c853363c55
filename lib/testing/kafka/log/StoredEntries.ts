import { MAGIC_AT, readInt64 } from './entryLayout';
import { messagesOf } from './messagesOf';
import { readTimestamp } from './messageEntry';
import { readBatchHeader } from './recordBatch';

/** An entry of the log: a message, a compressed set or a batch. */
export interface StoredEntry {
  readonly bytes: Buffer;
  readonly lastOffset: number;
  /** -1 without timestamps. */
  readonly maxTimestampMs: number;
  /** -1 where the format does not tell it. */
  readonly leaderEpoch: number;
}

export interface FoundTimestamp {
  readonly timestampMs: number;
  readonly offset: number;
  /** -1 where the format does not tell it. */
  readonly leaderEpoch: number;
}

export function storedEntry(bytes: Buffer): StoredEntry {
  if (bytes.readInt8(MAGIC_AT) === 2) {
    const { lastOffset, maxTimestampMs, leaderEpoch } = readBatchHeader(bytes);
    return { bytes, lastOffset, maxTimestampMs, leaderEpoch };
  }
  return { bytes, lastOffset: readInt64(bytes, 0), maxTimestampMs: readTimestamp(bytes), leaderEpoch: -1 };
}

/** The entries of a log in the order of their offsets. */
export class StoredEntries {
  #entries: StoredEntry[] = [];
  /** Of each entry: how many bytes have been stored in front of it. */
  #positions: number[] = [];
  #storedBytes = 0;

  push(entry: StoredEntry): void {
    this.#entries.push(entry);
    this.#positions.push(this.#storedBytes);
    this.#storedBytes += entry.bytes.length;
  }

  /** Whole entries from the one that holds `offset` on, and the last of them cut, `maxBytes` in all. */
  read(offset: number, maxBytes: number): Buffer {
    const parts: Buffer[] = [];
    let left = maxBytes;
    for (let index = this.#indexOf(offset); left > 0; index++) {
      const entry = this.#entries[index];
      if (entry === undefined) break;
      const part = entry.bytes.length > left ? entry.bytes.subarray(0, left) : entry.bytes;
      parts.push(part);
      left -= part.length;
    }
    const [first] = parts;
    return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
  }

  /** Size of the entry that holds `offset`, or of the first one behind it; 0 if there is none. */
  sizeAt(offset: number): number {
    return this.#entries[this.#indexOf(offset)]?.bytes.length ?? 0;
  }

  /** Size of all entries from the one that holds `offset` on. */
  sizeFrom(offset: number): number {
    return this.#storedBytes - (this.#positions[this.#indexOf(offset)] ?? this.#storedBytes);
  }

  deleteBefore(offset: number): void {
    const index = this.#indexOf(offset);
    this.#entries = this.#entries.slice(index);
    this.#positions = this.#positions.slice(index);
  }

  /** The first message from `startOffset` on whose timestamp is that or later. */
  findTimestamp(timestampMs: number, startOffset: number): FoundTimestamp | null {
    for (const { bytes, maxTimestampMs, leaderEpoch } of this.#entries) {
      if (maxTimestampMs < timestampMs || maxTimestampMs === -1) continue;
      const found = messagesOf(bytes).messages.find(
        (message) => message.timestampMs >= timestampMs && message.offset >= startOffset,
      );
      if (found !== undefined) return { timestampMs: found.timestampMs, offset: found.offset, leaderEpoch };
    }
    return null;
  }

  /** The first of the messages with the largest timestamp; null if none has one. */
  findNewest(startOffset: number): FoundTimestamp | null {
    let newestMs = -1;
    for (const { maxTimestampMs } of this.#entries) newestMs = Math.max(newestMs, maxTimestampMs);
    return newestMs === -1 ? null : this.findTimestamp(newestMs, startOffset);
  }

  /** Of the first entry whose last offset is that or larger. */
  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.lastOffset ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
