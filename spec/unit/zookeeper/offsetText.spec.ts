import fc from 'fast-check';
import { decodeOffset, encodeOffset, NO_OFFSET } from '../../../lib/zookeeper/offsetText';
import { connectorErrorOf } from '../connectorErrorOf';

const PATH = '/consumers/g/offsets/t/0';
const decode = (text: string): number => decodeOffset(Buffer.from(text), PATH);

describe('encodeOffset', () => {
  it('writes plain decimal digits', () => {
    expect([...encodeOffset(83)]).toEqual([0x38, 0x33]);
    expect(encodeOffset(Number.MAX_SAFE_INTEGER).toString()).toBe('9007199254740991');
  });

  it('is read back', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (offset) => {
        expect(decodeOffset(encodeOffset(offset), PATH)).toBe(offset);
      }),
    );
  });

  it.each([-1, 1.5, Number.NaN, Infinity, 2 ** 53])('never writes %d', (offset) => {
    expect(connectorErrorOf(() => encodeOffset(offset)).code).toBe('OFFSET_INVALID');
  });
});

describe('decodeOffset', () => {
  it.each([
    ['0', 0],
    ['83', 83],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %j', (text, offset) => {
    expect(decode(text)).toBe(offset);
  });

  it.each(['-1', '-2', '-9007199254740991'])('takes %j for no offset, as the JVM members do', (text) => {
    expect(decode(text)).toBe(NO_OFFSET);
  });

  it('makes no negative zero', () => {
    expect(decode('-0')).toBe(0);
  });

  it.each([
    'abc',
    '50\n',
    '',
    ' 5',
    '5 ',
    '1e3',
    '0x10',
    '1.0',
    '+5',
    '-',
    '٣',
    '9007199254740992',
    '9223372036854775807',
    '-9007199254740992',
  ])('refuses %j and says where, what and what would be right', (text) => {
    const error = connectorErrorOf(() => decode(text));
    expect(error.code).toBe('OFFSET_INVALID');
    expect(error.context.path).toBe(PATH);
    expect(error.message).toContain(PATH);
    expect(error.message).toContain('a plain decimal number from 0 to 9007199254740991');
  });

  it('shows the text escaped and shortened', () => {
    expect(connectorErrorOf(() => decode('50\n')).message).toContain('"50\\n"');
    expect(connectorErrorOf(() => decode('\u0001\u0085')).message).toContain('"\\u0001');
    expect(connectorErrorOf(() => decode('9'.repeat(5000))).message.length).toBeLessThan(300);
  });

  it('refuses a node without data', () => {
    expect(connectorErrorOf(() => decodeOffset(undefined, PATH)).code).toBe('OFFSET_INVALID');
  });
});
