import { builtInCodecs, isTooLarge } from '../../lib/kafka/compression/codecs';
import type { ZstdReader } from '../support/records/openCompressed';
import { TooLarge } from '../support/records/TooLarge';

/** Most bytes that a compressed set may come to: more than the samples have, less than their bombs. */
export const MAX_INFLATED_BYTES = 256 * 1024;

/** Generous: a case takes a millisecond or two. */
export const MOST_CASE_MS = 5000;

const FIXED_BYTES = 64 * 1024;

/** The most that reading an answer may ask for in all. */
export function mostAnswerBytes(body: Buffer): number {
  return FIXED_BYTES + 4 * body.length;
}

/** The most that reading a set may ask for in all, with so many compressed sets in it. */
export function mostSetBytes(records: Buffer, setsOpened: number): number {
  return FIXED_BYTES + 4 * records.length + setsOpened * (FIXED_BYTES + 3 * MAX_INFLATED_BYTES);
}

/** Frames with entropy coding: the reference takes the word of the code under test, which is only asked twice then. */
export const zstdOfLib: ZstdReader = (bytes, maxBytes) => {
  try {
    return Buffer.from(builtInCodecs.zstd(bytes, maxBytes));
  } catch (error) {
    throw isTooLarge(error) ? new TooLarge() : error;
  }
};
