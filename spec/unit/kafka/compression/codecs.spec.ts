import {
  builtInCodecs,
  codecName,
  type CodecName,
  type Codecs,
  codecsWith,
  type Decompressor,
  faultsOfCodecs,
  inflaterOf,
  isTooLarge,
} from '../../../../lib/kafka/compression/codecs';
import { AMPLE_BYTES, CODEC_NUMBERS, errorOf } from './support/inflate';
import { vectors, vectorsOf } from './support/vectors';

const NAMES = Object.keys(CODEC_NUMBERS) as CodecName[];

/** Inflates with an application's codec. */
function inflateWith(
  name: CodecName,
  codec: Decompressor,
  compressed: Buffer,
  { magic = 2, maxBytes = AMPLE_BYTES }: { magic?: 0 | 1 | 2; maxBytes?: number } = {},
): Buffer | undefined {
  return inflaterOf(codecsWith({ [name]: codec }), CODEC_NUMBERS[name], magic)?.(compressed, maxBytes);
}

/** The first vector of a codec that holds `kafka`. */
function short(name: CodecName): Buffer {
  return (
    vectorsOf(name).find(({ plain, magic }) => plain.toString() === 'kafka' && magic === 2)?.compressed ??
    Buffer.alloc(0)
  );
}

describe('codecs', () => {
  it('are numbered as in the attributes of messages', () => {
    expect([0, 1, 2, 3, 4, 5, 7].map(codecName)).toEqual([
      'none',
      'gzip',
      'snappy',
      'lz4',
      'zstd',
      'number 5',
      'number 7',
    ]);
  });

  it.each([-1, 0, 5, 6, 7])('do not have the number %p', (codec) => {
    expect(inflaterOf(builtInCodecs, codec, 2)).toBeNull();
  });

  it("are the package's own, but for those that the application names", () => {
    const own = (): Uint8Array => new Uint8Array();

    expect(codecsWith({})).toEqual(builtInCodecs);
    expect(codecsWith({ zstd: own })).toEqual({ ...builtInCodecs, zstd: own });
    expect(codecsWith({ zstd: undefined } as unknown as Partial<Codecs>)).toEqual(builtInCodecs);
    expect(Object.isFrozen(builtInCodecs)).toBe(true);
  });

  it('are right if they are functions with known names', () => {
    for (const right of [undefined, {}, builtInCodecs, { lz4: () => 1 }, { lz4: undefined }]) {
      expect(faultsOfCodecs(right)).toEqual([]);
    }
  });

  it.each([null, 5, 'snappy', true, [], () => 1])('are no object: %p', (given) => {
    expect(faultsOfCodecs(given)).toEqual([
      expect.stringMatching(/^codecs must be an object such as .*, not /),
    ]);
  });

  it('are refused all at once', () => {
    expect(faultsOfCodecs({ snapy: () => 1, lz4: 'lz4', zstd: null, gzip: () => 1 })).toEqual([
      'codecs may have gzip, snappy, lz4, zstd, not "snapy" (string)',
      'codecs.lz4 must be a function that decompresses, not "lz4" (string)',
      'codecs.zstd must be a function that decompresses, not null',
    ]);
  });
});

