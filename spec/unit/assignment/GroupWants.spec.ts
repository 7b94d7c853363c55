import { GroupWants } from '../../../lib/assignment/GroupWants';
import { rangeAssign } from '../../../lib/assignment/rangeAssignor';
import { roundRobinAssign } from '../../../lib/assignment/roundRobinAssignor';
import type { Registration, SubscriptionPattern } from '../../../lib/zookeeper/registration';
import { connectorErrorOf } from '../connectorErrorOf';

const member = (pattern: SubscriptionPattern, ...counts: [string, number][]): Registration => ({
  path: '/consumers/g/ids/g_m',
  pattern,
  subscription: new Map(counts),
});

const NEVER = new AbortController().signal;

async function threadsForTopic(
  topic: string,
  members: ReadonlyMap<string, Registration>,
  excluded: readonly string[] = [],
): Promise<readonly string[]> {
  const wants = new GroupWants(members, excluded, NEVER);
  const [input] = await wants.assignmentInput(new Map([[topic, [0]]]));
  return input?.threads ?? [];
}

describe('the threads that want a topic', () => {
  it('counts only members whose registration has the topic', async () => {
    const group = new Map([
      ['g_a', member('static', ['t', 2])],
      ['g_b', member('static', ['other', 5])],
      ['g_c', member('static', ['other', 1], ['t', 1])],
    ]);
    expect(await threadsForTopic('t', group)).toEqual(['g_a-0', 'g_a-1', 'g_c-0']);
  });

  it('sorts as plain text, whatever order the members were read in', async () => {
    const group = new Map([
      ['g_b', member('static', ['t', 1])],
      ['g_B', member('static', ['t', 1])],
      ['g_a', member('static', ['t', 11])],
    ]);
    const threads = await threadsForTopic('t', group);
    expect(threads.slice(0, 4)).toEqual(['g_B-0', 'g_a-0', 'g_a-1', 'g_a-10']);
    expect(threads.at(-1)).toBe('g_b-0');
  });

  it('counts a whitelist for each matching topic and a blacklist for each other one', async () => {
    const group = new Map([
      ['g_w', member('white_list', ['a.*|b', 2])],
      ['g_x', member('black_list', ['a.*|b', 1])],
    ]);
    expect(await threadsForTopic('alpha', group)).toEqual(['g_w-0', 'g_w-1']);
    expect(await threadsForTopic('b', group)).toEqual(['g_w-0', 'g_w-1']);
    expect(await threadsForTopic('bb', group)).toEqual(['g_x-0']);
  });

  it('looks only at the first of several regexes, as the JVM members do', async () => {
    const group = new Map([['g_w', member('white_list', ['a', 1], ['b', 3])]]);
    expect(await threadsForTopic('a', group)).toEqual(['g_w-0']);
    expect(await threadsForTopic('b', group)).toEqual([]);
  });

  it('leaves an excluded topic out of every filter but not out of a static subscription', async () => {
    const topic = '__consumer_offsets';
    const threads = (
      pattern: SubscriptionPattern,
      name: string,
      excluded: readonly string[],
    ): Promise<readonly string[]> =>
      threadsForTopic(topic, new Map([['g_m', member(pattern, [name, 1])]]), excluded);
    expect(await threads('white_list', '.*', [topic])).toEqual([]);
    expect(await threads('white_list', '.*', [])).toEqual(['g_m-0']);
    expect(await threads('black_list', 'x', [topic])).toEqual([]);
    expect(await threads('static', topic, [topic])).toEqual(['g_m-0']);
  });

  it('finds no threads in a filter without a regex', async () => {
    expect(await threadsForTopic('t', new Map([['g_w', member('white_list')]]))).toEqual([]);
  });

  it('refuses a regex that it cannot evaluate, with the path of the registration', () => {
    const group = new Map([['g_w', member('white_list', ['t**', 1])]]);
    const error = connectorErrorOf(() => new GroupWants(group, [], NEVER));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe('/consumers/g/ids/g_m');
  });
});

describe('the topics that a group wants', () => {
  const existing = ['a', 'b', 'web.1', '__consumer_offsets'];

  it('are the named ones, also those that are not there yet', async () => {
    const group = new GroupWants(new Map([['g_a', member('static', ['a', 1], ['later', 2])]]), [], NEVER);
    expect(group.hasFilters).toBe(false);
    expect(await group.topics([])).toEqual(new Set(['a', 'later']));
  });

  it('are those that any filter takes of the ones that are there', async () => {
    const group = new GroupWants(
      new Map([
        ['g_a', member('static', ['later', 1])],
        ['g_w', member('white_list', ['web.*', 1])],
        ['g_b', member('black_list', ['b|web.*', 1])],
      ]),
      ['__consumer_offsets'],
      NEVER,
    );
    expect(group.hasFilters).toBe(true);
    expect(await group.topics(existing)).toEqual(new Set(['later', 'a', 'web.1']));
  });
});

describe('the input of an assignor', () => {
  it('pairs the partitions of each topic with its threads', async () => {
    const group = new Map([['g_a', member('static', ['t', 1])]]);
    const partitions = new Map([
      ['t', [0, 1]],
      ['u', [0]],
    ]);
    expect(await new GroupWants(group, [], NEVER).assignmentInput(partitions)).toEqual([
      { topic: 't', partitions: [0, 1], threads: ['g_a-0'] },
      { topic: 'u', partitions: [0], threads: [] },
    ]);
  });
});

describe('the evaluation of filters', () => {
  it('gives the event loop its turns', async () => {
    // Each takes long, but not too long; the limit is for one of them.
    const members = Array.from(
      { length: 20 },
      (_, n) => [`g_${n}`, member('white_list', [`(.*-)?(.*[.])?x${n}.*`, 1])] as const,
    );
    const topics = Array.from({ length: 2000 }, (_, n) => `${'some-topic.'.repeat(5)}${n}`);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    try {
      await new GroupWants(new Map(members), [], NEVER).topics(topics);
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(5);
  });

  it('ends when its signal is aborted', async () => {
    const members = new Map([['g_w', member('white_list', ['a.*', 1])]]);
    const ending = new AbortController();
    ending.abort();
    await expect(new GroupWants(members, [], ending.signal).topics(['a'])).rejects.toBe(ending.signal.reason);
  });

  it('makes one list of the threads for all topics that the same members want', async () => {
    const members = new Map([['g_w', member('white_list', ['.*', 100_000])]]);
    const partitions = new Map(Array.from({ length: 1000 }, (_, n) => [`t${n}`, [0]] as const));
    const input = await new GroupWants(members, [], NEVER).assignmentInput(partitions);
    expect(new Set(input.map(({ threads }) => threads)).size).toBe(1);
    expect(rangeAssign(input).get('t999')).toEqual(new Map([[0, 'g_w-0']]));
    expect(roundRobinAssign(input, '0.8').size).toBe(1000);
  });
});
