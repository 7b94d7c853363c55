import { crcBySlices, crcTable } from './crcSlices';

/** Reversed polynomial of CRC-32C (Castagnoli, RFC 3720), which Node has no function for. */
const TABLE = crcTable(0x82f63b78);

/** CRC-32C of `view[start..end)` as a signed int32: the checksum of record batches. */
export function crc32c(view: DataView, start: number, end: number): number {
  return crcBySlices(TABLE, view, start, end);
}
