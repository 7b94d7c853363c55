import { gzipSync } from 'node:zlib';

import { builtInCodecs, inflaterOf } from '../../../../kafka/compression/codecs';
import { AppendRefusal } from '../AppendRefusal';
import type { MessageFormat } from '../entryLayout';
import { lz4 } from './lz4';
import { snappy } from './snappy';
import { zstd } from './zstd';

/** By their numbers in the attributes of messages and batches. */
export const CODEC_NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
export type LogCodec = (typeof CODEC_NAMES)[number];

export const NO_CODEC = 0;
export const LZ4 = 3;
export const ZSTD = 4;

/** Most bytes that a compressed set may come to: a small one must not fill the memory. */
const MOST_INFLATED_BYTES = 256 * 1024 * 1024;

/** What is in a compressed set. Throws AppendRefusal with the code that brokers give for damaged ones. */
export function inflated(codec: number, format: MessageFormat, compressed: Buffer): Buffer {
  const inflate = inflaterOf(builtInCodecs, codec, format);
  if (inflate === null) throw new AppendRefusal('UNKNOWN_SERVER_ERROR', `there is no codec ${codec}`);
  try {
    return inflate(compressed, MOST_INFLATED_BYTES);
  } catch (error) {
    throw new AppendRefusal(
      'UNKNOWN_SERVER_ERROR',
      `no right ${CODEC_NAMES[codec] ?? ''} set: ${String(error)}`,
    );
  }
}

/** Compresses a set that is written in that format. */
export function compressed(codec: number, format: MessageFormat, bytes: Buffer): Buffer {
  switch (CODEC_NAMES[codec]) {
    case 'gzip':
      return gzipSync(bytes);
    case 'snappy':
      return snappy(bytes);
    case 'lz4':
      return lz4(bytes, format === 0);
    case 'zstd':
      return zstd(bytes);
    default:
      return bytes;
  }
}
