/* One byte a step: slow and plain, and nothing of the code under test. */

const CRC_32 = tableOf(0xedb8_8320);
const CRC_32C = tableOf(0x82f6_3b78);

const PRIMES = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1] as const;

function tableOf(polynomial: number): readonly number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
}

function crcBy(table: readonly number[], bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffff_ffff) >>> 0;
}

/** The checksum of message formats 0 and 1. */
export function crc32(bytes: Buffer): number {
  return crcBy(CRC_32, bytes);
}

/** The checksum of record batches. */
export function crc32c(bytes: Buffer): number {
  return crcBy(CRC_32C, bytes);
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

const round = (lane: number, word: number): number =>
  Math.imul(rotated((lane + Math.imul(word, PRIMES[1])) | 0, 13), PRIMES[0]);

/** The checksum of lz4 frames (xxHash32 with seed 0). */
export function xxHash32(bytes: Buffer): number {
  let at = 0;
  let hash: number = PRIMES[4];
  if (bytes.length >= 16) {
    const lanes = [(PRIMES[0] + PRIMES[1]) | 0, PRIMES[1] | 0, 0, -PRIMES[0] | 0];
    for (; bytes.length - at >= 16; at += 16) {
      lanes.forEach((lane, index) => (lanes[index] = round(lane, bytes.readInt32LE(at + 4 * index))));
    }
    const [one = 0, two = 0, three = 0, four = 0] = lanes;
    hash = rotated(one, 1) + rotated(two, 7) + rotated(three, 12) + rotated(four, 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; bytes.length - at >= 4; at += 4) {
    hash = Math.imul(rotated((hash + Math.imul(bytes.readInt32LE(at), PRIMES[2])) | 0, 17), PRIMES[3]);
  }
  for (; at < bytes.length; at += 1) {
    hash = Math.imul(rotated((hash + Math.imul(bytes.readUInt8(at), PRIMES[4])) | 0, 11), PRIMES[0]);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIMES[1]);
  hash = Math.imul(hash ^ (hash >>> 13), PRIMES[2]);
  return (hash ^ (hash >>> 16)) >>> 0;
}
