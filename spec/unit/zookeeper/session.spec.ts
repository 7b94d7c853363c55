import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { silentLogger } from '../../../lib/logger';
import {
  ZookeeperSession,
  type SessionOptions,
  type SessionState,
} from '../../../lib/zookeeper/ZookeeperSession';

/** ZooKeeper's numbers for the requests that occur here. */
const TYPE = { exists: 3, read: 4, write: 5, ping: 11, multi: 14, close: -11 } as const;
const PING_XID = -2;
const WATCH_XID = -1;
const NO_NODE = -101;
const SESSION_EXPIRED = -112;
const SESSION_MOVED = -118;
const THROTTLED = -127;

/** An error code; or the bytes of a successful answer's body; or null for none at all. */
type Answer = number | Buffer | null;

interface Request {
  readonly type: number;
  readonly atMs: number;
  readonly socket: Socket;
}

/** As much of a ZooKeeper server as is needed to say what a real one says rarely. */
class FakeServer {
  timeoutMs = 1_000;
  connectionCount = 0;
  connectAnswer = (): Buffer => connectAnswer(this.timeoutMs);
  readonly requests: Request[] = [];
  /** Decides the answer to everything but pings and the end of the session. */
  answer: (request: Request) => Answer = ({ type }) => (type === TYPE.multi ? CHECKED : stat());
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  #port = 0;

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  of(type: number): Request[] {
    return this.requests.filter((request) => request.type === type);
  }

  #serve(socket: Socket): void {
    this.connectionCount += 1;
    this.#sockets.add(socket);
    let rest = Buffer.alloc(0);
    let isNew = true;
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE()) {
        const frame = rest.subarray(4, 4 + rest.readInt32BE());
        rest = rest.subarray(4 + frame.length);
        if (isNew) socket.write(framed(this.connectAnswer()));
        else this.#reply(socket, frame);
        isNew = false;
      }
    });
  }

  #reply(socket: Socket, frame: Buffer): void {
    const [xid, type] = [frame.readInt32BE(0), frame.readInt32BE(4)];
    if (xid === PING_XID) {
      socket.write(answerFrame(xid, 0));
    } else if (type === TYPE.close) {
      socket.end(answerFrame(xid, 0));
    } else {
      const request = { type, atMs: performance.now(), socket };
      this.requests.push(request);
      const answer = this.answer(request);
      if (answer !== null) socket.write(answerFrame(xid, answer));
    }
  }
}

function framed(body: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length);
  return Buffer.concat([size, body]);
}

function ints(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeInt32BE(value, 4 * index));
  return buffer;
}

function connectAnswer(timeoutMs: number): Buffer {
  return Buffer.concat([ints(0, timeoutMs, 0, 0x5e55, 16), Buffer.alloc(16, 1)]);
}

/** xid, an 8-byte transaction id, error code, body. */
function answerFrame(xid: number, answer: number | Buffer): Buffer {
  const [code, body] = typeof answer === 'number' ? [answer, Buffer.alloc(0)] : [0, answer];
  return framed(Buffer.concat([ints(xid, 0, 1, code), body]));
}

/** Of a persistent node. */
function stat(): Buffer {
  return Buffer.alloc(68);
}

/** Result of a transaction: one successful check (13), end mark. */
const CHECKED = Buffer.concat([ints(13), Buffer.from([0]), ints(0, -1), Buffer.from([1]), ints(-1)]);

/** Kind of event, state of the connection, path. */
function watchEvent(type: number, path: string): Buffer {
  return answerFrame(WATCH_XID, Buffer.concat([ints(type, 3, path.length), Buffer.from(path)]));
}

let server: FakeServer;
let states: SessionState[];
let watches: string[];
const cleanups: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  server = new FakeServer();
  states = [];
  watches = [];
  await server.listen();
  cleanups.push(() => server.stop());
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function options(changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    servers: server.address,
    chroot: '',
    sessionTimeoutMs: 1_000,
    connectionTimeoutMs: 1_000,
    logger: silentLogger,
    onWatch: (path) => watches.push(path),
    onState: (state) => states.push(state),
    ...changes,
  };
}

async function open(changes: Partial<SessionOptions> = {}): Promise<ZookeeperSession> {
  const session = await ZookeeperSession.open(options(changes));
  cleanups.push(() => session.close());
  return session;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 500) throw new Error('waited in vain');
    await delay(10);
  }
}

