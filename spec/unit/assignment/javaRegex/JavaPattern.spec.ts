import { JavaPattern } from '../../../../lib/assignment/javaRegex/JavaPattern';
import { RefusedRegex } from '../../../../lib/assignment/javaRegex/RefusedRegex';

const NAMES = 'abcyzABCYZ0189._-';

/** Of the names of one character those that the regex matches. */
function charsOf(regex: string): string {
  const pattern = new JavaPattern(regex);
  return Array.from(NAMES)
    .filter((char) => pattern.matches(char))
    .join('');
}

// What each matches was found by java.util.regex, in Java 8 and in Java 17.
describe('a Java regex for one character', () => {
  it.each([
    ['.', NAMES],
    ['\\.', '.'],
    ['\\-|\\_', '_-'],
    ['é|😀|~|#|:|}|]', ''],
    ['\\t|\\n|\\r|\\f|\\a|\\e|\\R', ''],
    ['\\061|\\0142|\\0101', 'bA1'],
    ['\\x61|\\x{42}|\\x{1F600}', 'aB'],
    ['\\u0061|\\u002e', 'a.'],
    ['\\c!|\\c"|\\cA', 'ab'],
    ['\\d', '0189'],
    ['\\D', 'abcyzABCYZ._-'],
    ['\\w', 'abcyzABCYZ0189_'],
    ['\\W', '.-'],
    ['\\s|\\h|\\v', ''],
    ['\\S', NAMES],
    ['\\H', NAMES],
    ['\\V', NAMES],
    ['\\p{Lower}', 'abcyz'],
    ['\\P{Lower}', 'ABCYZ0189._-'],
    ['\\p{Upper}', 'ABCYZ'],
    ['\\p{Alpha}', 'abcyzABCYZ'],
    ['\\p{Alnum}', 'abcyzABCYZ0189'],
    ['\\p{Digit}', '0189'],
    ['\\p{XDigit}', 'abcABC0189'],
    ['\\p{Punct}', '._-'],
    ['\\p{ASCII}', NAMES],
    ['\\p{Graph}', NAMES],
    ['\\p{Print}', NAMES],
    ['\\p{Blank}|\\p{Cntrl}|\\p{Space}', ''],
    ['\\pL', 'abcyzABCYZ'],
    ['\\PL', '0189._-'],
    ['\\p{Lu}', 'ABCYZ'],
    ['\\p{IsLl}', 'abcyz'],
    ['\\p{Nd}', '0189'],
    ['\\p{Pc}|\\p{Po}', '._'],
    ['\\p{Pd}', '-'],
    ['\\p{Lo}|\\p{S}|\\p{Zs}', ''],
    ['(?i)a|B', 'abAB'],
    ['(?i)[y-z1]', 'yzYZ1'],
    ['(?i)\\x61', 'aA'],
    ['(?i)[^y-z]', 'abcABC0189._-'],
    ['[abc]', 'abc'],
    ['[^abc]', 'yzABCYZ0189._-'],
    ['[a-cX-Z.]', 'abcYZ.'],
    ['[\\x61-\\u0063]', 'abc'],
    ['[-a]', 'a-'],
    ['[a-]', 'a-'],
    ['[+--]', '-'],
    ['[.-9]', '0189.'],
    ['[]a]', 'a'],
    ['[^]a]', 'bcyzABCYZ0189._-'],
    ['[a^]', 'a'],
    ['[\\d-z]', 'z0189-'],
    ['[\\w&&\\D]', 'abcyzABCYZ_'],
    ['[^\\d\\W]', 'abcyzABCYZ_'],
    ['[\\p{L}\\p{Nd}]', 'abcyzABCYZ0189'],
    ['[a&b]', 'ab'],
    ['[a[bc]]', 'abc'],
    ['[a-[bc]]', 'abc-'],
    ['[a[^b-z]]', 'aABCYZ0189._-'],
    ['[a-z&&b-y]', 'bcy'],
    ['[a-z&&[^b-y]]', 'az'],
    ['[a-z&&[ab][yz]]', 'abyz'],
    ['[a-z&&ab[yz]]', 'abyz'],
    ['[a-z&&b-y&&c-z]', 'cy'],
    ['[\\Q^a]\\E]', 'a'],
    ['[a\\Q-z\\E]', 'az-'],
  ])('%s matches %j', (regex, chars) => {
    expect(charsOf(regex)).toBe(chars);
  });
});

