import { crc32c } from './checksums';
import { FoundFault } from './FoundFault';
import type { ReferenceHeader, ReferenceMessage } from './referenceDecoder';
import type { ReferenceTransactions } from './ReferenceTransactions';
import { SlowReader, Unreadable } from './SlowReader';

const MOST_OFFSET = BigInt(Number.MAX_SAFE_INTEGER) - 1n;
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
const LEAST_BATCH_BYTES = 61;
const CHECKED_FROM = 21;
const COUNT_AT = 57;

const CODEC_BITS = 0x07n;
const APPEND_TIME_BIT = 0x08n;
const TRANSACTIONAL_BIT = 0x10n;
const CONTROL_BIT = 0x20n;
const ABORT = 0;

/** A record whose place is known; what is in it is read by `content`. */
export interface PlacedRecord {
  readonly offset: bigint;
  content(): ReferenceMessage;
}

interface BatchContext {
  /** Offset of the entry behind the batch, if there is one. */
  readonly offsetBehind: bigint | null;
  /** The least offset that is wanted. */
  readonly from: bigint;
  readonly transactions: ReferenceTransactions;
  readonly inflate: (codec: number, payload: Buffer) => Buffer;
}

interface BatchHeader {
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
  readonly attributes: bigint;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly count: bigint;
  readonly payload: Buffer;
}

/** The last offset that a batch covers; null if its header makes no sense. */
export function lastOffsetOf(entry: Buffer): bigint | null {
  if (entry.length < LEAST_BATCH_BYTES) return null;
  const delta = entry.readInt32BE(23);
  const last = entry.readBigInt64BE(0) + BigInt(delta);
  return delta < 0 || last > MOST_OFFSET ? null : last;
}

function readHeader(entry: Buffer): BatchHeader {
  const reader = new SlowReader(entry);
  const firstOffset = reader.int(8);
  reader.take(4 + 4 + 1 + 4); // size, leader epoch, magic, checksum
  const attributes = reader.int(2);
  const lastOffset = firstOffset + reader.int(4);
  const baseTimestamp = reader.int(8);
  const maxTimestamp = reader.int(8);
  const producerId = reader.int(8);
  reader.take(2 + 4); // producer epoch, base sequence
  const count = reader.int(4);
  const payload = reader.take(reader.left);
  return {
    ...{ firstOffset, lastOffset, attributes, baseTimestamp, maxTimestamp, producerId, count, payload },
  };
}

/** The records of a batch (format 2) that are for applications, in their order, as far as they can be told apart. */
export function* readBatch(entry: Buffer, context: BatchContext): Generator<PlacedRecord> {
  checkEntry(entry, context);
  const { transactions, inflate } = context;
  const header = readHeader(entry);
  const codec = Number(header.attributes & CODEC_BITS);
  const opened = (): Buffer => (codec === 0 ? header.payload : inflate(codec, header.payload));
  if ((header.attributes & CONTROL_BIT) !== 0n) {
    if (!transactions.isEmpty && isAbortMarker(header, opened())) {
      transactions.marker(header.producerId, header.lastOffset);
    }
    return;
  }
  const isTransactional = (header.attributes & TRANSACTIONAL_BIT) !== 0n;
  if (isTransactional && transactions.isAborted(header.producerId, header.lastOffset)) return;
  if (header.lastOffset < context.from) return;
  // Compaction keeps the header of a batch whose records are all gone.
  if (header.count === 0n && header.payload.length === 0) return;
  yield* readRecords(header, opened());
}

/** Whether a damaged batch is below what is wanted, as the entry behind it proves; what it tells itself may be the damage. */
export function isOldDamage(entry: Buffer, { offsetBehind, from }: BatchContext): boolean {
  const isWhole = lastOffsetOf(entry) !== null && hasRightChecksum(entry);
  return !isWhole && offsetBehind !== null && offsetBehind <= from;
}

export function hasRightChecksum(entry: Buffer): boolean {
  return entry.readUInt32BE(17) === crc32c(entry.subarray(CHECKED_FROM));
}

function checkEntry(entry: Buffer, context: BatchContext): void {
  const firstOffset = entry.readBigInt64BE(0);
  const lastOffset = lastOffsetOf(entry);
  if (lastOffset === null) {
    throw new FoundFault('MESSAGE_CORRUPT', 'a header without sense', { firstOffset });
  }
  if (hasRightChecksum(entry)) return;
  const lost = { firstOffset, lastOffset: believedLastOffset(entry, lastOffset, context) };
  throw new FoundFault('MESSAGE_CORRUPT', 'a wrong checksum', { ...lost, isChecksum: true });
}

