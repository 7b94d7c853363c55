import { crc32 } from '../../../kafka/records/crc32';
import { AppendRefusal } from './AppendRefusal';
import {
  APPEND_TIME_BIT,
  CODEC_BITS,
  ENTRY_HEADER_BYTES,
  MAGIC_AT,
  NO_TIMESTAMP,
  readInt64,
  SIZE_AT,
  viewOf,
  writeInt64,
} from './entryLayout';
import type { LoggedMessage } from './LoggedMessage';

/* An entry of format 0 or 1: CRC-32 (int32) of all that follows, magic (int8), attributes (int8), only in format 1 a timestamp (int64), key, value. */
const CRC_AT = 12;
export const MESSAGE_ATTRIBUTES_AT = 17;
const TIMESTAMP_AT = 18;
const TIMESTAMP_BYTES = 8;
const LENGTH_BYTES = 4;

/** A message with what only formats 0 and 1 tell. */
export interface MessageInEntry extends LoggedMessage {
  readonly format: 0 | 1;
  /** If not 0, the value is a compressed set. */
  readonly codec: number;
  /** True if the timestamp is the broker's. */
  readonly isAppendTime: boolean;
}

export interface MessageToWrite {
  readonly offset: number;
  readonly codec: number;
  readonly isAppendTime: boolean;
  readonly timestampMs: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** Reads an entry as it stands, with the offset that it has. Throws AppendRefusal if its fields do not fit. */
export function readMessage(entry: Buffer): MessageInEntry {
  const format = entry.readInt8(MAGIC_AT);
  if (format !== 0 && format !== 1)
    throw new AppendRefusal('CORRUPT_MESSAGE', `a message of format ${format}`);
  const attributes = entry.readInt8(MESSAGE_ATTRIBUTES_AT);
  const keyAt = format === 0 ? TIMESTAMP_AT : TIMESTAMP_AT + TIMESTAMP_BYTES;
  const key = sizedBytes(entry, keyAt);
  const value = sizedBytes(entry, keyAt + LENGTH_BYTES + (key?.length ?? 0));
  return {
    offset: readInt64(entry, 0),
    timestampMs: readTimestamp(entry),
    isAppendTime: format === 1 && (attributes & APPEND_TIME_BIT) !== 0,
    headers: [],
    ...{ format, codec: attributes & CODEC_BITS, key, value },
  };
}

function sizedBytes(entry: Buffer, at: number): Buffer | null {
  if (at + LENGTH_BYTES > entry.length)
    throw new AppendRefusal('CORRUPT_MESSAGE', 'a message without an end');
  const sizeBytes = entry.readInt32BE(at);
  if (sizeBytes < 0) return null;
  const start = at + LENGTH_BYTES;
  if (sizeBytes > entry.length - start) {
    throw new AppendRefusal('CORRUPT_MESSAGE', `${sizeBytes} bytes of key or value in a message that ends`);
  }
  return entry.subarray(start, start + sizeBytes);
}

/** -1 in format 0. The smallest entry has room for it. */
export function readTimestamp(entry: Buffer): number {
  return entry.readInt8(MAGIC_AT) === 0 ? NO_TIMESTAMP : readInt64(entry, TIMESTAMP_AT);
}

export function hasRightMessageCrc(entry: Buffer): boolean {
  return entry.readInt32BE(CRC_AT) === crc32(entry, viewOf(entry), MAGIC_AT, entry.length);
}

export function writeMessage(format: 0 | 1, message: MessageToWrite): Buffer {
  const { key, value } = message;
  const keyAt = format === 0 ? TIMESTAMP_AT : TIMESTAMP_AT + TIMESTAMP_BYTES;
  const valueAt = keyAt + LENGTH_BYTES + (key?.length ?? 0);
  const entry = Buffer.allocUnsafe(valueAt + LENGTH_BYTES + (value?.length ?? 0));
  writeInt64(entry, message.offset, 0);
  entry.writeInt32BE(entry.length - ENTRY_HEADER_BYTES, SIZE_AT);
  entry.writeInt8(format, MAGIC_AT);
  entry.writeInt8(message.codec, MESSAGE_ATTRIBUTES_AT);
  putSized(entry, key, keyAt);
  putSized(entry, value, valueAt);
  if (format === 0) setMessageCrc(entry);
  else setMessageTime(entry, message.timestampMs, message.isAppendTime);
  return entry;
}

function putSized(entry: Buffer, bytes: Buffer | null, at: number): void {
  entry.writeInt32BE(bytes?.length ?? -1, at);
  bytes?.copy(entry, at + LENGTH_BYTES);
}

/** Puts a timestamp into an entry of format 1, and who gave it. */
export function setMessageTime(entry: Buffer, timestampMs: number, isAppendTime: boolean): void {
  writeInt64(entry, timestampMs, TIMESTAMP_AT);
  const others = entry.readInt8(MESSAGE_ATTRIBUTES_AT) & ~APPEND_TIME_BIT;
  entry.writeInt8(others | (isAppendTime ? APPEND_TIME_BIT : 0), MESSAGE_ATTRIBUTES_AT);
  setMessageCrc(entry);
}

function setMessageCrc(entry: Buffer): void {
  entry.writeInt32BE(crc32(entry, viewOf(entry), MAGIC_AT, entry.length), CRC_AT);
}
