import fc from 'fast-check';
import type { Written } from './snappyWriter';

/** A block of sequences that all have the same three codes; what follows the codes differs. */
interface SequencesPlan {
  readonly literalCode: number;
  readonly offsetCode: number;
  readonly matchCode: number;
  readonly literals: LiteralsKind;
  /** Shares of what the bits behind each code can be. */
  readonly extras: readonly (readonly [number, number, number])[];
  /** Literals behind the last sequence. */
  readonly rest: number;
}

type LiteralsKind = 'stored' | 'one byte' | 'Huffman' | 'Huffman in four';

type BlockPlan =
  { readonly stored: Uint8Array } | { readonly byte: number; readonly times: number } | SequencesPlan;

/** The lengths from which the codes count, and the bits behind them. */
const LITERAL_CODES = {
  0: [0, 0],
  3: [3, 0],
  15: [15, 0],
  17: [18, 1],
  22: [32, 3],
  25: [64, 6],
  26: [128, 7],
} as const;
const MATCH_CODES = {
  0: [3, 0],
  5: [8, 0],
  31: [34, 0],
  33: [37, 1],
  39: [59, 3],
  43: [131, 7],
  45: [515, 9],
} as const;

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const sequencesPlan: fc.Arbitrary<SequencesPlan> = fc.record({
  // Without literals the codes of the last distances count differently.
  literalCode: fc.oneof(fc.constant(0), fc.constantFrom(...Object.keys(LITERAL_CODES).map(Number))),
  offsetCode: fc.oneof(fc.constantFrom(0, 1), fc.integer({ min: 0, max: 8 })),
  matchCode: fc.constantFrom(...Object.keys(MATCH_CODES).map(Number)),
  literals: fc.constantFrom<LiteralsKind>('stored', 'one byte', 'Huffman', 'Huffman in four'),
  extras: fc.array(fc.tuple(share, share, share), { minLength: 1, maxLength: 20 }),
  rest: fc.nat(40),
});
const blockPlan: fc.Arbitrary<BlockPlan> = fc.oneof(
  fc.record({ stored: fc.uint8Array({ maxLength: 50 }) }),
  fc.record({ byte: fc.nat(255), times: fc.nat(500) }),
  { weight: 4, arbitrary: sequencesPlan },
);

/** Frames with stored blocks, repeated bytes, and sequences with new and repeated distances. */
export const zstdFrames: fc.Arbitrary<Written> = fc
  .record({
    first: fc.uint8Array({ minLength: 520, maxLength: 600 }),
    blocks: fc.array(blockPlan, { maxLength: 6 }),
  })
  .map(({ first, blocks }) => writeFrame([{ stored: first }, ...blocks]));

/** Sequences of 30 bits and more behind their codes, which a word may not hold, in a frame that begins with so many bytes. */
export const zstdFramesOfFarMatches = (first: Uint8Array): fc.Arbitrary<Written> =>
  fc
    .record({
      literalCode: fc.constantFrom(25, 26),
      offsetCode: fc.constant(15),
      matchCode: fc.constant(45),
      literals: fc.constant<LiteralsKind>('stored'),
      extras: fc.array(fc.tuple(share, share, share), { minLength: 1, maxLength: 20 }),
      rest: fc.nat(40),
    })
    .map((plan) => writeFrame([{ stored: first }, plan]));

function writeFrame(plans: readonly BlockPlan[]): Written {
  const plain: number[] = [];
  const distances = [1, 4, 8];
  const blocks = plans.map((plan) => {
    if ('stored' in plan) {
      plain.push(...plan.stored);
      return { kind: 0, size: plan.stored.length, body: [...plan.stored] };
    }
    if ('byte' in plan) {
      plain.push(...new Array<number>(plan.times).fill(plan.byte));
      return { kind: 1, size: plan.times, body: [plan.byte] };
    }
    const body = writeSequences(plan, plain, distances);
    return { kind: 2, size: body.length, body };
  });
  return { compressed: zstdFrameOf(blocks), plain: Buffer.from(plain) };
}

/** A frame without the size of its content; its window is 1 MiB unless told otherwise. */
export function zstdFrameOf(
  blocks: readonly { readonly kind: number; readonly size: number; readonly body: readonly number[] }[],
  windowDescriptor = 10 << 3,
): Buffer {
  const parts = blocks.flatMap(({ kind, size, body }, index) => {
    const header = Number(index === blocks.length - 1) | (kind << 1) | (size << 3);
    return [header & 0xff, (header >> 8) & 0xff, header >> 16, ...body];
  });
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, windowDescriptor, ...parts]);
}

