import { AppendRefusal } from './AppendRefusal';
import { ENTRY_HEADER_BYTES, SIZE_AT } from './entryLayout';

/** CRC, magic, attributes, key length and value length: format 0 with null key and value. */
const LEAST_SIZE_BYTES = 14;

/** The whole entries of a set, as views; one that is cut off at the end is left out. Throws AppendRefusal for a size that cannot be. */
export function splitEntries(set: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  let at = 0;
  while (set.length - at >= ENTRY_HEADER_BYTES) {
    const sizeBytes = set.readInt32BE(at + SIZE_AT);
    if (sizeBytes < LEAST_SIZE_BYTES) {
      throw new AppendRefusal('CORRUPT_MESSAGE', `an entry of ${sizeBytes} bytes`);
    }
    const end = at + ENTRY_HEADER_BYTES + sizeBytes;
    if (end > set.length) break;
    entries.push(set.subarray(at, end));
    at = end;
  }
  return entries;
}
