import type { Generation } from '../Generation';
import { AppendRefusal } from './AppendRefusal';
import { NO_CODEC, ZSTD } from './compression/codecs';
import { CODEC_BITS, MAGIC_AT, type MessageFormat, readInt64 } from './entryLayout';
import { hasRightMessageCrc, MESSAGE_ATTRIBUTES_AT } from './messageEntry';
import { BATCH_CODEC_AT, hasRightBatchCrc } from './recordBatch';

const NEWEST_FORMAT: Readonly<Record<Generation, MessageFormat>> = {
  '0.8': 1, // It never looks: format 1 is stored as it comes, though nothing in it is understood.
  '0.9': 1,
  '0.10.2': 1,
  '1.1': 2,
  '3.9': 2,
};

/** What the entries of a produced set have to be for themselves, before a look inside. Throws AppendRefusal. */
export function checkEntries(
  entries: readonly Buffer[],
  { generation, maxMessageBytes }: { readonly generation: Generation; readonly maxMessageBytes: number },
): void {
  for (const entry of entries) {
    const format = entry.readInt8(MAGIC_AT);
    if (format < 0 || format > NEWEST_FORMAT[generation]) {
      throw new AppendRefusal('CORRUPT_MESSAGE', `an entry of format ${format}`);
    }
    if (format === 2 && readInt64(entry, 0) !== 0) {
      throw new AppendRefusal('INVALID_RECORD', 'a batch that does not begin at offset 0');
    }
    checkSize(entry, maxMessageBytes);
    if (!(format === 2 ? hasRightBatchCrc(entry) : hasRightMessageCrc(entry))) {
      throw new AppendRefusal('CORRUPT_MESSAGE', 'a wrong checksum');
    }
    const codec = codecOfEntry(entry);
    if (codec === ZSTD && format < 2 && generation === '3.9') {
      throw new AppendRefusal('INVALID_RECORD', 'zstd is not for old formats');
    }
    if (codec > ZSTD || (codec === ZSTD && generation !== '3.9')) {
      throw new AppendRefusal('UNKNOWN_SERVER_ERROR', `there is no codec ${codec}`);
    }
  }
}

/** Message or batch, with what stands in front: that is what max.message.bytes counts. */
export function checkSize(entry: Buffer, maxMessageBytes: number): void {
  if (entry.length > maxMessageBytes) {
    throw new AppendRefusal('MESSAGE_TOO_LARGE', `${entry.length} bytes, and ${maxMessageBytes} is the most`);
  }
}

/** The codec that a broker takes for all entries of a set: that of the last one that is compressed. */
export function codecOf(entries: readonly Buffer[]): number {
  return entries.map(codecOfEntry).findLast((codec) => codec !== NO_CODEC) ?? NO_CODEC;
}

export function codecOfEntry(entry: Buffer): number {
  const at = entry.readInt8(MAGIC_AT) === 2 ? BATCH_CODEC_AT : MESSAGE_ATTRIBUTES_AT;
  return entry.readInt8(at) & CODEC_BITS;
}
