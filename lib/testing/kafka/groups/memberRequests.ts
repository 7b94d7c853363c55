import {
  FENCED_INSTANCE_ID,
  ILLEGAL_GENERATION,
  INCONSISTENT_GROUP_PROTOCOL,
  NONE,
  REBALANCE_IN_PROGRESS,
  UNKNOWN_MEMBER_ID,
} from '../errorCodes';
import type { Group } from './Group';
import { refusedSync, synced } from './memberAnswers';
import type { MemberIdentity, SyncRequest, SyncResult } from './membership';

/** Why this is no member of the group, or null if it is one. */
export function refusalOfMember(
  { roster }: Group,
  { memberId, groupInstanceId }: MemberIdentity,
): number | null {
  if (groupInstanceId !== null) {
    const current = roster.idOfStatic(groupInstanceId);
    if (current === undefined) return UNKNOWN_MEMBER_ID;
    if (current !== memberId) return FENCED_INSTANCE_ID;
  }
  return roster.get(memberId) === undefined ? UNKNOWN_MEMBER_ID : null;
}

/** SyncGroup: the leader brings what it has assigned, the others wait for it. */
export function sync(group: Group, request: SyncRequest): SyncResult | Promise<SyncResult | null> {
  const refusal = refusalOfMember(group, request) ?? refusalOfSync(group, request);
  const member = group.roster.get(request.memberId);
  if (refusal !== null || member === undefined) return refusedSync(refusal ?? UNKNOWN_MEMBER_ID);
  if (group.state === 'PreparingRebalance') return refusedSync(REBALANCE_IN_PROGRESS);
  group.synced(member);
  if (group.state === 'Stable') {
    group.keepAlive(member);
    return synced(group, member);
  }
  const answer = member.awaitSync();
  if (member.id === group.roster.leader) group.stabilize(request.assignments);
  return answer;
}

function refusalOfSync(group: Group, request: SyncRequest): number | null {
  if (request.generationId !== group.generationId) return ILLEGAL_GENERATION;
  const { protocolType, protocolName } = request;
  if (protocolType !== null && protocolType !== group.protocolType) return INCONSISTENT_GROUP_PROTOCOL;
  if (protocolName !== null && protocolName !== group.protocolName) return INCONSISTENT_GROUP_PROTOCOL;
  return null;
}

/** Heartbeat: the answer's error code. */
export function heartbeat(group: Group, identity: MemberIdentity, generationId: number): number {
  const { state, traits } = group;
  if (traits.hidesUnknownMembers && state !== 'Stable') return REBALANCE_IN_PROGRESS;
  const refusal = refusalOfMember(group, identity);
  const member = group.roster.get(identity.memberId);
  if (refusal !== null || member === undefined) return refusal ?? UNKNOWN_MEMBER_ID;
  if (state === 'CompletingRebalance' && !traits.awaitsSync) return REBALANCE_IN_PROGRESS;
  if (generationId !== group.generationId) return ILLEGAL_GENERATION;
  group.keepAlive(member);
  return state === 'PreparingRebalance' ? REBALANCE_IN_PROGRESS : NONE;
}

/** LeaveGroup, for one member: its error code. A static member can be removed by its name alone. */
export function leave(group: Group, identity: MemberIdentity): number {
  const { roster } = group;
  if (roster.isPending(identity.memberId)) {
    roster.dropPending(identity.memberId);
    group.checkJoin();
    return NONE;
  }
  const byName = identity.memberId === '' && identity.groupInstanceId !== null;
  const memberId = byName ? (roster.idOfStatic(identity.groupInstanceId) ?? '') : identity.memberId;
  const refusal = refusalOfMember(group, { ...identity, memberId });
  const member = roster.get(memberId);
  if (refusal !== null || member === undefined) return refusal ?? UNKNOWN_MEMBER_ID;
  group.remove(member);
  return NONE;
}

/** Why this member, or a client that is none (generation -1), may not commit; null if it may. */
export function refusalOfCommit(group: Group, identity: MemberIdentity, generationId: number): number | null {
  if (generationId < 0 && group.state === 'Empty') return null;
  const ofState = group.state === 'CompletingRebalance' ? REBALANCE_IN_PROGRESS : null;
  const ofMember =
    refusalOfMember(group, identity) ?? (generationId === group.generationId ? null : ILLEGAL_GENERATION);
  const refusal = group.traits.checksMemberFirst ? (ofMember ?? ofState) : (ofState ?? ofMember);
  const member = group.roster.get(identity.memberId);
  if (refusal === null && member !== undefined) group.keepAlive(member);
  return refusal;
}
