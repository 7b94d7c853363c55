import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import type { BrokerAddress } from './cluster/clusterFiles';
import { ByteReader } from './produce/bytes';
import { resetSocket } from '../../lib/testing/network/resetSocket';
import { FrameSplitter, withLength } from './zookeeperFrames';

const HOST = '127.0.0.1';
const FETCH = 1;
const METADATA = 3;

/** A connection that somebody has made, open or not. */
export interface BrokerLink {
  /** Null until its first request. */
  readonly clientId: string | null;
  /** "topic/partition" of everything that it has fetched from, or tried to. */
  readonly fetched: ReadonlySet<string>;
  readonly isOpen: boolean;
}

/** A question for the leaders of topics. */
export interface MetadataQuestion {
  readonly clientId: string;
  readonly topics: readonly string[];
  /** `performance.now()` when it came. */
  readonly atMs: number;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  clientId: string | null;
  readonly fetched: Set<string>;
  isOpen: boolean;
  /** Writes that a black hole keeps back. */
  readonly keptBack: (() => void)[];
}

/**
 * A broker's door, whose address the broker advertises. It writes down what clients ask, and fails for those alone
 * whose client.id begins with "member": producers and the other brokers, which come by the same way, notice nothing.
 */
export class BrokerProxy implements AsyncDisposable {
  /** All connections that were ever made. */
  readonly links: readonly BrokerLink[];
  readonly questions: MetadataQuestion[] = [];
  /** Latency added to each request and each answer. */
  delayMs = 0;
  /** Answers that were cut inside. */
  cutAnswers = 0;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links: Link[] = [];
  readonly #server: Server;
  /** Answers to fetches that will be cut inside. */
  #cutsLeft = 0;
  #isNextCut = false;
  /** Shorter ones are passed on. */
  #leastBytes = 0;
  #isBlackHole = false;
  #refuses = false;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.links = this.#links;
    this.#server = createServer({ allowHalfOpen: false }, (near) => this.#carry(near));
  }

  static async to(target: { readonly host: string; readonly port: number }): Promise<BrokerProxy> {
    const proxy = new BrokerProxy(target);
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

  /** What each connection of this client fetches: one sorted, joined text for each that has fetched. */
  fetchersOf(clientId: string, which: 'open' | 'all' = 'open'): string[] {
    return this.#links
      .filter(
        (link) => link.clientId === clientId && link.fetched.size > 0 && (which === 'all' || link.isOpen),
      )
      .map(({ fetched }) => [...fetched].sort(byTopicAndNumber).join(' '))
      .sort();
  }

  openOf(clientId: string): number {
    return this.#links.filter((link) => link.clientId === clientId && link.isOpen).length;
  }

  /** Resets the members' connections. */
  cut(): void {
    for (const link of this.#links) if (isMember(link)) reset(link);
  }

  /** From now on, members' connections end with their first request; the ones there are end at once. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  accept(): void {
    this.#refuses = false;
  }

  /**
   * Ends so many connections of members in the middle of an answer to a fetch that has so many bytes; every second such
   * answer is passed on.
   */
  cutInsideAnswers(count: number, leastBytes: number): void {
    this.#cutsLeft = count;
    this.#leastBytes = leastBytes;
  }

  /** Members are neither heard nor answered any more, and nobody is told. */
  blackHole(): void {
    this.#isBlackHole = true;
  }

  /** What was sent meanwhile arrives, as by TCP's retransmission. */
  heal(): void {
    this.#isBlackHole = false;
    for (const { keptBack, isOpen } of this.#links) {
      for (const write of keptBack.splice(0)) if (isOpen) write();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const link of this.#links) reset(link);
    await closed;
  }

  #carry(near: Socket): void {
    const link: Link = {
      ...{ near, far: connect(this.#target), clientId: null },
      ...{ fetched: new Set<string>(), isOpen: true, keptBack: [] },
    };
    this.#links.push(link);
    const { far } = link;
    /** Whether each of the requests that wait for an answer is a fetch. */
    const pending: boolean[] = [];
    const requests = new FrameSplitter();
    near.on('data', (chunk: Buffer) => {
      for (const frame of requests.push(chunk)) {
        pending.push(this.#note(link, frame));
        if (this.#refuses && isMember(link)) reset(link);
        else this.#pass(link, () => far.write(withLength(frame)));
      }
    });
    const answers = new FrameSplitter();
    far.on('data', (chunk: Buffer) => {
      for (const frame of answers.push(chunk)) {
        const isFetch = pending.shift() === true;
        if (isFetch && isMember(link) && this.#isToBeCut(frame)) {
          this.#cutInside(link, withLength(frame));
          return;
        }
        this.#pass(link, () => near.write(withLength(frame)));
      }
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        link.isOpen = false;
        to.destroy();
      });
    }
  }

  /** Reads a request's header, and its body if it is one that a member sends; true for a fetch. */
  #note(link: Link, frame: Buffer): boolean {
    const reader = new ByteReader(frame);
    const apiKey = reader.int16();
    const version = reader.int16();
    reader.int32(); // correlation id
    const clientId = reader.string();
    link.clientId = clientId;
    if (!isMember(link)) return false;
    if (apiKey === METADATA) {
      const topics = reader.array(() => reader.string());
      this.questions.push({ clientId, topics, atMs: performance.now() });
    }
    if (apiKey !== FETCH) return false;
    reader.int32(); // replica
    reader.int32(); // longest wait
    reader.int32(); // least bytes
    if (version >= 3) reader.int32(); // most bytes
    if (version >= 4) reader.int8(); // isolation level
    if (version >= 7) reader.int64(); // session
    reader.array(() => {
      const topic = reader.string();
      reader.array(() => {
        link.fetched.add(`${topic}/${reader.int32()}`);
        if (version >= 9) reader.int32(); // leader epoch
        reader.int64(); // offset
        if (version >= 5) reader.int64(); // start of the log
        reader.int32(); // most bytes
      });
    });
    return true;
  }

  #pass(link: Link, write: () => void): void {
    const now = (): void => {
      if (this.#isBlackHole && isMember(link)) link.keptBack.push(write);
      else if (link.isOpen) write();
    };
    if (this.delayMs > 0 && isMember(link)) setTimeout(now, this.delayMs);
    else now();
  }

  #isToBeCut(answer: Buffer): boolean {
    if (this.#cutsLeft === 0 || answer.length < this.#leastBytes) return false;
    this.#isNextCut = !this.#isNextCut;
    if (this.#isNextCut) this.#cutsLeft -= 1;
    return this.#isNextCut;
  }

  /** By turns an end in order and a reset, each behind about half of the bytes. */
  #cutInside(link: Link, answer: Buffer): void {
    this.cutAnswers += 1;
    const half = answer.subarray(0, Math.floor(answer.length / 2));
    if (this.cutAnswers % 2 === 0) {
      link.near.end(half);
      link.far.destroy();
    } else link.near.write(half, () => reset(link));
  }
}

/** The doors of all brokers of a cluster. */
export class BrokerProxies implements AsyncDisposable {
  readonly #byId = new Map<number, BrokerProxy>();
  readonly #kafka: string;

  constructor(kafka: string) {
    this.#kafka = kafka;
  }

  /** For `brokerProperties` of a cluster: makes the broker's door and says what the broker has to advertise. */
  readonly advertise = async (broker: BrokerAddress): Promise<Record<string, string>> => {
    await this.#byId.get(broker.id)?.[Symbol.asyncDispose]();
    const proxy = await BrokerProxy.to(broker);
    this.#byId.set(broker.id, proxy);
    const { host, port } = proxy;
    if (!this.#kafka.startsWith('0.8.')) return { 'advertised.listeners': `PLAINTEXT://${host}:${port}` };
    return { 'advertised.host.name': host, 'advertised.port': String(port) };
  };

  get all(): BrokerProxy[] {
    return [...this.#byId.values()];
  }

  of(id: number): BrokerProxy {
    const proxy = this.#byId.get(id);
    if (proxy === undefined) throw new Error(`there is no broker ${id}`);
    return proxy;
  }

  /** What members have asked of all brokers, in no order among these. */
  get questions(): MetadataQuestion[] {
    return this.all.flatMap(({ questions }) => questions);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((proxy) => proxy[Symbol.asyncDispose]()));
  }
}

function isMember({ clientId }: Pick<Link, 'clientId'>): boolean {
  return clientId?.startsWith('member') === true;
}

function reset({ near, far }: Link): void {
  resetSocket(near);
  resetSocket(far);
}

function byTopicAndNumber(a: string, b: string): number {
  const [topicA = '', numberA] = a.split('/');
  const [topicB = '', numberB] = b.split('/');
  if (topicA !== topicB) return topicA < topicB ? -1 : 1;
  return Number(numberA) - Number(numberB);
}
