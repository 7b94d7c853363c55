import type { RandomNumbers } from '../../network/RandomNumbers';
import {
  ILLEGAL_GENERATION,
  INVALID_GROUP_ID,
  INVALID_SESSION_TIMEOUT,
  NOT_COORDINATOR,
  UNKNOWN_MEMBER_ID,
} from '../errorCodes';
import type { KafkaState, PartitionState } from '../KafkaState';
import { coordinatorPartition } from './coordinatorPartition';
import { describe, type DescribedGroup, NO_GROUP } from './DescribedGroup';
import { Group } from './Group';
import { GROUP_TRAITS, type GroupTraits } from './GroupTraits';
import { join } from './join';
import { refusedJoin, refusedSync } from './memberAnswers';
import { heartbeat, leave, refusalOfCommit, sync } from './memberRequests';
import type { JoinRequest, JoinResult, MemberIdentity, SyncRequest, SyncResult } from './membership';
import { OffsetStore, type StoredOffset } from './OffsetStore';
import type { StoredGroup } from './StoredGroup';

/**
 * The coordinators of all brokers: a group belongs to the broker that leads its partition of the offsets topic, and
 * others refuse it. Requests that wait are answered with null if nobody can hear the answer any more.
 */
export class GroupCoordinator {
  readonly offsets = new OffsetStore();
  readonly traits: GroupTraits;
  readonly #cluster: Pick<KafkaState, 'topics' | 'property'>;
  readonly #random: RandomNumbers;
  readonly #groups = new Map<string, Group>();
  /** Partitions of the offsets topic whose leaders count here, with what ends the listening. */
  readonly #watched = new Map<PartitionState, () => void>();

  /** @param random - draws the ids of members */
  constructor(cluster: Pick<KafkaState, 'generation' | 'topics' | 'property'>, random: RandomNumbers) {
    this.#cluster = cluster;
    this.#random = random;
    this.traits = GROUP_TRAITS[cluster.generation];
  }

