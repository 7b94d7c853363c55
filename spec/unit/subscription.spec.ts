import { runInNewContext } from 'node:vm';

import { filterSubscriptionOf, subscriptionOf } from '../../lib/subscription';
import { Blacklist, Whitelist } from '../../lib/TopicFilter';
import { connectorErrorOf } from './connectorErrorOf';

type Given = Parameters<typeof subscriptionOf>[0];

function faultsOf(given: unknown): readonly string[] {
  const error = connectorErrorOf(() => subscriptionOf(given as Given));
  expect(error.code).toBe('CONFIG_INVALID');
  return error.context.faults ?? [];
}

describe('subscriptionOf', () => {
  it('takes an object, and a Map of any realm', () => {
    const expected = new Map([
      ['a', 1],
      ['b-2.c_d', 3],
    ]);
    expect(subscriptionOf({ a: 1, 'b-2.c_d': 3 })).toEqual({ pattern: 'static', subscription: expected });
    expect(subscriptionOf(expected).subscription).toEqual(expected);
    const foreign = runInNewContext("new Map([['a', 1], ['b-2.c_d', 3]])") as Given;
    expect(foreign).not.toBeInstanceOf(Map);
    expect(subscriptionOf(foreign).subscription).toEqual(expected);
    expect(subscriptionOf({}).subscription).toEqual(new Map());
  });

  it('is a copy', () => {
    const given = new Map([['a', 1]]);
    const { subscription } = subscriptionOf(given);
    given.set('b', 1);
    expect([...subscription.keys()]).toEqual(['a']);
  });

  it.each([null, undefined, 'orders', 7, ['orders'], new Set(['orders'])])('refuses %p', (given) => {
    expect(faultsOf(given)).toHaveLength(1);
  });

  it('tells all faults at once', () => {
    const faults = faultsOf(
      new Map<unknown, unknown>([
        ['', 1],
        ['a/b', 1],
        ['a', 0],
        ['b', 1.5],
        ['c', '2'],
        ['d', Object.create(null)],
        [Object.create(null), 1],
        [Symbol('e'), 1],
      ]),
    );
    expect(faults).toHaveLength(8);
    expect(faults[2]).toBe('the number of streams of "a" must be a whole number from 1, not 0 (number)');
  });

  it('bounds the number of streams of one member', () => {
    expect(faultsOf({ a: 1_000_000, b: 1_000_000 })).toHaveLength(1);
  });
});

describe('filterSubscriptionOf', () => {
  const faultsOfFilter = (filter: unknown, numStreams: unknown): readonly string[] => {
    const error = connectorErrorOf(() => filterSubscriptionOf(filter as Whitelist, numStreams as number));
    expect(error.code).toBe('CONFIG_INVALID');
    return error.context.faults ?? [];
  };

  it('is the tidied regex with the number of streams', () => {
    expect(filterSubscriptionOf(new Whitelist(' "a, b" '), 2)).toEqual({
      pattern: 'white_list',
      subscription: new Map([['a|b', 2]]),
    });
    expect(filterSubscriptionOf(new Blacklist('a'), 1).pattern).toBe('black_list');
  });

  it('refuses what is no filter and what is no number of streams, both at once', () => {
    expect(faultsOfFilter('a.*', 0)).toEqual([
      'the filter must be a Whitelist or a Blacklist as it is, not "a.*" (string); other members see its regex alone',
      'the number of streams must be a whole number from 1, not 0 (number)',
    ]);
    expect(faultsOfFilter(null, '2')).toHaveLength(2);
    expect(faultsOfFilter({ regex: 'a', pattern: 'white_list' }, 1)).toHaveLength(1);
    expect(faultsOfFilter(new Whitelist('a'), 1_000_000)).toHaveLength(1);
  });
});
