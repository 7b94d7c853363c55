import { sessionIdText } from './SessionIds';

/** A connection that speaks for a session. */
export interface SessionConnection {
  /** Of the server, from 1. */
  readonly serverNumber: number;
  /** Ends it behind what was sent. */
  close(): void;
  reset(): void;
}

/** A client as ZooKeeper knows it. */
export class Session {
  readonly id: bigint;
  readonly idText: string;
  /** What the last connection has negotiated. */
  timeoutMs: number;
  /** `performance.now()` from which on the session is expired. */
  deadlineMs = Infinity;
  /** Number of the server that may speak for the session: the one to which the client has connected last. */
  server: number;
  /** Called when the session has ended without its own doing. */
  onExpired: (() => void) | null = null;
  /** More than one while a client has moved and its old connection does not know yet. */
  readonly connections = new Set<SessionConnection>();

  /** @param timeoutMs - Infinity for a session that does not expire by itself */
  constructor(id: bigint, timeoutMs: number, server: number) {
    this.id = id;
    this.idText = sessionIdText(id);
    this.timeoutMs = timeoutMs;
    this.server = server;
  }
}
