import { hasRightChecksum, offsetBehind } from './checkRecordBatch';
import {
  ENTRY_HEADER_BYTES,
  LEAST_MESSAGE_BYTES,
  MAX_OFFSET,
  readInt64,
  MAGIC_AT,
  RECORD_BATCH,
  SIZE_AT,
  viewOf,
} from './messageFormat';
import { lastOffsetOfBatch, RECORDS_AT } from './recordBatchFormat';

/** What a walk over the entries of a message set found, without a look into the messages. */
export interface MessageSetScan {
  /** Bytes of the whole entries at the beginning. */
  readonly validBytes: number;
  /** Offset behind that of the whole entries, where the next fetch begins; -1 if there is no whole entry. */
  readonly nextOffset: number;
  /** True if behind the whole entries stands the beginning of one more, cut off by the size of the fetch. */
  readonly partial: boolean;
  /** Bytes that a fetch needs to hold the first entry, if that is the one cut off; 0 if unknown or not cut off. */
  readonly needsBytes: number;
  /** True if the walk stopped at an entry that no broker can have meant. */
  readonly damaged: boolean;
}

/**
 * Walks the entries of a set by their offsets and sizes alone; never throws.
 *
 * `damaged` entries have a size that no message can have, an offset that is negative or beyond 2^53-2, or are batches that begin
 * in front of the end of what is before them. They are never passed over in silence: `nextOffset` stays at what is in front of
 * them. Give the cursor the whole of `records` in any case; it hands out what is in front, and throws MESSAGE_CORRUPT when it
 * comes to the damage. Until the application has sought past it, a fetch at `nextOffset` only brings the same damage.
 *
 * Checksums are the cursor's business, but for a batch that claims to go further than it can, where the fetches would go astray.
 *
 * Brokers from 2.0 fill up a converted set with an entry of offset -1 that is always cut off: neither `partial` nor
 * `damaged`. If such an entry is all there is, the broker had nothing to convert (only transaction markers, say): an answer
 * like an empty one, which may come at once and again and again, so back off.
 */
export function scanMessageSet(records: Buffer, highWatermark = Infinity): MessageSetScan {
  const view = viewOf(records);
  const length = records.length;
  let at = 0;
  let lastOffset = -1;
  let needsBytes = 0;
  let damaged = false;
  while (length - at >= ENTRY_HEADER_BYTES) {
    const sizeBytes = view.getInt32(at + SIZE_AT);
    const entryBytes = ENTRY_HEADER_BYTES + sizeBytes;
    if (sizeBytes < LEAST_MESSAGE_BYTES) {
      damaged = true;
      break;
    }
    if (entryBytes > length - at) {
      needsBytes = entryBytes;
      break;
    }
    const offset = readInt64(view, at);
    const isBatch = view.getInt8(at + MAGIC_AT) === RECORD_BATCH;
    const last = isBatch ? lastOffsetOf(view, at, at + entryBytes, highWatermark) : offset;
    if (offset < 0 || offset > MAX_OFFSET || last < 0 || (isBatch && offset <= lastOffset)) {
      damaged = true;
      break;
    }
    // Some brokers send the first entries twice when they convert, see MessageCursor.
    if (last > lastOffset) lastOffset = last;
    at += entryBytes;
  }
  const padding = length - at >= 8 && view.getInt32(at) < 0;
  const partial = at < length && !damaged && !padding;
  return {
    validBytes: at,
    nextOffset: at === 0 ? -1 : lastOffset + 1,
    partial,
    needsBytes: partial && at === 0 ? needsBytes : 0,
    damaged,
  };
}

/**
 * Last offset of a batch; -1 if it is damaged. Beyond the high watermark or the next batch it is believed only under its checksum;
 * without that it ends in front of the next batch, for the cursor may find that all of it is old.
 */
function lastOffsetOf(view: DataView, at: number, end: number, highWatermark: number): number {
  const last = lastOffsetOfBatch(view, at);
  const next = offsetBehind(view, end);
  if (last >= 0 && last < highWatermark && last < next) return last;
  if (hasRightChecksum(view, at, end)) return last;
  return next === Infinity ? -1 : next - 1;
}

/** Last offset of an entry whose end is missing; -1 if it does not tell one. */
export function lastOffsetOfCut(cut: Buffer): number {
  if (cut.length < ENTRY_HEADER_BYTES) return -1;
  const view = viewOf(cut);
  const isBatch = cut.length >= RECORDS_AT && view.getInt8(MAGIC_AT) === RECORD_BATCH;
  // A compressed set in formats 0 and 1 has the offset of its last message, a batch that of its first.
  const offset = isBatch ? lastOffsetOfBatch(view, 0) : readInt64(view, 0);
  return offset <= MAX_OFFSET ? offset : -1;
}
