import {
  FENCED_INSTANCE_ID,
  INCONSISTENT_GROUP_PROTOCOL,
  MEMBER_ID_REQUIRED,
  UNKNOWN_SERVER_ERROR,
  UNKNOWN_MEMBER_ID,
} from '../errorCodes';
import type { Group } from './Group';
import { GroupMember } from './GroupMember';
import { joined, refusedJoin, refusedSync } from './memberAnswers';
import type { JoinRequest, JoinResult } from './membership';
import { memberIdOf } from './memberId';
import { refusalOfMember } from './memberRequests';

type Answer = JoinResult | Promise<JoinResult | null>;

/** JoinGroup: a member enters the group, or enters its next generation. */
export function join(group: Group, request: JoinRequest): Answer {
  const answer = decide(group, request);
  group.checkJoin();
  return answer;
}

function decide(group: Group, request: JoinRequest): Answer {
  const { memberId, groupInstanceId, protocols } = request;
  if (group.state === 'Empty' && !group.traits.checksFirstMember && protocols.length === 0) {
    return { ...refusedJoin(group.traits, '', UNKNOWN_SERVER_ERROR), generationId: -1 };
  }
  if (!supports(group, request)) return refusedJoin(group.traits, memberId, INCONSISTENT_GROUP_PROTOCOL);
  if (memberId === '') return joinAsNew(group, request);
  if (group.roster.isPending(memberId) && groupInstanceId === null) return add(group, memberId, request);
  const refusal = refusalOfMember(group, request);
  const member = group.roster.get(memberId);
  if (refusal !== null || member === undefined) {
    return refusedJoin(group.traits, memberId, refusal ?? UNKNOWN_MEMBER_ID);
  }
  return rejoin(group, member, request);
}

function supports({ state, traits, protocolType, roster }: Group, request: JoinRequest): boolean {
  if (state === 'Empty')
    return !traits.checksFirstMember || (request.protocolType !== '' && request.protocols.length > 0);
  return request.protocolType === protocolType && roster.haveAny(request.protocols);
}

function joinAsNew(group: Group, request: JoinRequest): Answer {
  const { clientId, groupInstanceId, mustKnowMemberId } = request;
  const id = memberIdOf(groupInstanceId ?? String(clientId), group.random);
  if (groupInstanceId !== null) {
    const member = group.roster.get(group.roster.idOfStatic(groupInstanceId) ?? '');
    return member === undefined ? add(group, id, request) : comeBack(group, member, id, request);
  }
  if (!mustKnowMemberId) return add(group, id, request);
  group.roster.addPending(id, request.sessionTimeoutMs, () => group.checkJoin());
  return refusedJoin(group.traits, id, MEMBER_ID_REQUIRED);
}

function add(group: Group, id: string, request: JoinRequest): Answer {
  const member = new GroupMember(id, request);
  const answer = member.awaitJoin();
  group.add(member);
  return answer;
}

function rejoin(group: Group, member: GroupMember, request: JoinRequest): Answer {
  const isSame = member.matches(request.protocols);
  const isLeader = member.id === group.roster.leader;
  // A leader that joins a stable group wants a rebalance, for a reason of its own.
  const hasNothingNew =
    group.state === 'CompletingRebalance' ? isSame : group.state === 'Stable' && isSame && !isLeader;
  if (hasNothingNew) return joined(group, member.id);
  member.update(request);
  const answer = member.awaitJoin();
  group.rebalance();
  return answer;
}

/** A static member joins under its name once more: it takes the place of its former life, which is fenced off. */
function comeBack(group: Group, member: GroupMember, id: string, request: JoinRequest): Answer {
  const { roster } = group;
  const formerId = member.id;
  const formerLeader = roster.leader;
  member.answerJoin(refusedJoin(group.traits, formerId, FENCED_INSTANCE_ID));
  member.answerSync(refusedSync(FENCED_INSTANCE_ID));
  roster.rename(member, id);
  group.keepAlive(member);
  member.update(request);
  if (group.state === 'Stable' && roster.electProtocol() === group.protocolName) {
    group.store();
    const isLeader = id === roster.leader;
    if (request.canSkipAssignment) return { ...joined(group, id), skipAssignment: isLeader };
    // Under the former leader's id it does not take itself for the leader, and assigns nothing.
    return { ...joined(group, id), leader: formerLeader ?? '', members: [] };
  }
  const answer = member.awaitJoin();
  group.rebalance();
  return answer;
}
