import type { Chance } from '../../support/mutating/mutation';

const INT_32 = [0, 1, -1, -2, -3, 14, 127, 128, 255, 65_535, 65_536, 20_000_000, 0x7fff_ffff, -0x8000_0000];

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
const INT_64 = [0n, 1n, -1n, -2n, 2n ** 31n, 2n ** 32n, MOST_EXACT - 1n, MOST_EXACT, MOST_EXACT + 1n].concat(
  ...[-MOST_EXACT - 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 62n)],
);

/** An int32 that is not the right one: often next to it, else one at which something goes over. */
export function wrongInt32(right: number, chance: Chance): number {
  const near = [
    right + 1,
    right - 1,
    right + 2,
    right - 4,
    right * 2,
    -right,
    ~right,
    right + chance.below(50),
  ];
  return (chance.isTrue(0.5) ? chance.of(near) : chance.of(INT_32)) | 0;
}

export function wrongInt64(right: bigint, chance: Chance): bigint {
  const near = [right + 1n, right - 1n, right + BigInt(chance.below(20)), right + 2n ** 32n, -right];
  return BigInt.asIntN(64, chance.isTrue(0.5) ? chance.of(near) : chance.of(INT_64));
}

export function putWrongInt32(bytes: Buffer, at: number, chance: Chance): void {
  bytes.writeInt32BE(wrongInt32(bytes.readInt32BE(at), chance), at);
}

export function putWrongInt64(bytes: Buffer, at: number, chance: Chance): void {
  bytes.writeBigInt64BE(wrongInt64(bytes.readBigInt64BE(at), chance), at);
}

/** One that differs, if it is not the same by chance. */
export function flipBit(bytes: Buffer, at: number, chance: Chance): void {
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << chance.below(8)), at);
}
