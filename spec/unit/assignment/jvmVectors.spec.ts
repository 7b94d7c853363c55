import type { Assignment, TopicToAssign } from '../../../lib/assignment/assignment';
import { GroupWants } from '../../../lib/assignment/GroupWants';
import { rangeAssign } from '../../../lib/assignment/rangeAssignor';
import { refusedByOldMembers, roundRobinAssign } from '../../../lib/assignment/roundRobinAssignor';
import { consumerIdString } from '../../../lib/zookeeper/consumerId';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { decodeRegistration } from '../../../lib/zookeeper/registration';
import fixture from '../../fixtures/assignor-vectors.json';

type Owners = Readonly<Record<string, string>>;
type Strategy = 'range' | 'roundrobin';
type Release = '0.8' | '0.10' | '1.1';

/** What the JVM's class made of a group: the owners of each topic, or its error. */
type Made = Readonly<Record<string, Owners>> | { readonly error: string };

interface Vector {
  readonly group: string;
  readonly release: Release;
  readonly made: Made;
}

const topicSizes: Readonly<Record<string, number>> = fixture.topics;
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = fixture.groups;
const expected: Readonly<Record<string, Readonly<Record<Strategy, Readonly<Record<Release, Made>>>>>> =
  fixture.expected;

/** Groups with the topics "Aa" and "BB", whose texts have the same hashes: 0.8.2 takes BB first, later releases Aa. */
const WITH_EQUAL_HASHES: readonly string[] = ['v07', 'v08'];

function vectorsOf(strategy: Strategy): Vector[] {
  const releases: readonly Release[] = ['0.8', '0.10', '1.1'];
  return Object.entries(expected).flatMap(([group, made]) =>
    releases.map((release) => ({ group, release, made: made[strategy][release] })),
  );
}

function inputOf(group: string): Promise<TopicToAssign[]> {
  const paths = new GroupPaths(group);
  const registrations = new Map(
    Object.entries(groups[group] ?? {}).map(([member, text]) => {
      const id = consumerIdString(group, member);
      return [id, decodeRegistration(Buffer.from(text), paths.id(id))] as const;
    }),
  );
  const partitions = new Map(
    Object.entries(topicSizes).map(([topic, size]) => [topic, Array.from({ length: size }, (_, p) => p)]),
  );
  return new GroupWants(registrations, [], new AbortController().signal).assignmentInput(partitions);
}

function asMade(assignment: Assignment): Record<string, Owners> {
  const wanted = [...assignment].filter(([, owners]) => owners.size > 0);
  return Object.fromEntries(wanted.map(([topic, owners]) => [topic, Object.fromEntries(owners)]));
}

const roundRobin = vectorsOf('roundrobin');
const refused = roundRobin.filter(({ made }) => 'error' in made);

describe('The range assignments of the JVM classes', () => {
  const vectors = vectorsOf('range');

  it('are all in the fixture, wildcard groups too', () => {
    expect(vectors).toHaveLength(30);
    expect(Object.values(groups).flatMap(Object.values).join()).toContain('white_list');
  });

  it.each(vectors)('are made for the group $group as by release $release', async ({ group, made }) => {
    expect(asMade(rangeAssign(await inputOf(group)))).toEqual(made);
  });
});

describe('The roundrobin assignments of the JVM classes', () => {
  const isTie = ({ group, release }: Vector): boolean =>
    release === '0.8' && WITH_EQUAL_HASHES.includes(group);
  const made = roundRobin.filter((vector) => !refused.includes(vector));

  it.each(made.filter((vector) => !isTie(vector)))(
    'are made for the group $group as by release $release',
    async ({ group, release, made: owners }) => {
      const assignment = roundRobinAssign(await inputOf(group), release === '1.1' ? '1.0' : '0.8');
      expect(asMade(assignment)).toEqual(owners);
    },
  );

  it.each(made.filter(isTie))(
    'differ for the group $group of release $release in nothing but the topics with equal hashes',
    async ({ group, made: owners }) => {
      const { Aa, BB, ...others } = asMade(roundRobinAssign(await inputOf(group), '0.8'));
      expect({ ...others, Aa: BB, BB: Aa }).toEqual(owners);
    },
  );

  it('are refused by release 0.8 for the groups that old members are known to refuse, and by no other one', async () => {
    expect(refused.every(({ release }) => release === '0.8')).toBe(true);
    const known: string[] = [];
    for (const group of Object.keys(groups)) {
      if (refusedByOldMembers(await inputOf(group)) !== null) known.push(group);
    }
    expect(known).toEqual(refused.map(({ group }) => group));
    expect(known).toEqual(['v05', 'v11', 'v15']);
  });
});
