import { topicPattern } from '../../../lib/assignment/topicPattern';
import { connectorErrorOf } from '../connectorErrorOf';

describe('topicPattern', () => {
  it.each([
    ['a.b', 'axb', true],
    ['a.b', 'xa.b', false],
    ['a', 'ab', false],
    ['a|b', 'ab', false],
    ['a, b', 'b', true],
    ['"a.*"', 'abc', true],
    [`'a','b'`, 'b', false],
    ['  a ', 'a', true],
    ['b\\.x', 'b.x', true],
    ['b\\.x', 'bxx', false],
    ['b\\-x', 'b-x', true],
    ['[ab]_[0-9]{3}', 'a_123', true],
    ['[^ab].*', 'abc', false],
    ['[a-c&x]', '&', true],
    ['(?!test).*', 'test1', false],
    ['(?:x|y)+?', 'xyx', true],
    ['\\d+\\w', '12a', true],
    ['\\Qa.b\\E.*', 'a.bc', true],
    ['\\Qa.b\\E.*', 'axbc', false],
    ['\\Qa.b', 'a.b', true],
    ['', 'a', false],
  ])('reads %j, matching %j: %j', (regex, topic, isMatch) => {
    expect(topicPattern(regex).test(topic)).toBe(isMatch);
  });

  it.each([
    '(?i)a',
    '(?<name>a)',
    '(?>a)',
    '(?<=a)b',
    'a*+',
    'a{2}+',
    'a**',
    '*a',
    '[a',
    '[a&&b]',
    '[a[b]]',
    '[]a]',
    'a{1,2}',
    '{a',
    'a\\',
    '\\p{Alpha}',
    '\\x41',
    '\\1',
    '(a',
    'a)',
    'a)(b',
    '[z-a]',
  ])('refuses %j, which Java refuses or reads otherwise', (regex) => {
    const error = connectorErrorOf(() => topicPattern(regex, '/consumers/g/ids/g_m'));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.message).toContain('/consumers/g/ids/g_m');
    expect(error.message).toContain(JSON.stringify(regex));
  });
});
