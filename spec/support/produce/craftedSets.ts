import { crc32, gzipSync } from 'node:zlib';

import { ByteWriter } from './bytes';

/** One entry of a message set as no right producer makes it. */
export interface CraftedMessage {
  readonly offset: number;
  readonly value: Buffer | string;
  readonly magic?: 0 | 1;
  /** The codec. */
  readonly attributes?: number;
  /** The checksum is one that these bytes do not have. */
  readonly wrongChecksum?: boolean;
}

export const GZIP = 1;
export const SNAPPY = 2;

export function craftedSet(messages: readonly CraftedMessage[]): Buffer {
  return Buffer.concat(messages.map(entry));
}

/** A compressed set as one message; inside, offsets count from 0. */
export function craftedWrapper(
  codec: typeof GZIP | typeof SNAPPY,
  messages: readonly Omit<CraftedMessage, 'offset'>[],
  magic: 0 | 1 = 0,
): Buffer {
  const inside = craftedSet(messages.map((message, offset) => ({ magic, ...message, offset })));
  const value = codec === GZIP ? gzipSync(inside) : snappy(inside);
  return craftedSet([{ offset: messages.length - 1, value, magic, attributes: codec }]);
}

function entry({ offset, value, magic = 0, attributes = 0, wrongChecksum = false }: CraftedMessage): Buffer {
  const body = new ByteWriter().int8(magic).int8(attributes);
  if (magic === 1) body.int64(Date.now());
  const bytes = body.bytes(null).bytes(Buffer.from(value)).toBuffer();
  const checksum = wrongChecksum ? (crc32(bytes) ^ 1) >>> 0 : crc32(bytes);
  const content = new ByteWriter().uint32(checksum).raw(bytes).toBuffer();
  return new ByteWriter().int64(offset).bytes(content).toBuffer();
}

/** In the framing of the JVM's library, as one block that is a single literal: right, though nothing gets smaller. */
function snappy(bytes: Buffer): Buffer {
  const size: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) size.push((rest & 0x7f) | 0x80);
  size.push(rest);
  const length = bytes.length - 1;
  const literal = Buffer.from([61 << 2, length & 0xff, length >>> 8]);
  const block = Buffer.concat([Buffer.from(size), literal, bytes]);
  const magic = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
  return Buffer.concat([magic, new ByteWriter().int32(1).int32(1).bytes(block).toBuffer()]);
}
