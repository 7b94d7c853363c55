import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { FrameSplitter, withLength } from '../zookeeperFrames';
import { MutationLog, type Link } from './MutationLog';
import { Chance, Deck, type Answer, type Mutation } from './mutation';

const HOST = '127.0.0.1';
const XID_AT = 4;
const CORRELATION_AT = { request: 8, answer: 4 };

export interface MutatingProxyOptions {
  readonly target: { readonly host: string; readonly port: number };
  readonly seed: number;
  readonly mutations: readonly Mutation[];
  /** How many of such answers are mutated. */
  readonly share: (answer: Answer) => number;
  /** Whether these belong together; both have their lengths in front. */
  readonly isAnswer: (request: Buffer, frame: Buffer) => boolean;
  /** In place of an end without an answer: an answer, to be mutated. */
  readonly instead?: (request: Buffer) => Buffer;
}

/** Which answer belongs to which request of ZooKeeper; a connect request and its answer begin with the same version. */
export function byXid(request: Buffer, frame: Buffer): boolean {
  return request.readInt32BE(XID_AT) === frame.readInt32BE(XID_AT);
}

/** The same for Kafka, whose requests have api key and version in front. */
export function byCorrelationId(request: Buffer, frame: Buffer): boolean {
  return request.readInt32BE(CORRELATION_AT.request) === frame.readInt32BE(CORRELATION_AT.answer);
}

/** Both ends of one connection, and what is to be known of it. */
interface Carried {
  readonly near: Socket;
  readonly far: Socket;
  readonly link: Link;
  /** Requests without an answer, oldest first. */
  readonly requests: Buffer[];
  previous: Buffer | null;
  /** Waits for the next answer, to come behind it. */
  held: { readonly kind: string; readonly bytes: Buffer } | null;
  /** Nothing more of the server is passed on. */
  isSilent: boolean;
}

/** Stands between clients and a real server of ZooKeeper or Kafka, and mutates what the server answers. */
export class MutatingProxy implements AsyncDisposable {
  /** False at first: everything passes. */
  isMutating = false;
  /** Answers of the servers so far. */
  passedCount = 0;
  readonly log: MutationLog;
  readonly #options: MutatingProxyOptions;
  readonly #chance: Chance;
  readonly #deck: Deck;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: MutatingProxyOptions) {
    this.#options = options;
    this.log = new MutationLog(options.seed);
    this.#chance = new Chance(options.seed);
    this.#deck = new Deck(options.mutations, this.#chance);
    this.#server = createServer((near) => this.#carry(near));
  }

  static async to(options: MutatingProxyOptions): Promise<MutatingProxy> {
    const proxy = new MutatingProxy(options);
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get host(): string {
    return HOST;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #carry(near: Socket): void {
    const far = connect(this.#options.target);
    const carried: Carried = {
      ...{ near, far, link: this.log.connected(near.remotePort ?? 0) },
      ...{ requests: [], previous: null, held: null, isSilent: false },
    };
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        // What is silent stays so, until the client has enough of it.
        if (socket === near || !carried.isSilent) other.destroySoon();
      });
    }
    const requests = new FrameSplitter();
    near.on('data', (chunk: Buffer) => {
      for (const frame of requests.push(chunk)) carried.requests.push(withLength(frame));
      far.write(chunk);
    });
    const answers = new FrameSplitter();
    far.on('data', (chunk: Buffer) => {
      for (const frame of answers.push(chunk)) this.#pass(carried, withLength(frame));
    });
    far.on('end', () => {
      const [request] = carried.requests;
      const { instead } = this.#options;
      if (instead && request && this.isMutating && !carried.isSilent) this.#pass(carried, instead(request));
    });
  }

  #pass(carried: Carried, frame: Buffer): void {
    const { requests, previous, held } = carried;
    if (carried.isSilent) return;
    this.passedCount += 1;
    const index = requests.findIndex((request) => this.#options.isAnswer(request, frame));
    const request = index < 0 ? null : (requests.splice(index, 1)[0] ?? null);
    const answer = { frame, request, previous };
    carried.previous = frame;
    if (held !== null) {
      carried.held = null;
      this.#write(carried, frame);
      this.#send(carried, held.kind, { bytes: held.bytes, then: 'go-on' });
      return;
    }
    const isChosen = this.isMutating && this.#chance.isTrue(this.#options.share(answer));
    const dealt = isChosen ? this.#deck.deal(answer) : null;
    if (dealt === null) this.#write(carried, frame);
    else if (dealt.mutated.then === 'hold') carried.held = { kind: dealt.kind, bytes: dealt.mutated.bytes };
    else this.#send(carried, dealt.kind, dealt.mutated);
  }

  #send(carried: Carried, kind: string, mutated: Parameters<MutationLog['sent']>[2]): void {
    const { near, link } = carried;
    if (near.destroyed || near.writableEnded) return;
    this.log.sent(link, kind, mutated);
    this.#write(carried, mutated.bytes);
    if (mutated.then === 'go-on') return;
    carried.isSilent = true;
    if (mutated.then === 'end') near.end();
  }

  #write({ near, link }: Carried, bytes: Buffer): void {
    if (near.destroyed || near.writableEnded) return;
    link.sentBytes += bytes.length;
    near.write(bytes);
  }
}
