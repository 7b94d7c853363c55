import { JuteWriter } from './JuteWriter';
import type { ZookeeperRequest } from './requests';

export interface ConnectFields {
  /** Default 0. */
  readonly protocolVersion?: number;
  /** Of answers that the client has seen; default 0. */
  readonly lastZxidSeen?: bigint;
  /** What the client asks for; default 40000, which is the most that a server of the specs grants. */
  readonly timeoutMs?: number;
  /** Default 0, for a new one. */
  readonly sessionId?: bigint;
  /** Default 16 zeros. */
  readonly password?: Buffer | null;
  /** The last byte, which old clients leave out (null); default false. */
  readonly readOnly?: boolean | null;
}

export const NO_PASSWORD = Buffer.alloc(16);

/** The first frame of a connection. */
export function connectFrame(fields: ConnectFields): Buffer {
  const { readOnly = false, password = NO_PASSWORD } = fields;
  const writer = new JuteWriter()
    .int32(fields.protocolVersion ?? 0)
    .int64(fields.lastZxidSeen ?? 0n)
    .int32(fields.timeoutMs ?? 40_000)
    .int64(fields.sessionId ?? 0n)
    .buffer(password);
  if (readOnly !== null) writer.boolean(readOnly);
  return framed(writer.bytes);
}

export function requestFrame({ type, body }: ZookeeperRequest, xid: number): Buffer {
  return framed(new JuteWriter().int32(xid).int32(type).raw(body).bytes);
}

/** With its length in front. */
export function framed(bytes: Buffer): Buffer {
  return new JuteWriter().buffer(bytes).bytes;
}
