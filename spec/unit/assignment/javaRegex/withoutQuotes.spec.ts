import { withoutQuotes } from '../../../../lib/assignment/javaRegex/withoutQuotes';

describe('withoutQuotes', () => {
  it.each([
    ['a.b', 'a.b'],
    ['\\Qa.b\\E.', 'a\\.b.'],
    ['\\Qa.b', 'a\\.b'],
    ['\\Q\\E', ''],
    ['\\\\Qa', '\\\\Qa'],
    ['\\\\\\Q.\\E', '\\\\\\.'],
    ['\\Q\\d\\E', '\\\\d'],
    ['\\Qa\\\\E', 'a\\\\'],
    ['\\Qa\\', 'a\\\\'],
    ['\\x4\\Q12\\E', '\\x4\\x312'],
    ['\\Q.12\\E', '\\.12'],
    ['\\Qé_\\E\\Q-\\E', 'é\\_\\-'],
    ['a\\E', 'a\\E'],
  ])('writes %j as %j', (regex, text) => {
    expect(withoutQuotes(regex)).toBe(text);
  });
});
