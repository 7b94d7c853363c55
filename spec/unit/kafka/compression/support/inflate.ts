import { builtInCodecs, type CodecName, inflaterOf } from '../../../../../lib/kafka/compression/codecs';

/** The numbers of the codecs in the attributes. */
export const CODEC_NUMBERS: Readonly<Record<CodecName, number>> = { gzip: 1, snappy: 2, lz4: 3, zstd: 4 };

export const AMPLE_BYTES = 1 << 20;

/** Inflates with the codecs that come with the package. */
export function inflate(
  codec: CodecName,
  compressed: Buffer,
  { magic = 2, maxBytes = AMPLE_BYTES }: { magic?: 0 | 1 | 2; maxBytes?: number } = {},
): Buffer {
  const inflater = inflaterOf(builtInCodecs, CODEC_NUMBERS[codec], magic);
  if (inflater === null) throw new Error(`${codec} has no inflater`);
  return inflater(compressed, maxBytes);
}

/** What was thrown; fails if nothing was. */
export function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
