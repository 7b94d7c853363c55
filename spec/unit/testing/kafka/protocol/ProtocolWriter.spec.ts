import fc from 'fast-check';
import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';

function written(write: (writer: ProtocolWriter) => void): Buffer {
  const writer = new ProtocolWriter();
  write(writer);
  return writer.toBuffer();
}

describe('a varint', () => {
  it.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 32 - 1, 'ffffffff0f'],
  ])('of %d is %s', (value, hex) => {
    const bytes = written((writer) => writer.unsignedVarint(value));
    expect(bytes.toString('hex')).toBe(hex);
    expect(new ProtocolReader(bytes).unsignedVarint()).toBe(value);
  });

  it('of six bytes is refused', () => {
    expect(() => new ProtocolReader(Buffer.from('808080808001', 'hex')).unsignedVarint()).toThrow(RangeError);
  });
});

describe('numbers', () => {
  it('are written with the high byte first', () => {
    const bytes = written((writer) => {
      writer.int8(-2);
      writer.int16(-2);
      writer.int32(0x01020304);
      writer.int64(-2n);
    });
    expect(bytes.toString('hex')).toBe('fefffe01020304fffffffffffffffe');
  });
});

describe('what was written', () => {
  it('is there in its order, however large the pieces are', () => {
    const sizes = fc.oneof(fc.nat(600), fc.integer({ min: 4000, max: 9000 }));
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 12 }), (all) => {
        const pieces = all.map((size, index) => Buffer.alloc(size, index + 1));
        const bytes = written((writer) => {
          for (const piece of pieces) {
            writer.int32(piece.length);
            writer.raw(piece);
          }
        });
        const reader = new ProtocolReader(bytes);
        const read = pieces.map(() => reader.raw(reader.int32()));
        expect(reader.remainingBytes).toBe(0);
        expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true);
        expect(read.map(({ length }) => length)).toEqual(all);
      }),
    );
  });
});

describe('a reader', () => {
  it.each([
    ['more than there is', (reader: ProtocolReader) => reader.raw(3)],
    ['a negative number of bytes', (reader: ProtocolReader) => reader.raw(-1)],
    ['a number that is cut', (reader: ProtocolReader) => reader.int32()],
  ])('refuses to read %s', (_, read) => {
    expect(() => read(new ProtocolReader(Buffer.alloc(2)))).toThrow(RangeError);
  });
});
