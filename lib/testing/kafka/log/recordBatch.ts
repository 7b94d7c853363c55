import { crc32c } from '../../../kafka/records/crc32c';
import {
  APPEND_TIME_BIT,
  CODEC_BITS,
  ENTRY_HEADER_BYTES,
  readInt64,
  SIZE_AT,
  viewOf,
  writeInt64,
} from './entryLayout';

/*
 * A record batch (format 2) is an entry with the offset of its first record: leader epoch (int32), magic (int8), CRC-32C (int32) of
 * all that follows: attributes (int16), last offset delta (int32), base and max timestamp (int64), producer id (int64) and epoch
 * (int16), base sequence (int32), count (int32), records, which are compressed together.
 */
const LEADER_EPOCH_AT = 12;
const CRC_AT = 17;
const ATTRIBUTES_AT = 21;
/** The low byte of the attributes, in which the codec is. */
export const BATCH_CODEC_AT = 22;
const LAST_OFFSET_DELTA_AT = 23;
const BASE_TIMESTAMP_AT = 27;
const MAX_TIMESTAMP_AT = 35;
const PRODUCER_ID_AT = 43;
const PRODUCER_EPOCH_AT = 51;
const BASE_SEQUENCE_AT = 53;
const COUNT_AT = 57;
export const RECORDS_AT = 61;

const TRANSACTIONAL_BIT = 0x10;
const CONTROL_BIT = 0x20;

/** Of an idempotent producer. */
export interface ProducerOfBatch {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
}

/** What batches of other producers have in its place. */
export const NO_PRODUCER: ProducerOfBatch = { producerId: -1, producerEpoch: -1, baseSequence: -1 };

export interface BatchHeader extends ProducerOfBatch {
  readonly baseOffset: number;
  readonly lastOffset: number;
  readonly leaderEpoch: number;
  readonly codec: number;
  readonly isAppendTime: boolean;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly baseTimestampMs: number;
  readonly maxTimestampMs: number;
  readonly count: number;
}

/** What {@link finishBatch} writes around records. */
export type BatchToWrite = Omit<BatchHeader, 'isTransactional' | 'isControl'>;

export function readBatchHeader(batch: Buffer): BatchHeader {
  const attributes = batch.readInt16BE(ATTRIBUTES_AT);
  const baseOffset = readInt64(batch, 0);
  return {
    baseOffset,
    lastOffset: baseOffset + batch.readInt32BE(LAST_OFFSET_DELTA_AT),
    leaderEpoch: batch.readInt32BE(LEADER_EPOCH_AT),
    codec: attributes & CODEC_BITS,
    isAppendTime: (attributes & APPEND_TIME_BIT) !== 0,
    isTransactional: (attributes & TRANSACTIONAL_BIT) !== 0,
    isControl: (attributes & CONTROL_BIT) !== 0,
    baseTimestampMs: readInt64(batch, BASE_TIMESTAMP_AT),
    maxTimestampMs: readInt64(batch, MAX_TIMESTAMP_AT),
    producerId: readInt64(batch, PRODUCER_ID_AT),
    producerEpoch: batch.readInt16BE(PRODUCER_EPOCH_AT),
    baseSequence: batch.readInt32BE(BASE_SEQUENCE_AT),
    count: batch.readInt32BE(COUNT_AT),
  };
}

/** False also for an entry that is too small for a batch. */
export function hasRightBatchCrc(batch: Buffer): boolean {
  return batch.length >= RECORDS_AT && batch.readInt32BE(CRC_AT) === batchCrc(batch);
}

function batchCrc(batch: Buffer): number {
  return crc32c(viewOf(batch), ATTRIBUTES_AT, batch.length);
}

/** Gives a stored batch its place. Neither field is covered by the checksum. */
export function placeBatch(batch: Buffer, baseOffset: number, leaderEpoch: number): void {
  writeInt64(batch, baseOffset, 0);
  batch.writeInt32BE(leaderEpoch, LEADER_EPOCH_AT);
}

/** Sets the largest timestamp of a batch and who gave the timestamps; with `isAppendTime` it is that of all records. */
export function setBatchTime(batch: Buffer, maxTimestampMs: number, isAppendTime: boolean): void {
  const attributes = batch.readInt16BE(ATTRIBUTES_AT);
  const wanted = (attributes & ~APPEND_TIME_BIT) | (isAppendTime ? APPEND_TIME_BIT : 0);
  if (attributes === wanted && readInt64(batch, MAX_TIMESTAMP_AT) === maxTimestampMs) return;
  batch.writeInt16BE(wanted, ATTRIBUTES_AT);
  writeInt64(batch, maxTimestampMs, MAX_TIMESTAMP_AT);
  batch.writeInt32BE(batchCrc(batch), CRC_AT);
}

/** Writes the header in front of records, which are compressed already. */
export function finishBatch(header: BatchToWrite, records: Buffer): Buffer {
  const batch = Buffer.allocUnsafe(RECORDS_AT + records.length);
  placeBatch(batch, header.baseOffset, header.leaderEpoch);
  batch.writeInt32BE(batch.length - ENTRY_HEADER_BYTES, SIZE_AT);
  batch.writeInt8(2, CRC_AT - 1);
  batch.writeInt16BE(header.codec | (header.isAppendTime ? APPEND_TIME_BIT : 0), ATTRIBUTES_AT);
  batch.writeInt32BE(header.lastOffset - header.baseOffset, LAST_OFFSET_DELTA_AT);
  writeInt64(batch, header.baseTimestampMs, BASE_TIMESTAMP_AT);
  writeInt64(batch, header.maxTimestampMs, MAX_TIMESTAMP_AT);
  writeInt64(batch, header.producerId, PRODUCER_ID_AT);
  batch.writeInt16BE(header.producerEpoch, PRODUCER_EPOCH_AT);
  batch.writeInt32BE(header.baseSequence, BASE_SEQUENCE_AT);
  batch.writeInt32BE(header.count, COUNT_AT);
  records.copy(batch, RECORDS_AT);
  batch.writeInt32BE(batchCrc(batch), CRC_AT);
  return batch;
}
