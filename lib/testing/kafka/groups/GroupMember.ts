import { Deadline } from './Deadline';
import {
  NO_BYTES,
  type GroupProtocol,
  type JoinRequest,
  type JoinResult,
  type SyncResult,
} from './membership';

type Answer<T> = (result: T | null) => void;

/** One member of a group, with the requests of it that wait for the others. */
export class GroupMember {
  id: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  readonly protocolType: string;
  sessionTimeoutMs = 0;
  rebalanceTimeoutMs = 0;
  assignment: Buffer = NO_BYTES;
  /** Nobody knows its id yet, so it can send no heartbeat. */
  isNew = true;
  #protocols: readonly GroupProtocol[] = [];
  readonly #session = new Deadline();
  #answerJoin: Answer<JoinResult> | null = null;
  #answerSync: Answer<SyncResult> | null = null;

  constructor(id: string, request: Omit<JoinRequest, 'memberId' | 'mustKnowMemberId' | 'canSkipAssignment'>) {
    this.id = id;
    this.groupInstanceId = request.groupInstanceId;
    this.clientId = request.clientId ?? '';
    this.clientHost = request.clientHost;
    this.protocolType = request.protocolType;
    this.update(request);
  }

  update(request: Pick<JoinRequest, 'protocols' | 'sessionTimeoutMs' | 'rebalanceTimeoutMs'>): void {
    this.#protocols = request.protocols;
    this.sessionTimeoutMs = request.sessionTimeoutMs;
    this.rebalanceTimeoutMs = request.rebalanceTimeoutMs;
  }

  get protocols(): readonly GroupProtocol[] {
    return this.#protocols;
  }

  get isJoining(): boolean {
    return this.#answerJoin !== null;
  }

  get isSyncing(): boolean {
    return this.#answerSync !== null;
  }

  supports(protocol: string): boolean {
    return this.#protocols.some(({ name }) => name === protocol);
  }

  metadata(protocol: string): Buffer {
    return this.#protocols.find(({ name }) => name === protocol)?.metadata ?? NO_BYTES;
  }

  matches(protocols: readonly GroupProtocol[]): boolean {
    if (protocols.length !== this.#protocols.length) return false;
    return protocols.every(({ name, metadata }, index) => {
      const mine = this.#protocols[index];
      return mine !== undefined && mine.name === name && mine.metadata.equals(metadata);
    });
  }

  /** Resolves when the group has a new generation; null if the request is replaced by a later one. */
  awaitJoin(): Promise<JoinResult | null> {
    this.#answerJoin?.(null);
    return new Promise((resolve) => (this.#answerJoin = resolve));
  }

  answerJoin(result: JoinResult | null): void {
    this.#answerJoin?.(result);
    this.#answerJoin = null;
  }

  /** Resolves when the leader has assigned the partitions; null if the request is replaced by a later one. */
  awaitSync(): Promise<SyncResult | null> {
    this.#answerSync?.(null);
    return new Promise((resolve) => (this.#answerSync = resolve));
  }

  answerSync(result: SyncResult | null): void {
    this.#answerSync?.(result);
    this.#answerSync = null;
  }

  /** The member has been heard: it may be silent for so long again. */
  keepAlive(expired: (member: GroupMember) => void, timeoutMs = this.sessionTimeoutMs): void {
    this.#session.start(timeoutMs, () => {
      const isWaiting = this.isJoining || this.isSyncing;
      if (this.isNew || !isWaiting) expired(this);
    });
  }

  /** Nothing of this member is awaited any more. */
  end(): void {
    this.#session.stop();
    this.answerJoin(null);
    this.answerSync(null);
  }
}
