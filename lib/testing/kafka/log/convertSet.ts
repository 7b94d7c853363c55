import type { Generation } from '../Generation';
import { AppendRefusal } from './AppendRefusal';
import { codecOfEntry } from './checkEntries';
import { NO_CODEC, ZSTD } from './compression/codecs';
import { ENTRY_HEADER_BYTES, MAGIC_AT, type MessageFormat, SIZE_AT, writeInt64 } from './entryLayout';
import { messagesOf } from './messagesOf';
import { readBatchHeader, RECORDS_AT } from './recordBatch';
import { splitEntries } from './splitEntries';
import { writeEntries } from './writeEntries';

interface Conversion {
  readonly generation: Generation;
  /** The newest that the client can read. */
  readonly format: MessageFormat;
  /** The offset that was asked for. */
  readonly fromOffset: number;
}

/** Brokers from 2.0 on give the entry that fills up an answer so many bytes at a time at most. */
const MOST_FILLED_BYTES = 128 * 1024;

/**
 * A set that was read from a log, in a format that the client can read. What is cut off at its end goes; a set of nothing else stays
 * as it is. Throws AppendRefusal for zstd, which there was not when the old formats were.
 */
export function convertedSet(set: Buffer, conversion: Conversion): Buffer {
  const { generation, format } = conversion;
  const entries = splitEntries(set);
  if (generation === '3.9' && entries.length === 0) return set.subarray(0, 0);
  if (entries.every((entry) => entry.readInt8(MAGIC_AT) <= format)) return set;
  if (generation === '0.10.2') return Buffer.concat(mergedEntries(entries, format));
  if (generation === '3.9') return filledSet(set.length, entries, conversion);
  return Buffer.concat(entries.flatMap((entry) => convertedEntry(entry, conversion)));
}

/** One entry after the other. Messages in front of what was asked for go if nothing has to be compressed again. */
function convertedEntry(entry: Buffer, { format, fromOffset }: Conversion): Buffer[] {
  const magic = entry.readInt8(MAGIC_AT);
  if (magic <= format) return [entry];
  if (magic === 2 && readBatchHeader(entry).isControl) return [];
  if (codecOfEntry(entry) === ZSTD) {
    throw new AppendRefusal('UNSUPPORTED_COMPRESSION_TYPE', 'zstd is not for old formats');
  }
  const { messages, codec, appendTimeMs } = messagesOf(entry);
  const wanted = codec === NO_CODEC ? messages.filter(({ offset }) => offset >= fromOffset) : messages;
  return wanted.length === 0 ? [] : writeEntries(format, wanted, { codec, appendTimeMs, leaderEpoch: -1 });
}

/** Kafka 0.10 writes all messages in the codec of the first entry, so a plain one in front opens all sets behind it. */
function mergedEntries(entries: readonly Buffer[], format: MessageFormat): Buffer[] {
  const groups = entries.map(messagesOf);
  const codec = groups[0]?.codec ?? NO_CODEC;
  const messages = groups.flatMap((group) => group.messages);
  return writeEntries(format, messages, { codec, appendTimeMs: null, leaderEpoch: -1 });
}

/**
 * Brokers from 2.0 on convert while they send. They have promised the size of what is stored, or of the first converted entry if
 * that is larger: the rest is cut off there, and what is missing is filled up with an entry that is longer than the answer.
 */
function filledSet(storedBytes: number, entries: readonly Buffer[], conversion: Conversion): Buffer {
  const parts: Buffer[] = [];
  let promisedBytes = 0;
  let sizeBytes = 0;
  for (const entry of entries) {
    const part = convertedOrNone(entry, conversion, parts.length > 0);
    if (part === null) break;
    if (part.length === 0) continue;
    if (parts.length === 0) promisedBytes = Math.max(storedBytes, part.length);
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes >= promisedBytes) break;
  }
  if (parts.length === 0) promisedBytes = ENTRY_HEADER_BYTES;
  for (let left = promisedBytes - sizeBytes; left > 0; left -= MOST_FILLED_BYTES) parts.push(filler(left));
  return Buffer.concat(parts, promisedBytes);
}

/** Null for what cannot be converted, if there is something in front of it to answer with. */
function convertedOrNone(entry: Buffer, conversion: Conversion, mayEnd: boolean): Buffer | null {
  if (mayEnd && codecOfEntry(entry) === ZSTD) return null;
  return Buffer.concat(convertedEntry(entry, conversion));
}

/** The beginning of an entry that does not end in the bytes that are left. */
function filler(leftBytes: number): Buffer {
  const entry = Buffer.alloc(Math.max(ENTRY_HEADER_BYTES, Math.min(leftBytes + 1, MOST_FILLED_BYTES)));
  writeInt64(entry, -1, 0);
  entry.writeInt32BE(Math.max(leftBytes + 1, RECORDS_AT), SIZE_AT);
  return entry;
}
