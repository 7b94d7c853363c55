import { gzipSync } from 'node:zlib';

/** A message to be written by hand, in the fields of the format. */
export interface SpecMessage {
  readonly offset: number;
  readonly magic?: 0 | 1;
  readonly key?: Buffer | null;
  readonly value?: Buffer | null;
  readonly timestamp?: number;
  readonly attributes?: number;
}

export const GZIP = 1;
export const APPEND_TIME = 8;
export const ENTRY_HEADER_BYTES = 12;
export const CRC_AT = 12;
export const MAGIC_AT = 16;

/** Bit by bit, so that it shares nothing with the code under test. */
export function slowCrc32(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}

function sized(bytes: Buffer | null): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes === null ? -1 : bytes.length);
  return bytes === null ? length : Buffer.concat([length, bytes]);
}

export function int64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** Offset and size, then the bytes as they are. */
export function rawEntry(offset: number | bigint, message: Buffer, sizeBytes = message.length): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(sizeBytes);
  return Buffer.concat([int64(offset), size, message]);
}

/** Puts a right checksum in front of what follows it in a message. */
export function withCrc(rest: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(slowCrc32(rest));
  return Buffer.concat([crc, rest]);
}

/** One entry of a message set; the default is format 1 with a null key and an empty value. */
export function entry(message: SpecMessage): Buffer {
  const { offset, magic = 1, key = null, value = Buffer.alloc(0), timestamp = 0, attributes = 0 } = message;
  const rest: Buffer[] = [Buffer.from([magic, attributes])];
  if (magic === 1) rest.push(int64(timestamp));
  rest.push(sized(key), sized(value));
  return rawEntry(offset, withCrc(Buffer.concat(rest)));
}

export function messageSet(messages: readonly SpecMessage[]): Buffer {
  return Buffer.concat(messages.map(entry));
}

/** A gzip wrapper around a set that is written out already. */
export function wrapper(message: Omit<SpecMessage, 'value'>, inner: Buffer): Buffer {
  return entry({ ...message, value: gzipSync(inner), attributes: (message.attributes ?? 0) | GZIP });
}

/** The same bytes with one of them changed. */
export function damaged(bytes: Buffer, at: number, mask = 0x01): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ mask, at);
  return copy;
}