describe('the proof of life', () => {
  it('is an answer of the leader, so a server that answers only reads is left, and the lease runs out', async () => {
    const session = await open();
    await until(() => server.of(TYPE.multi).length === 3);
    const { answer } = server;
    server.answer = (request) => (request.type === TYPE.multi ? null : answer(request));
    const lastProofMs = server.of(TYPE.multi).at(-1)?.atMs ?? 0;
    const { connectionCount } = server;
    expect(await session.exists('/a')).not.toBeNull();
    // To take the session up again, a server has to ask the leader, which a follower that is cut off cannot.
    server.timeoutMs = 0;
    await until(() => states.includes('lost'));
    expect(performance.now() - lastProofMs).toBeLessThan(1_000);
    expect(server.connectionCount).toBeGreaterThan(connectionCount);
    await expect(session.exists('/a')).rejects.toMatchObject({ code: 'SESSION_LOST' });
  });

  it('counts from the beat before the one that was answered last', async () => {
    const session = await open();
    let checked = 0;
    for (let beat = 2; beat <= 6; beat += 1) {
      await until(() => server.of(TYPE.multi).length >= beat);
      const { provedUntilMs } = session;
      const beats = server.of(TYPE.multi);
      const [previous, last] = [beats.at(-2), beats.at(-1)];
      if (!previous || !last) continue;
      expect(provedUntilMs).toBeLessThan(last.atMs + session.timeoutMs - 200);
      expect(provedUntilMs).toBeLessThanOrEqual(previous.atMs + session.timeoutMs);
      expect(session.isProved).toBe(true);
      checked += 1;
    }
    expect(checked).toBe(5);
  });

  it.each([NO_NODE, -102])('is also an error answer that only the leader gives: %i', async (code) => {
    server.answer = ({ type }) => (type === TYPE.multi ? code : stat());
    const session = await open();
    await until(() => server.of(TYPE.multi).length >= 8);
    expect(session.state).toBe('connected');
    expect(states).toEqual([]);
  });

  it('is not one that a server gives by itself', async () => {
    const session = await open();
    server.answer = ({ type }) => (type === TYPE.multi ? SESSION_MOVED : stat());
    await until(() => states.includes('suspended'));
    expect(session.isProved).toBe(true);
  });

  it('is a failing write where transactions are unknown and dropped, as before ZooKeeper 3.4', async () => {
    server.answer = ({ type }) => (type === TYPE.multi ? null : type === TYPE.write ? NO_NODE : stat());
    const session = await open();
    await until(() => server.of(TYPE.write).length >= 6);
    expect(session.isProved).toBe(true);
    expect(server.of(TYPE.multi)).toHaveLength(1);
  });
});

describe('a server that says the unusual', () => {
  it.each([THROTTLED, -13, -12345])('such as error code %i fails one request', async (code) => {
    const session = await open();
    server.answer = ({ type }) => (type === TYPE.multi ? CHECKED : code);
    const asking = session.exists('/a');
    await expect(asking).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE', context: { path: '/a' } });
    expect(session.state).toBe('connected');
    expect(server.connectionCount).toBe(1);
  });

  it('such as "session moved" is asked again on a new connection, which takes the session back', async () => {
    const session = await open();
    let moved = 0;
    server.answer = ({ type }) => {
      if (type === TYPE.multi) return CHECKED;
      return (moved += 1) <= 2 ? SESSION_MOVED : stat();
    };
    expect(await session.exists('/a')).not.toBeNull();
    expect(moved).toBe(3);
    expect(server.connectionCount).toBe(3);
    expect(states).toEqual(['suspended', 'connected', 'suspended', 'connected']);
  });

  it('such as an unknown kind of watch event is taken for a change', async () => {
    const session = await open();
    await session.exists('/a', { watch: true });
    server.requests.at(-1)?.socket.write(watchEvent(7, '/a'));
    await until(() => watches.length > 0);
    expect(watches).toEqual(['/a']);
    expect(session.state).toBe('connected');
  });

  it('such as "session expired" to a request ends the session', async () => {
    const session = await open();
    server.answer = () => SESSION_EXPIRED;
    await expect(session.exists('/a')).rejects.toMatchObject({ code: 'SESSION_LOST' });
    expect(states).toEqual(['lost']);
  });

  it('such as half an answer before the connection breaks is understood after the reconnect', async () => {
    const session = await open();
    let isCut = false;
    server.answer = ({ type, socket }) => {
      if (type === TYPE.multi) return CHECKED;
      if (isCut) return stat();
      isCut = true;
      socket.end(answerFrame(1, stat()).subarray(0, 30));
      return null;
    };
    const asking = session.exists('/a');
    await until(() => states.includes('suspended'));
    expect(await asking).toEqual({ version: 0, ephemeralOwner: '0x0' });
    expect(server.connectionCount).toBe(2);
  });

  it('such as bytes without sense costs the connection, not the process', async () => {
    const session = await open();
    for (const garbage of [
      framed(Buffer.alloc(3)),
      ints(-5, 0, 0),
      ints(8, 77, 77, 0),
      Buffer.from('HTTP/1.1 400'),
    ]) {
      states.length = 0;
      server.requests.at(-1)?.socket.write(garbage);
      await until(() => states.at(-1) === 'connected');
      expect(await session.exists('/a')).not.toBeNull();
    }
  });

  it('such as thousands of answers in one piece is read to the end', async () => {
    const session = await open();
    const multi = server.answer;
    let held: Buffer[] = [];
    let xid = 0;
    server.answer = (request) => multi(request);
    await until(() => server.of(TYPE.multi).length === 1);
    xid = server.requests.length;
    server.answer = ({ type }) => {
      held.push(answerFrame(xid, type === TYPE.multi ? CHECKED : stat()));
      xid += 1;
      return null;
    };
    const asked = Array.from({ length: 3_000 }, () => session.exists('/a'));
    await until(() => held.length >= 3_000);
    server.requests.at(-1)?.socket.write(Buffer.concat(held));
    held = [];
    server.answer = multi;
    expect((await Promise.all(asked)).every((found) => found !== null)).toBe(true);
    expect(server.connectionCount).toBe(1);
  });
});

