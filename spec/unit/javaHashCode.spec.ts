import { javaHashCode } from '../../lib/javaHashCode';

describe('javaHashCode', () => {
  it.each([
    ['', 0],
    ['a', 97],
    ['[t12,0]', -1_768_743_489],
    ['t12-0', 108_637_688],
    ['polygenelubricants', -(2 ** 31)],
    ['größe', 98_762_257],
    ['😀', 1_772_899],
  ])('of %j is %d, as in Java', (text, hash) => {
    expect(javaHashCode(text)).toBe(hash);
  });

  it('is the same for some texts that are not', () => {
    expect(javaHashCode('[Aa,0]')).toBe(javaHashCode('[BB,0]'));
  });
});
