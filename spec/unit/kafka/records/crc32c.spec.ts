import fc from 'fast-check';
import { crc32c } from '../../../../lib/kafka/records/crc32c';
import { viewOf } from '../../../../lib/kafka/records/messageFormat';
import * as slow from '../../../support/records/checksums';

describe('crc32c', () => {
  it.each([
    ['the digits', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros (RFC 3720, B.4)', Buffer.alloc(32), 0x8a9136aa],
    ['32 bytes of ones (RFC 3720, B.4)', Buffer.alloc(32, 0xff), 0x62a8ab43],
    ['no bytes', Buffer.alloc(0), 0],
  ])('gives the check value of the standard for %s', (_name, bytes, expected) => {
    expect(crc32c(viewOf(bytes), 0, bytes.length) >>> 0).toBe(expected);
  });

  it('agrees with the definition for any part of any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600, size: 'max' }),
        fc.nat(40),
        fc.nat(40),
        (array, skippedBytes, leftOutBytes) => {
          const bytes = Buffer.concat([Buffer.alloc(5), array]).subarray(5);
          const start = Math.min(skippedBytes, bytes.length);
          const end = Math.max(start, bytes.length - leftOutBytes);

          expect(crc32c(viewOf(bytes), start, end)).toBe(slow.crc32c(bytes.subarray(start, end)) | 0);
        },
      ),
    );
  });
});
