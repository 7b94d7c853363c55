import { crc32, gunzipSync } from 'node:zlib';

import { encodeMessageSet } from '../../support/produce/messageSet';

interface Decoded {
  offset: number;
  magic: number;
  attributes: number;
  timestamp: number | null;
  key: string | null;
  value: Buffer | null;
}

/** Written from the protocol guide, apart from the encoder. */
function decode(bytes: Buffer): Decoded[] {
  const found: Decoded[] = [];
  for (let at = 0; at < bytes.length; at += 12 + bytes.readInt32BE(at + 8)) {
    const message = bytes.subarray(at + 12, at + 12 + bytes.readInt32BE(at + 8));
    expect(message.readUInt32BE(0)).toBe(crc32(message.subarray(4)));
    const magic = message.readInt8(4);
    const keyAt = magic === 0 ? 6 : 14;
    const keySize = message.readInt32BE(keyAt);
    const valueAt = keyAt + 4 + Math.max(keySize, 0);
    const valueSize = message.readInt32BE(valueAt);
    found.push({
      offset: Number(bytes.readBigInt64BE(at)),
      magic,
      attributes: message.readInt8(5),
      timestamp: magic === 0 ? null : Number(message.readBigInt64BE(6)),
      key: keySize < 0 ? null : message.toString('utf8', keyAt + 4, valueAt),
      value: valueSize < 0 ? null : message.subarray(valueAt + 4, valueAt + 4 + valueSize),
    });
  }
  return found;
}

describe('encodeMessageSet', () => {
  it('writes format 0 byte by byte as in the protocol guide', () => {
    const body = `00 00 00000001 ${Buffer.from('k').toString('hex')} ffffffff`.replaceAll(' ', '');
    const crc = crc32(Buffer.from(body, 'hex')).toString(16).padStart(8, '0');
    const expected = `00000000000000000000000f${crc}${body}`;
    expect(encodeMessageSet([{ key: 'k', value: null }]).toString('hex')).toBe(expected);
  });

  it('keeps the difference between a null and an empty value', () => {
    const [none, empty] = decode(encodeMessageSet([{ value: null }, { value: '' }]));
    expect(none?.value).toBeNull();
    expect(empty?.value).toHaveLength(0);
  });

  it('writes time stamps in format 1', () => {
    const messages = decode(encodeMessageSet([{ value: 'a', timestamp: 1500000000001 }], { magic: 1 }));
    expect(messages).toMatchObject([{ magic: 1, attributes: 0, timestamp: 1500000000001, key: null }]);
  });

  it.each([0, 1] as const)('wraps messages of format %i whose offsets count from 0', (magic) => {
    const messages = [1, 3, 2].map((timestamp) => ({ key: 'k', value: `v${timestamp}`, timestamp }));
    const [outer, ...more] = decode(encodeMessageSet(messages, { magic, gzip: true }));
    expect(more).toEqual([]);
    expect(outer).toMatchObject({
      offset: 2,
      magic,
      attributes: 1,
      key: null,
      timestamp: magic === 0 ? null : 3,
    });
    const inner = decode(gunzipSync(outer?.value ?? Buffer.alloc(0)));
    expect(inner.map(({ offset }) => offset)).toEqual([0, 1, 2]);
    expect(inner.map(({ value }) => value?.toString())).toEqual(['v1', 'v3', 'v2']);
    expect(inner.every((message) => message.magic === magic && message.attributes === 0)).toBe(true);
  });
});
