import { gunzipSync, gzipSync } from 'node:zlib';

import { crc32, crc32c } from '../../../support/records/checksums';

/** A whole entry of a set: a message, a compressed set or a record batch. */
export interface Entry {
  readonly at: number;
  readonly end: number;
  readonly format: 0 | 1 | 2;
  readonly codec: number;
  /** Offset of its last message. */
  readonly last: number;
  /** The producer whose transaction it ends; null if it is no marker. */
  readonly markerOf: number | null;
}

/** What a byte of an entry is good for. `loose` bytes have no checksum and mean nothing to a consumer. */
export type ByteClass = 'offset' | 'size' | 'loose' | 'magic' | 'checksum' | 'last' | 'checked';

const RECORDS_AT = 61;
const GZIP = 1;
const CONTROL_BIT = 0x20;

export function entriesOf(records: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; records.length - at >= 12;) {
    const end = at + 12 + records.readInt32BE(at + 8);
    if (end > records.length) break;
    const format = records.readInt8(at + 16) as 0 | 1 | 2;
    const codec = records.readInt8(at + (format === 2 ? 22 : 17)) & 7;
    const last = Number(records.readBigInt64BE(at)) + (format === 2 ? records.readInt32BE(at + 23) : 0);
    const isMarker = format === 2 && (records.readInt8(at + 22) & CONTROL_BIT) !== 0;
    const markerOf = isMarker ? Number(records.readBigInt64BE(at + 43)) : null;
    entries.push({ at, end, format, codec, last, markerOf });
    at = end;
  }
  return entries;
}

/** The class of the byte at that place from the entry's start on. */
export function classOf({ format }: Entry, place: number): ByteClass {
  if (place < 8) return 'offset';
  if (place < 12) return 'size';
  if (format < 2) return place < 16 ? 'checksum' : 'checked';
  if (place < 16) return 'loose';
  if (place === 16) return 'magic';
  if (place < 21) return 'checksum';
  return place >= 23 && place < 27 ? 'last' : 'checked';
}

export function flipped(bytes: Buffer, at: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ mask, at);
  return copy;
}

/** With the checksum that the entry's bytes have, as the format says that it had before it was damaged. */
export function mended(bytes: Buffer, { at, end, format }: Entry): Buffer {
  const copy = Buffer.from(bytes);
  if (format === 2) copy.writeUInt32BE(crc32c(copy.subarray(at + 21, end)), at + 17);
  else copy.writeUInt32BE(crc32(copy.subarray(at + 16, end)), at + 12);
  return copy;
}

/** Where the compressed bytes of an entry without a key begin. */
function compressedAt({ at, format }: Entry): number {
  if (format === 2) return at + RECORDS_AT;
  return at + (format === 1 ? 34 : 26);
}

/** What is compressed in an entry; null if that is not gzip. */
export function insideOf(records: Buffer, entry: Entry): Buffer | null {
  if (entry.codec !== GZIP) return null;
  return gunzipSync(records.subarray(compressedAt(entry), entry.end));
}

/** The set with other bytes compressed in that entry; sizes and checksum are right. */
export function withInside(records: Buffer, entry: Entry, inside: Buffer): Buffer {
  const compressed = gzipSync(inside);
  const head = Buffer.from(records.subarray(entry.at, compressedAt(entry)));
  head.writeInt32BE(head.length + compressed.length - 12, 8);
  if (entry.format < 2) head.writeInt32BE(compressed.length, head.length - 4);
  const changed = Buffer.concat([head, compressed]);
  const whole = mended(changed, { ...entry, at: 0, end: changed.length });
  return Buffer.concat([records.subarray(0, entry.at), whole, records.subarray(entry.end)]);
}
