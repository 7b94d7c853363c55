import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { errorOf, inflate } from './support/inflate';

const ABC = gzipSync('abc');

describe('gzip', () => {
  it('inflates any bytes, up to the limit and no further', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), (bytes) => {
        const compressed = gzipSync(bytes);

        expect(inflate('gzip', compressed, { maxBytes: bytes.length }).equals(bytes)).toBe(true);
        if (bytes.length === 1) return;
        expect(isTooLarge(errorOf(() => inflate('gzip', compressed, { maxBytes: bytes.length - 1 })))).toBe(
          true,
        );
      }),
    );
  });

  it('inflates members one after the other, and passes over zeros behind them, as the JVM does', () => {
    const compressed = Buffer.concat([ABC, gzipSync(''), ABC, Buffer.alloc(9)]);

    expect(inflate('gzip', compressed).toString()).toBe('abcabc');
  });

  it.each([
    ['nothing at all', Buffer.alloc(0)],
    ['no gzip', Buffer.from('no gzip')],
    ['a cut-off end', ABC.subarray(0, -1)],
    ['a second member that is cut off', Buffer.concat([ABC, ABC.subarray(0, -1)])],
    ['other bytes behind it', Buffer.concat([ABC, Buffer.from('more')])],
    ['a wrong checksum', Buffer.concat([ABC.subarray(0, -8), Buffer.alloc(4), ABC.subarray(-4)])],
    ['a wrong size, however large', Buffer.concat([ABC.subarray(0, -4), Buffer.alloc(4, 0xff)])],
  ])('refuses %s', (_name, compressed) => {
    expect(isTooLarge(errorOf(() => inflate('gzip', compressed)))).toBe(false);
  });

  it('gives a buffer that keeps little else alive', () => {
    const bytes = inflate('gzip', gzipSync(Buffer.alloc(100_000, 'abc')));

    expect(bytes.buffer.byteLength).toBeLessThan(1.1 * bytes.length);
  });
});
