import { crc32, gzipSync } from 'node:zlib';

import { ByteWriter } from './bytes';

export interface ProducedMessage {
  readonly key?: Buffer | string | null;
  readonly value?: Buffer | string | null;
  /** Milliseconds, for format 1; now if missing. */
  readonly timestamp?: number;
}

export interface MessageSetOptions {
  /** Format of the messages: 1 has timestamps and is known since 0.10. */
  readonly magic?: 0 | 1;
  /** One compressed message that contains all others. */
  readonly gzip?: boolean;
}

const GZIP = 1;

/**
 * The bytes of a message set. The broker assigns the offsets. As the clients of the time do, the messages inside a
 * compressed one count from 0, and the outer message has the offset of the last; in format 1 those numbers are
 * kept as relative offsets, in format 0 the broker writes the absolute ones.
 */
export function encodeMessageSet(
  messages: readonly ProducedMessage[],
  { magic = 0, gzip = false }: MessageSetOptions = {},
): Buffer {
  const now = Date.now();
  const plain = Buffer.concat(
    messages.map(({ key, value, timestamp }, index) =>
      entry(index, message(magic, 0, timestamp ?? now, toBytes(key), toBytes(value))),
    ),
  );
  if (!gzip) return plain;
  const latest = Math.max(...messages.map(({ timestamp }) => timestamp ?? now));
  return entry(messages.length - 1, message(magic, GZIP, latest, null, gzipSync(plain)));
}

function entry(offset: number, content: Buffer): Buffer {
  return new ByteWriter().int64(offset).bytes(content).toBuffer();
}

function message(
  magic: 0 | 1,
  codec: number,
  timestamp: number,
  key: Buffer | null,
  value: Buffer | null,
): Buffer {
  const body = new ByteWriter().int8(magic).int8(codec);
  if (magic === 1) body.int64(timestamp);
  const bytes = body.bytes(key).bytes(value).toBuffer();
  return new ByteWriter().uint32(crc32(bytes)).raw(bytes).toBuffer();
}

function toBytes(value: Buffer | string | null | undefined): Buffer | null {
  return value === null || value === undefined ? null : Buffer.from(value);
}
