import fc from 'fast-check';
import { xxHash32 } from '../../../../lib/kafka/compression/xxHash32';
import { slowXxHash32 } from './support/lz4Writer';

describe('xxHash32', () => {
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('of %p is the published one', (text, hash) => {
    expect(xxHash32(Buffer.from(text), 0, text.length)).toBe(hash);
    expect(slowXxHash32(Buffer.from(text))).toBe(hash);
  });

  it('is that of the specification for any bytes, wherever they lie', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (bytes, before) => {
        const larger = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(5, 2)]);

        expect(xxHash32(larger, before, before + bytes.length)).toBe(slowXxHash32(Buffer.from(bytes)));
      }),
    );
  });
});
