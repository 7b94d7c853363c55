import { leaveGroupRoute } from '../../../../../lib/testing/kafka/groups/leaveGroupRoute';
import { waitFor } from '../../../../support/waitFor';
import { GroupCluster } from './support/GroupCluster';
import { stabilize, TestMember } from './support/TestMember';

const STATIC = { version: 5, groupInstanceId: 'one' };
const WAIT = { timeoutMs: 5000, description: 'the group to get there', intervalMs: 2 };

describe('a static member', () => {
  it('gets an id from its name, without MEMBER_ID_REQUIRED', async () => {
    using cluster = new GroupCluster('3.9');
    const answer = await new TestMember(cluster, STATIC).join();
    expect(answer).toMatchObject({ errorCode: 0, generationId: 1, members: [{ groupInstanceId: 'one' }] });
    expect(answer.memberId).toMatch(/^one-/);
  });

  it('comes back to its assignment without a rebalance, and fences its former life off', async () => {
    using cluster = new GroupCluster('3.9');
    const former = new TestMember(cluster, STATIC);
    const other = new TestMember(cluster);
    await stabilize(other);
    await stabilize(former, other);
    const again = new TestMember(cluster, STATIC);
    const answer = await again.join();
    expect(answer).toMatchObject({ errorCode: 0, generationId: 2, leader: other.memberId, members: [] });
    expect(answer.memberId).not.toBe(former.memberId);
    expect((await again.sync()).assignment?.toString()).toBe(former.memberId);
    expect(await other.heartbeat()).toBe(0);
    expect(await again.heartbeat()).toBe(0);
    expect(await former.heartbeat()).toBe(82);
    expect(await former.join()).toMatchObject({ errorCode: 82, memberId: former.memberId });
    expect(await former.sync()).toMatchObject({ errorCode: 82 });
    expect(await former.heartbeat({ groupInstanceId: null })).toBe(25);
    expect(await again.heartbeat({ groupInstanceId: 'two' })).toBe(25);
  });

  it('does not hear before version 9 that it leads, so that it assigns nothing', async () => {
    using cluster = new GroupCluster('3.9');
    const former = new TestMember(cluster, STATIC);
    await stabilize(former);
    const again = new TestMember(cluster, STATIC);
    expect(await again.join()).toMatchObject({ leader: former.memberId, members: [], skipAssignment: false });
  });

  it('hears from version 9 on that it leads, and that it has nothing to assign', async () => {
    using cluster = new GroupCluster('3.9');
    await stabilize(new TestMember(cluster, STATIC));
    const again = new TestMember(cluster, { ...STATIC, version: 9 });
    const answer = await again.join();
    expect(answer).toMatchObject({ leader: again.memberId, skipAssignment: true });
    expect(answer.members).toMatchObject([{ memberId: again.memberId, groupInstanceId: 'one' }]);
  });

  it('begins a rebalance when it comes back with another protocol', async () => {
    using cluster = new GroupCluster('3.9');
    await stabilize(new TestMember(cluster, { ...STATIC, protocols: ['range', 'robin'] }));
    const again = new TestMember(cluster, { ...STATIC, protocols: ['robin', 'range'] });
    expect(await again.join()).toMatchObject({
      generationId: 2,
      protocolName: 'robin',
      leader: again.memberId,
    });
  });

  it('begins a rebalance when it comes back before the assignment', async () => {
    using cluster = new GroupCluster('3.9');
    await new TestMember(cluster, STATIC).join();
    expect(await new TestMember(cluster, STATIC).join()).toMatchObject({ generationId: 2 });
  });

  it('fences off a JoinGroup and a SyncGroup that wait', async () => {
    using cluster = new GroupCluster('3.9');
    const leader = new TestMember(cluster);
    const former = new TestMember(cluster, STATIC);
    await stabilize(leader);
    const joining = former.join();
    const again = new TestMember(cluster, STATIC);
    const joiningAgain = again.join();
    expect(await joining).toMatchObject({ errorCode: 82 });
    await Promise.all([leader.join(), joiningAgain]);
    const syncing = again.sync();
    const last = new TestMember(cluster, STATIC);
    const joiningLast = last.join();
    expect(await syncing).toMatchObject({ errorCode: 82 });
    await Promise.all([joiningLast, leader.join()]);
    expect(last.generationId).toBe(3);
  });

  it('stays over a rebalance that it misses, until its session ends', async () => {
    using cluster = new GroupCluster('3.9');
    const options = { sessionTimeoutMs: 200, rebalanceTimeoutMs: 40 };
    const leader = new TestMember(cluster, { ...STATIC, ...options });
    await stabilize(leader);
    const other = new TestMember(cluster, { ...options, sessionTimeoutMs: 10_000 });
    const answer = await other.join();
    expect(answer).toMatchObject({ generationId: 2, leader: other.memberId });
    expect(answer.members).toHaveLength(2);
    await other.sync();
    await waitFor(() => cluster.groups.describeGroup('g').state === 'PreparingRebalance', WAIT);
    expect((await other.join()).members).toHaveLength(1);
  });

  it('is awaited, though nobody else is there, until its session ends', async () => {
    using cluster = new GroupCluster('3.9');
    const alone = new TestMember(cluster, { ...STATIC, sessionTimeoutMs: 120, rebalanceTimeoutMs: 30 });
    await stabilize(alone);
    const other = new TestMember(cluster, { version: 4, rebalanceTimeoutMs: 30 });
    const { memberId = '' } = await other.join();
    const joining = other.join({ memberId });
    other.memberId = memberId;
    await other.leave();
    expect(await joining).toMatchObject({ errorCode: 25 });
    expect(cluster.groups.describeGroup('g')).toMatchObject({ state: 'PreparingRebalance', generation: 1 });
    await waitFor(() => cluster.groups.describeGroup('g').state === 'Empty', WAIT);
    expect(cluster.groups.describeGroup('g').generation).toBe(2);
  });

  it('is removed by its name alone', async () => {
    using cluster = new GroupCluster('3.9');
    await stabilize(new TestMember(cluster, STATIC));
    const members = ['one', 'one'].map((groupInstanceId) => ({
      memberId: '',
      groupInstanceId,
      reason: null,
    }));
    const answer = await cluster.ask(
      leaveGroupRoute,
      { groupId: 'g', memberId: '', members },
      { version: 5 },
    );
    expect(answer.members?.map(({ errorCode }) => errorCode)).toEqual([0, 25]);
  });

  it('is not removed by a member id of its former life', async () => {
    using cluster = new GroupCluster('3.9');
    const former = new TestMember(cluster, STATIC);
    await stabilize(former);
    const again = new TestMember(cluster, STATIC);
    await again.join();
    expect(await former.leave()).toBe(82);
    expect(await again.leave()).toBe(0);
  });
});
