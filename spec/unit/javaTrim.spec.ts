import { javaTrim } from '../../lib/javaTrim';

describe('javaTrim', () => {
  it.each([
    ['', ''],
    [' \t\r\n', ''],
    [' a b\0', 'a b'],
    ['\u001f\u0001a\u000b', 'a'],
    ['\u00a0a\u2003', '\u00a0a\u2003'],
    ['\u007fa\ufeff', '\u007fa\ufeff'],
  ])('of %j is %j, as in Java', (text, trimmed) => {
    expect(javaTrim(text)).toBe(trimmed);
  });
});
