import { waitFor } from '../../../../support/waitFor';
import { GroupCluster } from './support/GroupCluster';
import { memberIds, stabilize, TestMember } from './support/TestMember';

const WAIT = { timeoutMs: 5000, description: 'the group to get there', intervalMs: 2 };

describe('JoinGroup', () => {
  it('makes the first member the leader of generation 1, with an id from its client id', async () => {
    using cluster = new GroupCluster('0.10.2');
    const answer = await new TestMember(cluster, { clientId: 'app' }).join();
    expect(answer).toMatchObject({
      errorCode: 0,
      generationId: 1,
      protocolType: 'consumer',
      protocolName: 'range',
    });
    expect(answer.memberId).toMatch(
      /^app-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(answer.leader).toBe(answer.memberId);
    expect(answer.members).toEqual([
      { memberId: answer.memberId, groupInstanceId: null, metadata: Buffer.from('range') },
    ]);
  });

  it('draws the same ids for the same seed, and others for each member', async () => {
    using cluster = new GroupCluster('0.10.2');
    using twin = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await stabilize(second, first);
    expect((await new TestMember(twin).join()).memberId).toBe(first.memberId);
    expect(second.memberId).not.toBe(first.memberId);
  });

  it('answers when all members have joined, and tells the leader alone who they are', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    const joining = second.join();
    expect(cluster.groups.describeGroup('g').state).toBe('PreparingRebalance');
    expect(await first.heartbeat()).toBe(27);
    const [ofFirst, ofSecond] = await Promise.all([first.join(), joining]);
    expect(ofFirst).toMatchObject({ generationId: 2, leader: first.memberId });
    expect(memberIds(ofFirst)).toEqual([first.memberId, second.memberId]);
    expect(ofSecond).toMatchObject({ generationId: 2, leader: first.memberId, members: [] });
  });

  it('removes who has not joined again when the rebalance timeout is over', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [
      new TestMember(cluster, { rebalanceTimeoutMs: 40 }),
      new TestMember(cluster, { rebalanceTimeoutMs: 40 }),
    ];
    await stabilize(first);
    const answer = await second.join();
    expect(answer).toMatchObject({ generationId: 2, leader: second.memberId });
    expect(memberIds(answer)).toEqual([second.memberId]);
    expect(await first.heartbeat()).toBe(25);
  });

  it('waits for version 0 as long as the longest session', async () => {
    using cluster = new GroupCluster('0.9');
    const patient = { version: 0, sessionTimeoutMs: 60, rebalanceTimeoutMs: -1 };
    const [first, second] = [new TestMember(cluster, patient), new TestMember(cluster, patient)];
    await first.join();
    await first.sync();
    const keepAlive = setInterval(() => void first.heartbeat(), 10);
    try {
      const answer = await second.join();
      expect(answer).toMatchObject({ errorCode: 0, generationId: 2 });
      expect(memberIds(answer)).toEqual([second.memberId]);
    } finally {
      clearInterval(keepAlive);
    }
  });

  it('elects the protocol that most members like best of those that all know', async () => {
    using cluster = new GroupCluster('0.10.2');
    const first = new TestMember(cluster, { protocols: ['sticky', 'range', 'robin'] });
    const members = [
      new TestMember(cluster, { protocols: ['robin', 'range'] }),
      new TestMember(cluster, { protocols: ['range', 'robin', 'other'] }),
      new TestMember(cluster, { protocols: ['robin', 'range'] }),
      first,
    ];
    await first.join();
    const answers = await Promise.all(members.map((member) => member.join()));
    // The first votes for range, as not all know sticky: two against two, and range was voted for first.
    expect(answers.map(({ protocolName }) => protocolName)).toEqual(Array(4).fill('range'));
    const decisive = new TestMember(cluster, { protocols: ['robin', 'range'] });
    const again = await Promise.all([decisive, ...members].map((member) => member.join()));
    expect(again.map(({ protocolName }) => protocolName)).toEqual(Array(5).fill('robin'));
    expect(again.at(-1)?.members?.map(({ metadata }) => metadata?.toString())).toEqual(
      Array(5).fill('robin'),
    );
  });

  it('refuses a member that has no protocol in common with the others, or another type', async () => {
    using cluster = new GroupCluster('1.1');
    const member = new TestMember(cluster, { protocols: ['range', 'robin'] });
    await stabilize(member);
    const stranger = new TestMember(cluster);
    expect(await stranger.join({ protocols: ['sticky'] })).toMatchObject({ errorCode: 23, generationId: 0 });
    expect(await stranger.join({ protocolType: 'connect' })).toMatchObject({ errorCode: 23 });
    expect(await stranger.join({ protocols: [] })).toMatchObject({ errorCode: 23 });
    expect(await member.heartbeat()).toBe(0);
  });

  it('refuses the first member of a group that names no protocol', async () => {
    using cluster = new GroupCluster('3.9');
    const refused = { errorCode: 23, generationId: -1, memberId: '', leader: '', members: [] };
    expect(await new TestMember(cluster).join({ protocols: [] })).toMatchObject(refused);
    expect(await new TestMember(cluster).join({ protocolType: '' })).toMatchObject(refused);
  });

  it('refuses sessions outside of the limits, ids that are not known, and the empty group', async () => {
    using cluster = new GroupCluster('0.10.2', {
      'group.min.session.timeout.ms': '100',
      'group.max.session.timeout.ms': '200',
    });
    const member = new TestMember(cluster);
    expect(await member.join({ sessionTimeoutMs: 99 })).toMatchObject({ errorCode: 26 });
    expect(await member.join({ sessionTimeoutMs: 201 })).toMatchObject({ errorCode: 26 });
    expect(await member.join({ sessionTimeoutMs: 100, memberId: 'who' })).toMatchObject({
      errorCode: 25,
      memberId: 'who',
    });
    expect(cluster.groups.describeGroup('g').state).toBe('Dead');
    expect(await member.join({ sessionTimeoutMs: 100 })).toMatchObject({ errorCode: 0 });
    expect(await member.join({ sessionTimeoutMs: 100, memberId: 'who' })).toMatchObject({ errorCode: 25 });
  });

  it('refuses at a broker that does not coordinate the group', async () => {
    using cluster = new GroupCluster('0.10.2');
    expect(await new TestMember(cluster).join({ broker: 2 })).toMatchObject({ errorCode: 16 });
  });

  it('gives a follower that has nothing new its generation again, but a leader the next one', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await stabilize(second, first);
    const answer = await second.join();
    expect(answer).toMatchObject({ errorCode: 0, generationId: 2, leader: first.memberId, members: [] });
    expect(cluster.groups.describeGroup('g').state).toBe('Stable');
    const joining = first.join();
    expect(cluster.groups.describeGroup('g').state).toBe('PreparingRebalance');
    await second.join();
    expect(await joining).toMatchObject({ generationId: 3 });
  });

  it('begins a rebalance for a follower with new metadata', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await stabilize(second, first);
    const joining = second.join({ metadata: 'other topics' });
    expect(await first.heartbeat()).toBe(27);
    const ofLeader = await first.join();
    await joining;
    expect(ofLeader.members?.map(({ metadata }) => metadata?.toString())).toEqual(['range', 'other topics']);
  });

  it('repeats its answer while the assignment is awaited', async () => {
    using cluster = new GroupCluster('0.10.2');
    const member = new TestMember(cluster);
    const answer = await member.join();
    expect(await member.join()).toEqual(answer);
  });

  it('answers the earlier of two requests of a member with nothing', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster)];
    await stabilize(first);
    await stabilize(second, first);
    const earlier = second.join({ metadata: 'new' });
    const later = second.join({ metadata: 'newer' });
    await expect(earlier).rejects.toThrow('no answer');
    const ofLeader = await first.join();
    expect(await later).toMatchObject({ generationId: 3 });
    expect(ofLeader.members?.[1]?.metadata?.toString()).toBe('newer');
  });

  it('lets a member wait for longer than its session', async () => {
    using cluster = new GroupCluster('0.10.2');
    const [first, second] = [new TestMember(cluster), new TestMember(cluster, { sessionTimeoutMs: 30 })];
    await stabilize(first);
    const joining = second.join();
    // Another session of 60 ms ends meanwhile, so that of 30 ms is over for certain.
    using other = new GroupCluster('0.10.2');
    const measure = new TestMember(other, { sessionTimeoutMs: 60 });
    await stabilize(measure);
    await waitFor(() => other.groups.describeGroup('g').state === 'Empty', WAIT);
    await first.join();
    expect(await joining).toMatchObject({ errorCode: 0, generationId: 2 });
  });
});
