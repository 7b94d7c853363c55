import { crc32c } from './crc32c';
import { MessageFault } from './MessageFault';
import { MAX_OFFSET, readInt64 } from './messageFormat';
import {
  CHECKED_FROM,
  CHECKSUM_AT,
  lastOffsetOfBatch,
  RECORD_COUNT_AT,
  RECORDS_AT,
} from './recordBatchFormat';

const OFFSET_BYTES = 8;

/** Whether the checksum of the record batch in the whole entry at `view[at..end)` is right. */
export function hasRightChecksum(view: DataView, at: number, end: number): boolean {
  return crc32c(view, at + CHECKED_FROM, end) === view.getInt32(at + CHECKSUM_AT);
}

/** Offset of the entry that begins at `at`, if one is to be seen there; else Infinity. */
export function offsetBehind(view: DataView, at: number): number {
  const offset = at + OFFSET_BYTES <= view.byteLength ? readInt64(view, at) : -1;
  return offset > 0 && offset <= MAX_OFFSET ? offset : Infinity;
}

/**
 * Last offset of the record batch in the whole entry at `view[at..end)`, under its checksum. Throws MessageFault for a damaged
 * one; but null if it is below `from`, which the entry behind it must prove, since what it tells itself may be the damage.
 */
export function checkedLastOffset(view: DataView, at: number, end: number, from: number): number | null {
  const firstOffset = readInt64(view, at);
  const lastOffset = lastOffsetOfBatch(view, at);
  if (lastOffset >= 0 && hasRightChecksum(view, at, end)) return lastOffset;
  if (offsetBehind(view, end) <= from) return null;
  const why = lastOffset < 0 ? 'the header of its batch makes no sense' : 'its checksum is wrong';
  throw new MessageFault('MESSAGE_CORRUPT', why, firstOffset, lastOffsetOfDamaged(view, at, end, from));
}

/**
 * How far the messages are lost with a damaged batch. What it tells as its last offset is believed no further than the next
 * batch allows, nor than its number of records, unless `from` shows that these have gaps (compaction).
 */
function lastOffsetOfDamaged(view: DataView, at: number, end: number, from: number): number {
  const firstOffset = readInt64(view, at);
  if (end - at < RECORDS_AT) return firstOffset;
  const told = Math.min(lastOffsetOfBatch(view, at), offsetBehind(view, end) - 1);
  const counted = firstOffset + view.getInt32(at + RECORD_COUNT_AT) - 1;
  return Math.max(firstOffset, counted >= from ? Math.min(told, counted) : told);
}
