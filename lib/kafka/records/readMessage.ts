import { crc32 } from './crc32';
import { MessageFault } from './MessageFault';
import { NO_HEADERS, type MessageFields } from './MessageFields';
import { APPEND_TIME_BIT, ATTRIBUTES_AT, CODEC_BITS, MAGIC_AT, readInt64 } from './messageFormat';

/* Places inside an entry. */
const CRC_AT = 12;
const BODY_AT = 18;
const TIMESTAMP_BYTES = 8;

/**
 * Fills in the message of the entry at `bytes[at..end)`, in format 0 or 1, with its checksum checked. Answers its codec: if
 * that is not 0, the value is a compressed set in its place.
 */
export function readMessage(
  bytes: Buffer,
  view: DataView,
  at: number,
  end: number,
  offset: number,
  into: MessageFields,
): number {
  const attributes = view.getInt8(at + ATTRIBUTES_AT);
  const codec = attributes & CODEC_BITS;
  // Of a compressed set only the last offset is known.
  const firstOffset = codec === 0 ? offset : null;
  if (crc32(bytes, view, at + MAGIC_AT, end) !== view.getInt32(at + CRC_AT)) {
    throw new MessageFault('MESSAGE_CORRUPT', 'its checksum is wrong', firstOffset, offset);
  }
  const magic = view.getInt8(at + MAGIC_AT);
  if (magic !== 0 && magic !== 1) {
    const why = `its format is ${magic}, which is not known here`;
    throw new MessageFault('FORMAT_UNSUPPORTED', why, firstOffset, offset);
  }
  const keyLengthAt = magic === 0 ? at + BODY_AT : at + BODY_AT + TIMESTAMP_BYTES;
  if (keyLengthAt + 8 > end) throw wrongLengths(firstOffset, offset);
  const keyAt = keyLengthAt + 4;
  const keyBytes = view.getInt32(keyLengthAt);
  const keyEnd = keyBytes > 0 ? keyAt + keyBytes : keyAt;
  if (keyBytes < -1 || keyEnd + 4 > end) throw wrongLengths(firstOffset, offset);
  const valueAt = keyEnd + 4;
  const valueBytes = view.getInt32(keyEnd);
  if (valueBytes < -1 || (valueBytes > 0 ? valueAt + valueBytes : valueAt) !== end) {
    throw wrongLengths(firstOffset, offset);
  }
  into.offset = offset;
  into.key = keyBytes < 0 ? null : bytes.subarray(keyAt, keyEnd);
  into.value = valueBytes < 0 ? null : bytes.subarray(valueAt, end);
  into.headers = NO_HEADERS;
  if (magic === 0) {
    into.timestamp = null;
    into.timestampType = null;
  } else {
    const timestamp = readInt64(view, at + BODY_AT);
    into.timestamp = timestamp === -1 ? null : timestamp;
    into.timestampType = (attributes & APPEND_TIME_BIT) === 0 ? 'create' : 'append';
  }
  return codec;
}

function wrongLengths(firstOffset: number | null, offset: number): MessageFault {
  const why = 'the lengths inside do not add up to its size';
  return new MessageFault('MESSAGE_CORRUPT', why, firstOffset, offset);
}
