import { JavaPattern } from '../../../../lib/assignment/javaRegex/JavaPattern';
import { RefusedRegex } from '../../../../lib/assignment/javaRegex/RefusedRegex';

describe('a regex that Java refuses', () => {
  it.each([
    ['*a', '"*a": there is nothing that this could repeat'],
    ['a|+', '"+": there is nothing'],
    ['a**', '"*": there is nothing'],
    ['a{2}*', '"*": there is nothing'],
    ['(?i)*', '"*": there is nothing'],
    ['{a', '"{a": there is nothing'],
    ['a{', '"{": this is no number of repetitions'],
    ['a{x}', '"{x}": this is no number of repetitions'],
    ['a{2', '"{2": this is no number of repetitions'],
    ['a{2|3}', '"{2|3}": in a topic filter a comma separates alternatives'],
    ['a{2|}', '"{2|}": in a topic filter a comma'],
    ['(a', '"(a": this group is not closed'],
    ['(?=a', '"(?=a": this group is not closed'],
    ['a)', '")": there is no group that this closes'],
    ['a)(b', '")(b": there is no group'],
    ['(?<1>a)', '"(?<": the name of a group'],
    ['(?<a_b>a)', '"(?<": the name of a group'],
    ['(?<a>x)(?<a>y)', '"(?<a>": two groups have this name'],
    ['(?P<a>x)', '"(?P": P is no flag'],
    ['(?', '"(?": Java knows no such group'],
    ['(?i', '"(?i": Java knows no such group'],
    ['(?i--s)a', 'Java knows no such group'],
    ['[a', '"[a": this class is not closed'],
    ['[]', '"[]": this class is not closed'],
    ['[^]', '"[^]": this class is not closed'],
    ['[a[b]', 'this class is not closed'],
    ['[a-', 'this class is not closed'],
    ['[c-a]', '"c-a": this range ends before its start'],
    ['[a-\\d]', '"a-\\\\d": this range has a class as its end'],
    ['a\\', '"\\\\": there is nothing behind the last backslash'],
    ['\\q', '"\\\\q": Java (all of 8 to 17) knows no such escape'],
    ['[\\b]', '"\\\\b": Java (all of 8 to 17) knows no such escape'],
    ['[\\R]', 'knows no such escape'],
    ['\\x6', '"\\\\x": this escape is not complete'],
    ['\\x{61', 'this escape is not complete'],
    ['\\x{110000}', 'there is no such character'],
    ['\\u006', 'this escape is not complete'],
    ['\\08', 'this escape is not complete'],
    ['\\c', 'this escape is not complete'],
    ['\\p', 'this escape is not complete'],
    ['\\p{Alpha', 'this escape is not complete'],
    ['\\p{Foo}', '"\\\\p{Foo}": a property that is not known'],
    ['\\p{toString}', 'a property that is not known'],
    ['(?<!x(a|b){2})c', '"(a|b){2}": Java cannot tell for certain how long'],
  ])('%s is refused here, too', (regex, message) => {
    expect(() => new JavaPattern(regex)).toThrow(RefusedRegex);
    expect(() => new JavaPattern(regex)).toThrow(message);
  });
});

describe('a regex that cannot be evaluated for certain', () => {
  it.each([
    ['(a)\\1', 'nothing can refer to it'],
    ['(?<n>a)\\k<n>', 'nothing can refer to it'],
    ['\\X', 'all of 8 to 17'],
    ['\\N{LATIN SMALL LETTER A}', 'all of 8 to 17'],
    ['\\b{g}', 'this is no number of repetitions'],
    ['\\p{IsAlphabetic}', 'a property that is not known here'],
    ['\\p{javaLowerCase}', 'a property that is not known here'],
    ['(?i)\\p{Lower}', 'the releases of Java read this property differently'],
    ['(?c)a', 'c is no flag'],
    ['(?x)a#b', 'the flag x is not supported'],
    ['(?iu)\u212a', 'beyond ASCII'],
    ['(?iU)[\u212a]', 'beyond ASCII'],
    ['\\ud83d\\ude00', 'half of a character'],
    ['[\\v-a]', 'does not take this \\v as a class'],
    // Java 8: all but "a", and "b". Later ones: all but "a" and "b".
    ['[^a[b]]', 'disagree what is negated'],
    ['[^a-c&&b-d]', 'disagree what is negated'],
    // Java 8: "c". Later ones: "b" and "c".
    ['[a-z&&[b]c]', 'disagree about what follows a nested class'],
    ['[a&&]', 'there is nothing behind the &&'],
    ['[&&a]', 'there is nothing before the &&'],
    ['[^&&&a]', 'there is nothing before the &&'],
    // Java takes some of these.
    ['(?<=a*)b', '"a*": Java cannot tell for certain how long'],
    ['(?<=a++)b', 'a possessive quantifier within a look-behind'],
    ['(?<=(?>a|ab))b', 'an atomic group within a look-behind'],
    ['(?<=(a{200}){2})b', 'a look-behind of more than 255 characters'],
    // Java: "aa" only. JavaScript: "a", too.
    ['(?:^|a){2}', 'Java ends counted repetitions'],
    // Java: nothing but the empty text, at once.
    ['(?>(?:|a)*)b', 'a repeated group that may match nothing, within an atomic group'],
    ['a{256}', 'no topic name is longer than 255'],
    ['a\0b', 'a character NUL'],
  ])('%j is refused', (regex, message) => {
    expect(() => new JavaPattern(regex)).toThrow(RefusedRegex);
    expect(() => new JavaPattern(regex)).toThrow(message);
  });
});

describe('a regex of excessive size', () => {
  it.each([
    ['a million characters', 'a|'.repeat(500_000), 'more than 20000 characters'],
    ['10,000 groups within each other', '('.repeat(10_000), 'groups are nested deeper than 100 levels'],
    ['10,000 classes within each other', '['.repeat(10_000), 'classes are nested deeper than 50 levels'],
    ['5,000 parts of an intersection', `[a${'&&a'.repeat(5000)}]`, 'more than 50 parts are joined'],
  ])('%s: is refused before anything is done with it', (_size, regex, message) => {
    expect(() => new JavaPattern(regex)).toThrow(RefusedRegex);
    expect(() => new JavaPattern(regex)).toThrow(message);
  });

  it('that the engine cannot take is refused without repeating it in the message', () => {
    const match = (): boolean => new JavaPattern('(?>a)'.repeat(4000)).matches('a');
    expect(match).toThrow(RefusedRegex);
    expect(match).toThrow(/^it is too much for the engine of JavaScript \(.{1,60}\)$/);
  });

  it.each([
    [
      'a list of 400 topics',
      Array.from({ length: 400 }, (_, n) => `team.some-topic.with.a.long.name-${n}`).join('|'),
    ],
    ['100 groups within each other', `${'('.repeat(99)}(team\\..*)${')'.repeat(99)}`],
  ])('is taken as long as it is reasonable: %s', (_size, regex) => {
    const pattern = new JavaPattern(regex);
    expect(pattern.matches('team.some-topic.with.a.long.name-399')).toBe(true);
    expect(pattern.matches('some-topic')).toBe(false);
  });
});
