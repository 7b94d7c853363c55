import { leaveGroupRoute } from '../../../../../lib/testing/kafka/groups/leaveGroupRoute';
import { syncGroupRoute } from '../../../../../lib/testing/kafka/groups/syncGroupRoute';
import { waitFor } from '../../../../support/waitFor';
import { GroupCluster } from './support/GroupCluster';
import { stabilize, TestMember } from './support/TestMember';

const WAIT = { timeoutMs: 5000, description: 'the group to get there', intervalMs: 2 };

/** A group of two in their second generation; the first leads. */
async function pair(cluster: GroupCluster, options = {}): Promise<[TestMember, TestMember]> {
  const [first, second] = [new TestMember(cluster, options), new TestMember(cluster, options)];
  await stabilize(first);
  await stabilize(second, first);
  return [first, second];
}

/** Both have joined, and nobody has sent SyncGroup. */
async function joinedPair(cluster: GroupCluster, options = {}): Promise<[TestMember, TestMember]> {
  const [first, second] = await pair(cluster, options);
  await Promise.all([second.join({ metadata: 'new' }), first.join()]);
  return [first, second];
}

describe('SyncGroup', () => {
  it('lets followers wait for the leader, and gives nothing to whom it leaves out', async () => {
    using cluster = new GroupCluster('3.9');
    const [first, second] = await joinedPair(cluster);
    const waiting = second.sync();
    expect(cluster.groups.describeGroup('g').state).toBe('CompletingRebalance');
    const ofFirst = await first.sync({ [first.memberId]: 'mine' });
    expect(ofFirst).toEqual({
      errorCode: 0,
      protocolType: 'consumer',
      protocolName: 'range',
      assignment: Buffer.from('mine'),
    });
    expect(await waiting).toMatchObject({ errorCode: 0, assignment: Buffer.alloc(0) });
    expect(cluster.groups.describeGroup('g').state).toBe('Stable');
  });

  it('gives the assignment again while the group is stable, whoever asks', async () => {
    using cluster = new GroupCluster('0.9');
    const [first, second] = await pair(cluster);
    expect((await second.sync()).assignment?.toString()).toBe(second.memberId);
    expect((await first.sync({ [first.memberId]: 'other' })).assignment?.toString()).toBe(first.memberId);
  });

  it('tells who waits of the next rebalance', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = await joinedPair(cluster);
    const waiting = second.sync();
    const joining = new TestMember(cluster).join();
    expect(await waiting).toMatchObject({ errorCode: 27, assignment: Buffer.alloc(0) });
    expect(await first.sync()).toMatchObject({ errorCode: 27 });
    await Promise.all([first.join(), second.join()]);
    expect(await joining).toMatchObject({ generationId: 4 });
  });

  it('refuses other generations, other members and other groups', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first] = await pair(cluster);
    expect(await first.sync({}, { generationId: 1 })).toMatchObject({ errorCode: 22 });
    expect(await first.sync({}, { memberId: 'who' })).toMatchObject({ errorCode: 25 });
    expect(await first.sync({}, { groupId: 'other' })).toMatchObject({ errorCode: 25 });
  });

  it('refuses the empty group in 3.9, and does not know it before', async () => {
    using last = new GroupCluster('3.9');
    expect(await new TestMember(last).sync({}, { groupId: '' })).toMatchObject({ errorCode: 24 });
    using earlier = new GroupCluster('1.1');
    expect(await new TestMember(earlier).sync({}, { groupId: '' })).toMatchObject({ errorCode: 25 });
  });

  it('wants the protocol of the group from version 5 on', async () => {
    using cluster = new GroupCluster('3.9');
    const member = new TestMember(cluster);
    await stabilize(member);
    const { memberId, generationId } = member;
    const ask = async (protocolType: string | null, protocolName: string | null) => {
      const identity = { groupId: 'g', memberId, generationId, groupInstanceId: null };
      const request = { ...identity, protocolType, protocolName, assignments: [] };
      return (await cluster.ask(syncGroupRoute, request, { version: 5 })).errorCode;
    };
    expect(await ask('consumer', 'range')).toBe(0);
    expect(await ask('consumer', null)).toBe(23);
    expect(await ask(null, 'range')).toBe(23);
    expect(await ask('connect', 'range')).toBe(23);
    expect(await ask('consumer', 'robin')).toBe(23);
  });

  it('removes in 3.9 who does not send it before the rebalance timeout', async () => {
    using cluster = new GroupCluster('3.9');
    const [first, second] = await joinedPair(cluster, { rebalanceTimeoutMs: 50 });
    await first.sync();
    await waitFor(() => cluster.groups.describeGroup('g').state === 'PreparingRebalance', WAIT);
    expect(await second.heartbeat()).toBe(25);
    expect(await first.heartbeat()).toBe(27);
  });
});