describe('a Java regex for whole names', () => {
  it.each([
    ['a', 'a', 'aa,ba'],
    ['a|b|', 'a,b', 'ab'],
    ['a.*', 'a,ab,a.b', 'ba'],
    ['ab?', 'a,ab', 'abb,b'],
    ['ab+?', 'ab,abb', 'a'],
    ['a{3}', 'aaa', 'a,aa,aaaa'],
    ['a{0}b', 'b', 'ab'],
    ['a*+b', 'b,aab', 'a'],
    ['a*+a', '', 'a,aa,aaa'],
    ['a?+a', 'aa', 'a'],
    ['[ab]++c', 'abc', 'c,abb'],
    ['(a|ab)c', 'ac,abc', 'a'],
    ['(?:a|ab)(?:c|)', 'a,ab,ac,abc', 'c'],
    ['(?<name1>a)b', 'ab', 'a'],
    ['(?>a|ab)c', 'ac', 'abc'],
    ['(?>a*b?)c', 'c,aabc', 'aab'],
    ['(?>a??)a', 'a', 'aa'],
    ['(?>a*?)b', 'b', 'ab'],
    ['(?>a+?)a', 'aa', 'aaa'],
    ['(?>a|ab)*c', 'aac,c', 'abc'],
    ['(?>(?:ab)+)b', 'abb', 'abab'],
    // Each repetition by itself is atomic, so that the second one does not find its a.
    ['(?:a|ab){2}+', 'aa', 'aba,abab'],
    ['(?:a|ab)*+', 'aa', 'ab'],
    ['(?:ab|a)?+b', 'b,abb', 'ab'],
    ['(?:a?)*b', 'b,aab', 'a'],
    ['(?:a|)+', 'a,aa', 'b'],
    ['(?:a?){3}', 'a,aa,aaa', 'aaaa'],
    ['(?=a)..', 'ab,aa', 'ba,a'],
    ['(?!ab).*', 'a,ba', 'ab,abc'],
    ['(?!.*ab).*', 'a,ba', 'ab,cab'],
    ['.*(?<=ab)', 'ab,bab', 'ba'],
    ['.*(?<!a)b', 'b,bb', 'ab'],
    ['.*(?<=a.{2}|b)c', 'bc,axyc', 'c,axc'],
    ['.*(?<=(?:ab){2})c', 'ababc', 'abc'],
    ['.*(?<=a(?=b*+c)).*', 'abc,xac', 'ab'],
    ['(?>x(?<=x)a|b)*', 'xa,xab', 'a'],
    ['^a$', 'a', 'b'],
    ['\\Aa\\z', 'a', 'b'],
    ['\\Ga\\Z', 'a', 'b'],
    ['a^b|^*c$+', 'c', 'ab'],
    ['a\\b.b', 'a.b,a-b', 'a_b,aab'],
    ['a\\B.b', 'a_b,aab', 'a.b'],
    ['(?m)^a$', 'a', 'ab'],
    ['(?i)ab', 'ab,AB,aB', 'b'],
    ['a(?i)b|c', 'ab,aB,C', 'Ab'],
    ['(a(?i)b)c', 'abc,aBc', 'abC'],
    ['(?i:a)b', 'ab,Ab', 'aB'],
    ['(?i)a(?-i)b', 'Ab', 'AB'],
    ['(?is-m:a)b', 'Ab', 'AB'],
    ['(?)(?s)(?m)(?d)(?U)(?x)a', 'a', 'b'],
    ['(?iu)k', 'k,K', 'a'],
    ['\\Qa.b\\E', 'a.b', 'axb'],
    ['\\Qa.b', 'a.b', 'axb'],
    ['\\Qab\\E*', 'a,abb', 'abab'],
    ['a\\Q\\E*', 'a,aaa', 'ab'],
    ['\\Q1\\E.*', '1,12', '2'],
    ['x\\Q1-2\\E', 'x1-2', 'x1'],
    ['', '', 'a'],
  ])('%s matches %j, not %j', (regex, matching, others) => {
    const pattern = new JavaPattern(regex);
    const names = `${matching},${others}`.split(',').filter((name) => name !== '');
    expect(names.filter((name) => pattern.matches(name)).join(',')).toBe(matching);
  });

  it('matches the longest names', () => {
    expect(new JavaPattern('(a|b){255}').matches('ab'.repeat(127) + 'a')).toBe(true);
    expect(new JavaPattern('(a|b){254}').matches('ab'.repeat(127) + 'a')).toBe(false);
  });
});

describe('the time that a regex takes', () => {
  const endless = (): JavaPattern => new JavaPattern('(a+)+b');

  it('is limited: one that backtracks for hours is refused', () => {
    const pattern = endless();
    const start = performance.now();
    expect(() => pattern.matches('a'.repeat(60))).toThrow(RefusedRegex);
    expect(performance.now() - start).toBeLessThan(5000);
    expect(() => pattern.matches('a'.repeat(60))).toThrow(/longer than 500 ms.*topic "aaa/);
  });

  it('is limited for all topics together', () => {
    const pattern = endless();
    expect(() => pattern.matches('a'.repeat(60))).toThrow(RefusedRegex);
    const start = performance.now();
    for (let n = 30; n < 55; n++) expect(() => pattern.matches('a'.repeat(n))).toThrow(RefusedRegex);
    // Each of them would have had half a second.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('does not matter for topics that such a regex decides quickly', () => {
    const pattern = endless();
    expect([pattern.matches('aab'), pattern.matches('ba'), pattern.matches('aab')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
