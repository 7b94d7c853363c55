import type { RandomNumbers } from '../../network/RandomNumbers';
import { NOT_COORDINATOR, REBALANCE_IN_PROGRESS, UNKNOWN_MEMBER_ID } from '../errorCodes';
import { Deadline } from './Deadline';
import { GroupMember } from './GroupMember';
import type { GroupTraits } from './GroupTraits';
import { JoinWait } from './JoinWait';
import { joined, refusedJoin, refusedSync, synced } from './memberAnswers';
import { NO_BYTES, type SyncRequest, type SyncResult } from './membership';
import { Roster } from './Roster';
import { storedFrom, type StoredGroup } from './StoredGroup';

export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** From which states each state is reached. */
const PREVIOUS: Readonly<Record<GroupState, readonly GroupState[]>> = {
  Empty: ['PreparingRebalance'],
  PreparingRebalance: ['Empty', 'Stable', 'CompletingRebalance'],
  CompletingRebalance: ['PreparingRebalance'],
  Stable: ['CompletingRebalance'],
  Dead: ['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable'],
};

export interface GroupOptions {
  readonly traits: GroupTraits;
  /** Draws the ids of members. */
  readonly random: RandomNumbers;
  /** How long a group that is empty waits for more members after its first one. */
  readonly initialDelayMs: () => number;
  /** Of the group's partition of the offsets topic: who leads it in this epoch coordinates the group. */
  readonly leaderEpoch: number;
  /** False when that epoch is over, and while nobody leads: then nobody's time runs out. */
  readonly isServed: (group: Group) => boolean;
  /** What the coordinator before has stored. */
  readonly stored?: StoredGroup | undefined;
}

/** The state of one group; the rules of the requests are in join.ts and memberRequests.ts. */
export class Group {
  readonly id: string;
  readonly traits: GroupTraits;
  readonly leaderEpoch: number;
  readonly random: RandomNumbers;
  readonly roster = new Roster();
  readonly #options: GroupOptions;
  #state: GroupState = 'Empty';
  #generationId = 0;
  #protocolType: string | null = null;
  #protocolName: string | null = null;
  #stored: StoredGroup | undefined;
  readonly #joinWait = new JoinWait();
  /** The end of the wait for SyncGroup. */
  readonly #syncDeadline = new Deadline();
  /** Members of this generation that have not sent SyncGroup. */
  readonly #pendingSyncs = new Set<GroupMember>();

  constructor(id: string, options: GroupOptions) {
    this.id = id;
    this.traits = options.traits;
    this.leaderEpoch = options.leaderEpoch;
    this.random = options.random;
    this.#options = options;
    if (options.stored !== undefined) this.#restore(options.stored);
  }

  get state(): GroupState {
    return this.#state;
  }

  get generationId(): number {
    return this.#generationId;
  }

  get protocolType(): string | null {
    return this.#protocolType;
  }

  get protocolName(): string | null {
    return this.#protocolName;
  }

  /** What another broker finds when it takes over: the last generation that was complete. */
  get stored(): StoredGroup | undefined {
    return this.#stored;
  }

