import type { Group } from './Group';
import { NO_BYTES } from './membership';

/** A member of a group of the coordinator. */
export interface DescribedMember {
  /** Given by the coordinator: the client.id and something unique. */
  readonly memberId: string;
  /** group.instance.id of a static member (KIP-345). */
  readonly groupInstanceId: string | null;
  /** client.id */
  readonly clientId: string;
  /** Such as "/127.0.0.1". */
  readonly clientHost: string;
  /** What it said when it joined, for the group's protocol; empty while the group is not stable. */
  readonly metadata: Buffer;
  /** What the leader has assigned to it; empty while the group is not stable. */
  readonly assignment: Buffer;
}

/** A group of the coordinator, as DescribeGroups tells it. */
export interface DescribedGroup {
  /** As Kafka calls it: "Empty", "PreparingRebalance", "CompletingRebalance" (up to 0.10.2 "AwaitingSync"), "Stable" or "Dead". */
  readonly state: string;
  /** "" for a group that only stores offsets. */
  readonly protocolType: string;
  /** How partitions are assigned; "" while the group is not stable. */
  readonly protocol: string;
  /** 0 before the first one. */
  readonly generation: number;
  /** Also while they join. */
  readonly members: readonly DescribedMember[];
}

export const NO_GROUP: DescribedGroup = {
  state: 'Dead',
  protocolType: '',
  protocol: '',
  generation: 0,
  members: [],
};

export function describe(group: Group): DescribedGroup {
  const isStable = group.state === 'Stable';
  const protocol = isStable ? (group.protocolName ?? '') : '';
  return {
    state: group.state === 'CompletingRebalance' ? group.traits.nameOfCompleting : group.state,
    protocolType: group.protocolType ?? '',
    protocol,
    generation: group.generationId,
    members: group.roster.all.map((member) => ({
      memberId: member.id,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      metadata: isStable ? member.metadata(protocol) : NO_BYTES,
      assignment: isStable ? member.assignment : NO_BYTES,
    })),
  };
}
