import type { Generation } from '../Generation';

/** Where the coordinators of the releases differ. */
export interface GroupTraits {
  /** False: a group is gone with its last member, and begins with generation 1 again. */
  readonly keepsEmptyGroups: boolean;
  /** Metadata of null is fetched as null, and not as "". */
  readonly keepsNullMetadata: boolean;
  /** The first members of a group are awaited for group.initial.rebalance.delay.ms. */
  readonly delaysFirstGeneration: boolean;
  /** The name that tools see while the leader's assignment is awaited. */
  readonly nameOfCompleting: 'AwaitingSync' | 'CompletingRebalance';
  /** A request for the empty group id is refused by all APIs of members, and not by JoinGroup alone. */
  readonly refusesEmptyId: boolean;
  /** The generation in a refusal of JoinGroup. */
  readonly refusedGeneration: number;
  /** After JoinGroup, members are refused no heartbeat, and those that send no SyncGroup are removed. */
  readonly awaitsSync: boolean;
  /** How long a member that has no id yet may wait for the answer to JoinGroup; null for ever. */
  readonly newMemberTimeoutMs: number | null;
  /** Until the group is stable, all heartbeats hear of the rebalance, even those of strangers. */
  readonly hidesUnknownMembers: boolean;
  /** The first member, too, has to name a type and a protocol; without that, no protocol is an error of the broker's. */
  readonly checksFirstMember: boolean;
  /** A stranger's commit is refused as such, even while the group waits for SyncGroup. */
  readonly checksMemberFirst: boolean;
}

const FIRST: GroupTraits = {
  keepsEmptyGroups: false,
  keepsNullMetadata: true,
  delaysFirstGeneration: false,
  nameOfCompleting: 'AwaitingSync',
  refusesEmptyId: false,
  refusedGeneration: 0,
  awaitsSync: false,
  newMemberTimeoutMs: null,
  hidesUnknownMembers: true,
  checksFirstMember: false,
  checksMemberFirst: false,
};
const KEEPING: GroupTraits = {
  ...FIRST,
  keepsEmptyGroups: true,
  keepsNullMetadata: false,
  hidesUnknownMembers: false,
};
const DELAYING: GroupTraits = {
  ...KEEPING,
  delaysFirstGeneration: true,
  checksFirstMember: true,
  nameOfCompleting: 'CompletingRebalance',
};
const LAST: GroupTraits = {
  ...DELAYING,
  refusesEmptyId: true,
  refusedGeneration: -1,
  awaitsSync: true,
  newMemberTimeoutMs: 300_000,
  checksMemberFirst: true,
};

/** 0.8 has stored offsets, but no members. */
export const GROUP_TRAITS: Readonly<Record<Generation, GroupTraits>> = {
  '0.8': FIRST,
  '0.9': FIRST,
  '0.10.2': KEEPING,
  '1.1': DELAYING,
  '3.9': LAST,
};
