const SLICES = 16;
const ENTRIES = 256;

/**
 * For a reversed polynomial: entry `256 * n + b` is what byte `b` adds to the checksum when `n` more bytes follow it in the
 * same step of {@link crcBySlices}.
 */
export function crcTable(polynomial: number): Int32Array {
  const table = new Int32Array(SLICES * ENTRIES);
  for (let byte = 0; byte < ENTRIES; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    table[byte] = crc;
  }
  for (let at = ENTRIES; at < table.length; at++) {
    const shorter = table[at - ENTRIES] ?? 0;
    table[at] = (shorter >>> 8) ^ (table[shorter & 0xff] ?? 0);
  }
  return table;
}

/* The table has an entry for each index that can be formed below. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */
/** Checksum of `view[start..end)` as a signed int32, as `getInt32` reads a stored one; 16 bytes a step. */
export function crcBySlices(t: Int32Array, view: DataView, start: number, end: number): number {
  let crc = -1;
  let at = start;
  for (const last = end - 16; at <= last; at += 16) {
    const a = crc ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    crc =
      t[3840 | (a & 0xff)]! ^
      t[3584 | ((a >>> 8) & 0xff)]! ^
      t[3328 | ((a >>> 16) & 0xff)]! ^
      t[3072 | (a >>> 24)]! ^
      t[2816 | (b & 0xff)]! ^
      t[2560 | ((b >>> 8) & 0xff)]! ^
      t[2304 | ((b >>> 16) & 0xff)]! ^
      t[2048 | (b >>> 24)]! ^
      t[1792 | (c & 0xff)]! ^
      t[1536 | ((c >>> 8) & 0xff)]! ^
      t[1280 | ((c >>> 16) & 0xff)]! ^
      t[1024 | (c >>> 24)]! ^
      t[768 | (d & 0xff)]! ^
      t[512 | ((d >>> 8) & 0xff)]! ^
      t[256 | ((d >>> 16) & 0xff)]! ^
      t[d >>> 24]!;
  }
  for (const last = end - 4; at <= last; at += 4) {
    const a = crc ^ view.getInt32(at, true);
    crc = t[768 | (a & 0xff)]! ^ t[512 | ((a >>> 8) & 0xff)]! ^ t[256 | ((a >>> 16) & 0xff)]! ^ t[a >>> 24]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t[(crc ^ view.getUint8(at)) & 0xff]!;
  return ~crc;
}
