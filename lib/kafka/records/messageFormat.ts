/*
 * An entry of a fetched set is an offset (int64) and a size (int32), then so many bytes. In all formats the magic number, which
 * tells the format, is at the same place: in formats 0 and 1 the entry is a message, in format 2 a record batch.
 */
export const ENTRY_HEADER_BYTES = 12;
export const SIZE_AT = 8;
export const MAGIC_AT = 16;
/** The magic number of format 2. */
export const RECORD_BATCH = 2;
/** CRC, magic, attributes, key length and value length: format 0 with null key and value. */
export const LEAST_MESSAGE_BYTES = 14;

/** Attributes of formats 0 and 1 are one byte. */
export const ATTRIBUTES_AT = 17;
/** Bits of the attributes, in all formats. */
export const CODEC_BITS = 0x07;
export const APPEND_TIME_BIT = 0x08;

const WORD = 0x1_0000_0000;

/** An int64 as a number; beyond 2^53 it is only near, so compare with `MAX_OFFSET` before use. */
export function readInt64(view: DataView, at: number): number {
  return view.getInt32(at) * WORD + view.getUint32(at + 4);
}

/** The largest offset whose successor is still an exact number. */
export const MAX_OFFSET = Number.MAX_SAFE_INTEGER - 1;

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
