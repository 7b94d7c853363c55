import { ByteCursor } from './zookeeperFramesCursor';

/** What a client can ask, as far as the connector does; others are named by their number. */
export type ZookeeperOp =
  | 'connect'
  | 'create'
  | 'delete'
  | 'exists'
  | 'getData'
  | 'setData'
  | 'getChildren'
  | 'multi'
  | 'ping'
  | 'setWatches'
  | 'closeSession'
  | 'event'
  | `op ${number}`;

export interface DecodedRequest {
  /** Null in a connect request. */
  readonly xid: number | null;
  readonly op: ZookeeperOp;
  /** With the chroot; null where there is none. Of a transaction: the first one. */
  readonly path: string | null;
  /** What create and setData write. */
  readonly data: string | null;
  /** Whether a read leaves a watch. */
  readonly watch: boolean;
  readonly ephemeral: boolean;
}

export interface DecodedReply {
  readonly xid: number;
  /** 0 for success, else ZooKeeper's error code. */
  readonly error: number;
  /** What follows the header. */
  readonly body: Buffer;
}

export interface DecodedEvent {
  readonly type: number;
  readonly path: string;
}

/** Error codes of answers that the specs look for. */
export const NO_NODE = -101;
export const NODE_EXISTS = -110;

const EVENT_XID = -1;
const OPS: ReadonlyMap<number, ZookeeperOp> = new Map([
  [1, 'create'],
  [2, 'delete'],
  [3, 'exists'],
  [4, 'getData'],
  [5, 'setData'],
  [8, 'getChildren'],
  [11, 'ping'],
  [12, 'getChildren'],
  [14, 'multi'],
  [101, 'setWatches'],
  [-11, 'closeSession'],
]);

const NOTHING = { path: null, data: null, watch: false, ephemeral: false } as const;

/** Collects bytes and gives the frames that are complete, each without its length. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const frames: Buffer[] = [];
    for (;;) {
      if (this.#rest.length < 4) return frames;
      const end = 4 + this.#rest.readInt32BE(0);
      if (this.#rest.length < end) return frames;
      frames.push(this.#rest.subarray(4, end));
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** Puts the length in front again. */
export function withLength(frame: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}

/** Every frame of a client but the first one of its connection, which is a connect request without a header. */
export function decodeRequest(frame: Buffer): DecodedRequest {
  const cursor = new ByteCursor(frame);
  const xid = cursor.int32();
  const code = cursor.int32();
  const op = OPS.get(code) ?? (`op ${code}` as const);
  return { xid, op, ...NOTHING, ...bodyOf(op, cursor) };
}

export function connectRequest(): DecodedRequest {
  return { xid: null, op: 'connect', ...NOTHING };
}

/** Every frame of a server but the first one of its connection. */
export function decodeReply(frame: Buffer): DecodedReply {
  const cursor = new ByteCursor(frame);
  const xid = cursor.int32();
  cursor.skip(8); // zxid
  return { xid, error: cursor.int32(), body: cursor.rest() };
}

/** Null if the reply is no watch event but an answer. */
export function eventOf({ xid, body }: DecodedReply): DecodedEvent | null {
  if (xid !== EVENT_XID) return null;
  const cursor = new ByteCursor(body);
  const type = cursor.int32();
  cursor.skip(4); // state of the connection
  return { type, path: cursor.text() ?? '' };
}

/** The data that an answer to getData brings. */
export function dataOf({ error, body }: DecodedReply): string | null {
  return error === 0 ? new ByteCursor(body).text() : null;
}

function bodyOf(op: ZookeeperOp, cursor: ByteCursor): Partial<DecodedRequest> {
  switch (op) {
    case 'create': {
      const [path, data] = [cursor.text(), cursor.text()];
      for (let acls = cursor.int32(); acls > 0; acls -= 1) {
        cursor.skip(4); // permissions
        cursor.text(); // scheme
        cursor.text(); // id
      }
      return { path, data, ephemeral: (cursor.int32() & 1) === 1 };
    }
    case 'setData':
      return { path: cursor.text(), data: cursor.text() };
    case 'delete':
      return { path: cursor.text() };
    case 'exists':
    case 'getData':
    case 'getChildren':
      return { path: cursor.text(), watch: cursor.boolean() };
    case 'multi':
      cursor.skip(9); // type, done, error of the first operation
      return { path: cursor.text() };
    default:
      return {};
  }
}
