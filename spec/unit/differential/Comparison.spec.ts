import { Comparison, type Piece } from '../../differential/Comparison';

const VERSION: Piece = { field: 'stat.version', bytes: Buffer.of(0, 0, 0, 1) };
const TIME: Piece = { field: 'stat.mtime', bytes: Buffer.of(1, 2, 3) };
const ITEM: Piece = { field: 'items[7].offset', bytes: Buffer.of(9, 9) };

function altered({ field, bytes }: Piece): Piece {
  return { field, bytes: bytes.map((byte) => byte ^ 1) as Buffer };
}

function comparisonOf(...leftOut: readonly string[]): Comparison {
  return new Comparison((field) => leftOut.includes(field));
}

describe('a comparison of answers', () => {
  it('finds nothing in equal answers, and counts them and their bytes', () => {
    const comparison = comparisonOf();
    comparison.add('first', [VERSION, TIME], [{ ...VERSION, bytes: Buffer.from(VERSION.bytes) }, TIME]);
    comparison.add('second', [ITEM], [ITEM]);
    comparison.add('third', 'closed', 'closed');

    expect(comparison.differences).toEqual([]);
    expect(comparison.summary()).toBe('3 answers, 9 bytes compared; left out: nothing');
  });

  it('tells each field that differs, and the rest of the answer as well', () => {
    const comparison = comparisonOf();
    comparison.add('getData /x', [VERSION, TIME, ITEM], [altered(VERSION), TIME, altered(ITEM)]);

    expect(comparison.differences).toEqual([
      { request: 'getData /x', field: 'stat.version', real: '00000001', embedded: '01010100' },
      { request: 'getData /x', field: 'items[7].offset', real: '0909', embedded: '0808' },
    ]);
  });

  it('finds bytes that are more or fewer', () => {
    const comparison = comparisonOf();
    comparison.add('longer', [VERSION], [{ ...VERSION, bytes: Buffer.alloc(5) }]);

    expect(comparison.differences).toHaveLength(1);
  });

  it('does not compare what is left out, but counts it under the name that all items of a list have', () => {
    const comparison = comparisonOf('stat.mtime', 'items[].offset');
    comparison.add('first', [VERSION, TIME, ITEM], [VERSION, altered(TIME), altered(ITEM)]);
    comparison.add(
      'second',
      [{ ...ITEM, field: 'items[0].offset' }],
      [{ ...ITEM, field: 'items[0].offset' }],
    );

    expect(comparison.differences).toEqual([]);
    expect(comparison.summary()).toBe(
      '2 answers, 4 bytes compared; left out: items[].offset (2), stat.mtime (1)',
    );
  });

  it('still expects what is left out to be there', () => {
    const comparison = comparisonOf('stat.mtime');
    comparison.add('without it', [VERSION, TIME], [VERSION]);

    expect(comparison.differences).toEqual([
      { request: 'without it', field: 'stat.mtime', real: 'stat.mtime', embedded: 'nothing' },
    ]);
  });

  it.each([
    ['a field more', [VERSION], [VERSION, ITEM], 'nothing', 'items[7].offset'],
    ['another field', [VERSION], [ITEM], 'stat.version', 'items[7].offset'],
    ['another item', [ITEM], [{ ...ITEM, field: 'items[8].offset' }], 'items[7].offset', 'items[8].offset'],
    ['no answer', [VERSION], 'silent', 'stat.version', 'silent'],
    ['the end instead of an answer', 'closed', [VERSION, ITEM], 'closed', 'stat.version items[7].offset'],
    ['the end instead of silence', 'silent', 'closed', 'silent', 'closed'],
    ['an empty answer', 'closed', [], 'closed', ''],
  ] as const)('finds %s', (_what, one, other, real, embedded) => {
    const comparison = comparisonOf();
    comparison.add('request', one, other);

    expect(comparison.differences).toEqual([expect.objectContaining({ request: 'request', real, embedded })]);
  });
});
