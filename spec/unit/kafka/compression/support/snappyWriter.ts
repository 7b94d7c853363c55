import fc from 'fast-check';

/** One element of a raw snappy block; places are shares of what is there, so that any list makes a right block. */
type Element =
  | { readonly literal: Uint8Array }
  | { readonly copy: 1 | 2 | 3; readonly length: number; readonly place: number };

/** What was written, and what it stands for. */
export interface Written {
  readonly compressed: Buffer;
  readonly plain: Buffer;
}

const element: fc.Arbitrary<Element> = fc.oneof(
  fc.record({ literal: fc.uint8Array({ minLength: 1, maxLength: 20 }) }),
  fc.record({ literal: fc.uint8Array({ minLength: 50, maxLength: 300 }) }),
  fc.record({
    copy: fc.constantFrom<1 | 2 | 3>(1, 2, 3),
    length: fc.integer({ min: 1, max: 64 }),
    place: fc.oneof(fc.constantFrom(0, 1e-9), fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
  }),
);

/** Raw blocks with literals and copies of all kinds, those that overlap themselves among them. */
export const snappyBlocks: fc.Arbitrary<Written> = fc.array(element, { maxLength: 60 }).map(writeBlock);

function writeBlock(elements: readonly Element[]): Written {
  const plain: number[] = [];
  const body: number[] = [];
  for (const one of elements) {
    if ('literal' in one) {
      writeLiteral(body, one.literal);
      plain.push(...one.literal);
    } else if (plain.length > 0) {
      const most = Math.min(plain.length, one.copy === 1 ? 2047 : 65_535);
      const distance = 1 + Math.floor(one.place * most);
      const length = one.copy === 1 ? 4 + (one.length % 8) : one.length;
      writeCopy(body, one.copy, distance, length);
      for (let count = 0; count < length; count++) plain.push(plain[plain.length - distance] ?? 0);
    }
  }
  return { compressed: Buffer.from([...varint(plain.length), ...body]), plain: Buffer.from(plain) };
}

function writeLiteral(body: number[], bytes: Uint8Array): void {
  const last = bytes.length - 1;
  if (last < 60) body.push(last << 2);
  else if (last < 256) body.push(60 << 2, last);
  else body.push(61 << 2, last & 0xff, last >> 8);
  body.push(...bytes);
}

function writeCopy(body: number[], kind: 1 | 2 | 3, distance: number, length: number): void {
  if (kind === 1) {
    body.push(((distance >> 8) << 5) | ((length - 4) << 2) | 1, distance & 0xff);
    return;
  }
  body.push(((length - 1) << 2) | kind, distance & 0xff, distance >> 8);
  if (kind === 3) body.push(0, 0);
}

/** Seven bits a byte, the lowest first. */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/** Blocks in the framing of snappy-java. */
export function xerialStream(blocks: readonly Buffer[]): Buffer {
  const parts = blocks.flatMap((block) => {
    const size = Buffer.alloc(4);
    size.writeInt32BE(block.length);
    return [size, block];
  });
  return Buffer.concat([XERIAL_HEADER, ...parts]);
}

export const XERIAL_HEADER = Buffer.from('82534e415050590000000001' + '00000001', 'hex');
