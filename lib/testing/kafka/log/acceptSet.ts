import type { Generation } from '../Generation';
import { AppendRefusal } from './AppendRefusal';
import { checkBatch } from './checkBatch';
import { checkSize, codecOf } from './checkEntries';
import { NO_CODEC } from './compression/codecs';
import { isExactTime, MAGIC_AT, type MessageFormat, NO_TIMESTAMP, writeInt64 } from './entryLayout';
import { innerMessages } from './innerMessages';
import type { LoggedMessage } from './LoggedMessage';
import { readMessage, setMessageTime } from './messageEntry';
import { NO_PRODUCER, placeBatch, readBatchHeader, setBatchTime } from './recordBatch';
import { RecordCursor } from './RecordCursor';
import { writeEntries } from './writeEntries';

export interface Acceptance {
  readonly generation: Generation;
  /** That of the log. */
  readonly format: MessageFormat;
  readonly maxMessageBytes: number;
  /** Of the first message that comes. */
  readonly nextOffset: number;
  /** The broker's time if it takes the place of the producer's; null if not. */
  readonly appendTimeMs: number | null;
  readonly leaderEpoch: number;
}

/**
 * What brokers since 0.10 store of a produced set whose entries are right for themselves: the entries as they come, with offsets and
 * times set in place, if they are of the log's format and, if compressed, count from 0 inside; otherwise all messages written
 * again, together. Throws AppendRefusal for what they refuse.
 */
export function acceptSet(entries: readonly Buffer[], acceptance: Acceptance): Buffer[] {
  const { generation, format, maxMessageBytes } = acceptance;
  const codec = codecOf(entries);
  if (generation === '3.9') checkOneBatch(entries, codec);
  const isOfFormat = entries.every((entry) => entry.readInt8(MAGIC_AT) === format);
  if (codec === NO_CODEC && isOfFormat) return placedEntries(entries, acceptance);
  const [first] = entries;
  if (codec !== NO_CODEC && isOfFormat && entries.length === 1 && first !== undefined && format > 0) {
    const placed = placedSet(first, acceptance);
    if (placed !== null) return [placed];
    if (generation === '3.9' && format === 2) {
      // It has read over keys and values by then, so writing them again fails.
      throw new AppendRefusal('UNKNOWN_SERVER_ERROR', 'a compressed batch that does not count from 0');
    }
  }
  const rewritten = rewrittenSet(entries, codec, acceptance);
  for (const entry of rewritten) checkSize(entry, maxMessageBytes);
  return rewritten;
}

function checkOneBatch(entries: readonly Buffer[], codec: number): void {
  const formats = new Set(entries.map((entry) => entry.readInt8(MAGIC_AT)));
  if ((formats.has(2) || codec !== NO_CODEC) && entries.length > 1) {
    throw new AppendRefusal('INVALID_RECORD', `${entries.length} batches in one set`);
  }
  if (formats.size > 1) throw new AppendRefusal('INVALID_RECORD', 'two formats in one set');
}

/** Plain messages, or batches that are not compressed. */
function placedEntries(entries: readonly Buffer[], acceptance: Acceptance): Buffer[] {
  const { format, appendTimeMs, leaderEpoch } = acceptance;
  let offset = acceptance.nextOffset;
  return entries.map((entry) => {
    const { count, maxTimestampMs } = surveyed(entry, acceptance);
    const copy = Buffer.from(entry);
    if (format === 2) {
      placeBatch(copy, offset, leaderEpoch);
      setBatchTime(copy, appendTimeMs ?? maxTimestampMs, appendTimeMs !== null);
    } else {
      writeInt64(copy, offset, 0);
      if (format === 1 && appendTimeMs !== null) setMessageTime(copy, appendTimeMs, true);
    }
    offset += count;
    return copy;
  });
}

/** A compressed set in its place; null if it does not count from 0 inside. */
function placedSet(entry: Buffer, acceptance: Acceptance): Buffer | null {
  const { count, maxTimestampMs, countsFromZero } = surveyed(entry, acceptance);
  if (!countsFromZero) return null;
  const { format, nextOffset, appendTimeMs, leaderEpoch } = acceptance;
  const copy = Buffer.from(entry);
  const timestampMs = appendTimeMs ?? maxTimestampMs;
  if (format === 2) {
    placeBatch(copy, nextOffset, leaderEpoch);
    setBatchTime(copy, timestampMs, appendTimeMs !== null);
  } else {
    writeInt64(copy, nextOffset + count - 1, 0);
    setMessageTime(copy, timestampMs, appendTimeMs !== null);
  }
  return copy;
}

interface Survey {
  readonly count: number;
  readonly maxTimestampMs: number;
  readonly countsFromZero: boolean;
}

/** Walks over all messages of an entry. Throws AppendRefusal for what no client may send. */
function surveyed(entry: Buffer, acceptance: Acceptance): Survey {
  let count = 0;
  let maxTimestampMs = NO_TIMESTAMP;
  let countsFromZero = true;
  walk(entry, acceptance, ({ offset, timestampMs }) => {
    if (offset !== count) countsFromZero = false;
    maxTimestampMs = Math.max(maxTimestampMs, timestampMs);
    count++;
  });
  return { count, maxTimestampMs, countsFromZero };
}

function rewrittenSet(entries: readonly Buffer[], codec: number, acceptance: Acceptance): Buffer[] {
  const { format, generation, nextOffset, appendTimeMs, leaderEpoch } = acceptance;
  const messages: LoggedMessage[] = [];
  for (const entry of entries) {
    walk(entry, acceptance, (place) => {
      messages.push({ ...place.message(), offset: nextOffset + messages.length });
    });
  }
  const [first] = entries;
  const producer = first?.readInt8(MAGIC_AT) === 2 ? readBatchHeader(first) : NO_PRODUCER;
  const keepsTimesInside = generation === '0.10.2';
  const traits = { codec, appendTimeMs, leaderEpoch, keepsTimesInside };
  return writeEntries(format, messages, traits, producer);
}

/** A message of an entry, which is only made when it is asked for. */
interface MessagePlace {
  readonly offset: number;
  readonly timestampMs: number;
  message(): LoggedMessage;
}

function walk(entry: Buffer, acceptance: Acceptance, visit: (place: MessagePlace) => void): void {
  if (entry.readInt8(MAGIC_AT) === 2) {
    const header = readBatchHeader(entry);
    checkBatch(header, acceptance.format);
    const cursor = new RecordCursor(entry, header);
    while (cursor.next()) {
      checkTime(cursor.timestampMs, header.isAppendTime, acceptance);
      visit(cursor);
    }
    return;
  }
  const outer = readMessage(entry);
  for (const message of outer.codec === NO_CODEC ? [outer] : innerMessages(outer)) {
    const { offset, timestampMs, isAppendTime } = message;
    checkTime(timestampMs, isAppendTime, acceptance);
    visit({ offset, timestampMs, message: () => message });
  }
}

function checkTime(
  timestampMs: number,
  isAppendTime: boolean,
  { generation, appendTimeMs }: Acceptance,
): void {
  if (!isExactTime(timestampMs)) throw new AppendRefusal('INVALID_TIMESTAMP', `${timestampMs} is no time`);
  // Kafka 3.9 only looks at whose time it is where it does not look at the time.
  const isSeen = generation !== '3.9' || appendTimeMs !== null || timestampMs === NO_TIMESTAMP;
  if (isAppendTime && isSeen)
    throw new AppendRefusal('INVALID_TIMESTAMP', 'append times are given by brokers');
}
