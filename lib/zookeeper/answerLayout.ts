/*
 * The layouts of ZooKeeper's answers, as far as node-zookeeper-client reads them. It trusts every length: with a wrong one it
 * allocates gigabytes, or its loops never end.
 */

/** Kinds of request whose answers have a body. */
const CREATE = 1;
const EXISTS = 3;
const GET_DATA = 4;
const SET_DATA = 5;
const GET_CHILDREN = 12;
const MULTI = 14;
/** In the answer to a transaction: a part that failed. */
const ERROR = -1;

const NOTIFICATION_XID = -1;
const PING_XID = -2;
const AUTHENTICATION_XID = -4;

const LENGTH_BYTES = 4;
const STAT_BYTES = 68;

/** Whatever is asked for, a server that grants more than this is not believed. */
const LONGEST_TIMEOUT_MS = 60_000;

/**
 * Checks the answer to a connect request; throws if it has another layout.
 *
 * @param frame - with its length in front
 * @param askedMs - session timeout that was asked for; servers grant more only if their least one is longer
 */
export function checkConnectAnswer(frame: Buffer, askedMs: number): void {
  const walk = new Walk(frame);
  walk.int(); // version of the protocol
  const timeoutMs = walk.int();
  const longestMs = Math.max(LONGEST_TIMEOUT_MS, askedMs);
  if (timeoutMs > longestMs) {
    throw new Error(
      `a session timeout of ${timeoutMs} ms was granted, although ${askedMs} ms were asked for`,
    );
  }
  walk.skip(8); // session id
  walk.bytes(); // password
}

/**
 * Checks any other answer, or a notification; throws if it has another layout.
 *
 * @param frame - with its length in front
 * @param kind - of the request that is answered next; undefined if there is none
 */
export function checkAnswer(frame: Buffer, kind: number | undefined): void {
  const walk = new Walk(frame);
  const xid = walk.int();
  walk.skip(8); // transaction id
  const error = walk.int();
  if (xid === NOTIFICATION_XID) {
    walk.skip(8); // kind of event, state of the session
    walk.bytes(); // path
  } else if (xid !== PING_XID && xid !== AUTHENTICATION_XID && error === 0) checkBody(walk, kind);
}

function checkBody(walk: Walk, kind: number | undefined): void {
  switch (kind) {
    case CREATE:
      walk.bytes(); // path
      break;
    case EXISTS:
    case SET_DATA:
      walk.skip(STAT_BYTES);
      break;
    case GET_DATA:
      walk.bytes({ mayBeNull: true });
      walk.skip(STAT_BYTES);
      break;
    case GET_CHILDREN: {
      const count = walk.int();
      // A null list is an empty one.
      for (let child = 0; child < count; child += 1) walk.bytes();
      walk.skip(STAT_BYTES);
      break;
    }
    case MULTI:
      while (checkResult(walk));
      break;
  }
}

/** One result of a transaction; false for the mark behind the last one. */
function checkResult(walk: Walk): boolean {
  const kind = walk.int();
  const isEnd = walk.byte() !== 0;
  walk.int(); // error code
  if (isEnd) return false;
  if (kind === CREATE) walk.bytes();
  else if (kind === SET_DATA) walk.skip(STAT_BYTES);
  else if (kind === ERROR) walk.int();
  return true;
}

/** Goes through a frame; throws at its end. */
class Walk {
  readonly #frame: Buffer;
  #at = LENGTH_BYTES;

  constructor(frame: Buffer) {
    this.#frame = frame;
  }

  int(): number {
    return this.#frame.readInt32BE(this.skip(4));
  }

  byte(): number {
    return this.#frame.readInt8(this.skip(1));
  }

  /** Bytes or a text with their length in front. */
  bytes({ mayBeNull = false } = {}): void {
    const length = this.int();
    if (length === -1 && mayBeNull) return;
    if (length < 0) throw new Error(`a length of ${length} in an answer`);
    this.skip(length);
  }

  /** Returns where it was. */
  skip(sizeBytes: number): number {
    const at = this.#at;
    this.#at += sizeBytes;
    if (this.#at > this.#frame.length) throw new Error('an answer is shorter than its parts');
    return at;
  }
}
