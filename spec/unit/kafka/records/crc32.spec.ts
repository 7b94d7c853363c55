import fc from 'fast-check';
import { crc32, crc32BySlices } from '../../../../lib/kafka/records/crc32';
import { viewOf } from '../../../../lib/kafka/records/messageFormat';
import { slowCrc32 } from '../support/encodeMessageSet';

describe('crc32', () => {
  it('gives the check value of the standard', () => {
    const digits = Buffer.from('123456789');

    expect(crc32(digits, viewOf(digits), 0, digits.length) >>> 0).toBe(0xcbf43926);
  });

  it('gives 0 for no bytes', () => {
    const bytes = Buffer.from('abc');

    expect(crc32(bytes, viewOf(bytes), 1, 1)).toBe(0);
  });

  it('agrees with the definition for any bytes, any part of them and by any way', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3000, size: 'max' }),
        fc.nat(40),
        fc.nat(40),
        (array, skippedBytes, leftOutBytes) => {
          // A view that does not begin where its memory begins, as those of a fetched set.
          const memory = Buffer.concat([Buffer.alloc(5), array]);
          const bytes = memory.subarray(5);
          const start = Math.min(skippedBytes, bytes.length);
          const end = Math.max(start, bytes.length - leftOutBytes);
          const expected = slowCrc32(bytes.subarray(start, end)) | 0;

          expect(crc32(bytes, viewOf(bytes), start, end)).toBe(expected);
          expect(crc32BySlices(viewOf(bytes), start, end)).toBe(expected);
        },
      ),
    );
  });
});
