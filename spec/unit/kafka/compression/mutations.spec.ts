import fc from 'fast-check';
import { isTooLarge } from '../../../../lib/kafka/compression/codecs';
import { zstdByScript } from '../../../../lib/kafka/compression/zstd';
import { inflate } from './support/inflate';
import { vectors } from './support/vectors';

/** What is done to the bytes of a vector; places are shares of its length. */
type Mutation =
  | { readonly set: number; readonly place: number }
  | { readonly flip: number; readonly place: number }
  | { readonly cut: 'front' | 'end'; readonly place: number }
  | { readonly insert: Uint8Array; readonly place: number }
  | { readonly repeat: number; readonly place: number };

/** Most of what decides stands at the beginning. */
const place = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }).map((share) => share ** 6),
);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ set: fc.oneof(fc.nat(255), fc.constantFrom(0, 255)), place }),
  fc.record({ flip: fc.nat(7), place }),
  fc.record({ cut: fc.constantFrom<'front' | 'end'>('front', 'end'), place }),
  fc.record({ insert: fc.uint8Array({ minLength: 1, maxLength: 9 }), place }),
  fc.record({ repeat: fc.integer({ min: 1, max: 40 }), place }),
);

function mutated(bytes: Buffer, one: Mutation): Buffer {
  const at = Math.floor(one.place * bytes.length);
  if ('insert' in one) return Buffer.concat([bytes.subarray(0, at), one.insert, bytes.subarray(at)]);
  if ('repeat' in one) {
    const end = Math.min(at + one.repeat, bytes.length);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
  }
  if ('cut' in one) return one.cut === 'end' ? bytes.subarray(0, at) : bytes.subarray(at);
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = 'set' in one ? one.set : (copy[at] ?? 0) ^ (1 << one.flip);
  return copy;
}

/** Buffers that are used again and again may be larger than the limit, by a fixed size. */
const SCRATCH_BYTES = 256 * 1024;
const LONGEST_MS = 2_000;
/** More by hand: `MUTATIONS=100000`. */
const RUNS = Number(process.env['MUTATIONS'] ?? 1_000);

describe('damaged sets', () => {
  let mostAllocatedBytes = 0;

  beforeEach(() => {
    for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const) {
      const allocate: (sizeBytes: number) => Buffer = Buffer[name].bind(Buffer);
      const spy = jest.spyOn(Buffer, name) as unknown as jest.SpyInstance<Buffer, [number]>;
      spy.mockImplementation((sizeBytes) => {
        mostAllocatedBytes = Math.max(mostAllocatedBytes, sizeBytes);
        return allocate(sizeBytes);
      });
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** What is wrong unless it gives bytes within the limit, or an error, soon, and without more memory than the limit. */
  const faultsOf = (
    inflateOne: (bytes: Buffer, maxBytes: number) => Buffer,
    bytes: Buffer,
    maxBytes: number,
  ): string[] => {
    const faults: string[] = [];
    const before = Buffer.from(bytes);
    mostAllocatedBytes = 0;
    const startedMs = performance.now();
    try {
      const { length } = inflateOne(bytes, maxBytes);
      if (length > maxBytes) faults.push(`it gave ${length} bytes`);
    } catch (error) {
      if (isBug(error)) faults.push(String(error));
    }
    const tookMs = performance.now() - startedMs;
    if (tookMs > LONGEST_MS) faults.push(`it took ${tookMs} ms`);
    const mostBytes = Math.max(maxBytes + 1, SCRATCH_BYTES, bytes.length);
    if (mostAllocatedBytes > mostBytes) faults.push(`it asked for ${mostAllocatedBytes} bytes of memory`);
    if (!bytes.equals(before)) faults.push('it changed the set');
    return faults;
  };

  it.each(['gzip', 'snappy', 'lz4', 'zstd', 'zstd by script'] as const)(
    'of %s give an output within the limit or an error, whatever has happened to them',
    (name) => {
      const codec = name === 'zstd by script' ? 'zstd' : name;
      fc.assert(
        fc.property(
          fc.constantFrom(...vectors.filter((vector) => vector.codec === codec)),
          fc.array(mutation, { minLength: 1, maxLength: 4 }),
          fc.constantFrom(1, 100, 20_000, 1_000_000),
          ({ magic, compressed }, mutations, maxBytes) => {
            const inflateOne =
              name === 'zstd by script'
                ? zstdByScript
                : (bytes: Buffer, limit: number) => inflate(codec, bytes, { magic, maxBytes: limit });

            expect(faultsOf(inflateOne, mutations.reduce(mutated, compressed), maxBytes)).toEqual([]);
          },
        ),
        { numRuns: RUNS },
      );
    },
  );
});

/** An access outside of an array, or to a missing value; Node's own error for too much is a RangeError, too. */
function isBug(error: unknown): boolean {
  const { name, message } = error as Error;
  return message === '' || (/^(RangeError|TypeError)$/.test(name) && !isTooLarge(error));
}
