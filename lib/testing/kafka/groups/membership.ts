/** A way to assign partitions that a member knows, with what the leader has to know for it. */
export interface GroupProtocol {
  readonly name: string;
  readonly metadata: Buffer;
}

/** What a member says of itself when it joins. */
export interface JoinRequest {
  /** "" for a member that has none yet. */
  readonly memberId: string;
  /** Of a static member; null for a dynamic one. */
  readonly groupInstanceId: string | null;
  readonly clientId: string | null;
  readonly clientHost: string;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly protocolType: string;
  /** The one that is liked best comes first. */
  readonly protocols: readonly GroupProtocol[];
  /** A new member gets its id with a refusal, and joins with it again. */
  readonly mustKnowMemberId: boolean;
  /** A static leader that comes back hears that it is the leader, and that there is nothing to assign. */
  readonly canSkipAssignment: boolean;
}

export interface JoinResult {
  readonly errorCode: number;
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly leader: string;
  readonly skipAssignment: boolean;
  readonly memberId: string;
  /** For the leader alone. */
  readonly members: readonly {
    readonly memberId: string;
    readonly groupInstanceId: string | null;
    readonly metadata: Buffer;
  }[];
}

export interface SyncRequest {
  readonly generationId: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  /** Null where the request's version has none. */
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  /** From the leader; empty from the others. */
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[];
}

export interface SyncResult {
  readonly errorCode: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  readonly assignment: Buffer;
}

/** Who it is that sends a heartbeat, leaves or commits. */
export interface MemberIdentity {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
}

export const NO_BYTES = Buffer.alloc(0);
