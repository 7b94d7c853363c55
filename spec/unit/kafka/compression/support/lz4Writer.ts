import fc from 'fast-check';
import type { Written } from './snappyWriter';

/** Literals and a match behind them; the place is a share of what is there, so that any list makes a right block. */
interface Sequence {
  readonly literals: Uint8Array;
  readonly length: number;
  readonly place: number;
}

interface BlockPlan {
  readonly sequences: readonly Sequence[];
  readonly last: Uint8Array;
  readonly stored: boolean;
}

/** How a frame is written. */
export interface FrameOptions {
  readonly linked: boolean;
  readonly blockChecksums: boolean;
  readonly contentChecksum: boolean;
  readonly contentSize: boolean;
  /** The header checksum that Kafka wrote up to 0.9, over the magic number, too. */
  readonly kafkaChecksum: boolean;
}

const place = fc.oneof(
  fc.constantFrom(0, 1e-9),
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
);
const sequence = fc.record({
  literals: fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 60, maxLength: 300 })),
  length: fc.oneof(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 41, max: 1_000 })),
  place,
});
const blockPlan = fc.record({
  sequences: fc.array(sequence, { maxLength: 15 }),
  last: fc.uint8Array({ maxLength: 30 }),
  stored: fc.boolean(),
});

export const frameOptions: fc.Arbitrary<FrameOptions> = fc.record({
  linked: fc.boolean(),
  blockChecksums: fc.boolean(),
  contentChecksum: fc.boolean(),
  contentSize: fc.boolean(),
  kafkaChecksum: fc.boolean(),
});

/** Frames of all kinds, with stored blocks, long lengths, and matches that overlap themselves or come from other blocks. */
export const lz4Frames: fc.Arbitrary<Written & { readonly options: FrameOptions }> = fc
  .record({ blocks: fc.array(blockPlan, { maxLength: 4 }), options: frameOptions })
  .map(({ blocks, options }) => ({ ...writeFrame(blocks, options), options }));

function writeFrame(blocks: readonly BlockPlan[], options: FrameOptions): Written {
  const plain: number[] = [];
  const parts: Buffer[] = [];
  for (const block of blocks) {
    const start = plain.length;
    const body = writeBlock(block, plain, options.linked ? 0 : start);
    parts.push(block.stored ? storedBlock(plain.slice(start), options) : compressedBlock(body, options));
  }
  const content = Buffer.from(plain);
  // A block of no bytes would be the end mark.
  const compressed = lz4FrameOf(
    parts.filter(({ length }) => length > 0),
    content,
    options,
  );
  return { compressed, plain: content };
}

/** A frame of blocks that have their sizes and checksums. */
export function lz4FrameOf(blocks: readonly Buffer[], content: Buffer, options: FrameOptions): Buffer {
  const flags =
    0x40 |
    (options.linked ? 0 : 0x20) |
    (options.blockChecksums ? 0x10 : 0) |
    (options.contentSize ? 0x08 : 0) |
    (options.contentChecksum ? 0x04 : 0);
  const size = options.contentSize ? [...uint32(content.length), 0, 0, 0, 0] : [];
  const magic = [0x04, 0x22, 0x4d, 0x18];
  const descriptor = [flags, 0x40, ...size];
  const hash = slowXxHash32(Buffer.from(options.kafkaChecksum ? [...magic, ...descriptor] : descriptor));
  return Buffer.concat([
    Buffer.from([...magic, ...descriptor, (hash >>> 8) & 0xff]),
    ...blocks,
    Buffer.alloc(4),
    options.contentChecksum ? uint32(slowXxHash32(content)) : Buffer.alloc(0),
  ]);
}

function storedBlock(bytes: readonly number[], options: FrameOptions): Buffer {
  return bytes.length === 0 ? Buffer.alloc(0) : sized(Buffer.from(bytes), 0x8000_0000, options);
}

/** A block with its size, and its checksum if there is one. */
export function compressedBlock(body: Buffer, options: FrameOptions): Buffer {
  return sized(body, 0, options);
}

function sized(body: Buffer, flag: number, { blockChecksums }: FrameOptions): Buffer {
  const checksum = blockChecksums ? uint32(slowXxHash32(body)) : Buffer.alloc(0);
  return Buffer.concat([uint32(flag + body.length), body, checksum]);
}

function writeBlock({ sequences, last }: BlockPlan, plain: number[], windowStart: number): Buffer {
  const body: number[] = [];
  for (const { literals, length, place } of sequences) {
    const most = Math.min(plain.length + literals.length - windowStart, 65_535);
    if (most === 0) continue;
    const distance = 1 + Math.floor(place * most);
    body.push((Math.min(literals.length, 15) << 4) | Math.min(length - 4, 15));
    body.push(...restOf(literals.length), ...literals, distance & 0xff, distance >> 8, ...restOf(length - 4));
    plain.push(...literals);
    for (let count = 0; count < length; count++) plain.push(plain[plain.length - distance] ?? 0);
  }
  body.push(Math.min(last.length, 15) << 4, ...restOf(last.length), ...last);
  plain.push(...last);
  return Buffer.from(body);
}

/** What follows four bits of a length. */
function restOf(length: number): number[] {
  if (length < 15) return [];
  const rest = length - 15;
  return [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const PRIMES = [0n, 2_654_435_761n, 2_246_822_519n, 3_266_489_917n, 668_265_263n, 374_761_393n] as const;

/** xxHash32 with seed 0, step by step as it is specified. */
export function slowXxHash32(bytes: Buffer): number {
  const word = (value: bigint): bigint => BigInt.asUintN(32, value);
  const rotated = (value: bigint, bits: bigint): bigint => word((value << bits) | (value >> (32n - bits)));
  let at = 0;
  let hash: bigint = PRIMES[5];
  if (bytes.length >= 16) {
    const sums = [PRIMES[1] + PRIMES[2], PRIMES[2], 0n, -PRIMES[1]].map(word);
    for (; at + 16 <= bytes.length; at += 16) {
      for (const [lane, sum] of sums.entries()) {
        const input = BigInt(bytes.readUInt32LE(at + lane * 4));
        sums[lane] = word(rotated(word(sum + input * PRIMES[2]), 13n) * PRIMES[1]);
      }
    }
    hash = word([1n, 7n, 12n, 18n].reduce((sum, bits, lane) => sum + rotated(sums[lane] ?? 0n, bits), 0n));
  }
  hash = word(hash + BigInt(bytes.length));
  for (; at + 4 <= bytes.length; at += 4) {
    hash = word(rotated(word(hash + BigInt(bytes.readUInt32LE(at)) * PRIMES[3]), 17n) * PRIMES[4]);
  }
  for (; at < bytes.length; at++) {
    hash = word(rotated(word(hash + BigInt(bytes.readUInt8(at)) * PRIMES[5]), 11n) * PRIMES[1]);
  }
  hash = word((hash ^ (hash >> 15n)) * PRIMES[2]);
  hash = word((hash ^ (hash >> 13n)) * PRIMES[3]);
  return Number(hash ^ (hash >> 16n));
}
