import { gunzipSync } from 'node:zlib';
import { errorCode } from '../errorText';

/** Inflates a compressed set; throws if it is damaged, and with `isTooLarge` true if it comes to more than `maxBytes`. */
export type Inflate = (compressed: Buffer, maxBytes: number) => Buffer;

const CODEC_NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const GZIP = 1;
const LEAST_CHUNK_BYTES = 1024;
const MOST_CHUNK_BYTES = 1024 * 1024;

/** How to inflate sets of that codec (the low three bits of the attributes); null if there is no way. */
export function inflateOf(codec: number): Inflate | null {
  return codec === GZIP ? gunzip : null;
}

export function codecName(codec: number): string {
  return CODEC_NAMES[codec] ?? `number ${codec}`;
}

export function isTooLarge(error: unknown): boolean {
  return errorCode(error) === 'ERR_BUFFER_TOO_LARGE';
}

/**
 * gzip ends with the inflated size. It is only a hint, but with an output chunk of that size (and a byte to see the end)
 * the usual set is inflated in one step, without chunks to put together, and its buffer keeps nothing alive in excess.
 */
function gunzip(compressed: Buffer, maxBytes: number): Buffer {
  const hintBytes = compressed.length >= 4 ? compressed.readUInt32LE(compressed.length - 4) + 1 : 0;
  const chunkSize = Math.min(Math.max(hintBytes, LEAST_CHUNK_BYTES), MOST_CHUNK_BYTES);
  return gunzipSync(compressed, { maxOutputLength: maxBytes, chunkSize });
}