/**
 * The last offset of a damaged batch may be what is damaged. So it counts only as far as the next entry allows, and as far as
 * there are records; but not if less than all records are wanted already, since compaction leaves fewer than offsets.
 */
function believedLastOffset(entry: Buffer, told: bigint, { offsetBehind, from }: BatchContext): bigint {
  const firstOffset = entry.readBigInt64BE(0);
  const counted = firstOffset + BigInt(entry.readInt32BE(COUNT_AT)) - 1n;
  const limits = [told];
  if (offsetBehind !== null) limits.push(offsetBehind - 1n);
  if (counted >= from) limits.push(counted);
  const least = limits.reduce((one, other) => (one < other ? one : other));
  return least < firstOffset ? firstOffset : least;
}

/** The key of a marker is a version and a type, both of two bytes. */
function isAbortMarker(header: BatchHeader, payload: Buffer): boolean {
  const [marker] = readRecords(header, payload);
  const key = marker?.content().key ?? null;
  return key !== null && key.length >= 4 && key.readInt16BE(2) === ABORT;
}

function* readRecords(header: BatchHeader, payload: Buffer): Generator<PlacedRecord> {
  const reader = new SlowReader(payload);
  const { firstOffset, lastOffset, count } = header;
  let before = firstOffset - 1n;
  /** From here on nothing can be told apart. */
  const lost = (why: string): FoundFault =>
    new FoundFault('MESSAGE_CORRUPT', why, { firstOffset: before + 1n, lastOffset });
  if (count < 0n || (count === 0n && payload.length > 0)) {
    throw lost(`${count} records in ${payload.length} bytes`);
  }
  for (let left = count; left > 0n; left -= 1n) {
    let record: PlacedRecord;
    try {
      record = placeRecord(header, reader.take(reader.varint(32)));
    } catch (error) {
      if (error instanceof Unreadable) throw lost(error.message);
      throw error;
    }
    if (left === 1n && reader.left > 0) throw lost('bytes behind the records');
    if (record.offset <= before || record.offset > lastOffset) throw lost(`offset ${record.offset}`);
    // There is no offset for what comes behind the last one, so it is not known which record that is.
    if (record.offset === lastOffset && left > 1n) throw lost('more records than offsets');
    before = record.offset;
    yield record;
  }
}

/** Reads a record as far as its offset. */
function placeRecord(header: BatchHeader, bytes: Buffer): PlacedRecord {
  const reader = new SlowReader(bytes);
  reader.take(1); // attributes
  const delta = reader.varint(64);
  const offset = header.firstOffset + reader.varint(32);
  const content = (): ReferenceMessage => {
    try {
      const key = reader.sized(reader.varint(32));
      const value = reader.sized(reader.varint(32));
      const headers = readHeaders(reader);
      if (reader.left > 0) throw new Unreadable('bytes behind the headers');
      return { offset, key, value, ...timeOf(header, delta), headers };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new FoundFault('MESSAGE_CORRUPT', error.message, { firstOffset: offset, lastOffset: offset });
    }
  };
  return { offset, content };
}

function readHeaders(reader: SlowReader): ReferenceHeader[] {
  const count = reader.varint(32);
  if (count < 0n) throw new Unreadable(`${count} headers`);
  const headers: ReferenceHeader[] = [];
  for (let n = 0n; n < count; n += 1n) {
    const key = reader.take(reader.varint(32)).toString('utf8');
    headers.push({ key, value: reader.sized(reader.varint(32)) });
  }
  return headers;
}

function timeOf(
  { attributes, baseTimestamp, maxTimestamp }: BatchHeader,
  delta: bigint,
): Pick<ReferenceMessage, 'timestamp' | 'isTimeExact' | 'timestampType'> {
  const isAppend = (attributes & APPEND_TIME_BIT) !== 0n;
  const time = isAppend ? maxTimestamp : baseTimestamp + delta;
  const parts = isAppend ? [maxTimestamp] : [baseTimestamp, delta, time];
  return {
    timestamp: time === -1n ? null : time,
    isTimeExact: parts.every((part) => part <= MOST_EXACT && part >= -MOST_EXACT),
    timestampType: isAppend ? 'append' : 'create',
  };
}
