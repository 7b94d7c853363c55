import fc from 'fast-check';
import type { Assignment, TopicToAssign } from '../../../lib/assignment/assignment';
import { GroupWants } from '../../../lib/assignment/GroupWants';
import {
  refusedByOldMembers,
  roundRobinAssign,
  type RoundRobinTextOrder,
} from '../../../lib/assignment/roundRobinAssignor';
import { threadId } from '../../../lib/zookeeper/consumerId';
import type { Registration } from '../../../lib/zookeeper/registration';

const ORDERS: readonly RoundRobinTextOrder[] = ['0.8', '1.0'];

/** "Aa" and "BB" have the same hashes. */
const TOPICS = ['a', 'b.x', 'c-y', 'Aa', 'BB', 'many_topics'];

const consumerIds = fc.uniqueArray(fc.stringMatching(/^g_[a-zA-Z0-9._-]{1,6}$/), {
  minLength: 1,
  maxLength: 8,
});
const partitionsByTopic = fc
  .tuple(...TOPICS.map((topic) => fc.tuple(fc.constant(topic), fc.nat({ max: 30 }))))
  .map((sizes) => new Map(sizes.map(([topic, size]) => [topic, Array.from({ length: size }, (_, p) => p)])));

type Group = readonly (readonly [consumerId: string, registration: Registration])[];

const registration = (
  pattern: Registration['pattern'],
  counts: Readonly<Record<string, number>>,
): Registration => ({
  path: '/consumers/g/ids/g_m',
  pattern,
  subscription: new Map(Object.entries(counts)),
});

const streamCounts = fc.integer({ min: 1, max: 5 });
const staticSubscriptions = fc.dictionary(fc.constantFrom(...TOPICS), streamCounts);
const filters = fc.constantFrom('.*', '[ab].*', 'A.|B.', 'a', 'x');

/** Members that each want what they like. */
const unequalGroups: fc.Arbitrary<Group> = consumerIds.chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .oneof(
          staticSubscriptions.map((counts) => registration('static', counts)),
          fc
            .tuple(fc.constantFrom('white_list', 'black_list'), filters, streamCounts)
            .map(([pattern, regex, streams]) => registration(pattern, { [regex]: streams })),
        )
        .map((wanted) => [id, wanted] as const),
    ),
  ),
);

/** Members that all want the same topics, each with a number of streams that is the same for all its topics. */
function equalGroups(wanted: (streams: number) => Registration): fc.Arbitrary<Group> {
  return consumerIds.chain((ids) =>
    fc.tuple(...ids.map((id) => streamCounts.map((streams) => [id, wanted(streams)] as const))),
  );
}

const NEVER = new AbortController().signal;

function inputOf(group: Group, partitions: ReadonlyMap<string, readonly number[]>): Promise<TopicToAssign[]> {
  return new GroupWants(new Map(group), [], NEVER).assignmentInput(partitions);
}

function sorted(assignment: Assignment): unknown {
  return [...assignment].map(([topic, owners]) => [topic, [...owners].sort(([a], [b]) => a - b)]).sort();
}

function expectEachPartitionOnce(topics: readonly TopicToAssign[], assignment: Assignment): void {
  for (const { topic, partitions, threads } of topics) {
    const owners = assignment.get(topic) ?? new Map<number, string>();
    const given = [...owners.keys()].sort((a, b) => a - b);
    expect(given).toEqual(threads.length === 0 ? [] : partitions);
    expect([...owners.values()].filter((thread) => !threads.includes(thread))).toEqual([]);
  }
}

