import { describeGroupsRoute } from '../../../../../lib/testing/kafka/groups/describeGroupsRoute';
import { listGroupsRoute } from '../../../../../lib/testing/kafka/groups/listGroupsRoute';
import { GroupCluster } from './support/GroupCluster';
import { commit } from './support/offsetRequests';
import { stabilize, TestMember } from './support/TestMember';

function describing(...groups: readonly string[]) {
  return { groups, includeAuthorizedOperations: false };
}

describe('DescribeGroups', () => {
  it('tells what members have and what they know, while the group is stable', async () => {
    using cluster = new GroupCluster('1.1');
    const member = new TestMember(cluster, { clientId: 'app', metadata: 'topics' });
    await stabilize(member);
    const answer = await cluster.ask(describeGroupsRoute, describing('g', 'other'), { version: 0 });
    expect(answer.groups).toEqual([
      {
        errorCode: 0,
        groupId: 'g',
        groupState: 'Stable',
        protocolType: 'consumer',
        protocolData: 'range',
        members: [
          {
            memberId: member.memberId,
            groupInstanceId: null,
            clientId: 'app',
            clientHost: '/127.0.0.1',
            memberMetadata: Buffer.from('topics'),
            memberAssignment: Buffer.from(member.memberId),
          },
        ],
      },
      { errorCode: 0, groupId: 'other', groupState: 'Dead', protocolType: '', protocolData: '', members: [] },
    ]);
  });

  it.each([
    ['0.10.2', 'AwaitingSync'],
    ['1.1', 'CompletingRebalance'],
  ] as const)('of %s calls a group that waits for its leader %s', async (generation, groupState) => {
    using cluster = new GroupCluster(generation);
    await new TestMember(cluster).join();
    const answer = await cluster.ask(describeGroupsRoute, describing('g'), { version: 0 });
    expect(answer.groups).toMatchObject([
      { groupState, protocolData: '', members: [{ memberMetadata: Buffer.alloc(0) }] },
    ]);
  });

  it('refuses at a broker that does not coordinate the group', async () => {
    using cluster = new GroupCluster('1.1');
    const answer = await cluster.ask(describeGroupsRoute, describing('g'), { version: 0, broker: 2 });
    expect(answer.groups).toEqual([{ errorCode: 16, groupId: 'g' }]);
  });
});

describe('ListGroups', () => {
  it('lists the groups of the broker', async () => {
    using cluster = new GroupCluster('1.1');
    await stabilize(new TestMember(cluster));
    await commit(cluster, { 0: 5 }, { group: 'other' });
    const all = { statesFilter: [], typesFilter: [] };
    const { groups } = await cluster.ask(listGroupsRoute, all, { version: 0 });
    expect(groups?.map(({ groupId, protocolType }) => [groupId, protocolType])).toEqual([
      ['g', 'consumer'],
      ['other', ''],
    ]);
    expect((await cluster.ask(listGroupsRoute, all, { version: 0, broker: 2 })).groups).toEqual([]);
  });

  it('chooses by state and type, in whatever case', async () => {
    using cluster = new GroupCluster('3.9');
    await stabilize(new TestMember(cluster));
    await commit(cluster, { 0: 5 }, { group: 'other' });
    const list = async (statesFilter: readonly string[], typesFilter: readonly string[] = []) => {
      const { groups = [] } = await cluster.ask(
        listGroupsRoute,
        { statesFilter, typesFilter },
        { version: 5 },
      );
      return groups.map(({ groupId }) => groupId);
    };
    expect(await list(['stable'])).toEqual(['g']);
    expect(await list(['Empty', 'Dead'])).toEqual(['other']);
    expect(await list([], ['Classic'])).toEqual(['g', 'other']);
    expect(await list([], ['consumer'])).toEqual([]);
  });
});
