import { heartbeatRoute } from '../../../../../lib/testing/kafka/groups/heartbeatRoute';
import { waitFor } from '../../../../support/waitFor';
import { GroupCluster } from './support/GroupCluster';
import { stabilize, TestMember } from './support/TestMember';

const WAIT = { timeoutMs: 5000, description: 'the group to get there', intervalMs: 2 };

describe('a group whose coordinator moves', () => {
  it('is served by the new leader alone, with all its members', async () => {
    using cluster = new GroupCluster('0.10.2');
    const member = new TestMember(cluster);
    await stabilize(member);
    cluster.moveCoordinator(2);
    expect(await member.heartbeat()).toBe(16);
    const { memberId, generationId } = member;
    const identity = { groupId: 'g', memberId, generationId, groupInstanceId: null };
    expect(await cluster.ask(heartbeatRoute, identity, { version: 0, broker: 2 })).toEqual({ errorCode: 0 });
    expect(cluster.groups.describeGroup('g')).toMatchObject({
      state: 'Stable',
      protocol: 'range',
      generation: 1,
      members: [{ memberId, metadata: Buffer.from('range'), assignment: Buffer.from(memberId) }],
    });
  });

  it('falls back to its last complete generation, and who waits hears NOT_COORDINATOR', async () => {
    using cluster = new GroupCluster('3.9');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    const joining = second.join();
    cluster.moveCoordinator(2);
    expect(cluster.groups.describeGroup('g')).toMatchObject({
      state: 'Stable',
      generation: 1,
      members: [{ memberId: first.memberId }],
    });
    expect(await joining).toMatchObject({ errorCode: 16, generationId: -1 });
  });

  it('tells at once who waits, without anybody asking', async () => {
    using cluster = new GroupCluster('3.9');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    const joining = second.join();
    cluster.moveCoordinator(2);
    expect(await joining).toMatchObject({ errorCode: 16 });
  });

  it('tells who waits for the assignment of a leader that is dead', async () => {
    using cluster = new GroupCluster('0.10.2');
    const leader = new TestMember(cluster, { sessionTimeoutMs: 20 });
    const second = new TestMember(cluster, { sessionTimeoutMs: 20 });
    await stabilize(leader);
    await Promise.all([second.join(), leader.join()]);
    const syncing = second.sync();
    cluster.moveCoordinator(2);
    expect(await syncing).toMatchObject({ errorCode: 16 });
    await waitFor(() => cluster.groups.describeGroup('g').state === 'Empty', WAIT);
  });

  it('tells who waits for the assignment, too', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await Promise.all([second.join(), first.join()]);
    const syncing = second.sync();
    cluster.moveCoordinator(2);
    expect(cluster.groups.describeGroup('g').generation).toBe(1);
    expect(await syncing).toMatchObject({ errorCode: 16, assignment: Buffer.alloc(0) });
  });

  it('is forgotten if it has never been complete', async () => {
    using cluster = new GroupCluster('0.10.2');
    await new TestMember(cluster).join();
    cluster.moveCoordinator(2);
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
  });

  it('keeps its leader', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await stabilize(second, first);
    cluster.moveCoordinator(1);
    const joining = second.join({ metadata: 'new' });
    expect(await first.join()).toMatchObject({ generationId: 3, leader: first.memberId });
    await joining;
  });

  it('loses nobody while no broker leads, and counts the sessions anew afterwards', async () => {
    using cluster = new GroupCluster('0.10.2');
    using measure = new GroupCluster('0.10.2');
    const member = new TestMember(cluster, { sessionTimeoutMs: 50 });
    await stabilize(member);
    cluster.moveCoordinator(-1);
    // A session of 100 ms in another cluster ends meanwhile, so that of 50 ms is over for certain.
    await stabilize(new TestMember(measure, { sessionTimeoutMs: 100 }));
    await waitFor(() => measure.groups.describeGroup('g').state === 'Empty', WAIT);
    cluster.moveCoordinator(1);
    expect(await member.heartbeat()).toBe(0);
    await waitFor(() => cluster.groups.describeGroup('g').state === 'Empty', WAIT);
  });

  it('is over with stop, and nobody hears anything more', async () => {
    const cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    const joining = second.join();
    cluster.groups.stop();
    await expect(joining).rejects.toThrow('no answer');
    expect(await first.heartbeat()).toBe(25);
  });
});
