import { waitFor } from '../../../../support/waitFor';
import { GroupCluster } from './support/GroupCluster';
import { commit, fetchOffsets } from './support/offsetRequests';
import { stabilize, TestMember } from './support/TestMember';

const REBALANCE = 27;

describe('a commit to a group', () => {
  it('without members is free for all clients without a generation', async () => {
    using cluster = new GroupCluster('0.10.2');
    expect(await commit(cluster, { 0: 5 }, { generationId: 1 })).toEqual({ 0: 22 });
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
    expect(await commit(cluster, { 0: 5 }, { memberId: 'who' })).toEqual({ 0: 0 });
    expect(cluster.groups.describeGroup('g').state).toBe('Empty');
    expect(await commit(cluster, { 0: 5 }, { generationId: 1 })).toEqual({ 0: 25 });
  });

  it('does not make one that stays in 0.9', async () => {
    using cluster = new GroupCluster('0.9');
    await commit(cluster, { 0: 5 });
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
    expect(await commit(cluster, { 0: 5 }, { generationId: 1 })).toEqual({ 0: 22 });
  });

  it.each(['0.9', '0.10.2', '1.1', '3.9'] as const)(
    'with members is for them alone in %s',
    async (generation) => {
      using cluster = new GroupCluster(generation);
      const member = new TestMember(cluster);
      await member.join();
      const { memberId, generationId } = member;
      expect(await commit(cluster, { 0: 4 }, { memberId, generationId })).toEqual({ 0: REBALANCE });
      // Earlier releases do not look who it is.
      expect(await commit(cluster, { 0: 4 })).toEqual({ 0: generation === '3.9' ? 25 : REBALANCE });
      await member.sync();
      expect(await commit(cluster, { 0: 5 }, { memberId, generationId })).toEqual({ 0: 0 });
      expect(await commit(cluster, { 0: 6 })).toEqual({ 0: 25 });
      expect(await commit(cluster, { 0: 7 }, { memberId: 'who', generationId })).toEqual({ 0: 25 });
      expect(await commit(cluster, { 0: 8 }, { memberId, generationId: 9 })).toEqual({ 0: 22 });
      expect(await fetchOffsets(cluster, [0])).toEqual([[5, 'note', 0]]);
    },
  );

  it('goes on while members are called to the next generation', async () => {
    using cluster = new GroupCluster('0.10.2');
    const member = new TestMember(cluster);
    await stabilize(member);
    const { memberId, generationId } = member;
    const joining = new TestMember(cluster).join();
    expect(await commit(cluster, { 0: 5 }, { memberId, generationId })).toEqual({ 0: 0 });
    await member.join();
    await joining;
  });

  it('is a sign of life', async () => {
    using cluster = new GroupCluster('0.10.2');
    const lasting = new TestMember(cluster, { sessionTimeoutMs: 200 });
    await stabilize(lasting);
    await stabilize(new TestMember(cluster, { sessionTimeoutMs: 400 }), lasting);
    const { memberId, generationId } = lasting;
    await waitFor(
      async () => {
        expect(await commit(cluster, { 0: 5 }, { memberId, generationId })).toEqual({ 0: 0 });
        return cluster.groups.describeGroup('g').state === 'PreparingRebalance';
      },
      { timeoutMs: 5000, description: 'the other member to be missed', intervalMs: 10 },
    );
    expect(await lasting.heartbeat()).toBe(REBALANCE);
  });

  it('of a static member is fenced off by its later life', async () => {
    using cluster = new GroupCluster('3.9');
    const options = { version: 5, groupInstanceId: 'one' };
    const former = new TestMember(cluster, options);
    await stabilize(former);
    await new TestMember(cluster, options).join();
    const { memberId, generationId } = former;
    const identity = { memberId, generationId, groupInstanceId: 'one' };
    expect(await commit(cluster, { 0: 5 }, { ...identity, version: 7 })).toEqual({ 0: 82 });
  });

  it('with topics that do not exist stores the others', async () => {
    using cluster = new GroupCluster('3.9');
    expect(await commit(cluster, { 0: 5, 9: 5 })).toEqual({ 0: 0, 9: 3 });
    expect(await fetchOffsets(cluster, [0, 9])).toEqual([
      [5, 'note', 0],
      [-1, '', 0],
    ]);
  });

  it('leaves no group behind if it has nothing that exists', async () => {
    using cluster = new GroupCluster('3.9');
    await commit(cluster, { 0: 5 }, { topic: 'missing' });
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
  });
});
