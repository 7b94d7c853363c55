import { GroupCluster } from './support/GroupCluster';
import { stabilize, TestMember } from './support/TestMember';

describe('the first generation of a group', () => {
  it('waits for more members from 1.1 on', async () => {
    using cluster = new GroupCluster('1.1', { 'group.initial.rebalance.delay.ms': '50' });
    const members = [new TestMember(cluster), new TestMember(cluster)];
    const answers = await Promise.all(members.map((member) => member.join()));
    expect(answers.map(({ generationId }) => generationId)).toEqual([1, 1]);
    expect(answers[0]?.members).toHaveLength(2);
  });

  it('waits again as long as members come, but not beyond the rebalance timeout', async () => {
    using cluster = new GroupCluster('3.9', { 'group.initial.rebalance.delay.ms': '100' });
    const began = performance.now();
    const options = { rebalanceTimeoutMs: 150 };
    const members = [new TestMember(cluster, options), new TestMember(cluster, options)];
    await Promise.all(members.map((member) => member.join()));
    const tookMs = performance.now() - began;
    // 100 ms, and then the 50 ms that are left, as a second member has come.
    expect(tookMs).toBeGreaterThan(140);
  });

  it('begins at once up to 0.10.2', async () => {
    using cluster = new GroupCluster('0.10.2', { 'group.initial.rebalance.delay.ms': '60000' });
    expect(await new TestMember(cluster).join()).toMatchObject({ generationId: 1 });
  });
});

describe('MEMBER_ID_REQUIRED', () => {
  it('is what version 4 gives a new member with its id, which it joins with', async () => {
    using cluster = new GroupCluster('3.9');
    const member = new TestMember(cluster, { version: 4 });
    const answer = await member.join();
    expect(answer).toMatchObject({ errorCode: 79, generationId: -1, leader: '' });
    expect(answer.memberId).toMatch(/^client-/);
    expect(cluster.groups.describeGroup('g')).toMatchObject({ state: 'Empty', members: [] });
    expect(await member.join({ memberId: answer.memberId ?? '' })).toMatchObject({
      errorCode: 0,
      generationId: 1,
      memberId: answer.memberId,
    });
  });

  it('holds a rebalance up until the id is used, or its session is over', async () => {
    using cluster = new GroupCluster('3.9');
    const first = new TestMember(cluster);
    await stabilize(first);
    await new TestMember(cluster, { version: 4, sessionTimeoutMs: 60 }).join();
    const joining = first.join();
    expect(cluster.groups.describeGroup('g').state).toBe('PreparingRebalance');
    expect(await joining).toMatchObject({
      errorCode: 0,
      generationId: 2,
      members: [{ memberId: first.memberId }],
    });
  });
});
