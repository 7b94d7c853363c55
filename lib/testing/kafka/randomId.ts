import type { RandomNumbers } from '../network/RandomNumbers';

const BYTES = 16;

/** 16 bytes, as topics and clusters have for an id. */
export function randomId(random: RandomNumbers): Buffer {
  return Buffer.from(Array.from({ length: BYTES }, () => Math.floor(random.between(0, 256))));
}