function expectEqualShares(topics: readonly TopicToAssign[], assignment: Assignment): void {
  const owners = [...assignment.values()].flatMap((ofTopic) => [...ofTopic.values()]);
  const threads = new Set(topics.flatMap((topic) => topic.threads));
  const counts = Array.from(threads, (thread) => owners.filter((owner) => owner === thread).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
}

describe.each(ORDERS)('roundRobinAssign in the order of %s', (order) => {
  const sharesEqually = (groups: fc.Arbitrary<Group>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(groups, partitionsByTopic, async (group, partitions) => {
        const topics = await inputOf(group, partitions);
        const assignment = roundRobinAssign(topics, order);
        expectEachPartitionOnce(topics, assignment);
        expectEqualShares(topics, assignment);
        expect(refusedByOldMembers(topics)).toBeNull();
      }),
    );

  it('PartitionAssignorTest.testRoundRobinPartitionAssignor: shares all topics of a filter equally, each partition once', async () => {
    const groups = fc.oneof(
      equalGroups((streams) => registration('white_list', { '.*': streams })),
      equalGroups((streams) => registration('black_list', { x: streams })),
    );
    await expect(sharesEqually(groups)).resolves.toBeUndefined();
  });

  it('PartitionAssignorTest.testRoundRobinPartitionAssignorStaticSubscriptions: shares topics that all have named equally, each partition once', async () => {
    const counts = (streams: number): Record<string, number> =>
      Object.fromEntries(TOPICS.slice(1).map((topic) => [topic, streams]));
    const groups = equalGroups((streams) => registration('static', counts(streams)));
    await expect(sharesEqually(groups)).resolves.toBeUndefined();
  });

  it('PartitionAssignorTest.testRoundRobinPartitionAssignorUnbalancedStaticSubscriptions: gives each partition once, to a thread that wants the topic', async () => {
    await fc.assert(
      fc.asyncProperty(unequalGroups, partitionsByTopic, async (group, partitions) => {
        const topics = await inputOf(group, partitions);
        const assignment = roundRobinAssign(topics, order);
        expectEachPartitionOnce(topics, assignment);
        expect(assignment.size).toBe(TOPICS.length);
      }),
    );
  });

  it('comes to the same result in each member, whatever order it has read things in', async () => {
    const views = fc
      .tuple(unequalGroups, partitionsByTopic)
      .chain(([group, partitions]) =>
        fc.tuple(
          fc.constant(inputOf(group, partitions)),
          fc.shuffledSubarray([...group], { minLength: group.length }),
          fc.shuffledSubarray([...partitions], { minLength: partitions.size }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(views, async ([input, group, partitions]) => {
        const topics = await input;
        const backwards = partitions.map(([topic, ofTopic]) => [topic, ofTopic.toReversed()] as const);
        const others = (await inputOf(group, new Map(backwards))).map((topic) => ({
          ...topic,
          threads: topic.threads.toReversed(),
        }));
        expect(sorted(roundRobinAssign(others, order))).toEqual(sorted(roundRobinAssign(topics, order)));
      }),
    );
  });

  it('gives the partitions of topics with equal hashes in the order of the topics', () => {
    const threads = ['g_a-0', 'g_b-0'];
    const topics = ['BB', 'Aa'].map((topic) => ({ topic, partitions: [0], threads }));
    expect(sorted(roundRobinAssign(topics, order))).toEqual([
      ['Aa', [[0, 'g_a-0']]],
      ['BB', [[0, 'g_b-0']]],
    ]);
  });

  it('counts partitions and threads that are named twice once', () => {
    const topic = { topic: 't', partitions: [1, 0, 1], threads: ['g_a-0', 'g_b-0', 'g_a-0'] };
    const owners = roundRobinAssign([topic], order).get('t');
    expect([...(owners ?? [])]).toHaveLength(2);
    expect([...(owners?.values() ?? [])].sort()).toEqual(['g_a-0', 'g_b-0']);
  });

  it('gives nothing when there are no topics, no threads or no partitions', () => {
    expect(roundRobinAssign([], order)).toEqual(new Map());
    const empty = [
      { topic: 'a', partitions: [0, 1], threads: [] },
      { topic: 'b', partitions: [], threads: ['g_a-0'] },
    ];
    expect([...roundRobinAssign(empty, order).values()]).toEqual([new Map(), new Map()]);
  });
});

describe('roundRobinAssign', () => {
  const threads = (...names: string[]): string[] => names.map((name) => threadId(`g_${name}`, 0));
  const walk = (topics: TopicToAssign[], order: RoundRobinTextOrder): string[] =>
    [...roundRobinAssign(topics, order)].map(([, owners]) =>
      [...owners]
        .sort(([a], [b]) => a - b)
        .map(([, thread]) => thread.slice(2, -2))
        .join(''),
    );

  it('begins with another thread in the order of 1.0 than in that of 0.8', () => {
    const partitions = Array.from({ length: 12 }, (_, partition) => partition);
    const topic = { topic: 't12', partitions, threads: threads('1', '2', '3') };
    expect(walk([topic], '0.8')[0]?.slice(0, 4)).toBe('1231');
    expect(walk([topic], '1.0')[0]?.slice(0, 4)).toBe('3123');
  });

  it('goes on behind the thread that got the partition, not behind one that was passed over', () => {
    const topics = [
      { topic: 'a', partitions: [0], threads: threads('2') },
      { topic: 'b', partitions: [0, 1], threads: threads('1', '2', '3') },
    ];
    // In the order of the hashes: a-0, b-0, b-1.
    expect(walk(topics, '1.0')).toEqual(['2', '31']);
  });
});

describe('refusedByOldMembers', () => {
  const topic = (name: string, ...threads: string[]): TopicToAssign => ({
    topic: name,
    partitions: [0],
    threads,
  });

  it('names two topics that do not have the same threads, with partitions or without', () => {
    const topics = [
      topic('a', 'g_a-0'),
      topic('b', 'g_a-0'),
      { ...topic('c', 'g_a-0', 'g_a-1'), partitions: [] },
    ];
    expect(refusedByOldMembers(topics)).toBe('the topics "a" and "c" do not have the same threads');
  });

  it('does not look at the order of threads, nor at topics that nobody wants', () => {
    expect(
      refusedByOldMembers([topic('a', 'g_a-0', 'g_b-0'), topic('b'), topic('c', 'g_b-0', 'g_a-0')]),
    ).toBeNull();
  });

  it('says that there is no topic', () => {
    expect(refusedByOldMembers([])).toBe('no member wants any topic');
    expect(refusedByOldMembers([topic('a')])).toBe('no member wants any topic');
  });
});