describe('numbers that would lead a reader astray', () => {
  it.each([
    ['a password of 2 GiB', ints(0, 1_000, 0, 0x5e55, 0x7fff_ffff)],
    ['a password of a negative size', ints(0, 1_000, 0, 0x5e55, -2)],
    ['a timeout of 24 days', connectAnswer(0x7fff_ffff)],
  ])('such as %s open no session', async (_name, answer) => {
    server.connectAnswer = () => answer;
    await expect(open()).rejects.toMatchObject({
      code: 'ZOOKEEPER_UNREACHABLE',
      message: expect.stringContaining("what it answers is not ZooKeeper's protocol") as string,
    });
  });

  it('such as a granted timeout that is as long as the one asked for are believed', async () => {
    server.connectAnswer = () => connectAnswer(120_000);
    expect((await open({ sessionTimeoutMs: 120_000 })).timeoutMs).toBe(120_000);
  });

  it.each([
    ['children whose names have the length -4', ints(0x7fff_ffff, -4)],
    ['children without names', Buffer.concat([ints(2, -1, -1), Buffer.alloc(68)])],
    ['more children than fit', Buffer.concat([ints(30, 1), Buffer.alloc(80)])],
  ])('such as %s cost the connection', async (_name, body) => {
    const session = await open();
    server.answer = ({ type }) => (type === TYPE.multi ? CHECKED : body);
    await expect(session.children('/a')).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
    expect(server.connectionCount).toBeGreaterThan(1);
  });

  it('such as a transaction that begins again and again costs the connection', async () => {
    const session = await open();
    server.answer = ({ type }) =>
      type === TYPE.multi ? Buffer.concat([ints(1), Buffer.alloc(1), ints(0, -13)]) : stat();
    await until(() => server.connectionCount > 1);
    server.answer = ({ type }) => (type === TYPE.multi ? CHECKED : stat());
    expect(await session.exists('/a')).not.toBeNull();
  });

  it('such as "connection lost" as an answer are not asked for without a pause', async () => {
    const session = await open();
    server.answer = ({ type }) => (type === TYPE.multi ? CHECKED : -4);
    await expect(session.exists('/a')).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
    expect(server.of(TYPE.exists).length).toBeLessThan(40);
  });
});

describe('a port where something else listens', () => {
  it.each([
    ['an HTTP server', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'],
    ['a server that only hangs up', ''],
    ['a server that sends zeros', '\0'.repeat(100)],
  ])('makes open fail in time: %s', async (_name, text) => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.end(text);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const start = performance.now();
    const opening = ZookeeperSession.open(
      options({ servers: `127.0.0.1:${port}`, connectionTimeoutMs: 400 }),
    );
    await expect(opening).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
    expect(performance.now() - start).toBeLessThan(800);
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('a session that cannot be opened', () => {
  it('says what each server did', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined).resume());
    const http = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('HTTP/1.1 400 Bad Request'),
    );
    const hangsUp = createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end(),
    );
    const addresses: string[] = [];
    for (const other of [mute, http, hangsUp]) {
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      cleanups.push(() => new Promise((resolve) => other.close(resolve)));
      addresses.push(`127.0.0.1:${(other.address() as AddressInfo).port}`);
    }
    await server.stop();
    const servers = [...addresses, server.address, 'no-such-host.invalid:2181'].join(',');
    const error: unknown = await ZookeeperSession.open(
      options({ servers, connectionTimeoutMs: 1_500 }),
    ).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
    const { message } = error as Error;
    const [muteAt = '', httpAt = '', hangsUpAt = ''] = addresses;
    expect(message).toMatch(new RegExp(`${muteAt}: no answer within \\d+ ms`));
    expect(message).toContain(`${httpAt}: what it answers is not ZooKeeper's protocol`);
    expect(message).toContain(`${hangsUpAt}: it closed the connection without an answer`);
    expect(message).toContain(`${server.address}: connect ECONNREFUSED`);
    expect(message).toMatch(/no-such-host\.invalid:2181: getaddrinfo (ENOTFOUND|EAI_AGAIN)/);
  });
});

describe('callbacks that throw', () => {
  it('are logged and change nothing', async () => {
    const errors: string[] = [];
    const session = await open({
      logger: { ...silentLogger, error: (message) => errors.push(message) },
      onState: (state) => {
        states.push(state);
        throw new Error('from the listener');
      },
    });
    server.cut();
    await until(() => states.includes('connected'));
    expect(states).toEqual(['suspended', 'connected']);
    expect(errors).toHaveLength(2);
    expect(session.state).toBe('connected');
  });
});
