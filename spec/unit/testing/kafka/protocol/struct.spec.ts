import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';
import { field, struct } from '../../../../../lib/testing/kafka/protocol/struct';
import {
  array,
  int16,
  int64,
  nullableArray,
  nullableString,
  string,
  type Readable,
  type Writable,
} from '../../../../../lib/testing/kafka/protocol/types';

interface How {
  readonly version?: number;
  readonly isFlexible?: boolean;
}

function hexOf<W>(type: Writable<W>, value: W, { version = 0, isFlexible = false }: How = {}): string {
  const writer = new ProtocolWriter(version, isFlexible);
  type.write(writer, value);
  return writer.toBuffer().toString('hex');
}

function readHex<T>(type: Readable<T>, hex: string, { version = 0, isFlexible = false }: How = {}): T {
  return type.read(new ProtocolReader(Buffer.from(hex, 'hex'), version, isFlexible));
}

describe('a field of some versions', () => {
  const type = struct({
    old: field(int16, { until: 1, fallback: -1 }),
    kept: field(int16),
    late: field(string, { since: 1, fallback: 'none' }),
  });

  it('is written in these only', () => {
    const value = { old: 1, kept: 2, late: 'a' };
    expect(hexOf(type, value, { version: 0 })).toBe('00010002');
    expect(hexOf(type, value, { version: 1 })).toBe('00010002000161');
    expect(hexOf(type, value, { version: 2 })).toBe('0002000161');
  });

  it('has its fallback in the others', () => {
    expect(readHex(type, '00010002', { version: 0 })).toEqual({ old: 1, kept: 2, late: 'none' });
    expect(readHex(type, '0002000161', { version: 2 })).toEqual({ old: -1, kept: 2, late: 'a' });
  });

  it('is written as its fallback where an answer leaves it out', () => {
    expect(hexOf(type, { kept: 2 }, { version: 1 })).toBe('ffff000200046e6f6e65');
  });
});

describe('a field that can be null since a version', () => {
  const type = struct({ name: field(nullableString, { nullableSince: 2, fallback: '' }) });

  it('is null from then on', () => {
    expect(hexOf(type, { name: null }, { version: 2 })).toBe('ffff');
    expect(readHex(type, 'ffff', { version: 2 })).toEqual({ name: null });
  });

  it('is written as its fallback before, and a null of a request is refused', () => {
    expect(hexOf(type, { name: null }, { version: 1 })).toBe('0000');
    expect(() => readHex(type, 'ffff', { version: 1 })).toThrow('null in name');
  });
});

describe('tagged fields', () => {
  const how = { version: 4, isFlexible: true };
  const type = struct({
    second: field(array(int16), { tag: 5 }),
    first: field(int64, { tag: 0, since: 4, fallback: -1 }),
    plain: field(int16),
  });

  it('are written behind the others, by their numbers', () => {
    expect(hexOf(type, { plain: 1, second: [7], first: 2 }, how)).toBe(
      ['0001', '02', '00', '08', '0000000000000002', '05', '03', '020007'].join(''),
    );
  });

  it('are left out while they have their fallback', () => {
    expect(hexOf(type, { plain: 1, second: [], first: -1 }, how)).toBe('000100');
    expect(hexOf(type, { plain: 1 }, how)).toBe('000100');
  });

  it('are left out in versions without them', () => {
    expect(hexOf(type, { plain: 1, first: 2 }, { version: 3, isFlexible: true })).toBe('000100');
    expect(hexOf(type, { plain: 1, first: 2 }, { version: 4 })).toBe('0001');
  });

  it('that are not known are read over', () => {
    expect(readHex(type, '0001' + '02' + '0302ffff' + '0503020007', how)).toEqual({
      plain: 1,
      first: -1,
      second: [7],
    });
  });

  it.each(['000101', '0001010009', '00010105'])('that lie about their size are refused: %s', (hex) => {
    expect(() => readHex(type, hex, how)).toThrow(RangeError);
  });
});

describe('arrays and strings', () => {
  it('have compact lengths in flexible versions', () => {
    expect(hexOf(array(string), ['a'], { isFlexible: true })).toBe('020261');
    expect(hexOf(array(string), ['a'])).toBe('00000001000161');
    expect(hexOf(nullableArray(string), null, { isFlexible: true })).toBe('00');
    expect(hexOf(nullableArray(string), null)).toBe('ffffffff');
  });

  it.each(['7fffffff', '00000003000161', 'ffffffff'])('are refused with the length of %s', (hex) => {
    expect(() => readHex(array(string), hex)).toThrow(RangeError);
  });
});

describe('an int64', () => {
  it.each(['7fffffffffffffff', '8000000000000000', 'ffffffffffffffff', '001fffffffffffff'])(
    'of %s is written as it was read',
    (hex) => {
      expect(hexOf(int64, readHex(int64, hex))).toBe(hex);
    },
  );

  it('beyond 2^53 is still compared right', () => {
    expect(readHex(int64, '7fffffffffffffff')).toBeGreaterThan(2 ** 53);
  });
});
