import { Blacklist, TopicFilter, Whitelist } from '../../lib';
import { isTopicFilter } from '../../lib/TopicFilter';
import { connectorErrorOf } from './connectorErrorOf';

describe('a topic filter', () => {
  it('takes whole names: a whitelist those that match, a blacklist the others', () => {
    expect(new Whitelist('web.*').isTopicAllowed('web.1')).toBe(true);
    expect(new Whitelist('web').isTopicAllowed('web.1')).toBe(false);
    expect(new Blacklist('web.*').isTopicAllowed('web.1')).toBe(false);
    expect(new Blacklist('web').isTopicAllowed('web.1')).toBe(true);
  });

  it.each(['__consumer_offsets', '__transaction_state'])(
    'leaves out %s unless it is told not to',
    (topic) => {
      for (const filter of [new Whitelist('.*'), new Blacklist('x')]) {
        expect([filter.isTopicAllowed(topic), filter.isTopicAllowed(topic, true)]).toEqual([false, false]);
        expect(filter.isTopicAllowed(topic, false)).toBe(true);
      }
    },
  );

  it('has the regex as the JVM tidies it up: commas are alternatives, blanks and quotes fall away', () => {
    expect(new Whitelist(` 'a, b ,c\\.d' `).regex).toBe('a|b|c\\.d');
  });

  it.each([
    ['(', /"\("/],
    ['', /empty/],
    [' "" ', /empty/],
    [7, /must be a text, not 7/],
    [null, /must be a text/],
  ])('refuses %p', (regex, message) => {
    const error = connectorErrorOf(() => new Whitelist(regex as string));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  it('says how to pass a RegExp', () => {
    const error = connectorErrorOf(() => new Whitelist(/web/ as unknown as string));
    expect(error.message).toContain('pass its source');
  });

  it('is one of the two as they are: other members would not see what a subclass does', () => {
    class Mine extends Whitelist {
      override isTopicAllowed(): boolean {
        return false;
      }
    }
    class Named extends Whitelist {}
    class Other extends TopicFilter {
      readonly pattern = 'static' as 'white_list';
    }
    const own = Object.assign(new Blacklist('a'), { isTopicAllowed: () => true });
    expect([new Mine('a'), new Other('a'), own, new Named('a')].map(isTopicFilter)).toEqual([
      ...[false, false, false, true],
    ]);
  });

  it('is known by its mark, which a look-alike does not have', () => {
    expect(isTopicFilter(new Blacklist('a'))).toBe(true);
    expect([null, 'a', { regex: 'a', pattern: 'black_list' }].map(isTopicFilter)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
