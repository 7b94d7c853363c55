import { crc32, gunzipSync, gzipSync } from 'node:zlib';

import { crc32c } from '../records/checksums';
import { changed, ints } from './mutation';

/* Places in an entry of any format: offset, size, then so many bytes; in formats 0 and 1 a checksum, in all of them magic. */
export const SIZE_AT = 8;
const SIZED_FROM = 12;
export const MAGIC_AT = 16;
/* In formats 0 and 1: what the checksum is of begins with magic. */
const CRC_AT = 12;
const ATTRIBUTES_AT = 17;
/* In format 2, a record batch: a checksum behind magic, of all that follows it. */
const BATCH_CRC_AT = 17;
const BATCH_CHECKED_FROM = 21;
const BATCH_ATTRIBUTES_AT = 22;
const BATCH_LAST_DELTA_AT = 23;
const BATCH_COUNT_AT = 57;
const BATCH_RECORDS_AT = 61;
const CODEC_BITS = 7;
const GZIP = 1;

const isBatch = (entry: Buffer): boolean => entry.readInt8(MAGIC_AT) === 2;

/** Whole entries only. */
export function entriesOf(records: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; records.length - at >= MAGIC_AT;) {
    const end = at + SIZED_FROM + records.readInt32BE(at + SIZE_AT);
    if (end > records.length || end < at + MAGIC_AT + 10) break;
    entries.push(records.subarray(at, end));
    at = end;
  }
  return entries;
}

/** Where the checksum is; what it is of goes on from `checkedFrom` to the end. */
export const checksumAt = (entry: Buffer): number => (isBatch(entry) ? BATCH_CRC_AT : CRC_AT);
export const checkedFrom = (entry: Buffer): number => (isBatch(entry) ? BATCH_CHECKED_FROM : MAGIC_AT);

/** Where the bits of codec, kind of timestamp, transaction and control are. */
export const attributesAt = (entry: Buffer): number => (isBatch(entry) ? BATCH_ATTRIBUTES_AT : ATTRIBUTES_AT);

/** Numbers that lengths and offsets depend on: of key and value; in a batch its last offset and how many records it has. */
export function lengthsAt(entry: Buffer): readonly number[] {
  if (isBatch(entry)) return [BATCH_LAST_DELTA_AT, BATCH_COUNT_AT];
  return [bodyAt(entry), bodyAt(entry) + 4];
}

/** With the size and the checksum of its bytes, in the format that it had before it was changed. */
export function withChecksum(entry: Buffer, was = entry): Buffer {
  return changed(entry, (copy) => {
    copy.writeInt32BE(copy.length - SIZED_FROM, SIZE_AT);
    const checked = copy.subarray(checkedFrom(was));
    copy.writeUInt32BE(isBatch(was) ? crc32c(checked) : crc32(checked), checksumAt(was));
  });
}

/** What is compressed in it; null if nothing is. Compressed messages have no key. */
export function insideOf(entry: Buffer): Buffer | null {
  if ((entry.readInt8(attributesAt(entry)) & CODEC_BITS) !== GZIP) return null;
  return gunzipSync(entry.subarray(isBatch(entry) ? BATCH_RECORDS_AT : bodyAt(entry) + 8));
}

/** The entry with something else compressed in it, and everything around that right. */
export function rewrapped(entry: Buffer, inside: Buffer): Buffer {
  const compressed = gzipSync(inside, { level: 1 });
  const parts = isBatch(entry)
    ? [entry.subarray(0, BATCH_RECORDS_AT), compressed]
    : [entry.subarray(0, bodyAt(entry)), ints(-1, compressed.length), compressed];
  return withChecksum(Buffer.concat(parts));
}

function bodyAt(message: Buffer): number {
  return message.readInt8(MAGIC_AT) === 0 ? 18 : 26;
}
