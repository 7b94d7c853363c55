import { waitFor } from '../../../support/waitFor';
import { textOf, type Fields } from '../definitions/messageDefinition';
import { assignmentsOf, GroupStage, joinFields, protocolsOf } from '../GroupStage';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { createTopic } from '../topics';

/** From here on a member without an id is told one, and has to come again with it. */
const ID_REQUIRED_VERSION = 4;
/** From here on several members leave at once. */
const MEMBERS_VERSION = 3;
const REBALANCE_IN_PROGRESS = 27;
const LIMIT_MS = 5000;
/** Until those who have not joined again are left behind. */
const SHORT_REBALANCE_MS = 400;
const TOPIC = 'groups';

/** The versions of one run: those that a client of that time would use together. */
interface Versions {
  readonly join: number;
  readonly sync: number;
  readonly heartbeat: number;
  readonly leave: number;
  readonly commit: number;
}

async function run(stage: Stage): Promise<void> {
  if (stage.versions('JoinGroup').length === 0) return;
  await createTopic(stage, TOPIC);
  for (const join of stage.versions('JoinGroup')) {
    const versions = {
      join,
      sync: Math.min(join, stage.newest('SyncGroup')),
      heartbeat: Math.min(join, stage.newest('Heartbeat')),
      leave: Math.min(join, stage.newest('LeaveGroup')),
      commit: Math.min(join + 1, stage.newest('OffsetCommit')),
    };
    const group = await GroupStage.open(stage, `group-${join}`);
    const a = await alone(group, versions);
    await commits(group, versions, a);
    const b = await together(group, versions, a);
    await described(stage, group);
    await listed(stage, group);
    await apart(group, versions, a, b);
    if (join === 1 || join === stage.newest('JoinGroup'))
      await late(await GroupStage.open(stage, `group-late-${join}`), versions);
  }
}

/** Joins as a client that has no id yet; the id to come again with, or none if it has joined with that. */
async function knock(group: GroupStage, version: number, member: string, more: Fields = {}): Promise<string> {
  if (version < ID_REQUIRED_VERSION) return '';
  const answer = await group.ask(member, 'JoinGroup', version, 'without an id', joinFields(member, '', more));
  return textOf(answer['memberId']);
}

async function alone(group: GroupStage, { join, sync, heartbeat }: Versions): Promise<string> {
  const id = await knock(group, join, 'a');
  const joined = await group.ask('a', 'JoinGroup', join, 'alone', joinFields('a', id));
  const memberId = textOf(joined['memberId']);
  const member = { memberId, generationId: 1 };
  const assignments = assignmentsOf({ [memberId]: 'all of it', nobody: 'nothing' });
  await group.ask('a', 'Heartbeat', heartbeat, 'before the assignment', member);
  await group.ask('a', 'SyncGroup', sync, 'wrong generation', { ...member, generationId: 7, assignments });
  await group.ask('a', 'SyncGroup', sync, 'unknown member', { ...member, memberId: 'nobody', assignments });
  const named = sync >= 5 ? { protocolType: 'consumer', protocolName: 'range' } : {};
  if (sync >= 5) {
    await group.ask('a', 'SyncGroup', sync, 'another type', { ...member, ...named, protocolType: 'other' });
    await group.ask('a', 'SyncGroup', sync, 'another protocol', {
      ...member,
      ...named,
      protocolName: 'other',
    });
  }
  await group.ask('a', 'SyncGroup', sync, 'alone', { ...member, ...named, assignments });
  await group.ask('a', 'SyncGroup', sync, 'again', { ...member, ...named, assignments: [] });
  await group.ask('a', 'Heartbeat', heartbeat, 'good', member);
  await group.ask('a', 'Heartbeat', heartbeat, 'wrong generation', { ...member, generationId: 2 });
  await group.ask('a', 'Heartbeat', heartbeat, 'unknown member', { ...member, memberId: 'nobody' });
  return memberId;
}

async function commits(group: GroupStage, { commit }: Versions, memberId: string): Promise<void> {
  const partitions = [{ partitionIndex: 0, committedOffset: 3, committedMetadata: '' }];
  for (const generationIdOrMemberEpoch of [1, 2, -1]) {
    const fields = { memberId, generationIdOrMemberEpoch, topics: [{ name: TOPIC, partitions }] };
    await group.ask('a', 'OffsetCommit', commit, `in generation ${generationIdOrMemberEpoch}`, fields);
  }
  const stranger = {
    memberId: 'nobody',
    generationIdOrMemberEpoch: 1,
    topics: [{ name: TOPIC, partitions }],
  };
  await group.ask('a', 'OffsetCommit', commit, 'of a stranger', stranger);
}

/** A second member comes: the first one is told by its heartbeat, and both join. */
async function together(group: GroupStage, { join, sync, heartbeat }: Versions, a: string): Promise<string> {
  const id = await knock(group, join, 'b');
  await group.send('b', 'JoinGroup', join, joinFields('b', id));
  await rebalanceOf(group, a, 1);
  await group.ask('a', 'Heartbeat', heartbeat, 'while another joins', { memberId: a, generationId: 1 });
  await group.ask('a', 'SyncGroup', sync, 'while another joins', { memberId: a, generationId: 1 });
  await group.ask('a', 'JoinGroup', join, 'both', joinFields('a', a));
  const joined = await group.receive('b', 'JoinGroup', join, 'both');
  const b = textOf(joined['memberId']);
  const named = sync >= 5 ? { protocolType: 'consumer', protocolName: 'range' } : {};
  await group.send('b', 'SyncGroup', sync, { memberId: b, generationId: 2, ...named });
  const assignments = assignmentsOf({ [a]: 'one half', [b]: 'the other half' });
  await group.ask('a', 'SyncGroup', sync, 'both', { memberId: a, generationId: 2, ...named, assignments });
  await group.receive('b', 'SyncGroup', sync, 'both');
  for (const [member, memberId] of [
    ['a', a],
    ['b', b],
  ] as const) {
    await group.ask(member, 'Heartbeat', heartbeat, 'of both', { memberId, generationId: 2 });
  }
  const other = joinFields('c', '', { protocols: protocolsOf('c', 'sticky') });
  await group.ask('c', 'JoinGroup', join, 'another protocol', other);
  const otherType = joinFields('c', '', { protocolType: 'connect' });
  await group.ask('c', 'JoinGroup', join, 'another type', otherType);
  return b;
}