  /** The member is part of the next generation. */
  add(member: GroupMember): void {
    if (this.roster.size === 0) this.#protocolType = member.protocolType;
    // Only what comes after the first member lengthens the wait.
    if (this.#state === 'PreparingRebalance' && this.#generationId === 0) this.#joinWait.memberCame();
    this.roster.add(member);
    const { newMemberTimeoutMs } = this.traits;
    if (newMemberTimeoutMs !== null) member.keepAlive(this.#expire, newMemberTimeoutMs);
    this.rebalance();
  }

  keepAlive(member: GroupMember): void {
    member.keepAlive(this.#expire);
  }

  /** All members have to join again; nothing happens if they have been told already. */
  rebalance(): void {
    if (this.#state === 'PreparingRebalance' || this.#state === 'Dead') return;
    const wasEmpty = this.#state === 'Empty';
    for (const member of this.#state === 'CompletingRebalance' ? this.roster.all : []) {
      member.assignment = NO_BYTES;
      this.#answerSync(member, refusedSync(REBALANCE_IN_PROGRESS));
    }
    this.#syncDeadline.stop();
    this.#pendingSyncs.clear();
    this.#transition('PreparingRebalance');
    const { rebalanceTimeoutMs } = this.roster;
    if (wasEmpty && this.traits.delaysFirstGeneration) {
      const delayMs = this.#options.initialDelayMs();
      this.#joinWait.startInitial(delayMs, rebalanceTimeoutMs, this.#completeJoin);
    } else {
      this.#joinWait.start(rebalanceTimeoutMs, this.#completeJoin);
      this.checkJoin();
    }
  }

  /** Goes on if nobody is missing. */
  checkJoin(): void {
    if (this.#state === 'PreparingRebalance' && !this.#joinWait.isInitial && this.roster.haveAllJoined) {
      this.#completeJoin();
    }
  }

  /** The leader has spoken. Members that it left out get nothing. */
  stabilize(assignments: SyncRequest['assignments']): void {
    const byId = new Map(assignments.map(({ memberId, assignment }) => [memberId, assignment]));
    for (const member of this.roster.all) member.assignment = byId.get(member.id) ?? NO_BYTES;
    this.#transition('Stable');
    this.store();
    for (const member of this.roster.all) this.#answerSync(member, synced(this, member));
  }

  /** The member has sent SyncGroup. */
  synced(member: GroupMember): void {
    this.#pendingSyncs.delete(member);
    if (this.#pendingSyncs.size === 0) this.#syncDeadline.stop();
  }

  remove(member: GroupMember): void {
    member.answerJoin(refusedJoin(this.traits, '', UNKNOWN_MEMBER_ID));
    this.#pendingSyncs.delete(member);
    this.roster.remove(member);
    if (this.#state === 'PreparingRebalance') this.checkJoin();
    else this.rebalance();
  }

  /** What the members are now is what the next broker finds. */
  store(): void {
    this.#stored = storedFrom(this);
  }

  /** Another epoch has begun: whoever waits for an answer has to find the coordinator. */
  unload(): void {
    for (const member of this.roster.all) {
      member.answerJoin(refusedJoin(this.traits, member.id, NOT_COORDINATOR));
      member.answerSync(refusedSync(NOT_COORDINATOR));
    }
    this.end();
  }

  /** Nothing runs any more, and nobody who waits gets an answer. */
  end(): void {
    this.#joinWait.stop();
    this.#syncDeadline.stop();
    this.roster.end();
    if (this.#state !== 'Dead') this.#transition('Dead');
  }

  readonly #expire = (member: GroupMember): void => {
    if (this.#options.isServed(this)) this.remove(member);
  };

  readonly #completeJoin = (): void => {
    this.#joinWait.stop();
    for (const member of this.roster.all) {
      if (!member.isJoining && member.groupInstanceId === null) this.roster.remove(member);
    }
    if (!this.roster.electJoinedLeader() && this.roster.size > 0) {
      // Only static members are left, and none of them is back: they have until their sessions end.
      this.#joinWait.start(this.roster.rebalanceTimeoutMs, this.#completeJoin);
      return;
    }
    this.#generationId += 1;
    if (this.roster.size > 0) {
      this.#beginGeneration();
    } else if (this.traits.keepsEmptyGroups) {
      this.#protocolName = null;
      this.#transition('Empty');
      this.store();
    } else {
      this.end();
    }
  };

  #beginGeneration(): void {
    this.#protocolName = this.roster.electProtocol();
    this.#transition('CompletingRebalance');
    for (const member of this.roster.all) {
      member.answerJoin(joined(this, member.id));
      this.keepAlive(member);
      member.isNew = false;
      this.#pendingSyncs.add(member);
    }
    if (this.traits.awaitsSync) {
      this.#syncDeadline.start(this.roster.rebalanceTimeoutMs, () => this.#removeUnsynced());
    }
  }

  #removeUnsynced(): void {
    if (!this.#options.isServed(this)) return;
    for (const member of this.#pendingSyncs) this.roster.remove(member);
    this.rebalance();
  }

  #answerSync(member: GroupMember, answer: SyncResult): void {
    if (!member.isSyncing) return;
    member.answerSync(answer);
    this.keepAlive(member);
  }

  #restore(stored: StoredGroup): void {
    this.#stored = stored;
    this.#generationId = stored.generationId;
    this.#protocolType = stored.protocolType;
    this.#protocolName = stored.protocolName;
    this.#state = stored.members.length === 0 ? 'Empty' : 'Stable';
    for (const { id, assignment, ...request } of stored.members) {
      const member = new GroupMember(id, request);
      member.assignment = assignment;
      member.isNew = false;
      this.roster.add(member);
      this.keepAlive(member);
    }
  }

  #transition(state: GroupState): void {
    if (!PREVIOUS[state].includes(this.#state)) {
      throw new Error(`the group ${this.id} is ${this.#state} and cannot become ${state}`);
    }
    this.#state = state;
  }
}
