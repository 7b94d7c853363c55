import fc from 'fast-check';
import { ConnectorError } from '../../../lib/errors';
import { ByteReader, ByteWriter } from '../../../lib/kafka/wire';

function written(write: (writer: ByteWriter) => void): Buffer {
  const writer = new ByteWriter();
  write(writer);
  return writer.toBuffer();
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('ByteWriter', () => {
  it('writes numbers in network order', () => {
    const bytes = written((writer) => {
      writer.int8(-2);
      writer.int16(0x0102);
      writer.int32(-3);
      writer.int64(2 ** 40 + 5);
    });

    expect(bytes.toString('hex')).toBe('fe' + '0102' + 'fffffffd' + '0000010000000005');
  });

  it('writes every safe int64 as its two halves', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const bytes = written((writer) => writer.int64(value));

        expect(bytes.readBigInt64BE(0)).toBe(BigInt(value));
        expect(new ByteReader(bytes, 'Spec v0').int64()).toBe(value === 0 ? 0 : value);
      }),
      { examples: [[-1], [-2], [-1000], [0], [Number.MAX_SAFE_INTEGER], [Number.MIN_SAFE_INTEGER]] },
    );
  });

  it('refuses an int64 that is not exact', () => {
    expect(() => written((writer) => writer.int64(2 ** 53))).toThrow(RangeError);
    expect(() => written((writer) => writer.int64(0.5))).toThrow(RangeError);
  });

  it('counts the bytes of a string, not its characters', () => {
    expect(written((writer) => writer.string('grüße €')).readInt16BE(0)).toBe(11);
  });

  it('writes null with the length -1', () => {
    expect(written((writer) => writer.nullableString(null)).toString('hex')).toBe('ffff');
  });

  it('grows with what is written, and fills in lengths afterwards', () => {
    const text = 'x'.repeat(1000);
    const bytes = written((writer) => {
      writer.int32(0);
      for (let i = 0; i < 10; i++) writer.string(text);
      writer.setInt32(writer.length - 4, 0);
    });

    expect(bytes).toHaveLength(4 + 10 * 1002);
    expect(bytes.readInt32BE(0)).toBe(10 * 1002);
  });

  it('refuses a string that is too long', () => {
    expect(() => written((writer) => writer.string('€'.repeat(11_000)))).toThrow('33000 bytes');
  });
});

describe('ByteReader', () => {
  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer(), (text, number) => {
        const bytes = written((writer) => {
          writer.string(text);
          writer.nullableString(text);
          writer.nullableString(null);
          writer.int32(number | 0);
        });
        const reader = new ByteReader(bytes, 'Spec v0');

        expect([reader.string(), reader.nullableString(), reader.nullableString(), reader.int32()]).toEqual([
          text,
          text,
          null,
          number | 0,
        ]);
        reader.end();
      }),
    );
  });

  it('gives bytes as a view, and null as an empty one', () => {
    const bytes = Buffer.from([0, 0, 0, 2, 7, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    const reader = new ByteReader(bytes, 'Spec v0');
    const first = reader.bytes();

    expect([...first]).toEqual([7, 8]);
    expect(first.buffer).toBe(bytes.buffer);
    expect(reader.bytes()).toHaveLength(0);
    expect(reader.bytes()).toHaveLength(0);
  });

  it.each<[string, string, (reader: ByteReader) => unknown]>([
    ['an int8', '', (reader) => reader.int8()],
    ['an int16', '00', (reader) => reader.int16()],
    ['an int32', '000000', (reader) => reader.int32()],
    ['an int64', '00000000000000', (reader) => reader.int64()],
    ['an int64 beyond exact numbers', '0020000000000000', (reader) => reader.int64()],
    ['the most negative int64', '8000000000000000', (reader) => reader.int64()],
    ['a string that is cut', '000341', (reader) => reader.string()],
    ['a string that is null', 'ffff', (reader) => reader.string()],
    ['a string of negative length', 'fffe', (reader) => reader.nullableString()],
    ['bytes that are cut', '0000000341', (reader) => reader.bytes()],
    ['bytes of negative length', 'fffffffe', (reader) => reader.bytes()],
    ['bytes of the greatest length', '7fffffff', (reader) => reader.bytes()],
    ['an array of negative count', 'ffffffff', (reader) => reader.array(1, () => 0)],
    ['an array of more than there is', '0000000300', (reader) => reader.array(1, () => 0)],
    ['an array of the greatest count', '7fffffff', (reader) => reader.array(8, () => 0)],
    ['the end too early', '00', (reader) => reader.end()],
  ])('throws BROKER_ERROR for %s', (_name, hex, read) => {
    const error = thrownBy(() => read(new ByteReader(Buffer.from(hex, 'hex'), 'Spec v7', 'host:9092')));

    expect(ConnectorError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'BROKER_ERROR', context: { broker: 'host:9092' } });
    expect(String(error)).toContain('cut or malformed answer to Spec v7');
  });

  it('reads an array of no entries', () => {
    expect(new ByteReader(Buffer.alloc(4), 'Spec v0').array(1, () => 0)).toEqual([]);
  });
});
