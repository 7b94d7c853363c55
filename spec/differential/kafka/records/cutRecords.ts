import { zstd } from '../../../../lib/kafka/compression/zstd';
import { openCompressed } from '../../../support/records/openCompressed';
import { PartReader, Uncut } from '../definitions/PartReader';

const MAGIC_AT = 16;
const ENTRY_HEADER_BYTES = 12;
/** From the offset to the number of records. */
const BATCH_HEADER_BYTES = 61;
const CODEC_BITS = 0x07;
const MOST_BYTES = 16 * 1024 * 1024;

/** Cuts a record set of this length, of any format, into the fields of its entries; an entry that is cut off is one part. */
export function cutRecords(reader: PartReader, name: string, sizeBytes: number): void {
  const end = reader.left - sizeBytes;
  for (let index = 0; reader.left > end; index++) {
    const left = reader.left - end;
    const entryBytes =
      left < ENTRY_HEADER_BYTES ? Infinity : ENTRY_HEADER_BYTES + reader.peek(8, 4).readInt32BE();
    const entry = `${name}[${index}]`;
    if (left <= MAGIC_AT || entryBytes > left || entryBytes <= MAGIC_AT) {
      reader.take(`${entry}(cut off)`, left);
      return;
    }
    if (reader.peek(MAGIC_AT, 1)[0] === 2 && entryBytes >= BATCH_HEADER_BYTES) {
      cutBatch(reader, entry, entryBytes);
    } else cutMessage(reader, entry, entryBytes);
  }
}

function cutMessage(reader: PartReader, name: string, entryBytes: number): void {
  const end = reader.left - entryBytes;
  reader.int64(`${name}.offset`);
  reader.int32(`${name}.size`);
  reader.int32(`${name}.crc`);
  const magic = reader.int8(`${name}.magic`);
  const codec = reader.int8(`${name}.attributes`) & CODEC_BITS;
  if (magic === 1) reader.int64(`${name}.timestamp`);
  const keyBytes = reader.int32(`${name}.key.size`);
  if (keyBytes >= 0) reader.take(`${name}.key`, keyBytes);
  const valueBytes = reader.int32(`${name}.value.size`);
  if (valueBytes >= 0) {
    const value = reader.take(codec === 0 ? `${name}.value` : `${name}.compressed`, valueBytes);
    if (codec !== 0) {
      cutInside(reader, name, codec, magic, value, (inside) =>
        cutRecords(inside, `${name}.inside`, inside.left),
      );
    }
  }
  if (reader.left > end) reader.take(`${name}(behind the value)`, reader.left - end);
}

function cutBatch(reader: PartReader, name: string, entryBytes: number): void {
  reader.int64(`${name}.baseOffset`);
  reader.int32(`${name}.size`);
  reader.int32(`${name}.leaderEpoch`);
  reader.int8(`${name}.magic`);
  reader.int32(`${name}.crc`);
  const codec = reader.int16(`${name}.attributes`) & CODEC_BITS;
  reader.int32(`${name}.lastOffsetDelta`);
  reader.int64(`${name}.baseTimestamp`);
  reader.int64(`${name}.maxTimestamp`);
  reader.int64(`${name}.producerId`);
  reader.int16(`${name}.producerEpoch`);
  reader.int32(`${name}.baseSequence`);
  const count = reader.int32(`${name}.count`);
  const recordsBytes = entryBytes - BATCH_HEADER_BYTES;
  if (codec === 0) cutPlainRecords(reader, name, count, reader.left - recordsBytes);
  else {
    const packed = reader.take(`${name}.compressed`, recordsBytes);
    cutInside(reader, name, codec, 2, packed, (inside) => cutPlainRecords(inside, name, count, 0));
  }
}

/** Each record with its length in front is one part. */
function cutPlainRecords(reader: PartReader, name: string, count: number, end: number): void {
  for (let index = 0; index < count && reader.left > end; index++) {
    const lengthBytes = reader.varintBytes(0);
    const length = reader
      .peek(0, lengthBytes)
      .reduce((sum, byte, place) => sum + (byte & 0x7f) * 128 ** place, 0);
    // Zigzag; a length is never negative.
    const sizeBytes = Math.min(lengthBytes + Math.floor(length / 2), reader.left - end);
    reader.take(`${name}.records[${index}]`, sizeBytes);
  }
  if (reader.left > end) reader.take(`${name}(behind the records)`, reader.left - end);
}

/** Adds the parts of what is compressed; a set that cannot be opened has none. */
function cutInside(
  reader: PartReader,
  name: string,
  codec: number,
  magic: number,
  packed: Buffer,
  cut: (inside: PartReader) => void,
): void {
  const opened = openCompressed(codec, magic, packed, MOST_BYTES, zstd);
  if (!Buffer.isBuffer(opened)) throw new Uncut(`${name}: ${opened.why}`);
  const inside = new PartReader(opened, true);
  cut(inside);
  for (const part of inside.parts) reader.add(part);
}
