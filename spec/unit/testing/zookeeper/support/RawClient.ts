import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { FrameSplitter, withLength } from '../../../../support/zookeeperFrames';
import { waitFor, withDeadline } from '../../../../support/waitFor';
import { pack, type Field } from './pack';
import { Unpacker } from './Unpacker';

const LIMIT_MS = 5_000;
const EVENT_XID = -1;
const EVENT_NAMES = ['none', 'created', 'deleted', 'changed', 'children'];

export interface Answer {
  readonly xid: number;
  readonly zxid: bigint;
  readonly error: number;
  readonly body: Unpacker;
}

export interface ConnectOptions {
  readonly timeoutMs?: number;
  readonly sessionId?: bigint;
  readonly password?: Buffer;
  readonly lastZxid?: bigint;
  /** False for a client of the time before there was such a thing. */
  readonly knowsReadOnly?: boolean;
}

/** What a server says to a new connection. */
export interface ConnectAnswer {
  readonly timeoutMs: number;
  readonly sessionId: bigint;
  readonly password: Buffer;
  /** Null if the answer says nothing of it. */
  readonly isReadOnly: boolean | null;
}

/** A connection that sends what it is told, and notes what comes in which order. */
export class RawClient implements AsyncDisposable {
  /** Such as "answer 3" and "created /a". */
  readonly timeline: string[] = [];
  readonly #socket: Socket;
  readonly #splitter = new FrameSplitter();
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #closed: Promise<unknown>;
  #firstAnswer: Buffer | null = null;
  #xid = 0;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    void this.#closed.then(() => (this.#isClosed = true));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) =>
      this.#splitter.push(chunk).forEach((frame) => this.#received(frame)),
    );
  }

  /** A connection over which nothing has been said. */
  static async connect(
    server: { readonly host: string; readonly port: number } | undefined,
  ): Promise<RawClient> {
    if (server === undefined) throw new Error('there is no such server');
    const socket = connect({ ...server, noDelay: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** A connection with a session. */
  static async open(
    server: { readonly host: string; readonly port: number } | undefined,
    options: ConnectOptions = {},
  ): Promise<{ readonly client: RawClient; readonly connected: ConnectAnswer }> {
    const client = await RawClient.connect(server);
    return { client, connected: await client.introduce(options) };
  }

  /** Something has come from the server: the first thing is about the session. */
  get isIntroduced(): boolean {
    return this.#firstAnswer !== null;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async introduce(options: ConnectOptions = {}): Promise<ConnectAnswer> {
    const { timeoutMs = 10_000, sessionId = 0n, password = Buffer.alloc(16), lastZxid = 0n } = options;
    const request = pack(0, lastZxid, timeoutMs, sessionId, password);
    this.sendFrame(options.knowsReadOnly === false ? request : Buffer.concat([request, pack(false)]));
    const frame = await waitFor(() => this.#firstAnswer, {
      timeoutMs: LIMIT_MS,
      description: 'the first answer',
      intervalMs: 1,
    });
    const answer = new Unpacker(frame);
    answer.int();
    return {
      timeoutMs: answer.int(),
      sessionId: answer.long(),
      password: answer.buffer() ?? Buffer.alloc(0),
      isReadOnly: answer.rest.length === 0 ? null : answer.bool(),
    };
  }

  ask(op: number, ...fields: readonly Field[]): Promise<Answer> {
    this.#xid += 1;
    return this.askAs(this.#xid, op, ...fields);
  }

  /** Without waiting for an answer. */
  send(op: number, ...fields: readonly Field[]): void {
    this.#xid += 1;
    this.sendFrame(pack(this.#xid, op, ...fields));
  }

  /** Under a number that the client does not count itself. */
  askAs(xid: number, op: number, ...fields: readonly Field[]): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(xid, resolve));
    this.sendFrame(pack(xid, op, ...fields));
    return withDeadline(answer, LIMIT_MS, `the answer to ${xid}, op ${op}`);
  }

  sendFrame(frame: Buffer): void {
    this.sendBytes(withLength(frame));
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Reads nothing any more. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves when the server has ended the connection. */
  async ended(): Promise<void> {
    await withDeadline(this.#closed, LIMIT_MS, 'the end of the connection');
  }

  /** Ends the connection, not the session. */
  async disconnect(): Promise<void> {
    this.#socket.destroy();
    await this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  #received(frame: Buffer): void {
    if (this.#firstAnswer === null) {
      this.#firstAnswer = frame;
      return;
    }
    const body = new Unpacker(frame);
    const [xid, zxid, error] = [body.int(), body.long(), body.int()];
    if (xid === EVENT_XID) {
      const [type, state, path] = [body.int(), body.int(), body.text()];
      if (zxid !== -1n || error !== 0 || state !== 3) throw new Error(`no event: ${frame.toString('hex')}`);
      this.timeline.push(`${EVENT_NAMES[type] ?? type} ${path ?? ''}`);
      return;
    }
    this.timeline.push(`answer ${xid}`);
    this.#waiting.get(xid)?.({ xid, zxid, error, body });
    this.#waiting.delete(xid);
  }
}
