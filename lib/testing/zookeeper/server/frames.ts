import { JuteWriter } from '../jute/JuteWriter';
import { EVENT, type EventType } from '../watches/Watcher';

const LENGTH_BYTES = 4;
/** Length of the frame, xid, zxid, error. */
const PREFIX_BYTES = LENGTH_BYTES + 16;
const EVENT_XID = -1;
/** State of the connection in an event: connected. */
const CONNECTED = 3;

/** In place of a transaction's number where there is none. */
export const NO_ZXID = -1n;

/** What stands in front of an answer's body. */
export interface AnswerHeader {
  readonly xid: number;
  readonly zxid: bigint;
  /** 0 for success. */
  readonly error: number;
}

/** A writer for the body, with room in front. */
export function beginAnswer(): JuteWriter {
  const answer = new JuteWriter();
  answer.skip(PREFIX_BYTES);
  return answer;
}

/** The whole frame. */
export function finishAnswer(answer: JuteWriter, { xid, zxid, error }: AnswerHeader): Buffer {
  const bytes = answer.written;
  bytes.writeInt32BE(bytes.length - LENGTH_BYTES, 0);
  bytes.writeInt32BE(xid, LENGTH_BYTES);
  bytes.writeBigInt64BE(zxid, LENGTH_BYTES + 4);
  bytes.writeInt32BE(error, LENGTH_BYTES + 12);
  return bytes;
}

export function eventFrame(type: EventType, path: string): Buffer {
  const event = beginAnswer().int32(EVENT[type]).int32(CONNECTED).text(path);
  return finishAnswer(event, { xid: EVENT_XID, zxid: NO_ZXID, error: 0 });
}
