import { gunzipSync } from 'node:zlib';

const LEAST_CHUNK_BYTES = 1024;
const MOST_CHUNK_BYTES = 1024 * 1024;
/** The most that deflate makes of a byte. */
const MOST_BYTES_PER_BYTE = 1032;

/**
 * gzip ends with the inflated size. It is only a hint, but with an output chunk of that size (and a byte to see the end)
 * the usual set is inflated in one step, without chunks to put together, and its buffer keeps nothing alive in excess.
 */
export function gunzip(compressed: Buffer, maxBytes: number): Buffer {
  const hintBytes = compressed.length >= 4 ? compressed.readUInt32LE(compressed.length - 4) + 1 : 0;
  const believableBytes = Math.min(hintBytes, maxBytes + 1, compressed.length * MOST_BYTES_PER_BYTE);
  const chunkSize = Math.min(Math.max(believableBytes, LEAST_CHUNK_BYTES), MOST_CHUNK_BYTES);
  return gunzipSync(compressed, { maxOutputLength: maxBytes, chunkSize });
}