  join(groupId: string, request: JoinRequest, brokerId: number): Promise<JoinResult | null> | JoinResult {
    const { memberId, sessionTimeoutMs } = request;
    const refusal = groupId === '' ? INVALID_GROUP_ID : this.refusal(groupId, brokerId);
    if (refusal !== null) return refusedJoin(this.traits, memberId, refusal);
    const isTooShort = sessionTimeoutMs < Number(this.#cluster.property('group.min.session.timeout.ms'));
    const isTooLong = sessionTimeoutMs > Number(this.#cluster.property('group.max.session.timeout.ms'));
    if (isTooShort || isTooLong) return refusedJoin(this.traits, memberId, INVALID_SESSION_TIMEOUT);
    const group = this.#find(groupId) ?? (memberId === '' ? this.#create(groupId) : undefined);
    return group === undefined ? refusedJoin(this.traits, memberId, UNKNOWN_MEMBER_ID) : join(group, request);
  }

  sync(groupId: string, request: SyncRequest, brokerId: number): Promise<SyncResult | null> | SyncResult {
    const refusal = this.#refusalOfMembers(groupId, brokerId);
    if (refusal !== null) return refusedSync(refusal);
    const group = this.#find(groupId);
    return group === undefined ? refusedSync(UNKNOWN_MEMBER_ID) : sync(group, request);
  }

  /** The error code of the answer. */
  heartbeat(groupId: string, identity: MemberIdentity, generationId: number, brokerId: number): number {
    const refusal = this.#refusalOfMembers(groupId, brokerId);
    if (refusal !== null) return refusal;
    const group = this.#find(groupId);
    return group === undefined ? UNKNOWN_MEMBER_ID : heartbeat(group, identity, generationId);
  }

  /** A code for each member, or one for the whole request. */
  leave(groupId: string, members: readonly MemberIdentity[], brokerId: number): number | readonly number[] {
    const refusal = this.#refusalOfMembers(groupId, brokerId);
    if (refusal !== null) return refusal;
    const group = this.#find(groupId);
    return members.map((member) => (group === undefined ? UNKNOWN_MEMBER_ID : leave(group, member)));
  }

  /** Why nothing of a commit is stored, or null. A commit of generation -1 to a group that is not known creates it. */
  refusalOfCommit(
    groupId: string,
    identity: MemberIdentity,
    generationId: number,
    brokerId: number,
  ): number | null {
    const refusal = this.refusal(groupId, brokerId);
    if (refusal !== null) return refusal;
    const group = this.#find(groupId);
    if (group !== undefined) return refusalOfCommit(group, identity, generationId);
    if (generationId >= 0) return ILLEGAL_GENERATION;
    if (this.traits.keepsEmptyGroups) this.#create(groupId);
    return null;
  }

  /** Why this broker does not serve the group, or null if it does. */
  refusal(groupId: string, brokerId: number): number | null {
    return coordinatorPartition(this.#cluster, groupId)?.leader === brokerId ? null : NOT_COORDINATOR;
  }

  /** A group that nobody knows is described as Dead. */
  describeGroup(groupId: string): DescribedGroup {
    const group = this.#find(groupId);
    return group === undefined ? NO_GROUP : describe(group);
  }

  /** What the group has committed with its coordinator; what version 0 has stored is in ZooKeeper. By topic and partition. */
  committedOffsets(groupId: string): ReadonlyMap<string, ReadonlyMap<number, StoredOffset>> {
    return this.offsets.topicsOf(groupId);
  }

  /** The groups that this broker coordinates. */
  groupsOf(brokerId: number): readonly Group[] {
    const ids = [...this.#groups.keys()].filter((id) => this.refusal(id, brokerId) === null);
    return ids.flatMap((id) => this.#find(id) ?? []);
  }

  /** A topic has been deleted: what was committed for it goes, except in 0.8 and 0.9. */
  topicDeleted(topic: string): void {
    if (this.traits.keepsEmptyGroups) this.offsets.removeTopic(topic);
  }

  /** Ends all timers; who waits for an answer gets none. */
  stop(): void {
    for (const unsubscribe of this.#watched.values()) unsubscribe();
    this.#watched.clear();
    for (const group of this.#groups.values()) group.end();
    this.#groups.clear();
  }

  #refusalOfMembers(groupId: string, brokerId: number): number | null {
    if (groupId === '' && this.traits.refusesEmptyId) return INVALID_GROUP_ID;
    return this.refusal(groupId, brokerId);
  }

  /** After a change of the leader, a group is what the leader before has stored. */
  #find(groupId: string): Group | undefined {
    const group = this.#groups.get(groupId);
    if (group === undefined) return undefined;
    if (group.state !== 'Dead' && group.leaderEpoch === this.#leaderEpochOf(groupId)) return group;
    this.#groups.delete(groupId);
    if (group.state === 'Dead') return undefined;
    group.unload();
    const isKnown = group.stored !== undefined || this.offsets.has(groupId);
    return isKnown ? this.#create(groupId, group.stored) : undefined;
  }

  #create(groupId: string, stored?: StoredGroup): Group {
    const group = new Group(groupId, {
      traits: this.traits,
      random: this.#random,
      initialDelayMs: () => Number(this.#cluster.property('group.initial.rebalance.delay.ms')),
      leaderEpoch: this.#leaderEpochOf(groupId),
      isServed: ({ id, leaderEpoch }) => this.#isServed(id, leaderEpoch),
      stored,
    });
    this.#groups.set(groupId, group);
    this.#watch(coordinatorPartition(this.#cluster, groupId));
    return group;
  }

  /** Groups move with the leader at once, so that nobody waits for one who is in office no more. */
  #watch(partition: PartitionState | undefined): void {
    if (partition === undefined || this.#watched.has(partition)) return;
    const moved = (): void => {
      for (const id of [...this.#groups.keys()]) this.#find(id);
    };
    this.#watched.set(partition, partition.onLeaderChange(moved));
  }

  #isServed(groupId: string, leaderEpoch: number): boolean {
    const partition = coordinatorPartition(this.#cluster, groupId);
    return partition?.leaderEpoch === leaderEpoch && partition.leader !== NO_LEADER;
  }

  #leaderEpochOf(groupId: string): number {
    return coordinatorPartition(this.#cluster, groupId)?.leaderEpoch ?? NO_LEADER_EPOCH;
  }
}

const NO_LEADER = -1;
const NO_LEADER_EPOCH = -1;
