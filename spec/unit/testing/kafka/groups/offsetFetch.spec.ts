import { offsetFetchRoute } from '../../../../../lib/testing/kafka/groups/offsetFetchRoute';
import { GroupCluster } from './support/GroupCluster';
import { commit } from './support/offsetRequests';

describe('OffsetFetch', () => {
  const request = { groupId: 'g', groups: [], requireStable: false };

  it('without topics finds all that is stored from version 2 on', async () => {
    using cluster = new GroupCluster('0.10.2');
    await commit(cluster, { 0: 5, 1: 6 });
    const answer = await cluster.ask(offsetFetchRoute, { ...request, topics: null }, { version: 2 });
    expect(answer).toMatchObject({
      errorCode: 0,
      topics: [
        { name: 't', partitions: [{ partitionIndex: 0, committedOffset: 5 }, { committedOffset: 6 }] },
      ],
    });
  });

  it('with an empty list of topics finds all in 0.9, and nothing elsewhere', async () => {
    for (const [generation, count] of [
      ['0.8', 0],
      ['0.9', 1],
      ['0.10.2', 0],
      ['3.9', 0],
    ] as const) {
      using cluster = new GroupCluster(generation);
      await commit(cluster, { 0: 5 });
      const { topics } = await cluster.ask(offsetFetchRoute, { ...request, topics: [] }, { version: 1 });
      expect(topics).toHaveLength(count);
    }
  });

  it('has one error for the whole group from version 2 on', async () => {
    using cluster = new GroupCluster('0.10.2');
    const topics = [{ name: 't', partitionIndexes: [0] }];
    const answer = await cluster.ask(offsetFetchRoute, { ...request, topics }, { version: 2, broker: 2 });
    expect(answer).toEqual({ errorCode: 16, topics: [] });
  });

  it('asks for several groups from version 8 on', async () => {
    using cluster = new GroupCluster('3.9');
    await commit(cluster, { 0: 5 }, { version: 6 });
    const groups = ['g', 'other'].map((groupId) => ({
      groupId,
      memberId: null,
      memberEpoch: -1,
      topics: groupId === 'g' ? null : [{ name: 't', partitionIndexes: [1] }],
    }));
    const answer = await cluster.ask(offsetFetchRoute, { ...request, topics: null, groups }, { version: 8 });
    expect(answer.groups).toEqual([
      {
        groupId: 'g',
        errorCode: 0,
        topics: [
          {
            name: 't',
            partitions: [
              {
                partitionIndex: 0,
                committedOffset: 5,
                committedLeaderEpoch: 4,
                metadata: 'note',
                errorCode: 0,
              },
            ],
          },
        ],
      },
      {
        groupId: 'other',
        errorCode: 0,
        topics: [
          {
            name: 't',
            partitions: [
              {
                partitionIndex: 1,
                committedOffset: -1,
                committedLeaderEpoch: -1,
                metadata: '',
                errorCode: 0,
              },
            ],
          },
        ],
      },
    ]);
  });
});
