import { gunzipSync } from 'node:zlib';

import { GZIP, LZ4, SNAPPY, ZSTD } from './compress';
import { readLz4 } from './readLz4';
import { readSnappy } from './readSnappy';
import { readPlainZstd } from './readZstd';
import { Unreadable } from './SlowReader';
import { TooLarge } from './TooLarge';

export interface NotOpened {
  readonly code: 'MESSAGE_TOO_LARGE' | 'MESSAGE_CORRUPT' | 'CODEC_UNSUPPORTED';
  readonly why: string;
}

/** Opens a zstd frame of any kind; throws TooLarge, or whatever it likes if the frame is damaged. */
export type ZstdReader = (bytes: Buffer, maxBytes: number) => Buffer;

/** What is in a compressed set of that format, or why nobody can say. */
export function openCompressed(
  codec: number,
  magic: number,
  payload: Buffer,
  maxBytes: number,
  zstd: ZstdReader,
): Buffer | NotOpened {
  try {
    if (codec === GZIP) return gunzipSync(payload, { maxOutputLength: maxBytes });
    if (codec === SNAPPY) return readSnappy(payload, maxBytes);
    if (codec === LZ4) return readLz4(payload, maxBytes, magic);
    if (codec === ZSTD) return readPlainZstd(payload, maxBytes) ?? zstd(payload, maxBytes);
  } catch (error) {
    if (error instanceof TooLarge || codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
      return { code: 'MESSAGE_TOO_LARGE', why: 'a set that comes to more than it may' };
    }
    // Only zlib and the zstd of somebody else have errors of their own.
    if (error instanceof Unreadable || codec === GZIP || codec === ZSTD) {
      return { code: 'MESSAGE_CORRUPT', why: error instanceof Error ? error.message : 'damaged' };
    }
    throw error;
  }
  return { code: 'CODEC_UNSUPPORTED', why: `codec ${codec}` };
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
