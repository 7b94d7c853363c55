import type { JuteReader } from '../jute/JuteReader';
import { JuteWriter } from '../jute/JuteWriter';
import { passwordOf } from '../sessions/sessionPassword';
import type { Session } from '../sessions/Session';

const PROTOCOL_VERSION = 0;
const NO_PASSWORD = Buffer.alloc(16);

/** The first frame of a connection. */
export interface ConnectRequest {
  /** The last transaction of which the client knows. */
  readonly lastZxidSeen: bigint;
  readonly timeoutMs: number;
  /** 0n for a new session. */
  readonly sessionId: bigint;
  readonly password: Buffer | null;
  /** Old clients do not speak of servers that can only be read. */
  readonly knowsReadOnly: boolean;
}

export function readConnectRequest(request: JuteReader): ConnectRequest {
  request.int32(); // version of the protocol, of which there is one
  return {
    lastZxidSeen: request.int64(),
    timeoutMs: request.int32(),
    sessionId: request.int64(),
    password: request.bytesOrNull(),
    knowsReadOnly: !request.isAtEnd,
  };
}

/** @param session - null for one that is over, or whose password was wrong */
export function connectResponse(session: Session | null, knowsReadOnly: boolean): Buffer {
  const answer = new JuteWriter()
    .int32(PROTOCOL_VERSION)
    .int32(session?.timeoutMs ?? 0)
    .int64(session?.id ?? 0n)
    .bytes(session === null ? NO_PASSWORD : passwordOf(session.id));
  if (knowsReadOnly) answer.boolean(false);
  return answer.written;
}
