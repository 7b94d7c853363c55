import type { AbortedTransactions } from './AbortedTransactions';
import { inflateSet, type Inflating } from './inflateSet';
import { emptyFields } from './MessageFields';
import { APPEND_TIME_BIT, CODEC_BITS, readInt64 } from './messageFormat';
import {
  BASE_TIMESTAMP_AT,
  BATCH_ATTRIBUTES_AT,
  CONTROL_BIT,
  lastOffsetOfBatch,
  MAX_TIMESTAMP_AT,
  PRODUCER_ID_AT,
  RECORD_COUNT_AT,
  RECORDS_AT,
  TRANSACTIONAL_BIT,
} from './recordBatchFormat';
import { RecordReader } from './RecordReader';

/* A control batch has one record, whose key is a version (int16) and a type (int16). */
const MARKER_KEY_BYTES = 4;
const MARKER_TYPE_AT = 2;
const ABORT = 0;

/**
 * What reads the records of the batch in the entry at `bytes[at..end)`, which has been checked; null if none of them is for
 * applications: they are transaction markers, belong to an aborted transaction, are gone (compaction), or are below `from`.
 */
export function openRecordBatch(
  bytes: Buffer,
  view: DataView,
  at: number,
  end: number,
  from: number,
  inflating: Inflating,
  aborted: AbortedTransactions | null,
): RecordReader | null {
  const firstOffset = readInt64(view, at);
  const lastOffset = lastOffsetOfBatch(view, at);
  const attributes = view.getUint8(at + BATCH_ATTRIBUTES_AT);
  const count = view.getInt32(at + RECORD_COUNT_AT);
  const recordsAt = at + RECORDS_AT;
  const producerId = readInt64(view, at + PRODUCER_ID_AT);
  const isAppendTime = (attributes & APPEND_TIME_BIT) !== 0;
  const base = {
    firstOffset,
    lastOffset,
    timestamp: readInt64(view, at + BASE_TIMESTAMP_AT),
    appendTimestamp: isAppendTime ? readInt64(view, at + MAX_TIMESTAMP_AT) : null,
  };
  if (count === 0 && recordsAt === end) return null;
  const codec = attributes & CODEC_BITS;
  const open = (): RecordReader => {
    if (codec === 0) return new RecordReader(bytes, recordsAt, end, count, base);
    const inflated = inflateSet(inflating, codec, 2, bytes.subarray(recordsAt, end), firstOffset, lastOffset);
    return new RecordReader(inflated, 0, inflated.length, count, base);
  };
  if ((attributes & CONTROL_BIT) !== 0) {
    // One below `from`, too: its transaction must not be taken for what comes next.
    if (aborted !== null && isAbortMarker(open())) aborted.abortMarker(producerId, lastOffset);
    return null;
  }
  if ((attributes & TRANSACTIONAL_BIT) !== 0 && aborted?.covers(producerId, lastOffset)) return null;
  return lastOffset < from ? null : open();
}

/** Whether a control batch says that its producer's transaction was aborted; else it was committed, or is of another kind. */
function isAbortMarker(marker: RecordReader): boolean {
  const into = emptyFields();
  if (!marker.next(into, 0) || into.key === null) return false;
  return into.key.length >= MARKER_KEY_BYTES && into.key.readInt16BE(MARKER_TYPE_AT) === ABORT;
}
