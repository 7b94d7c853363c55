import type { Group } from './Group';
import type { GroupMember } from './GroupMember';
import type { JoinRequest } from './membership';

export type StoredMember = Omit<JoinRequest, 'memberId' | 'mustKnowMemberId' | 'canSkipAssignment'> & {
  readonly id: string;
  readonly assignment: Buffer;
};

/** What the offsets topic keeps of a group for the broker that coordinates it next. */
export interface StoredGroup {
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  /** The leader is the first one. */
  readonly members: readonly StoredMember[];
}

export function storedFrom(group: Group): StoredGroup {
  const { generationId, protocolType, protocolName, roster } = group;
  const isLeader = ({ id }: GroupMember): boolean => id === roster.leader;
  const members = [...roster.all].sort((a, b) => Number(isLeader(b)) - Number(isLeader(a)));
  return {
    generationId,
    protocolType,
    protocolName,
    members: members.map((member) => storedMember(member, protocolName ?? '')),
  };
}

/** Of its protocols, only the one that the group has chosen is kept. */
function storedMember(member: GroupMember, protocolName: string): StoredMember {
  return {
    id: member.id,
    groupInstanceId: member.groupInstanceId,
    clientId: member.clientId,
    clientHost: member.clientHost,
    sessionTimeoutMs: member.sessionTimeoutMs,
    rebalanceTimeoutMs: member.rebalanceTimeoutMs,
    protocolType: member.protocolType,
    protocols: [{ name: protocolName, metadata: member.metadata(protocolName) }],
    assignment: member.assignment,
  };
}
