import { ENTRY_HEADER_BYTES, MAX_OFFSET, readInt64, SIZE_AT } from './messageFormat';

/*
 * A record batch (format 2, KIP-98) is an entry with the offset of its first record:
 * offset, size, leader epoch (int32), magic (int8), CRC-32C (int32) of all that follows: attributes (int16), last offset delta
 * (int32), base and max timestamp (int64), producer id (int64) and epoch (int16), base sequence (int32), count (int32), records.
 */
export const CHECKSUM_AT = 17;
/** Where what the checksum covers begins; the low byte of the attributes is behind it. */
export const CHECKED_FROM = 21;
export const BATCH_ATTRIBUTES_AT = 22;
const LAST_OFFSET_DELTA_AT = 23;
export const BASE_TIMESTAMP_AT = 27;
export const MAX_TIMESTAMP_AT = 35;
export const PRODUCER_ID_AT = 43;
export const RECORD_COUNT_AT = 57;
export const RECORDS_AT = 61;

export const TRANSACTIONAL_BIT = 0x10;
export const CONTROL_BIT = 0x20;

/** Size, as it stands in the entry, of a batch without records. */
const LEAST_SIZE_BYTES = RECORDS_AT - ENTRY_HEADER_BYTES;

/** Last offset of the record batch in the whole entry at `at`; -1 if its header makes no sense. */
export function lastOffsetOfBatch(view: DataView, at: number): number {
  if (view.getInt32(at + SIZE_AT) < LEAST_SIZE_BYTES) return -1;
  const delta = view.getInt32(at + LAST_OFFSET_DELTA_AT);
  const lastOffset = readInt64(view, at) + delta;
  return delta < 0 || lastOffset > MAX_OFFSET ? -1 : lastOffset;
}
