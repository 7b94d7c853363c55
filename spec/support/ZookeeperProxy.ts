import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import {
  connectRequest,
  dataOf,
  decodeReply,
  decodeRequest,
  eventOf,
  FrameSplitter,
  withLength,
  type DecodedReply,
  type DecodedRequest,
  type ZookeeperOp,
} from './zookeeperFrames';
import { resetSocket } from '../../lib/testing/network/resetSocket';

const HOST = '127.0.0.1';

/** One request with its answer, or one watch event (which has no request). */
export interface ZookeeperRecord {
  /** Name of the proxy, so of the member that it stands in front of. */
  readonly member: string;
  readonly op: ZookeeperOp;
  /** Without the chroot; null where there is none. Of a transaction: the first one. */
  readonly path: string | null;
  /** What create and setData write, and what getData was answered. */
  data: string | null;
  /** Whether a read asked for a watch. */
  readonly watch: boolean;
  readonly ephemeral: boolean;
  /** When the request came from the member; of an event: when it came from the server. */
  readonly sentAt: number;
  readonly sentMs: number;
  /** When the answer was passed to the member; Infinity as long as it was not. */
  answeredAt: number;
  answeredMs: number;
  /** 0 for success, else ZooKeeper's error code; null as long as the server has not answered. */
  error: number | null;
}

export interface ZookeeperProxyOptions {
  /** Of the member. */
  readonly name: string;
  readonly target: { readonly host: string; readonly port: number };
  readonly chroot?: string;
  /** Counts up; shared by everything whose order matters. */
  readonly next: () => number;
}

/** Answers that are kept back, with all that come behind them on the same connection. */
export interface Hold {
  /** Resolves with the first answer that is kept back. */
  readonly held: Promise<ZookeeperRecord>;
  /** Passes them on; later ones are not kept back. */
  release(): void;
}

interface Rule {
  readonly matches: (record: ZookeeperRecord) => boolean;
  readonly until: (record: ZookeeperRecord) => Promise<unknown>;
}

interface Link {
  readonly near: Socket;
  readonly far: Socket;
}

/** A ZooKeeper server's door for one member, which writes down what goes through, and can keep answers back. */
export class ZookeeperProxy implements AsyncDisposable {
  /** In the order in which they were sent. */
  readonly records: ZookeeperRecord[] = [];
  readonly #options: ZookeeperProxyOptions;
  readonly #links = new Set<Link>();
  readonly #rules = new Set<Rule>();
  readonly #server: Server;
  /** Aborted by the end of the proxy, which no answer outlives. */
  readonly #closing = new AbortController();

  private constructor(options: ZookeeperProxyOptions) {
    this.#options = options;
    this.#server = createServer((near) => this.#carry(near));
  }

  static async start(options: ZookeeperProxyOptions): Promise<ZookeeperProxy> {
    const proxy = new ZookeeperProxy(options);
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** For `zookeeper.connect`. */
  get connectString(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}${this.#options.chroot ?? ''}`;
  }

  /** The records of one operation on one path. */
  of(op: ZookeeperOp, path: string): ZookeeperRecord[] {
    return this.records.filter((record) => record.op === op && record.path === path);
  }

  /** From now on, answers (and events) that match are kept back, until `release`. */
  hold(matches: (record: ZookeeperRecord) => boolean): Hold {
    let tell: (record: ZookeeperRecord) => void = () => undefined;
    const held = new Promise<ZookeeperRecord>((resolve) => (tell = resolve));
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const forget = this.#addRule(matches, (record) => {
      tell(record);
      return opened;
    });
    return {
      held,
      release: () => {
        forget();
        open();
      },
    };
  }

  /** From now on, answers that match come so much later; the returned function ends it. */
  delay(matches: (record: ZookeeperRecord) => boolean, ms: number): () => void {
    return this.#addRule(matches, () => new Promise((resolve) => setTimeout(resolve, ms)));
  }

  /** Resets all connections; new ones are welcome. */
  dropConnections(): void {
    for (const { near, far } of [...this.#links]) {
      resetSocket(near);
      resetSocket(far);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.dropConnections();
    await closed;
  }

  #addRule(matches: Rule['matches'], until: Rule['until']): () => void {
    const rule = { matches, until };
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  #carry(near: Socket): void {
    const link: Link = { near, far: connect(this.#options.target) };
    this.#links.add(link);
    const { far } = link;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#links.delete(link);
        to.destroy();
      });
    }
    this.#record(link);
  }

  #record({ near, far }: Link): void {
    /** Sent and not answered, oldest first. */
    const pending: { readonly xid: number | null; readonly record: ZookeeperRecord }[] = [];
    let isFirstRequest = true;
    const requests = new FrameSplitter();
    near.on('data', (chunk: Buffer) => {
      for (const frame of requests.push(chunk)) {
        const request = isFirstRequest ? connectRequest() : decodeRequest(frame);
        isFirstRequest = false;
        const record = this.#add(request);
        pending.push({ xid: request.xid, record });
        far.write(withLength(frame));
      }
    });
    let isFirstAnswer = true;
    const answers = new FrameSplitter();
    let passed = Promise.resolve();
    far.on('data', (chunk: Buffer) => {
      for (const frame of answers.push(chunk)) {
        const reply = isFirstAnswer ? null : decodeReply(frame);
        isFirstAnswer = false;
        const event = reply && eventOf(reply);
        const record = event
          ? this.#add({ ...connectRequest(), op: 'event', path: event.path })
          : takeBy(pending, reply?.xid ?? null);
        passed = passed.then(() => this.#pass(frame, near, record, reply));
      }
    });
  }

  async #pass(
    frame: Buffer,
    near: Socket,
    record: ZookeeperRecord | undefined,
    reply: DecodedReply | null,
  ): Promise<void> {
    if (record !== undefined) {
      record.error = reply?.error ?? 0;
      if (reply !== null && record.op === 'getData') record.data = dataOf(reply);
      for (const rule of this.#rules) if (rule.matches(record)) await this.#untilOrClosed(rule.until(record));
    }
    if (near.destroyed) return;
    if (record !== undefined) {
      record.answeredAt = this.#options.next();
      record.answeredMs = performance.now();
    }
    near.write(withLength(frame));
  }

  async #untilOrClosed(until: Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    if (!signal.aborted) await Promise.race([until, once(signal, 'abort')]);
  }

  #add({ op, path, data, watch, ephemeral }: DecodedRequest): ZookeeperRecord {
    const { name: member, chroot = '', next } = this.#options;
    const record: ZookeeperRecord = {
      ...{ member, op, data, watch, ephemeral },
      path: path?.startsWith(chroot) === true ? path.slice(chroot.length) || '/' : path,
      ...{ sentAt: next(), sentMs: performance.now() },
      ...{ answeredAt: Infinity, answeredMs: Infinity, error: null },
    };
    this.records.push(record);
    return record;
  }
}

/** Answers come in the order of the requests, but for those that have fixed numbers, such as pings. */
function takeBy(
  pending: { readonly xid: number | null; readonly record: ZookeeperRecord }[],
  xid: number | null,
): ZookeeperRecord | undefined {
  const index = pending.findIndex((one) => one.xid === xid);
  return index < 0 ? undefined : pending.splice(index, 1)[0]?.record;
}
