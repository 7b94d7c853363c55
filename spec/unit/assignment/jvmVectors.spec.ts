import { assignmentInput } from '../../../lib/assignment/assignmentInput';
import { rangeAssign } from '../../../lib/assignment/rangeAssignor';
import { consumerIdString } from '../../../lib/zookeeper/consumerId';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { decodeRegistration } from '../../../lib/zookeeper/registration';
import fixture from '../../fixtures/assignor-vectors.json';

type Owners = Readonly<Record<string, string>>;

const topicSizes: Readonly<Record<string, number>> = fixture.topics;
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = fixture.groups;
const expected: Readonly<
  Record<string, { readonly range: Readonly<Record<string, Readonly<Record<string, Owners>>>> }>
> = fixture.expected;

const vectors = Object.entries(expected).flatMap(([group, { range }]) =>
  Object.entries(range).map(([version, assignment]) => ({ group, version, assignment })),
);

function rangeOf(group: string): Record<string, Owners> {
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
  const assignment = rangeAssign(assignmentInput(partitions, registrations));
  const wanted = [...assignment].filter(([, owners]) => owners.size > 0);
  return Object.fromEntries(wanted.map(([topic, owners]) => [topic, Object.fromEntries(owners)]));
}

describe('The range assignments of the JVM classes', () => {
  it('are all in the fixture, wildcard groups too', () => {
    expect(vectors).toHaveLength(30);
    expect(Object.values(groups).flatMap(Object.values).join()).toContain('white_list');
  });

  it.each(vectors)('are made for the group $group as by version $version', ({ group, assignment }) => {
    expect(rangeOf(group)).toEqual(assignment);
  });
});
