import { textOf, type Fields } from '../definitions/messageDefinition';
import { assignmentsOf, GroupStage, joinFields } from '../GroupStage';
import type { Script } from '../script';
import type { Stage } from '../Stage';

const STATIC_VERSION = 5;
const INSTANCE = 'spec-instance';

async function run(stage: Stage): Promise<void> {
  if (stage.versions('JoinGroup').length === 0) return;
  const group = await GroupStage.open(stage, 'group-errors');
  const wrong: [string, Fields][] = [
    ['no group', { groupId: '' }],
    ['a member of nobody', { memberId: 'nobody' }],
    ['too short a session', { sessionTimeoutMs: 5999 }],
    ['too long a session', { sessionTimeoutMs: 1_800_001 }],
    ['no protocols', { protocols: [] }],
    ['no type', { protocolType: '' }],
    ['neither', { protocolType: '', protocols: [] }],
  ];
  for (const version of stage.versions('JoinGroup')) {
    for (const [index, [note, fields]] of wrong.entries()) {
      // Each in a group of its own, since a coordinator may have begun one when it finds the fault.
      const group = await GroupStage.open(stage, `group-wrong-${version}-${index}`);
      await group.ask('a', 'JoinGroup', version, note, joinFields('a', '', fields));
    }
  }
  for (const api of ['Heartbeat', 'SyncGroup', 'LeaveGroup']) {
    for (const version of stage.versions(api)) {
      const isLeave = api === 'LeaveGroup';
      const member = isLeave && version >= 3 ? { members: [{ memberId: 'nobody' }] } : { memberId: 'nobody' };
      const fields = { ...member, ...(isLeave ? {} : { generationId: 1 }) };
      await group.ask('a', api, version, 'of a group that is not', { groupId: 'group-of-nobody', ...fields });
      await group.ask('a', api, version, 'of no group', { groupId: '', ...fields });
      await stage.ask(
        group.otherBroker,
        api,
        version,
        { groupId: group.group, ...fields },
        { note: 'elsewhere' },
      );
    }
  }
  const join = stage.newest('JoinGroup');
  const elsewhere = { groupId: group.group, ...joinFields('a', '') };
  await stage.ask(group.otherBroker, 'JoinGroup', join, elsewhere, { note: 'elsewhere' });
  for (const version of stage.versions('JoinGroup').filter((one) => one >= STATIC_VERSION)) {
    await staticMember(await GroupStage.open(stage, `group-static-${version}`), version);
  }
}

/** A member with a name of its own takes its place again, and the one that had it before is shut out. */
async function staticMember(group: GroupStage, version: number): Promise<void> {
  const instance = { groupInstanceId: INSTANCE };
  const join = (note: string, memberId: string): Promise<Fields> =>
    group.ask('a', 'JoinGroup', version, note, joinFields('a', memberId, instance));
  const first = textOf((await join('for the first time', ''))['memberId']);
  const assignments = assignmentsOf({ [first]: 'all of it' });
  const sync = Math.min(version, 5);
  await group.ask('a', 'SyncGroup', sync, 'static', {
    memberId: first,
    generationId: 1,
    assignments,
    ...instance,
  });
  const second = textOf((await join('once more', ''))['memberId']);
  for (const memberId of [first, second]) {
    const which = memberId === first ? 'the old id' : 'the new id';
    const member = { memberId, generationId: 1, ...instance };
    await group.ask('a', 'Heartbeat', 4, which, member);
    await group.ask('a', 'SyncGroup', sync, which, { ...member, assignments: [] });
    if (memberId === first) await join(which, memberId);
  }
  await group.askOfAll('DescribeGroups', 5, 'with a static member', { groups: [group.group] });
  const leave = (note: string, members: readonly Fields[]): Promise<Fields> =>
    group.ask('a', 'LeaveGroup', 5, note, { members });
  await leave('by the old id', [{ memberId: first, ...instance }]);
  await leave('by the name', [{ memberId: '', ...instance }]);
  await leave('again', [{ memberId: '', ...instance }]);
}

export const groupErrors: Script = { subject: 'Errors of groups', run };