function writeSequences(plan: SequencesPlan, plain: number[], distances: number[]): number[] {
  const [literalBase, literalBits] = LITERAL_CODES[plan.literalCode as keyof typeof LITERAL_CODES];
  const [matchBase, matchBits] = MATCH_CODES[plan.matchCode as keyof typeof MATCH_CODES];
  const literals: number[] = [];
  const fields: [value: number, bits: number][] = [];
  let count = 0;
  for (const [offsetShare, matchShare, literalShare] of plan.extras) {
    const offsetExtra = Math.floor(offsetShare * 2 ** plan.offsetCode);
    const matchExtra = Math.floor(matchShare * 2 ** matchBits);
    const literalExtra = Math.floor(literalShare * 2 ** literalBits);
    const literalLength = literalBase + literalExtra;
    const distance = distanceOf(2 ** plan.offsetCode + offsetExtra, literalLength, distances);
    if (distance === 0) break;
    for (let index = 0; index < literalLength; index++) {
      const byte = literalOf(plan.literals, literals.length);
      literals.push(byte);
      plain.push(byte);
    }
    for (let index = 0; index < matchBase + matchExtra; index++) {
      plain.push(plain[plain.length - distance] ?? 0);
    }
    fields.push([offsetExtra, plan.offsetCode], [matchExtra, matchBits], [literalExtra, literalBits]);
    count++;
  }
  for (let index = 0; index < plan.rest; index++) {
    const byte = literalOf(plan.literals, literals.length);
    literals.push(byte);
    plain.push(byte);
  }
  // All three tables are one symbol each.
  const tables = [0x54, plan.literalCode, plan.offsetCode, plan.matchCode];
  const sequences = count === 0 ? [0] : [count, ...tables, ...backwards(fields)];
  return [...writeLiterals(plan.literals, literals), ...sequences];
}

/** The codes 000, 001, 01 and 1, in a table of three weights; the fourth follows from them. */
const HUFFMAN_TABLE = [0x82, 0x11, 0x20];
const HUFFMAN_CODES = [
  [0, 3],
  [1, 3],
  [1, 2],
  [1, 1],
] as const;

function literalOf(kind: LiteralsKind, index: number): number {
  if (kind === 'one byte') return 99;
  return kind === 'stored' ? (index * 31) & 0xff : ([3, 1, 3, 2, 0, 3, 2][index % 7] ?? 0);
}

/** Literals with a header whose sizes have 20, 10 or 18 bits. */
function writeLiterals(kind: LiteralsKind, literals: readonly number[]): number[] {
  const { length } = literals;
  const four = kind === 'Huffman in four' && length >= 6;
  if (kind === 'one byte' && length > 0) return [...bytesOf(0x0d | (length << 4), 3), 99];
  if (kind === 'stored' || length === 0 || (length >= 1024 && !four)) {
    return [...bytesOf(0x0c | (length << 4), 3), ...literals];
  }
  if (!four) {
    const stream = huffmanStream(literals);
    const size = HUFFMAN_TABLE.length + stream.length;
    return [...bytesOf(0x02 | (length << 4) | (size << 14), 3), ...HUFFMAN_TABLE, ...stream];
  }
  const part = Math.ceil(length / 4);
  const streams = [0, 1, 2, 3].map((index) =>
    huffmanStream(literals.slice(index * part, (index + 1) * part)),
  );
  const jumps = streams.slice(0, 3).flatMap((stream) => bytesOf(stream.length, 2));
  const body = [...HUFFMAN_TABLE, ...jumps, ...streams.flat()];
  return [...bytesOf(0x0e + length * 2 ** 4 + body.length * 2 ** 22, 5), ...body];
}

function huffmanStream(literals: readonly number[]): number[] {
  return backwards(literals.map((symbol) => HUFFMAN_CODES[symbol] ?? [0, 0]));
}

function bytesOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

/** The distance that a value stands for, and the list of the last ones as it is from then on; 0 if it stands for none. */
function distanceOf(value: number, literalLength: number, distances: number[]): number {
  if (value > 3) {
    distances.unshift(value - 3);
    distances.pop();
    return value - 3;
  }
  const index = value - 1 + Number(literalLength === 0);
  if (index < 3) {
    const [distance = 0] = distances.splice(index, 1);
    distances.unshift(distance);
    return distance;
  }
  const distance = (distances[0] ?? 0) - 1;
  if (distance > 0) {
    distances.unshift(distance);
    distances.pop();
  }
  return distance;
}

/** The bytes of a stream that is read from its end, where a mark shows the first bit. */
export function backwards(fields: readonly (readonly [value: number, bits: number])[]): number[] {
  let stream = 1n;
  for (const [value, bits] of fields) stream = (stream << BigInt(bits)) | BigInt(value);
  const bytes: number[] = [];
  for (; stream > 0n; stream >>= 8n) bytes.push(Number(stream & 0xffn));
  return bytes;
}
