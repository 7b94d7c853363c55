import { crc32, crc32c } from '../../support/records/checksums';
import { BATCH_RECORDS_AT } from '../../support/records/encodeBatch';
import { openCompressed } from '../../support/records/openCompressed';
import type { Chance } from '../../support/mutating/mutation';
import { changed, replaced } from './mutation';

/* Places in an entry, which is a message of format 0 or 1, or a batch. */
export const SIZE_AT = 8;
export const HEADER_BYTES = 12;
export const MAGIC_AT = 16;
/** In batches the second of two bytes is what counts. */
const OLD_ATTRIBUTES_AT = 17;
const BATCH_ATTRIBUTES_AT = 22;
const LEAST_SIZE_BYTES = 14;
const CODEC_BITS = 7;
const MOST_OPENED_BYTES = 1_000_000;

/** The whole entries of a set, and what is behind them. */
export function entriesIn(records: Buffer): { readonly entries: Buffer[]; readonly rest: Buffer } {
  const entries: Buffer[] = [];
  let at = 0;
  while (records.length - at >= HEADER_BYTES) {
    const size = records.readInt32BE(at + SIZE_AT);
    if (size < LEAST_SIZE_BYTES || size > records.length - at - HEADER_BYTES) break;
    entries.push(records.subarray(at, at + HEADER_BYTES + size));
    at += HEADER_BYTES + size;
  }
  return { entries, rest: records.subarray(at) };
}

export function isBatch(entry: Buffer): boolean {
  return entry.readInt8(MAGIC_AT) === 2 && entry.length >= BATCH_RECORDS_AT;
}

export function attributesAt(entry: Buffer): number {
  return isBatch(entry) ? BATCH_ATTRIBUTES_AT : OLD_ATTRIBUTES_AT;
}

export function codecOf(entry: Buffer): number {
  return entry.readUInt8(attributesAt(entry)) & CODEC_BITS;
}

/** Where the length of the key is, in format 0 or 1. */
export function keyLengthAt(entry: Buffer): number {
  return entry.readInt8(MAGIC_AT) === 0 ? 18 : 26;
}

/** The same entry with the size that it has. */
export function sized(entry: Buffer): Buffer {
  return changed(entry, (copy) => copy.writeInt32BE(copy.length - HEADER_BYTES, SIZE_AT));
}

/** The right checksums for what is in a set, written in place; how many there were to write. */
export function mendChecksums(records: Buffer): number {
  const { entries } = entriesIn(records);
  for (const entry of entries) {
    if (isBatch(entry)) entry.writeUInt32BE(crc32c(entry.subarray(21)), 17);
    else entry.writeUInt32BE(crc32(entry.subarray(MAGIC_AT)), HEADER_BYTES);
  }
  return entries.length;
}

/** The bytes that may be compressed: records of a batch, the value of a message. */
export interface Payload {
  readonly codec: number;
  readonly magic: number;
  readonly bytes: Buffer;
  /** The entry with others, and the sizes around them right. */
  with(bytes: Buffer, codec?: number): Buffer;
}

/** Null if there is none, as in messages without a value or with wrong lengths. */
export function payloadOf(entry: Buffer): Payload | null {
  const codec = codecOf(entry);
  const from = payloadAt(entry);
  if (from === null) return null;
  return {
    codec,
    magic: entry.readInt8(MAGIC_AT),
    bytes: entry.subarray(from),
    with(bytes, other = codec) {
      const whole = sized(replaced(entry, from, entry.length, bytes));
      if (!isBatch(entry)) whole.writeInt32BE(bytes.length, from - 4);
      whole.writeUInt8((whole.readUInt8(attributesAt(whole)) & ~CODEC_BITS) | other, attributesAt(whole));
      return whole;
    },
  };
}

function payloadAt(entry: Buffer): number | null {
  if (isBatch(entry)) return BATCH_RECORDS_AT;
  const keyAt = keyLengthAt(entry) + 4;
  if (keyAt + 4 > entry.length) return null;
  const valueLengthAt = keyAt + Math.max(0, entry.readInt32BE(keyAt - 4));
  if (valueLengthAt + 4 > entry.length) return null;
  return entry.readInt32BE(valueLengthAt) === entry.length - valueLengthAt - 4 ? valueLengthAt + 4 : null;
}

/** What is compressed, opened by the reference; null where it cannot do that. */
export function openedPayload({ codec, magic, bytes }: Payload): Buffer | null {
  if (codec === 0) return null;
  const opened = openCompressed(codec, magic, bytes, MOST_OPENED_BYTES, () => {
    throw new Error('frames with entropy coding are left as they are');
  });
  return Buffer.isBuffer(opened) ? opened : null;
}

/** One entry changed, the others as they are; the first that the change is for, from a place by chance on. */
export function changeOne(
  records: Buffer,
  chance: Chance,
  change: (entry: Buffer) => Buffer | null,
): Buffer | null {
  const { entries, rest } = entriesIn(records);
  const first = chance.below(Math.max(1, entries.length));
  for (let n = 0; n < entries.length; n += 1) {
    const index = (first + n) % entries.length;
    const entry = entries[index];
    const spoilt = entry === undefined ? null : change(entry);
    if (spoilt !== null) return Buffer.concat([...entries.with(index, spoilt), rest]);
  }
  return null;
}
