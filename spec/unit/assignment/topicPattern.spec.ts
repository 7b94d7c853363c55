import { Blacklist, Whitelist } from '../../../lib';
import { filterText, topicPattern } from '../../../lib/assignment/topicPattern';
import { connectorErrorOf } from '../connectorErrorOf';

const PATH = '/consumers/g/ids/g_m';

describe('filterText', () => {
  // As kafka.consumer.Whitelist of 0.8.2.2 and of 1.1.1 have it.
  it.each([
    ['  a , b ', 'a|b'],
    [`"'a,b'"`, 'a|b'],
    [`''a'b''`, `a'b`],
    [`' a'`, 'a'],
    [`'a'\n`, 'a'],
    ['\u0001a\u0001', 'a'],
    [`\t'\ta' `, '\ta'],
    [`'a'\u2028`, 'a\u2028'],
    [`a'\n'x\u0085`, `a'\n'x\u0085`],
    ['""', ''],
    ['\u00a0a', '\u00a0a'],
    ['[a b]{2, 3}', '[ab]{2|3}'],
  ])('makes of %j %j', (raw, text) => {
    expect(filterText(raw)).toBe(text);
  });

  it.each(["'", ' ', ','])('is done at once with a million of %j in the midst', (char) => {
    const start = performance.now();
    expect(filterText(`a${char.repeat(1_000_000)}b`)).toMatch(/^a.*b$/);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('topicPattern', () => {
  it.each([
    ['a.b', 'axb', true],
    ['a.b', 'xa.b', false],
    ['a', 'ab', false],
    ['a|b', 'ab', false],
    ['a, b', 'b', true],
    ['"a.*"', 'abc', true],
    [`'a','b'`, 'b', false],
    ['\t a', 'a', true],
    ['', 'a', false],
  ])('reads %j, matching %j: %j', (regex, topic, isMatch) => {
    expect(topicPattern(regex).test(topic)).toBe(isMatch);
  });

  it('refuses what Java refuses or reads otherwise, and says where it stands and why', () => {
    const error = connectorErrorOf(() => topicPattern('x(a', PATH));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context).toEqual({ path: PATH });
    expect(error.message).toBe(
      `The topic filter "x(a" in ${PATH} cannot be evaluated as a JVM member does: "(a": this group is not closed`,
    );
    expect(connectorErrorOf(() => topicPattern('x(a')).context).toEqual({});
  });

  it('refuses the same regex again, which it has not kept', () => {
    for (const path of [PATH, `${PATH}2`]) {
      expect(connectorErrorOf(() => topicPattern('[', path)).context.path).toBe(path);
    }
  });

  it('explains what became of a comma between braces', () => {
    const error = connectorErrorOf(() => topicPattern('a{2,3}', PATH));
    expect(error.message).toContain('"{2|3}": in a topic filter a comma separates alternatives');
  });

  it('refuses a regex that takes too long at the topic that does', () => {
    const pattern = topicPattern('(x+x+)+y', PATH);
    expect(pattern.test('xxy')).toBe(true);
    const error = connectorErrorOf(() => pattern.test('x'.repeat(100)));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe(PATH);
    expect(error.message).toContain('longer than 500 ms');
  });

  it('loses the time for such a regex once, not for each member and at each rebalance', () => {
    const test = (): boolean => topicPattern('(z+z+)+y').test('z'.repeat(100));
    expect(test).toThrow('longer than 500 ms');
    const start = performance.now();
    expect(test).toThrow('longer than 500 ms');
    expect(performance.now() - start).toBeLessThan(400);
  });

  it('shortens a regex of a megabyte in the message', () => {
    const error = connectorErrorOf(() => topicPattern('(a)'.repeat(350_000), PATH));
    expect(error.message).toContain('it has more than 20000 characters');
    expect(error.message.length).toBeLessThan(400);
  });

  it('is quick for a group of 100 members with filters of their own and 1,000 topics, at each rebalance', () => {
    const topics = Array.from({ length: 1000 }, (_, n) => `team-${n % 7}.orders_${n}.v2`);
    const rebalance = (): number => {
      const filters = Array.from({ length: 100 }, (_, n) => topicPattern(`(?!test).*_${n}\\..*|x${n},y`));
      return filters.reduce((sum, filter) => sum + topics.filter((topic) => filter.test(topic)).length, 0);
    };
    const start = performance.now();
    for (let n = 0; n < 10; n++) expect(rebalance()).toBe(100);
    // A tenth of that where nothing else runs.
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('the filters of the tests of the original', () => {
  const allowed = (filter: Whitelist | Blacklist, topics: readonly string[], exclude: boolean): string[] =>
    topics.filter((topic) => filter.isTopicAllowed(topic, exclude));
  const TOPICS = [
    'white1',
    'white2',
    'black1',
    'black2',
    '__consumer_offsets',
    'x-staging',
    'white-1',
    'white_1',
  ];

  it.each([
    ['white1,white2', true, ['white1', 'white2']],
    ['.+', true, TOPICS.filter((topic) => topic !== '__consumer_offsets')],
    ['.+', false, TOPICS],
    ['.+-staging', true, ['x-staging']],
    ['(?!white1\\b)\\w+', true, ['white2', 'black1', 'black2', 'white_1']],
    ['(?!white\\b)[\\w-]+', true, ['white1', 'white2', 'black1', 'black2', 'x-staging', 'white_1']],
  ])('TopicFilterTest.testWhitelists: %s, internal topics excluded: %j', (regex, exclude, topics) => {
    expect(allowed(new Whitelist(regex), TOPICS, exclude)).toEqual(topics);
  });

  it.each([
    ['black1,black2', true, ['white1', 'white2', 'x-staging', 'white-1', 'white_1']],
    ['black1', false, TOPICS.filter((topic) => topic !== 'black1')],
    ['.+', false, []],
    ['.+-staging|__.+', false, ['white1', 'white2', 'black1', 'black2', 'white-1', 'white_1']],
    ['(?!white1\\b)\\w+', true, ['white1', 'x-staging', 'white-1']],
  ])('TopicFilterTest.testBlacklists: %s, internal topics excluded: %j', (regex, exclude, topics) => {
    expect(allowed(new Blacklist(regex), TOPICS, exclude)).toEqual(topics);
  });
});
