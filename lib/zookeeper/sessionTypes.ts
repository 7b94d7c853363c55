import type { Logger } from '../logger';

/** A node without its data. */
export interface ZnodeStat {
  readonly version: number;
  /** Id of the session that an ephemeral node belongs to, in hex as in `0x15...`; `0x0` for a persistent one. */
  readonly ephemeralOwner: string;
}

export interface Znode extends ZnodeStat {
  /** Empty for a node whose data is null. */
  readonly data: Buffer;
}

export type ZnodeKind = 'persistent' | 'ephemeral';

/** Who may use a node: `open` everybody, `creator` the own credentials, while everybody may read it. */
export type ZnodeAccess = 'open' | 'creator';

/** What a session proves itself with. */
export interface Credentials {
  readonly scheme: 'digest';
  /** `user:password` */
  readonly auth: Buffer;
}

export interface WatchOption {
  readonly watch?: boolean;
}

/**
 * - `connected`: requests are sent. Leaves to `suspended`, `lost`, `closed`.
 * - `suspended`: no connection, but the session may live; requests wait. Leaves to all others.
 * - `lost`: final. The server said so, or the session can no longer be proved alive: its ephemeral nodes may be gone.
 * - `closed`: final. Asked for by `close`.
 */
export type SessionState = 'connected' | 'suspended' | 'lost' | 'closed';

export interface SessionOptions {
  /** `h1:2181,h2:2181` */
  readonly servers: string;
  /** Starts with a slash and ends without one; '' for none. */
  readonly chroot: string;
  /** Asked for; the server decides. */
  readonly sessionTimeoutMs: number;
  /** For `open` as a whole. */
  readonly connectionTimeoutMs: number;
  readonly credentials?: Credentials | undefined;
  /** Access to a node that is made at that path; default: open. */
  readonly accessOf?: ((path: string) => ZnodeAccess) | undefined;
  readonly logger: Logger;
  /** Ends `open`; no longer looked at when that has resolved. */
  readonly signal?: AbortSignal;
  /** A watch on that path fired; watches fire once. Never called from within a socket handler; a throw is logged. */
  onWatch(path: string): void;
  /** Every change of `state` after `open` has resolved; a throw is logged. */
  onState(state: SessionState): void;
}

/** What a client tells about its connection. */
export interface ClientEvents {
  /** The server answered the session's connect request, which was sent later than this. */
  connected(sentAfterMs: number): void;
  disconnected(): void;
  expired(): void;
  authenticationFailed(): void;
  watchFired(path: string): void;
}

/** Codes of ZooKeeper's answers that decide something; every other one is OTHER. */
const ANSWER_CODES = new Map([
  [-4, 'CONNECTION_LOSS'],
  [-6, 'UNIMPLEMENTED'],
  [-8, 'BAD_ARGUMENTS'],
  [-101, 'NO_NODE'],
  [-102, 'NO_AUTH'],
  [-103, 'BAD_VERSION'],
  [-110, 'NODE_EXISTS'],
  [-112, 'SESSION_EXPIRED'],
  [-115, 'AUTH_FAILED'],
  [-118, 'SESSION_MOVED'],
] as const);

type AnswerCode = typeof ANSWER_CODES extends Map<number, infer Name> ? Name : never;

/** Why a request has no result. NOT_CONNECTED: not sent. REFUSED: the package would not send it. DEADLINE: no answer in time. */
export type FailureCode = AnswerCode | 'OTHER' | 'NOT_CONNECTED' | 'REFUSED' | 'DEADLINE';

export function codeOfAnswer(code: unknown): FailureCode {
  return (ANSWER_CODES as ReadonlyMap<unknown, AnswerCode>).get(code) ?? 'OTHER';
}

/** Failure of one request, before it is known what it means for the caller. */
export class ZookeeperFailure extends Error {
  override readonly name = 'ZookeeperFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function failureCode(error: unknown): FailureCode | undefined {
  return error instanceof ZookeeperFailure ? error.code : undefined;
}

/** ZooKeeper writes session ids in hex without leading zeros. */
export function sessionIdText(id: Buffer): string {
  return `0x${id.readBigUInt64BE().toString(16)}`;
}