async function rebalanceOf(group: GroupStage, memberId: string, generationId: number): Promise<void> {
  await waitFor(
    async () => {
      const answer = await group.look('Heartbeat', 0, { memberId, generationId });
      return answer['errorCode'] === REBALANCE_IN_PROGRESS;
    },
    { timeoutMs: LIMIT_MS, description: `a rebalance of ${group.group}` },
  );
}

async function described(stage: Stage, group: GroupStage): Promise<void> {
  for (const version of stage.versions('DescribeGroups')) {
    const names = [group.group, 'group-of-nobody'];
    for (const name of names)
      await group.askOfAll('DescribeGroups', version, `of ${name}`, { groups: [name] });
    await group.askOfAll('DescribeGroups', version, 'of nothing', { groups: [] });
    const elsewhere = { note: 'elsewhere' };
    await stage.ask(group.otherBroker, 'DescribeGroups', version, { groups: names }, elsewhere);
    if (version < 3) continue;
    const fields = { groups: [group.group], includeAuthorizedOperations: true };
    await group.askOfAll('DescribeGroups', version, 'with operations', fields);
  }
}

/** Of all groups that have this coordinator. */
async function listed(stage: Stage, group: GroupStage): Promise<void> {
  for (const version of stage.versions('ListGroups')) {
    await group.askOfAll('ListGroups', version, 'all', {});
    if (version >= 4) await group.askOfAll('ListGroups', version, 'stable', { statesFilter: ['Stable'] });
    if (version >= 4) await group.askOfAll('ListGroups', version, 'of no state', { statesFilter: ['Odd'] });
    for (const typesFilter of version < 5 ? [] : [['classic'], ['consumer'], ['odd']]) {
      await group.askOfAll('ListGroups', version, `of type ${typesFilter.join()}`, { typesFilter });
    }
  }
}

function leaving(version: number, memberId: string): Fields {
  return version < MEMBERS_VERSION ? { memberId } : { members: [{ memberId }] };
}

/** The second one goes, and the first one, who is alone again, goes later. */
async function apart(group: GroupStage, versions: Versions, a: string, b: string): Promise<void> {
  const { join, sync, heartbeat, leave } = versions;
  await group.ask('b', 'LeaveGroup', leave, 'a stranger', leaving(leave, 'nobody'));
  await group.ask('b', 'LeaveGroup', leave, 'the second', leaving(leave, b));
  await group.ask('b', 'LeaveGroup', leave, 'the second, again', leaving(leave, b));
  await group.ask('b', 'Heartbeat', heartbeat, 'after leaving', { memberId: b, generationId: 2 });
  await group.ask('a', 'Heartbeat', heartbeat, 'after the other left', { memberId: a, generationId: 2 });
  await group.ask('a', 'JoinGroup', join, 'alone again', joinFields('a', a));
  const assignments = assignmentsOf({ [a]: 'all again' });
  await group.ask('a', 'SyncGroup', sync, 'alone again', { memberId: a, generationId: 3, assignments });
  await group.ask('a', 'JoinGroup', join, 'as it is, as the leader', joinFields('a', a));
  if (leave >= MEMBERS_VERSION) {
    await group.ask('a', 'LeaveGroup', leave, 'nobody', { members: [] });
    const members = [{ memberId: a }, { memberId: 'nobody' }, { memberId: '', groupInstanceId: 'nobody' }];
    await group.ask('a', 'LeaveGroup', leave, 'several', { members });
  } else await group.ask('a', 'LeaveGroup', leave, 'the first', leaving(leave, a));
  await group.askOfAll('DescribeGroups', 0, 'that is empty', { groups: [group.group] });
}

/** One that does not join again is left behind when the time for it is over. */
async function late(group: GroupStage, { join, sync, heartbeat, leave }: Versions): Promise<void> {
  const short = { rebalanceTimeoutMs: SHORT_REBALANCE_MS };
  const first = await knock(group, join, 'a', short);
  const a = textOf(
    (await group.ask('a', 'JoinGroup', join, 'in time', joinFields('a', first, short)))['memberId'],
  );
  const assignments = assignmentsOf({ [a]: 'all of it' });
  await group.ask('a', 'SyncGroup', sync, 'in time', { memberId: a, generationId: 1, assignments });
  const second = await knock(group, join, 'b', short);
  const joined = await group.ask('b', 'JoinGroup', join, 'alone in the end', joinFields('b', second, short));
  await group.ask('a', 'Heartbeat', heartbeat, 'too late', { memberId: a, generationId: 1 });
  await group.ask('a', 'JoinGroup', join, 'too late', joinFields('a', a, short));
  // Else its time runs on while other groups are asked for.
  await group.ask('b', 'LeaveGroup', leave, 'in the end', leaving(leave, textOf(joined['memberId'])));
}

export const groups: Script = { subject: 'Groups', run };
