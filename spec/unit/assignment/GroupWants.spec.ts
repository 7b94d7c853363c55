import { GroupWants } from '../../../lib/assignment/GroupWants';
import type { Registration, SubscriptionPattern } from '../../../lib/zookeeper/registration';
import { connectorErrorOf } from '../connectorErrorOf';

const member = (pattern: SubscriptionPattern, ...counts: [string, number][]): Registration => ({
  path: '/consumers/g/ids/g_m',
  pattern,
  subscription: new Map(counts),
});

function threadsForTopic(
  topic: string,
  members: ReadonlyMap<string, Registration>,
  excluded: readonly string[] = [],
): readonly string[] {
  const [input] = new GroupWants(members, excluded).assignmentInput(new Map([[topic, [0]]]));
  return input?.threads ?? [];
}

describe('the threads that want a topic', () => {
  it('counts only members whose registration has the topic', () => {
    const group = new Map([
      ['g_a', member('static', ['t', 2])],
      ['g_b', member('static', ['other', 5])],
      ['g_c', member('static', ['other', 1], ['t', 1])],
    ]);
    expect(threadsForTopic('t', group)).toEqual(['g_a-0', 'g_a-1', 'g_c-0']);
  });

  it('sorts as plain text, whatever order the members were read in', () => {
    const group = new Map([
      ['g_b', member('static', ['t', 1])],
      ['g_B', member('static', ['t', 1])],
      ['g_a', member('static', ['t', 11])],
    ]);
    const threads = threadsForTopic('t', group);
    expect(threads.slice(0, 4)).toEqual(['g_B-0', 'g_a-0', 'g_a-1', 'g_a-10']);
    expect(threads.at(-1)).toBe('g_b-0');
  });

  it('counts a whitelist for each matching topic and a blacklist for each other one', () => {
    const group = new Map([
      ['g_w', member('white_list', ['a.*|b', 2])],
      ['g_x', member('black_list', ['a.*|b', 1])],
    ]);
    expect(threadsForTopic('alpha', group)).toEqual(['g_w-0', 'g_w-1']);
    expect(threadsForTopic('b', group)).toEqual(['g_w-0', 'g_w-1']);
    expect(threadsForTopic('bb', group)).toEqual(['g_x-0']);
  });

  it('looks only at the first of several regexes, as the JVM members do', () => {
    const group = new Map([['g_w', member('white_list', ['a', 1], ['b', 3])]]);
    expect(threadsForTopic('a', group)).toEqual(['g_w-0']);
    expect(threadsForTopic('b', group)).toEqual([]);
  });

  it('leaves an excluded topic out of every filter but not out of a static subscription', () => {
    const topic = '__consumer_offsets';
    const threads = (
      pattern: SubscriptionPattern,
      name: string,
      excluded: readonly string[],
    ): readonly string[] => threadsForTopic(topic, new Map([['g_m', member(pattern, [name, 1])]]), excluded);
    expect(threads('white_list', '.*', [topic])).toEqual([]);
    expect(threads('white_list', '.*', [])).toEqual(['g_m-0']);
    expect(threads('black_list', 'x', [topic])).toEqual([]);
    expect(threads('static', topic, [topic])).toEqual(['g_m-0']);
  });

  it('finds no threads in a filter without a regex', () => {
    expect(threadsForTopic('t', new Map([['g_w', member('white_list')]]))).toEqual([]);
  });

  it('refuses a regex that it cannot evaluate, with the path of the registration', () => {
    const group = new Map([['g_w', member('white_list', ['t**', 1])]]);
    const error = connectorErrorOf(() => threadsForTopic('t', group));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe('/consumers/g/ids/g_m');
  });
});

describe('the topics that a group wants', () => {
  const existing = ['a', 'b', 'web.1', '__consumer_offsets'];

  it('are the named ones, also those that are not there yet', () => {
    const group = new GroupWants(new Map([['g_a', member('static', ['a', 1], ['later', 2])]]), []);
    expect(group.hasFilters).toBe(false);
    expect(group.topics([])).toEqual(new Set(['a', 'later']));
  });

  it('are those that any filter takes of the ones that are there', () => {
    const group = new GroupWants(
      new Map([
        ['g_a', member('static', ['later', 1])],
        ['g_w', member('white_list', ['web.*', 1])],
        ['g_b', member('black_list', ['b|web.*', 1])],
      ]),
      ['__consumer_offsets'],
    );
    expect(group.hasFilters).toBe(true);
    expect(group.topics(existing)).toEqual(new Set(['later', 'a', 'web.1']));
  });
});

describe('the input of an assignor', () => {
  it('pairs the partitions of each topic with its threads', () => {
    const group = new Map([['g_a', member('static', ['t', 1])]]);
    const partitions = new Map([
      ['t', [0, 1]],
      ['u', [0]],
    ]);
    expect(new GroupWants(group, []).assignmentInput(partitions)).toEqual([
      { topic: 't', partitions: [0, 1], threads: ['g_a-0'] },
      { topic: 'u', partitions: [0], threads: [] },
    ]);
  });
});
