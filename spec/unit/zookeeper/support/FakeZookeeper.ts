import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** ZooKeeper's numbers for what a client sends. */
export const OP = {
  connect: 0,
  create: 1,
  exists: 3,
  ping: 11,
  multi: 14,
  auth: 100,
  setWatches: 101,
  close: -11,
} as const;

export const NO_NODE = -101;
export const NO_AUTH = -102;
export const NODE_EXISTS = -110;

/** What came from a client. */
export interface SentFrame {
  readonly op: number;
  /** Of requests that begin with one. */
  readonly path: string;
  /** 1 for the first connection, and so on. */
  readonly connection: number;
  readonly atMs: number;
}

/** A ZooKeeper server on a free port that writes down what it is sent; a spec decides what it says. */
export class FakeZookeeper implements AsyncDisposable {
  readonly frames: SentFrame[] = [];
  connectionCount = 0;
  timeoutMs = 1_000;
  /** What comes of a connect request: an answer, none yet (see `letIn`), or the end of the connection, without or behind an answer. */
  onConnect: (connection: number) => 'let in' | 'wait' | 'hang up' | 'let in and cut' = () => 'let in';
  /** Error code of the answer to a request; 0 for success, null for no answer. */
  answer: (frame: SentFrame) => number | null = () => 0;
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  static async start(): Promise<FakeZookeeper> {
    const zookeeper = new FakeZookeeper();
    await new Promise<void>((resolve) => zookeeper.#server.listen(0, '127.0.0.1', resolve));
    return zookeeper;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openCount(): number {
    return this.#sockets.size;
  }

  /** The operations of one connection, in their order, without pings. */
  sentOn(connection: number): number[] {
    const sent = this.frames.filter((frame) => frame.connection === connection && frame.op !== OP.ping);
    return sent.map(({ op }) => op);
  }

  pathsOf(op: number): string[] {
    return this.frames.filter((frame) => frame.op === op).map(({ path }) => path);
  }

  /** Answers the connect requests that wait. */
  letIn(): void {
    for (const socket of this.#sockets) socket.write(connectAnswer(this.timeoutMs));
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #serve(socket: Socket): void {
    this.connectionCount += 1;
    const connection = this.connectionCount;
    this.#sockets.add(socket);
    let rest = Buffer.alloc(0);
    let isFirst = true;
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE()) {
        const bytes = rest.subarray(4, 4 + rest.readInt32BE());
        rest = rest.subarray(4 + bytes.length);
        if (isFirst) this.#welcome(socket, connection);
        else this.#reply(socket, connection, bytes);
        isFirst = false;
      }
    });
  }

  #welcome(socket: Socket, connection: number): void {
    this.frames.push({ op: OP.connect, path: '', connection, atMs: performance.now() });
    const decision = this.onConnect(connection);
    if (decision === 'let in') socket.write(connectAnswer(this.timeoutMs));
    if (decision === 'let in and cut') socket.end(connectAnswer(this.timeoutMs));
    if (decision === 'hang up') socket.destroy();
  }

  #reply(socket: Socket, connection: number, bytes: Buffer): void {
    const [xid, op] = [bytes.readInt32BE(0), bytes.readInt32BE(4)];
    const path = op === OP.create || op === OP.exists ? textAt(bytes, 8) : '';
    const frame = { op, path, connection, atMs: performance.now() };
    this.frames.push(frame);
    const isUnderSpec = op === OP.create || op === OP.exists || op === OP.multi;
    const code = isUnderSpec ? this.answer(frame) : 0;
    if (code === null) return;
    socket.write(framed(Buffer.concat([ints(xid, 0, 1, code), code === 0 ? bodyOf(op, path) : NOTHING])));
    if (op === OP.close) socket.end();
  }
}

const NOTHING = Buffer.alloc(0);
/** Of a persistent node. */
const STAT = Buffer.alloc(68);
/** Result of a transaction: one successful check (13), end mark. */
const CHECKED = Buffer.concat([ints(13), Buffer.from([0]), ints(0, -1), Buffer.from([1]), ints(-1)]);

function bodyOf(op: number, path: string): Buffer {
  if (op === OP.exists) return STAT;
  if (op === OP.multi) return CHECKED;
  return op === OP.create ? framed(Buffer.from(path)) : NOTHING;
}

/** Version, timeout, session id, password. */
function connectAnswer(timeoutMs: number): Buffer {
  return framed(Buffer.concat([ints(0, timeoutMs, 0, 0x5e55, 16), Buffer.alloc(16, 1)]));
}

function framed(body: Buffer): Buffer {
  return Buffer.concat([ints(body.length), body]);
}

function ints(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeInt32BE(value, 4 * index));
  return buffer;
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at + 4, at + 4 + bytes.readInt32BE(at));
}