describe('Heartbeat', () => {
  it('hears of nothing while the group is stable, and of a rebalance when there is one', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = await pair(cluster);
    expect(await first.heartbeat()).toBe(0);
    expect(await first.heartbeat({ generationId: 1 })).toBe(22);
    expect(await first.heartbeat({ memberId: 'who' })).toBe(25);
    expect(await first.heartbeat({ groupId: 'other' })).toBe(25);
    const joining = second.join({ metadata: 'new' });
    expect(await first.heartbeat()).toBe(27);
    expect(await first.heartbeat({ generationId: 1 })).toBe(22);
    expect(await first.heartbeat({ memberId: 'who' })).toBe(25);
    await Promise.all([first.join(), joining]);
  });

  it.each([
    ['0.9', { known: 27, old: 27, stranger: 27 }],
    ['0.10.2', { known: 27, old: 27, stranger: 25 }],
    ['1.1', { known: 27, old: 27, stranger: 25 }],
    ['3.9', { known: 0, old: 22, stranger: 25 }],
  ] as const)('hears in %s while SyncGroup is awaited: %j', async (generation, expected) => {
    using cluster = new GroupCluster(generation);
    const [first] = await joinedPair(cluster);
    expect({
      known: await first.heartbeat(),
      old: await first.heartbeat({ generationId: 1 }),
      stranger: await first.heartbeat({ memberId: 'who' }),
    }).toEqual(expected);
  });

  it('keeps a member, and its silence ends it', async () => {
    using cluster = new GroupCluster('0.10.2');
    const lasting = new TestMember(cluster, { sessionTimeoutMs: 200 });
    const silent = new TestMember(cluster, { sessionTimeoutMs: 60 });
    await stabilize(lasting);
    await stabilize(silent, lasting);
    const heard = new Set<number | undefined>();
    await waitFor(async () => {
      heard.add(await lasting.heartbeat());
      return heard.has(27);
    }, WAIT);
    expect([...heard]).toEqual([0, 27]);
    expect(await lasting.join()).toMatchObject({ members: [{ memberId: lasting.memberId }] });
    expect(await silent.heartbeat()).toBe(25);
  });
});

describe('LeaveGroup', () => {
  it('makes the others join again, and another one the leader', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = await pair(cluster);
    expect(await first.leave()).toBe(0);
    expect(await second.heartbeat()).toBe(27);
    const answer = await second.join();
    expect(answer).toMatchObject({ generationId: 3, leader: second.memberId });
    expect(await first.leave()).toBe(25);
  });

  it('lets a rebalance go on that waits for the member alone', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = await pair(cluster);
    const joining = second.join({ metadata: 'new' });
    await first.leave();
    expect(await joining).toMatchObject({ generationId: 3, leader: second.memberId });
  });

  it('leaves an empty group with the next generation', async () => {
    using cluster = new GroupCluster('0.10.2');
    const member = new TestMember(cluster);
    await stabilize(member);
    await member.leave();
    expect(cluster.groups.describeGroup('g')).toMatchObject({ state: 'Empty', generation: 2, members: [] });
    expect(await new TestMember(cluster).join()).toMatchObject({ generationId: 3 });
  });

  it('forgets the group in 0.9', async () => {
    using cluster = new GroupCluster('0.9');
    const member = new TestMember(cluster);
    await stabilize(member);
    await member.leave();
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
    expect(await new TestMember(cluster).join()).toMatchObject({ generationId: 1 });
  });

  it('removes several members from version 3 on, each with its own code', async () => {
    using cluster = new GroupCluster('3.9');
    const [first, second] = await pair(cluster);
    const members = [first.memberId, 'who', second.memberId].map((memberId) => ({
      memberId,
      groupInstanceId: null,
      reason: 'over',
    }));
    const answer = await cluster.ask(
      leaveGroupRoute,
      { groupId: 'g', memberId: '', members },
      { version: 5 },
    );
    expect(answer.errorCode).toBe(0);
    expect(answer.members?.map(({ memberId, errorCode }) => [memberId, errorCode])).toEqual([
      [first.memberId, 0],
      ['who', 25],
      [second.memberId, 0],
    ]);
    expect(cluster.groups.describeGroup('g').state).toBe('Empty');
  });

  it('gives an id back that nobody has joined with', async () => {
    using cluster = new GroupCluster('3.9');
    const first = new TestMember(cluster);
    await stabilize(first);
    const second = new TestMember(cluster, { version: 4 });
    const { memberId = '' } = await second.join();
    const joining = first.join();
    second.memberId = memberId;
    expect(await second.leave()).toBe(0);
    expect(await joining).toMatchObject({ generationId: 2, members: [{ memberId: first.memberId }] });
  });

  it('answers a JoinGroup that waits with UNKNOWN_MEMBER_ID', async () => {
    using cluster = new GroupCluster('3.9');
    const [, second] = await pair(cluster);
    const joining = second.join({ metadata: 'new' });
    expect(await second.leave()).toBe(0);
    expect(await joining).toMatchObject({ errorCode: 25, memberId: '' });
  });
});
