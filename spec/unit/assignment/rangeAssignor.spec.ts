import fc from 'fast-check';
import type { TopicToAssign } from '../../../lib/assignment/assignment';
import { GroupWants } from '../../../lib/assignment/GroupWants';
import { rangeAssign } from '../../../lib/assignment/rangeAssignor';
import { compareThreadIds, threadId } from '../../../lib/zookeeper/consumerId';
import type { Registration } from '../../../lib/zookeeper/registration';

const consumerIds = fc.uniqueArray(fc.stringMatching(/^g_[a-zA-Z0-9._-]{1,6}$/), {
  minLength: 1,
  maxLength: 6,
});
const partitionNumbers = fc.uniqueArray(fc.nat({ max: 200 }), { maxLength: 40 });
const threadIds = fc
  .tuple(consumerIds, fc.integer({ min: 1, max: 12 }))
  .map(([ids, streams]) => ids.flatMap((id) => Array.from({ length: streams }, (_, n) => threadId(id, n))));

const topics = ['a', 'b.x', 'c-y'];
const registrations = consumerIds.chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .tuple(
          fc.constantFrom('static', 'static', 'white_list', 'black_list'),
          fc.dictionary(fc.constantFrom(...topics), fc.integer({ min: 1, max: 4 })),
        )
        .map(([pattern, counts]): [string, Registration] => [
          id,
          { path: `/consumers/g/ids/${id}`, pattern, subscription: new Map(Object.entries(counts)) },
        ]),
    ),
  ),
);

const NEVER = new AbortController().signal;

const inputOf = (
  group: ReadonlyMap<string, Registration>,
  partitions: ReadonlyMap<string, readonly number[]>,
): Promise<TopicToAssign[]> => new GroupWants(group, [], NEVER).assignmentInput(partitions);

const assignOne = (partitions: readonly number[], threads: readonly string[]): Map<number, string> =>
  rangeAssign([{ topic: 't', partitions, threads }]).get('t') ?? new Map<number, string>();

describe('rangeAssign', () => {
  it('PartitionAssignorTest.testRangePartitionAssignor: gives each partition to exactly one of the threads', () => {
    fc.assert(
      fc.property(partitionNumbers, threadIds, (partitions, threads) => {
        const owners = assignOne(partitions, threads);
        expect([...owners.keys()].sort((a, b) => a - b)).toEqual([...partitions].sort((a, b) => a - b));
        expect([...owners.values()].every((thread) => threads.includes(thread))).toBe(true);
      }),
    );
  });

  it('gives each thread one run of partitions, in the order of the threads', () => {
    fc.assert(
      fc.property(partitionNumbers, threadIds, (partitions, threads) => {
        const owners = assignOne(partitions, threads);
        const walk = [...partitions].sort((a, b) => a - b).map((partition) => owners.get(partition) ?? '');
        expect(walk).toEqual([...walk].sort(compareThreadIds));
      }),
    );
  });

  it('gives no thread more than one partition more than another, the first ones having more', () => {
    fc.assert(
      fc.property(partitionNumbers, threadIds, (partitions, threads) => {
        const owners = [...assignOne(partitions, threads).values()];
        const counts = [...threads].sort(compareThreadIds).map((t) => owners.filter((o) => o === t).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        expect(counts).toEqual([...counts].sort((a, b) => b - a));
      }),
    );
  });

  it('does not depend on the order of partitions and threads', () => {
    const shuffled = fc
      .tuple(partitionNumbers, threadIds)
      .chain(([partitions, threads]) =>
        fc.tuple(
          fc.constant(assignOne(partitions, threads)),
          fc.shuffledSubarray(partitions, { minLength: partitions.length }),
          fc.shuffledSubarray(threads, { minLength: threads.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([expected, partitions, threads]) => {
        expect(new Map([...assignOne(partitions, threads)].sort())).toEqual(new Map([...expected].sort()));
      }),
    );
  });

  it('comes to the same result in each member, whatever order it has read the registrations in', async () => {
    const views = registrations.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.shuffledSubarray(topics),
      ),
    );
    await fc.assert(
      fc.asyncProperty(views, partitionNumbers, async ([all, reordered, subscribed], partitions) => {
        const everything = rangeAssign(
          await inputOf(new Map(all), new Map(topics.map((t) => [t, partitions]))),
        );
        const mine = rangeAssign(
          await inputOf(new Map(reordered), new Map(subscribed.map((t) => [t, partitions]))),
        );
        expect([...mine.keys()]).toEqual(subscribed);
        for (const [topic, owners] of mine) expect(owners).toEqual(everything.get(topic));
      }),
    );
  });

  it('counts partitions and threads that are named twice once', () => {
    expect(assignOne([0, 1, 1, 0], ['g_a-0', 'g_b-0', 'g_a-0'])).toEqual(
      new Map([
        [0, 'g_a-0'],
        [1, 'g_b-0'],
      ]),
    );
  });

  it('gives nothing when there are no threads or no partitions', () => {
    expect(assignOne([0, 1], [])).toEqual(new Map());
    expect(assignOne([], ['g_a-0'])).toEqual(new Map());
    expect(rangeAssign([])).toEqual(new Map());
  });

  it('takes thread 10 before thread 2, as the JVM members do', () => {
    const threads = Array.from({ length: 11 }, (_, n) => threadId('g_c', n));
    expect([...assignOne([0, 1, 2], threads).values()]).toEqual(['g_c-0', 'g_c-1', 'g_c-10']);
  });

  it('gives all of a topic to the only member that has subscribed to it (sarama-cluster#10)', async () => {
    const member = (path: string, topic: string): Registration => ({
      path,
      pattern: 'static',
      subscription: new Map([[topic, 1]]),
    });
    const group = new Map([
      ['g_c1', member('/consumers/g/ids/g_c1', 'A')],
      ['g_c2', member('/consumers/g/ids/g_c2', 'B')],
    ]);
    const partitions = new Map([
      ['A', [0, 1]],
      ['B', [0, 1]],
    ]);
    const assignment = rangeAssign(await inputOf(group, partitions));
    expect([...(assignment.get('A') ?? [])]).toEqual([
      [0, 'g_c1-0'],
      [1, 'g_c1-0'],
    ]);
    expect([...(assignment.get('B') ?? [])]).toEqual([
      [0, 'g_c2-0'],
      [1, 'g_c2-0'],
    ]);
  });
});
