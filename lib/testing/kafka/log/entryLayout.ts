/** The format of messages and record batches: their magic number. */
export type MessageFormat = 0 | 1 | 2;

/*
 * A set is a row of entries: an offset (int64) and a size (int32), then so many bytes. The magic number, which tells the format, is
 * at the same place in all formats. In formats 0 and 1 an entry is a message, in format 2 a record batch.
 */
export const ENTRY_HEADER_BYTES = 12;
export const SIZE_AT = 8;
export const MAGIC_AT = 16;

/** Bits of the attributes, in all formats. */
export const CODEC_BITS = 0x07;
export const APPEND_TIME_BIT = 0x08;

/** What stands for a timestamp where there is none. */
export const NO_TIMESTAMP = -1;

const WORD = 0x1_0000_0000;
/** Times beyond it are no exact numbers any more when they are doubled, as varints do. */
const MOST_TIME_MS = 2 ** 51;

/** An int64 as a number; beyond 2^53 it is only near. */
export function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * WORD + bytes.readUInt32BE(at + 4);
}

export function writeInt64(bytes: Buffer, value: number, at: number): void {
  bytes.writeInt32BE(Math.floor(value / WORD), at);
  bytes.writeUInt32BE(value - Math.floor(value / WORD) * WORD, at + 4);
}

/** True for times that are kept exactly. */
export function isExactTime(timestampMs: number): boolean {
  return timestampMs >= -MOST_TIME_MS && timestampMs <= MOST_TIME_MS;
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
