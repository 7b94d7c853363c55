import { zstdByScript } from '../../../../lib/kafka/compression/zstd';
import { errorOf } from './support/inflate';
import { zstdFrameOf } from './support/zstdWriter';

const AMPLE_BYTES = 1 << 20;
const STORED_ABC = { kind: 0, size: 3, body: [...Buffer.from('abc')] };
/** Where the body of a block begins behind the one with `abc`. */
const BODY_AT = 15;
const ONE_LITERAL = [1 << 3, 97];
/** One symbol for each of the three codes. */
const ONE_SYMBOLS = 0x54;
/** Two symbols of one bit each, 0 and 1. */
const HUFFMAN_TABLE = [128, 0x10];

/** A frame with a compressed block behind one with `abc`. */
function frame(body: readonly number[]): Buffer {
  return zstdFrameOf([STORED_ABC, { kind: 2, size: body.length, body }]);
}

/** The header of Huffman literals in one stream: kind 2 has a table, kind 3 takes the last one. */
function huffman(kind: 2 | 3, literals: number, body: readonly number[]): number[] {
  const header = kind | (literals << 4) | (body.length << 14);
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, ...body];
}

describe('compressed blocks of zstd', () => {
  it('are right as the specs below begin from them', () => {
    const cases: [readonly number[], string][] = [
      [[...ONE_LITERAL, 0], 'abca'],
      [[...ONE_LITERAL, 1, ONE_SYMBOLS, 1, 2, 0, 0b100], 'abcaaaa'],
      [[0, 1, ONE_SYMBOLS, 0, 2, 0, 0b110], 'abcabc'],
      [[...huffman(2, 3, [...HUFFMAN_TABLE, 0b1101]), 0], 'abc\u0001\u0000\u0001'],
    ];
    for (const [body, text] of cases) {
      expect(zstdByScript(frame(body), AMPLE_BYTES).toString()).toBe(text);
    }
  });

  it.each([
    ['no bytes', [], 'a zstd block ends inside its literals', 0],
    ['fewer literals than it says', [5 << 3, 97, 98], 'a zstd block ends inside its literals', 0],
    ['the size of its literals cut off', [0x0c, 1], 'a zstd block ends inside its literals', 0],
    ['nothing behind its literals', ONE_LITERAL, 'a zstd block ends inside its sequences', 2],
    [
      'the number of its sequences cut off',
      [...ONE_LITERAL, 255, 1],
      'a zstd block ends inside its sequences',
      2,
    ],
    ['bytes behind no sequences', [...ONE_LITERAL, 0, 9], 'a zstd block goes on behind its literals', 3],
    ['no tables', [...ONE_LITERAL, 1], 'a zstd block ends inside its sequences', 3],
    ['reserved bits', [...ONE_LITERAL, 1, ONE_SYMBOLS | 1], 'a zstd block with unknown tables', 3],
    [
      'a table repeated that never was',
      [...ONE_LITERAL, 1, 0xc0],
      'a zstd block uses a table that is not there',
      4,
    ],
    ['an unknown code', [...ONE_LITERAL, 1, ONE_SYMBOLS, 36], 'a zstd block with an unknown code', 4],
    ['a code cut off', [...ONE_LITERAL, 1, ONE_SYMBOLS], 'a zstd block with an unknown code', 4],
    [
      'a distance of more than 27 bits',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 0, 28, 0, 1],
      'a zstd match comes from outside',
      7,
    ],
    [
      'no mark in its bits',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 1, 2, 0, 0],
      'a zstd stream of bits without a mark at its end',
      8,
    ],
    [
      'no bits',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 1, 2, 0],
      'a zstd stream of bits without a mark at its end',
      7,
    ],
    [
      'bits left over',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 1, 2, 0, 0b1000],
      'a zstd block has bits left over behind its sequences',
      7,
    ],
    [
      'too few bits',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 1, 2, 0, 0b10],
      'a zstd block has too few bits for its sequences',
      7,
    ],
    [
      'too few bits for states',
      [...ONE_LITERAL, 1, 0, 0b10],
      'a zstd block has too few bits for its sequences',
      4,
    ],
    ['a match from in front', [0, 1, ONE_SYMBOLS, 0, 2, 0, 0b111], 'a zstd match comes from outside', 6],
    ['a match of distance 0', [0, 1, ONE_SYMBOLS, 0, 1, 0, 0b11], 'a zstd match comes from outside', 6],
    [
      'too few literals',
      [...ONE_LITERAL, 1, ONE_SYMBOLS, 2, 2, 0, 0b100],
      'a zstd block has too few literals for its sequences',
      7,
    ],
    [
      'a Huffman table used that never was',
      [...huffman(3, 2, [0b110]), 0],
      'a zstd block uses a Huffman table that is not there',
      0,
    ],
    [
      'no room for a Huffman table',
      [...huffman(2, 2, []), 0],
      'a zstd block ends before its Huffman table',
      3,
    ],
    [
      'a Huffman table cut off',
      [...huffman(2, 2, [9, 0]), 0],
      'a zstd block ends inside its Huffman table',
      3,
    ],
    [
      'Huffman weights that do not fit',
      [...huffman(2, 2, [129, 0x31, 1]), 0],
      'a zstd Huffman table whose codes do not fit',
      3,
    ],
    [
      'Huffman weights of 0',
      [...huffman(2, 2, [128, 0, 1]), 0],
      'a zstd Huffman table whose codes do not fit',
      3,
    ],
    [
      'Huffman codes of more than 11 bits',
      [...huffman(2, 2, [128, 0xc0, 1]), 0],
      'a zstd Huffman table has codes too long',
      3,
    ],
    [
      'endless Huffman weights',
      [...huffman(2, 2, [4, 0xf0, 0x03, 0x00, 0x80, 1]), 0],
      'a zstd Huffman table has too many weights',
      4,
    ],
    [
      'too few Huffman weights',
      [...huffman(2, 2, [3, 0xf0, 0x03, 0x80, 1]), 0],
      'a zstd Huffman table ends too early',
      7,
    ],
    ['too large a table', [...huffman(2, 2, [2, 2, 0, 1]), 0], 'a zstd table is too large', 4],
    [
      'literal bits left over',
      [...huffman(2, 2, [...HUFFMAN_TABLE, 0b1101]), 0],
      'a zstd stream of literals with a wrong length',
      5,
    ],
    [
      'too few literal bits',
      [...huffman(2, 4, [...HUFFMAN_TABLE, 0b1101]), 0],
      'a zstd stream of literals with a wrong length',
      5,
    ],
    [
      'a table of too many symbols for its code',
      [...huffman(2, 2, [24, ...new Array<number>(30).fill(0)]), 0],
      'a zstd table with too many symbols, or without an end,',
      4,
    ],
    [
      'a table without an end',
      [...ONE_LITERAL, 1, 0x80, 0],
      'a zstd table with too many symbols, or without an end,',
      4,
    ],
    [
      'streams that end outside',
      [0x06 | (6 << 4), (10 << 6) & 0xff, 2, ...HUFFMAN_TABLE, 9, 0, 9, 0, 9, 0, 1, 1, 0],
      'a zstd stream of literals ends outside',
      5,
    ],
    [
      'four streams with too little',
      [0x06 | (6 << 4), (7 << 6) & 0xff, 1, ...HUFFMAN_TABLE, 1, 0, 1, 0, 1, 0],
      'a zstd block has too little for four streams',
      5,
    ],
  ])('are refused with %s', (_what, body, message, at) => {
    expect(errorOf(() => zstdByScript(frame(body), AMPLE_BYTES)).message).toBe(
      `${message} at byte ${BODY_AT + at}`,
    );
  });

  it('are refused with more literals, or more output, than a block may have', () => {
    const literals = zstdFrameOf([{ kind: 2, size: 5, body: [0x0d, 0x41, 0, 97, 0] }], 0);
    const body = [...ONE_LITERAL, 9, ONE_SYMBOLS, 0, 2, 43, ...new Array<number>(10).fill(0), 1];
    const matches = zstdFrameOf([STORED_ABC, { kind: 2, size: body.length, body }], 0);

    expect(() => zstdByScript(literals, AMPLE_BYTES)).toThrow('a zstd block has 1040 literals at byte 9');
    expect(() => zstdByScript(matches, AMPLE_BYTES)).toThrow(
      'a zstd block comes to more than 1024 bytes at byte 12',
    );
  });

  it('give buffers of their own, also where they come from one that is used again', () => {
    const filled = (byte: number): Buffer => {
      const block = { kind: 1, size: 125_000, body: [byte] };
      return zstdByScript(zstdFrameOf([block, block]), AMPLE_BYTES);
    };
    const first = filled(1);
    filled(2);

    expect(first.equals(Buffer.alloc(250_000, 1))).toBe(true);
  });
});