describe("an application's codec", () => {
  it.each(vectors)('does the work for $codec: $name', ({ codec: name, magic, compressed, plain }) => {
    let calls = 0;
    const codec: Decompressor = (bytes, maxBytes) => {
      calls++;
      // Its own kind of array, as WebAssembly gives it.
      return Uint8Array.from(builtInCodecs[name](bytes, maxBytes));
    };

    expect(
      inflateWith(name, codec, compressed, { magic, maxBytes: Math.max(plain.length, 1) })?.equals(plain),
    ).toBe(true);
    expect(calls > 0 || plain.length === 0).toBe(true);
  });

  it.each(NAMES.filter((name) => name !== 'lz4' && name !== 'snappy'))(
    'gets the whole set for %s',
    (name) => {
      const codec = jest.fn<Uint8Array, [Buffer, number]>(() => Buffer.from('plain'));

      expect(inflateWith(name, codec, short(name), { maxBytes: 77 })?.toString()).toBe('plain');
      expect(codec.mock.calls).toEqual([[short(name), 77]]);
    },
  );

  it('gets one raw block of snappy after the other, and what is left of the limit', () => {
    const codec = jest.fn<Uint8Array, [Buffer, number]>((block) => Buffer.from(`<${block.length}>`));
    const sized = (size: number): Buffer =>
      Buffer.concat([Buffer.from([0, 0, 0, size]), Buffer.alloc(size, size)]);
    const header = short('snappy').subarray(0, 16);
    const stream = Buffer.concat([header, sized(3), sized(12), header, sized(4)]);

    expect(inflateWith('snappy', codec, stream, { maxBytes: 100 })?.toString()).toBe('<3><12><4>');
    expect(codec.mock.calls).toEqual([
      [Buffer.alloc(3, 3), 100],
      [Buffer.alloc(12, 12), 97],
      [Buffer.alloc(4, 4), 93],
    ]);
  });

  it('gets an lz4 frame with a right header checksum, and the set stays as it was', () => {
    const [old] = vectorsOf('lz4').filter(({ magic, plain }) => magic === 0 && plain.toString() === 'kafka');
    const compressed = old?.compressed ?? Buffer.alloc(0);
    const before = Buffer.from(compressed);
    const codec = jest.fn<Uint8Array, [Buffer, number]>(builtInCodecs.lz4);

    expect(() => builtInCodecs.lz4(compressed, 5)).toThrow('wrong header checksum');
    expect(inflateWith('lz4', codec, compressed, { magic: 0 })?.toString()).toBe('kafka');
    expect(codec.mock.calls[0]?.[0]).toEqual(short('lz4'));
    expect(compressed).toEqual(before);
  });

  it('gets no lz4 frame whose header checksum is wrong', () => {
    const codec = jest.fn<Uint8Array, [Buffer, number]>(() => Buffer.alloc(1));
    const wrong = Buffer.from(short('lz4'));
    wrong.writeUInt8(wrong.readUInt8(6) ^ 1, 6);

    expect(() => inflateWith('lz4', codec, wrong, { magic: 0 })).toThrow('wrong header checksum at byte 6');
    expect(codec).not.toHaveBeenCalled();
  });

  describe.each(NAMES)('for %s', (name) => {
    it.each([
      ['null', null, 'returned null in place of a Uint8Array'],
      ['nothing', undefined, 'returned undefined in place of a Uint8Array'],
      ['a text', 'text', 'returned "text" (string) in place of a Uint8Array'],
      ['numbers', [1, 2], 'returned [1,2] (array) in place of a Uint8Array'],
      ['words', new Uint16Array(3), 'in place of a Uint8Array'],
      ['an ArrayBuffer', new ArrayBuffer(3), 'in place of a Uint8Array'],
    ])('is named when it returns %s', (_what, result, message) => {
      const error = errorOf(() => inflateWith(name, () => result as unknown as Uint8Array, short(name)));

      expect(error.message).toContain(`the application's ${name} codec returned`);
      expect(error.message).toContain(message);
      expect(isTooLarge(error)).toBe(false);
    });

    it('is named when it returns a Promise, whose rejection harms nothing', async () => {
      const rejected = jest.fn();
      process.on('unhandledRejection', rejected);
      try {
        const codec = async (): Promise<never> => Promise.reject(new Error('later'));

        expect(() => inflateWith(name, codec as unknown as Decompressor, short(name))).toThrow(
          `the application's ${name} codec returned a Promise, and it must return a Uint8Array at once`,
        );
        await new Promise((resolve) => setImmediate(resolve));
        expect(rejected).not.toHaveBeenCalled();
      } finally {
        process.off('unhandledRejection', rejected);
      }
    });

    it.each([
      ['an error', new Error('bad block'), 'bad block'],
      ['a text', 'bad block', 'bad block'],
      ['nothing', undefined, 'undefined'],
    ])('is named when it throws %s', (_what, thrown, text) => {
      const error = errorOf(() =>
        inflateWith(
          name,
          () => {
            throw thrown as Error;
          },
          short(name),
        ),
      );

      expect(error.message).toBe(`the application's ${name} codec threw: ${text}`);
      expect(error.cause).toBe(thrown);
    });

    it('may return as much as the limit allows, and no more', () => {
      const codec = (): Uint8Array => new Uint8Array(5);

      expect(inflateWith(name, codec, short(name), { maxBytes: 5 })).toHaveLength(5);
      expect(isTooLarge(errorOf(() => inflateWith(name, codec, short(name), { maxBytes: 4 })))).toBe(true);
    });

    it("may say by Node's own error that it would be too much", () => {
      const codec = (): never => {
        throw Object.assign(new RangeError('too much'), { code: 'ERR_BUFFER_TOO_LARGE' });
      };

      expect(isTooLarge(errorOf(() => inflateWith(name, codec, short(name))))).toBe(true);
    });
  });
});
