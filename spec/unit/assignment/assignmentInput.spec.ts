import { assignmentInput, threadsForTopic } from '../../../lib/assignment/assignmentInput';
import type { Registration, SubscriptionPattern } from '../../../lib/zookeeper/registration';
import { connectorErrorOf } from '../connectorErrorOf';

const member = (pattern: SubscriptionPattern, ...counts: [string, number][]): Registration => ({
  path: '/consumers/g/ids/g_m',
  pattern,
  subscription: new Map(counts),
});

describe('threadsForTopic', () => {
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

  it('leaves the topic of the stored offsets out of every filter but not out of a static subscription', () => {
    const topic = '__consumer_offsets';
    expect(threadsForTopic(topic, new Map([['g_w', member('white_list', ['.*', 1])]]))).toEqual([]);
    expect(threadsForTopic(topic, new Map([['g_b', member('black_list', ['x', 1])]]))).toEqual([]);
    expect(threadsForTopic(topic, new Map([['g_s', member('static', [topic, 1])]]))).toEqual(['g_s-0']);
  });

  it('finds no threads in a filter without a regex', () => {
    expect(threadsForTopic('t', new Map([['g_w', member('white_list')]]))).toEqual([]);
  });

  it('refuses a regex that it cannot evaluate, with the path of the registration', () => {
    const group = new Map([['g_w', member('white_list', ['(?i)t', 1])]]);
    const error = connectorErrorOf(() => threadsForTopic('t', group));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe('/consumers/g/ids/g_m');
  });
});

describe('assignmentInput', () => {
  it('pairs the partitions of each topic with its threads', () => {
    const group = new Map([['g_a', member('static', ['t', 1])]]);
    const partitions = new Map([
      ['t', [0, 1]],
      ['u', [0]],
    ]);
    expect(assignmentInput(partitions, group)).toEqual([
      { topic: 't', partitions: [0, 1], threads: ['g_a-0'] },
      { topic: 'u', partitions: [0], threads: [] },
    ]);
  });
});
