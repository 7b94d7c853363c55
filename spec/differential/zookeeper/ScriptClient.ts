import { RawConnection } from '../RawConnection';
import type { Shape } from './answerShapes';
import { connectFrame, NO_PASSWORD, requestFrame, type ConnectFields } from './requestFrames';
import { closeSession, ping, type ZookeeperRequest } from './requests';
import type { ScriptedServer } from './ScriptedServer';
import type { Tape, TapedAnswer } from './Tape';

/** A server that has said nothing by then is silent. The longest that one takes is an expiry of 3 seconds. */
const LIMIT_MS = 8000;

/** What a frame is that came, and whether it is the last one that is waited for. */
type Expectation = (frame: Buffer) => { readonly shape: Shape; readonly isLast: boolean };

/** One client of a script, with one connection at a time. Whatever it receives goes to the tape. */
export class ScriptClient {
  readonly name: string;
  readonly #server: ScriptedServer;
  readonly #tape: Tape;
  #connection: RawConnection | null = null;
  #sessionId = 0n;
  #password: Buffer = NO_PASSWORD;
  #zxid = 0n;
  /** Of the last request that was counted. */
  #xid = 0;

  constructor(name: string, server: ScriptedServer, tape: Tape) {
    this.name = name;
    this.#server = server;
    this.#tape = tape;
  }

  /** 0n without a session. */
  get sessionId(): bigint {
    return this.#sessionId;
  }

  get password(): Buffer {
    return this.#password;
  }

  /** The highest one that the client has seen. */
  get zxid(): bigint {
    return this.#zxid;
  }

  /** Makes a connection and asks for a session on it: that of this client, if it has one. */
  async connect(fields: ConnectFields = {}): Promise<void> {
    await this.connectOnly();
    const mine = { sessionId: this.#sessionId, password: this.#password, lastZxidSeen: this.#zxid };
    this.send(connectFrame({ ...mine, ...fields }));
    await this.receive('connect', 'connect');
  }

  /** Makes a connection and asks nothing. */
  async connectOnly(): Promise<void> {
    this.drop();
    this.#connection = await RawConnection.open(this.#server);
  }

  /** One request after the other. */
  async ask(...requests: readonly ZookeeperRequest[]): Promise<void> {
    for (const request of requests) await this.askTogether(request);
  }

  /** Sends all requests in one go and takes what comes up to the answer to the last one, watch events among it. */
  async askTogether(...requests: readonly ZookeeperRequest[]): Promise<void> {
    const waiting = requests.map((request) => ({ request, xid: request.xid ?? this.#nextXid() }));
    this.send(Buffer.concat(waiting.map(({ request, xid }) => requestFrame(request, xid))));
    await this.#take(requests.map(({ label }) => label).join(' + '), (frame) => {
      const index = waiting.findIndex(({ xid }) => xid === xidOf(frame));
      // Answers come in the order of the requests; those that are passed over have none.
      const answered = waiting.splice(0, index + 1).at(-1);
      return { shape: answered?.request.shape ?? 'nothing', isLast: waiting.length === 0 };
    });
  }

  /** Takes the next events, where nothing that this client asked brings them. */
  async events(count: number): Promise<void> {
    let left = count;
    await this.#take(`${count} events`, () => {
      left -= 1;
      return { shape: 'nothing', isLast: left === 0 };
    });
  }

  /** Takes the next frame. */
  async receive(what: string, shape: Shape = 'nothing'): Promise<void> {
    await this.#take(what, () => ({ shape, isLast: true }));
  }

  /** Takes whatever comes up to the end of the connection. */
  async closed(after = ''): Promise<void> {
    await this.#take(`${after}: end of the connection`, () => ({ shape: 'nothing', isLast: false }));
  }

  /** Bytes that need not be a request. */
  send(bytes: Buffer): void {
    this.#connection?.send(bytes);
  }

  /** Gives the connection up; the session goes on. */
  drop(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  /** The next connection asks for a new session. */
  forgetSession(): void {
    this.#sessionId = 0n;
    this.#password = NO_PASSWORD;
  }

  /** Ends the session, behind the events that are still to come, and the connection. */
  async end(): Promise<void> {
    if (this.#sessionId !== 0n && this.#connection?.isOpen !== true) await this.connect();
    if (this.#sessionId !== 0n) {
      await this.ask(ping(), closeSession());
      await this.closed('closeSession');
    }
    this.forgetSession();
    this.drop();
  }

  /** The server ends the session; done when the connection has ended with it. */
  async expire(): Promise<void> {
    await this.#server.expireSession(`0x${BigInt.asUintN(64, this.#sessionId).toString(16)}`);
    await this.closed('expiry');
    this.forgetSession();
  }

  async #take(what: string, expectation: Expectation): Promise<void> {
    const answers: TapedAnswer[] = [];
    for (let isLast = false; !isLast;) {
      const frame = (await this.#connection?.next(LIMIT_MS)) ?? 'closed';
      if (typeof frame === 'string') {
        answers.push(frame);
        // Whoever does not answer one request will not answer the next one either.
        if (frame === 'silent') this.#connection?.close();
        break;
      }
      const expected = expectation(frame);
      isLast = expected.isLast;
      answers.push({ shape: expected.shape, frame });
      this.#learn(expected.shape, frame);
    }
    this.#tape.add({ request: `${this.name}: ${what}`, answers });
  }

  #learn(shape: Shape, frame: Buffer): void {
    if (shape === 'connect') {
      if (frame.length < 36) return;
      this.#sessionId = frame.readBigInt64BE(8);
      this.#password = frame.subarray(20, 36);
    } else if (frame.length >= 12) {
      const zxid = frame.readBigInt64BE(4);
      if (zxid > this.#zxid) this.#zxid = zxid;
    }
  }

  #nextXid(): number {
    this.#xid += 1;
    return this.#xid;
  }
}

/** NaN of a frame that has none. */
function xidOf(frame: Buffer): number {
  return frame.length >= 4 ? frame.readInt32BE() : NaN;
}
