import { compress } from './compress';
import { crc32c } from './checksums';

export interface SpecHeader {
  readonly key: string;
  readonly value: Buffer | null;
}

/** A record of format 2, in the fields of the format. */
export interface SpecRecord {
  readonly offsetDelta: number;
  readonly timestampDelta?: number | bigint;
  readonly key?: Buffer | null;
  readonly value?: Buffer | null;
  readonly headers?: readonly SpecHeader[];
}

/** A record batch (format 2); what is left out is what a producer without transactions writes. */
export interface SpecBatch {
  readonly baseOffset: number | bigint;
  readonly records: readonly SpecRecord[];
  readonly codec?: number;
  /** Which of the codec's styles. */
  readonly style?: number;
  /** That of the last record, unless compaction has removed it. */
  readonly lastOffsetDelta?: number;
  readonly baseTimestamp?: number | bigint;
  readonly maxTimestamp?: number | bigint;
  readonly producerId?: number | bigint;
  readonly isTransactional?: boolean;
  readonly isControl?: boolean;
  /** The timestamps are the broker's: `maxTimestamp` for all. */
  readonly isAppendTime?: boolean;
}

/* Places in a batch. */
export const BATCH_LENGTH_AT = 8;
export const BATCH_MAGIC_AT = 16;
export const BATCH_CRC_AT = 17;
export const BATCH_ATTRIBUTES_AT = 21;
export const BATCH_LAST_DELTA_AT = 23;
export const BATCH_BASE_TIMESTAMP_AT = 27;
export const BATCH_MAX_TIMESTAMP_AT = 35;
export const BATCH_PRODUCER_AT = 43;
export const BATCH_COUNT_AT = 57;
export const BATCH_RECORDS_AT = 61;

export const APPEND_TIME_BIT = 0x08;
export const TRANSACTIONAL_BIT = 0x10;
export const CONTROL_BIT = 0x20;

/** A signed number: zigzag, then seven bits a byte, the lowest first. */
export function varint(value: number | bigint): Buffer {
  const signed = BigInt(value);
  let rest = signed < 0n ? -2n * signed - 1n : 2n * signed;
  const bytes: number[] = [];
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function sized(bytes: Buffer | null): Buffer {
  return bytes === null ? varint(-1) : Buffer.concat([varint(bytes.length), bytes]);
}

/** A record with its length in front. */
export function encodeRecord(record: SpecRecord): Buffer {
  const { offsetDelta, timestampDelta = 0, key = null, value = null, headers = [] } = record;
  return sized(
    Buffer.concat([
      Buffer.from([0]),
      varint(timestampDelta),
      varint(offsetDelta),
      sized(key),
      sized(value),
      varint(headers.length),
      ...headers.flatMap((header) => [sized(Buffer.from(header.key)), sized(header.value)]),
    ]),
  );
}

/** Gives a batch the size and the checksum of its bytes. */
export function finishBatch(batch: Buffer): Buffer {
  batch.writeInt32BE(batch.length - 12, BATCH_LENGTH_AT);
  batch.writeUInt32BE(crc32c(batch.subarray(BATCH_ATTRIBUTES_AT)), BATCH_CRC_AT);
  return batch;
}

export function encodeBatch(batch: SpecBatch): Buffer {
  const { records, codec = 0, baseTimestamp = 0, producerId = -1 } = batch;
  const header = Buffer.alloc(BATCH_RECORDS_AT);
  header.writeBigInt64BE(BigInt(batch.baseOffset));
  header.writeInt8(2, BATCH_MAGIC_AT);
  const bits =
    (batch.isAppendTime ? APPEND_TIME_BIT : 0) |
    (batch.isTransactional ? TRANSACTIONAL_BIT : 0) |
    (batch.isControl ? CONTROL_BIT : 0);
  header.writeInt16BE(codec | bits, BATCH_ATTRIBUTES_AT);
  header.writeInt32BE(batch.lastOffsetDelta ?? records.at(-1)?.offsetDelta ?? 0, BATCH_LAST_DELTA_AT);
  header.writeBigInt64BE(BigInt(baseTimestamp), BATCH_BASE_TIMESTAMP_AT);
  header.writeBigInt64BE(BigInt(batch.maxTimestamp ?? baseTimestamp), BATCH_MAX_TIMESTAMP_AT);
  header.writeBigInt64BE(BigInt(producerId), BATCH_PRODUCER_AT);
  header.writeInt16BE(producerId === -1 ? -1 : 0, BATCH_PRODUCER_AT + 8);
  header.writeInt32BE(producerId === -1 ? -1 : 0, BATCH_PRODUCER_AT + 10);
  header.writeInt32BE(records.length, BATCH_COUNT_AT);
  const payload = compress(codec, Buffer.concat(records.map(encodeRecord)), batch.style);
  return finishBatch(Buffer.concat([header, payload]));
}

/** The end of a transaction, as the coordinator writes it. */
export function controlBatch(baseOffset: number, producerId: number, type: 'abort' | 'commit'): Buffer {
  const key = Buffer.from([0, 0, 0, type === 'abort' ? 0 : 1]);
  return encodeBatch({
    baseOffset,
    producerId,
    records: [{ offsetDelta: 0, key, value: Buffer.alloc(6) }],
    isTransactional: true,
    isControl: true,
    baseTimestamp: 1_500_000_000_000,
  });
}
