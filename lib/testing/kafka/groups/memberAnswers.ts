import { NONE } from '../errorCodes';
import type { Group } from './Group';
import type { GroupMember } from './GroupMember';
import type { GroupTraits } from './GroupTraits';
import { NO_BYTES, type JoinResult, type SyncResult } from './membership';

const NO_GENERATION = {
  protocolType: null,
  protocolName: null,
  leader: '',
  skipAssignment: false,
  members: [],
};

export function refusedJoin(traits: GroupTraits, memberId: string, errorCode: number): JoinResult {
  return { ...NO_GENERATION, errorCode, memberId, generationId: traits.refusedGeneration };
}

/** What a member hears of the group's generation: the leader of all members, the others of none. */
export function joined(group: Group, memberId: string): JoinResult {
  const { generationId, protocolType, protocolName, roster } = group;
  const members = memberId === roster.leader ? roster.all : [];
  return {
    ...NO_GENERATION,
    errorCode: NONE,
    generationId,
    protocolType,
    protocolName,
    leader: roster.leader ?? '',
    memberId,
    members: members.map((member) => ({
      memberId: member.id,
      groupInstanceId: member.groupInstanceId,
      metadata: member.metadata(protocolName ?? ''),
    })),
  };
}

export function refusedSync(errorCode: number): SyncResult {
  return { errorCode, protocolType: null, protocolName: null, assignment: NO_BYTES };
}

/** What the leader has assigned to the member. */
export function synced({ protocolType, protocolName }: Group, { assignment }: GroupMember): SyncResult {
  return { errorCode: NONE, protocolType, protocolName, assignment };
}
