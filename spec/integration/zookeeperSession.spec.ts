import { spawn } from 'node:child_process';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { silentLogger } from '../../lib/logger';
import {
  ZookeeperSession,
  type SessionOptions,
  type SessionState,
} from '../../lib/zookeeper/ZookeeperSession';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { TcpProxy } from '../support/TcpProxy';
import { waitFor } from '../support/waitFor';

const CHROOT = '/kafka';
const SESSION_TIMEOUT_MS = 2_000;
const LIMIT = { timeoutMs: 10_000 };

let cluster: TestCluster;
let admin: ZookeeperAdmin;
let proxy: TcpProxy;
/** Of the session under test. */
let states: { readonly state: SessionState; readonly atMs: number }[];
let watches: string[];
const sessions: ZookeeperSession[] = [];

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2', brokers: 0, chroot: CHROOT });
  admin = await cluster.zookeeper();
}, 120_000);

afterAll(async () => {
  await admin.close();
  await cluster.stop();
});

beforeEach(async () => {
  states = [];
  watches = [];
  proxy = await TcpProxy.to(zookeeper());
});

afterEach(async () => {
  proxy.heal();
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await proxy[Symbol.asyncDispose]();
  await admin.removeRecursive('/test');
});

function zookeeper(): { readonly host: string; readonly port: number } {
  const [server] = cluster.zookeeperServers;
  if (!server) throw new Error('no server');
  return server;
}

function options(changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    servers: proxy.address,
    chroot: CHROOT,
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
    connectionTimeoutMs: 5_000,
    logger: silentLogger,
    onWatch: (path) => watches.push(path),
    onState: (state) => states.push({ state, atMs: performance.now() }),
    ...changes,
  };
}

async function open(changes: Partial<SessionOptions> = {}): Promise<ZookeeperSession> {
  const session = await ZookeeperSession.open(options(changes));
  sessions.push(session);
  return session;
}

async function reached(state: SessionState): Promise<number> {
  const found = await waitFor(() => states.find((entry) => entry.state === state), {
    ...LIMIT,
    description: `state ${state}`,
  });
  return found.atMs;
}

async function watched(path: string): Promise<void> {
  await waitFor(() => watches.includes(path), { ...LIMIT, description: `watch on ${path}` });
}

/** Resolves when the session has a proof that is younger than this moment. */
async function proved(session: ZookeeperSession): Promise<void> {
  const before = session.provedUntilMs;
  await waitFor(() => session.provedUntilMs > before, { ...LIMIT, description: 'next proof', intervalMs: 2 });
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A server that accepts connections and never says a word. */
async function muteServer(): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Run {
  readonly code: number | null;
  readonly lines: readonly string[];
  /** From the last line that the program printed to its end. */
  readonly lingeredMs: number;
}

/** Runs the body of an async function in a process of its own, which must end by itself. */
async function runAlone(body: string): Promise<Run> {
  const program = `
    const { ZookeeperSession } = require('./lib/zookeeper/ZookeeperSession.ts');
    const { silentLogger } = require('./lib/logger.ts');
    const options = { ...${JSON.stringify(options())}, logger: silentLogger, onWatch() {}, onState() {} };
    (async () => { ${body} })();`;
  const child = spawn(process.execPath, ['--require', 'tsx/cjs', '--eval', program]);
  const lines: string[] = [];
  let lastLineMs = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.trim().split('\n'));
      lastLineMs = performance.now();
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return { code, lines, lingeredMs: performance.now() - lastLineMs };
}

describe('opening', () => {
  it('gives the id and the timeout that the server has', async () => {
    const session = await open();
    const known = (await cluster.sessions()).find(({ id }) => id === session.id);
    expect(known?.timeoutMs).toBe(session.timeoutMs);
    expect(session.timeoutMs).toBe(SESSION_TIMEOUT_MS);
    expect(session.state).toBe('connected');
    expect(session.isProved).toBe(true);
    expect(session.provedUntilMs).toBeLessThanOrEqual(performance.now() + SESSION_TIMEOUT_MS);
  });

  it('takes the timeout that the server grants instead of the one asked for', async () => {
    const session = await open({ sessionTimeoutMs: 10 });
    expect(session.timeoutMs).toBe(1_000);
    expect(session.provedUntilMs).toBeLessThanOrEqual(performance.now() + 1_000);
  });

  it('says how to create a missing chroot, and leaves no session', async () => {
    const before = (await cluster.sessions()).length;
    const opening = ZookeeperSession.open(options({ chroot: '/not/there' }));
    await expect(opening).rejects.toMatchObject({
      code: 'CHROOT_MISSING',
      message: expect.stringContaining('create /not/there') as string,
    });
    expect((await cluster.sessions()).length).toBe(before);
    await waitFor(() => proxy.openCount === 0, { ...LIMIT, description: 'no connection' });
  });

  it('fails after the connection timeout when nothing listens', async () => {
    await proxy.refuse();
    const tookMs = await elapsedMs(() =>
      expect(ZookeeperSession.open(options({ connectionTimeoutMs: 700 }))).rejects.toMatchObject({
        code: 'ZOOKEEPER_UNREACHABLE',
        retriable: true,
      }),
    );
    expect(tookMs).toBeGreaterThan(650);
    expect(tookMs).toBeLessThan(1_200);
    await proxy.accept();
  });

  it('fails after the connection timeout when the server is mute', async () => {
    proxy.blackHole();
    const tookMs = await elapsedMs(() =>
      expect(ZookeeperSession.open(options({ connectionTimeoutMs: 700 }))).rejects.toMatchObject({
        code: 'ZOOKEEPER_UNREACHABLE',
      }),
    );
    expect(tookMs).toBeLessThan(1_200);
  });

  it('goes past dead and mute servers to the one that lives', async () => {
    const mute = await muteServer();
    const dead = await TcpProxy.to(zookeeper());
    await dead.refuse();
    // The order of servers is random: often enough for the good one not to be first.
    for (let round = 0; round < 4; round += 1) {
      const servers = `${mute.address},${dead.address},${proxy.address}`;
      const session = await ZookeeperSession.open(options({ servers, connectionTimeoutMs: 1_200 }));
      expect(session.state).toBe('connected');
      await session.close();
    }
    mute.server.close();
  });

  it('stops when the signal is aborted, before and while it connects', async () => {
    proxy.blackHole();
    const early = ZookeeperSession.open(options({ signal: AbortSignal.abort() }));
    await expect(early).rejects.toMatchObject({ code: 'CONNECTOR_CLOSED' });
    const tookMs = await elapsedMs(() =>
      expect(ZookeeperSession.open(options({ signal: AbortSignal.timeout(150) }))).rejects.toMatchObject({
        code: 'CONNECTOR_CLOSED',
      }),
    );
    expect(tookMs).toBeLessThan(500);
  });

  it('keeps no process alive after a failure', async () => {
    const mute = await muteServer();
    const { code, lines, lingeredMs } = await runAlone(`
      for (const servers of ['127.0.0.1:1', '${mute.address}', '127.0.0.1:1,${mute.address}']) {
        await ZookeeperSession.open({ ...options, servers, connectionTimeoutMs: 300 }).catch((error) => console.log(error.code));
      }
      const opening = ZookeeperSession.open({ ...options, servers: '${mute.address}', signal: AbortSignal.timeout(50) });
      await opening.catch((error) => console.log(error.code));`);
    mute.server.close();
    const failed = 'ZOOKEEPER_UNREACHABLE';
    expect({ code, lines }).toEqual({ code: 0, lines: [failed, failed, failed, 'CONNECTOR_CLOSED'] });
    expect(lingeredMs).toBeLessThan(250);
  });
});

describe('nodes', () => {
  it('creates, reads, writes, lists and removes', async () => {
    const session = await open();
    expect(await session.create('/test/a', null, 'persistent')).toBe('no-parent');
    expect(await session.createWithParents('/test/a/b', Buffer.from('1'), 'ephemeral')).toBe('created');
    expect(await session.createWithParents('/test/a/b', null, 'persistent')).toBe('exists');
    expect(await session.read('/test/a')).toEqual({
      data: Buffer.alloc(0),
      version: 0,
      ephemeralOwner: '0x0',
    });
    expect((await admin.get('/test/a/b'))?.ephemeralOwner).toBe(session.id);
    expect(await session.write('/test/a/b', Buffer.from('2'))).toBe('written');
    expect(await session.write('/test/none', Buffer.from('2'))).toBe('absent');
    expect(await session.read('/test/a/b')).toEqual({
      data: Buffer.from('2'),
      version: 1,
      ephemeralOwner: session.id,
    });
    expect(await session.exists('/test/a/b')).toEqual({ version: 1, ephemeralOwner: session.id });
    expect(await session.children('/test/a')).toEqual(['b']);
    expect(await session.remove('/test/a/b', 0)).toBe('changed');
    expect(await session.remove('/test/a/b', 1)).toBe('removed');
    expect(await session.remove('/test/a/b')).toBe('absent');
    expect(await session.read('/test/a/b')).toBeNull();
    expect(await session.exists('/test/a/b')).toBeNull();
    expect(await session.children('/test/a/b')).toBeNull();
    expect(await session.children('/test/a')).toEqual([]);
  });

  it('creates the same parents from many sides at once', async () => {
    const session = await open();
    const other = await open();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? session : other).createWithParents(`/test/p/q/r/${index % 10}`, null, 'persistent'),
      ),
    );
    expect(results.filter((result) => result === 'created')).toHaveLength(10);
    expect(results.filter((result) => result === 'exists')).toHaveLength(10);
  });

  it('rejects what cannot be asked, without a throw and without a lost connection', async () => {
    const session = await open();
    const data = Buffer.alloc(1024 * 1024);
    await expect(session.create('/test//a', null, 'persistent')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    await expect(session.read('no-slash')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(session.write('/test', data)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await session.createWithParents('/test/a', null, 'persistent');
    await expect(session.remove('/test')).rejects.toMatchObject({ context: { path: '/test' } });
    expect(await session.createWithParents('/test/big', data.subarray(0, 1_047_000), 'persistent')).toBe(
      'created',
    );
    expect(states).toEqual([]);
  });
});

describe('watches', () => {
  it('fire once for children, data and removal', async () => {
    const session = await open();
    await session.createWithParents('/test/w', null, 'persistent');
    await session.children('/test/w', { watch: true });
    await session.read('/test', { watch: true });
    await admin.create('/test/w/x');
    await watched('/test/w');
    await admin.create('/test/w/y');
    await admin.set('/test', 'new');
    await watched('/test');
    await session.exists('/test/w/x', { watch: true });
    await admin.remove('/test/w/x');
    await watched('/test/w/x');
    expect(watches).toEqual(['/test/w', '/test', '/test/w/x']);
  });

  it('on an absent node fire when it is created', async () => {
    const session = await open();
    await session.createWithParents('/test', null, 'persistent');
    expect(await session.read('/test/r', { watch: true })).toBeNull();
    expect(await session.exists('/test/e', { watch: true })).toBeNull();
    expect(await session.children('/test/c', { watch: true })).toBeNull();
    for (const name of ['r', 'e', 'c']) await admin.create(`/test/${name}`);
    for (const name of ['r', 'e', 'c']) await watched(`/test/${name}`);
  });

  it('fire after a reconnect for what happened meanwhile, once per path however often they were left', async () => {
    const session = await open();
    await session.createWithParents('/test', null, 'persistent');
    for (let round = 0; round < 15; round += 1) await session.children('/test', { watch: true });
    await session.exists('/test/later', { watch: true });
    await proxy.refuse();
    await admin.create('/test/later');
    await proxy.accept();
    await watched('/test');
    await watched('/test/later');
    expect(watches.filter((path) => path === '/test')).toHaveLength(1);
    expect(states.map(({ state }) => state)).toEqual(['suspended', 'connected']);
  });

  it('survive a throwing listener', async () => {
    const session = await open({
      onWatch: (path) => {
        watches.push(path);
        throw new Error('from the listener');
      },
    });
    await session.exists('/test', { watch: true });
    await admin.create('/test');
    await watched('/test');
    expect(await session.exists('/test')).not.toBeNull();
  });

  it('that are too many for one packet fire at the reconnect instead of breaking it', async () => {
    const session = await open({ sessionTimeoutMs: 6_000 });
    const paths = Array.from({ length: 6_000 }, (_, index) => `/test-${'x'.repeat(100)}-${index}`);
    for (let at = 0; at < paths.length; at += 500) {
      await Promise.all(paths.slice(at, at + 500).map((path) => session.exists(path, { watch: true })));
    }
    const acceptedCount = proxy.acceptedCount;
    proxy.cut();
    await waitFor(() => watches.length === paths.length, { ...LIMIT, description: 'all watches' });
    expect(session.state).toBe('connected');
    expect(proxy.acceptedCount).toBe(acceptedCount + 1);
  }, 30_000);
});

describe('a broken connection', () => {
  it('suspends the session, which goes on with the same id and its nodes', async () => {
    const session = await open();
    const { id } = session;
    await session.createWithParents('/test/e', null, 'ephemeral');
    proxy.cut();
    await reached('suspended');
    await reached('connected');
    expect(session.id).toBe(id);
    expect((await session.exists('/test/e'))?.ephemeralOwner).toBe(id);
    expect(states.map(({ state }) => state)).toEqual(['suspended', 'connected']);
    expect(proxy.openCount).toBe(1);
  });

  it('makes requests wait for the next one', async () => {
    const session = await open();
    await proxy.refuse();
    await reached('suspended');
    const asked = [
      session.createWithParents('/test/e', Buffer.from('1'), 'ephemeral'),
      session.children('/'),
      session.write('/test', Buffer.from('1')),
    ];
    await delay(100);
    await proxy.accept();
    await expect(Promise.all(asked)).resolves.toMatchObject([
      'created',
      expect.any(Array),
      expect.any(String),
    ]);
  });

  it('between a change and its answer is settled by what the node says', async () => {
    const session = await open();
    await session.createWithParents('/test/w', null, 'persistent');
    await session.create('/test/d', null, 'persistent');
    await session.create('/test/mine', null, 'ephemeral');
    proxy.blackHole('answers');
    const asked = [
      session.create('/test/e', Buffer.from('1'), 'ephemeral'),
      session.create('/test/p', Buffer.from('1'), 'persistent'),
      session.write('/test/w', Buffer.from('2')),
      session.remove('/test/d'),
      session.remove('/test/mine'),
    ];
    await waitFor(async () => !(await admin.exists('/test/mine')), {
      ...LIMIT,
      description: 'the changes made',
    });
    proxy.cut();
    proxy.heal();
    expect(await Promise.all(asked)).toEqual(['created', 'exists', 'written', 'removed', 'removed']);
    expect((await admin.get('/test/e'))?.ephemeralOwner).toBe(session.id);
  });

  it('before a change reached the server makes it again', async () => {
    const session = await open();
    await session.createWithParents('/test/d', null, 'persistent');
    proxy.blackHole('requests');
    const asked = [session.create('/test/e', Buffer.from('1'), 'ephemeral'), session.remove('/test/d')];
    await delay(50);
    proxy.cut();
    proxy.heal();
    expect(await Promise.all(asked)).toEqual(['created', 'removed']);
    expect(await admin.children('/test')).toEqual(['e']);
  });

  it('never takes away the node that another session made after the own one was removed', async () => {
    const session = await open();
    await session.createWithParents('/test/owner', null, 'ephemeral');
    proxy.blackHole('answers');
    const asked = session.remove('/test/owner').catch((error: unknown) => error);
    await waitFor(async () => !(await admin.exists('/test/owner')), { ...LIMIT, description: 'removal' });
    await admin.create('/test/owner', 'theirs', { ephemeral: true });
    proxy.cut();
    proxy.heal();
    expect(await asked).toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE', context: { path: '/test/owner' } });
    expect((await admin.get('/test/owner'))?.data?.toString()).toBe('theirs');
  });

  it('is replaced by a connection to another server when it only looks alive', async () => {
    const second = await TcpProxy.to(zookeeper());
    const session = await open({ servers: `${proxy.address},${second.address}` });
    await session.createWithParents('/test/e', null, 'ephemeral');
    const silent = proxy.openCount === 1 ? proxy : second;
    silent.blackHole();
    await reached('connected');
    expect((await session.exists('/test/e'))?.ephemeralOwner).toBe(session.id);
    expect(states.map(({ state }) => state)).toEqual(['suspended', 'connected']);
    await session.close();
    await second[Symbol.asyncDispose]();
  });

  it('costs one connection at a time through ten restarts of the server', async () => {
    const session = await open({ sessionTimeoutMs: 6_000 });
    for (let round = 0; round < 10; round += 1) {
      states = [];
      await proxy.refuse();
      await reached('suspended');
      await proxy.accept();
      await reached('connected');
      expect(proxy.openCount).toBe(1);
    }
    expect((await cluster.sessions()).filter(({ id }) => id === session.id)).toHaveLength(1);
  }, 30_000);
});

describe('the lease', () => {
  it('is extended by heartbeats, also when the checked node is missing', async () => {
    const session = await open();
    await proved(session);
    session.setProofPath('/test/not/there');
    for (let beat = 0; beat < 4; beat += 1) await proved(session);
    expect(session.isProved).toBe(true);
    expect(states).toEqual([]);
  }, 15_000);

  it('ends by the own clock in a silent network, at the last proof plus the timeout, and takes pending requests along', async () => {
    const session = await open();
    await session.createWithParents('/test/e', null, 'ephemeral');
    await proved(session);
    const lastMomentMs = performance.now();
    proxy.blackHole();
    await delay(100);
    const { provedUntilMs } = session;
    const pending = session.read('/test/e').catch((error: unknown) => error);
    const lostMs = await reached('lost');
    expect(provedUntilMs).toBeLessThanOrEqual(lastMomentMs + SESSION_TIMEOUT_MS);
    expect(lostMs).toBeGreaterThanOrEqual(provedUntilMs);
    expect(lostMs).toBeLessThan(provedUntilMs + 100);
    expect(await pending).toMatchObject({ code: 'SESSION_LOST', context: { path: '/test/e' } });
    await expect(session.write('/test/e', Buffer.from('2'))).rejects.toMatchObject({ code: 'SESSION_LOST' });
    expect(session.isProved).toBe(false);
    expect(session.provedUntilMs).toBe(0);
    // The server still keeps the node at the moment when the session is given up here, not the other way round.
    expect(await admin.exists('/test/e')).toBe(true);
  });

  it('that has ended is ended on the server, too, as soon as that can be reached, so that a successor can claim', async () => {
    const session = await open({ sessionTimeoutMs: 4_000 });
    await session.createWithParents('/test/e', null, 'ephemeral');
    await proved(session);
    proxy.blackHole();
    const lostMs = await reached('lost');
    proxy.heal();
    await waitFor(async () => !(await admin.exists('/test/e')), {
      ...LIMIT,
      description: 'end of the old session',
    });
    expect(performance.now() - lostMs).toBeLessThan(3_000);
    const successor = await open();
    expect(await successor.create('/test/e', null, 'ephemeral')).toBe('created');
    await session.close();
    expect(states.map(({ state }) => state)).toEqual(['suspended', 'lost']);
    expect(session.state).toBe('lost');
  }, 20_000);

  it('counts while the event loop is blocked', async () => {
    const session = await open({ sessionTimeoutMs: 1_000 });
    await proved(session);
    proxy.blackHole();
    const until = performance.now() + 1_100;
    while (performance.now() < until);
    expect(session.isProved).toBe(false);
    expect(session.state).toBe('lost');
    expect(states).toEqual([]);
    await expect(session.read('/')).rejects.toMatchObject({ code: 'SESSION_LOST' });
    expect(states.map(({ state }) => state)).toContain('lost');
  });

  it('ends at once when the server says so', async () => {
    const session = await open({ sessionTimeoutMs: 10_000 });
    await session.createWithParents('/test/e', null, 'ephemeral');
    await cluster.expireSession(session.id);
    await reached('lost');
    expect(session.state).toBe('lost');
    await expect(session.read('/')).rejects.toMatchObject({ code: 'SESSION_LOST', retriable: true });
    expect(await admin.exists('/test/e')).toBe(false);
    await waitFor(() => proxy.openCount === 0, { ...LIMIT, description: 'no connection' });
    await session.close();
    expect(states.at(-1)?.state).toBe('lost');
  });
});

describe('closing', () => {
  it('ZKEphemeralTest.testEphemeralNodeCleanup: removes the ephemeral nodes at once and rejects what comes later', async () => {
    const session = await open({ sessionTimeoutMs: 10_000 });
    await session.createWithParents('/test/e', null, 'ephemeral');
    await Promise.all([session.close(), session.close()]);
    expect(await admin.exists('/test/e')).toBe(false);
    expect(session.state).toBe('closed');
    expect(session.isProved).toBe(false);
    await expect(session.read('/')).rejects.toMatchObject({ code: 'CONNECTOR_CLOSED' });
    expect(states.map(({ state }) => state)).toEqual(['closed']);
    await waitFor(() => proxy.openCount === 0, { ...LIMIT, description: 'no connection' });
  });

  it('waits for a server that comes back soon, to end the session there', async () => {
    const session = await open({ sessionTimeoutMs: 10_000 });
    await session.createWithParents('/test/e', null, 'ephemeral');
    await proxy.refuse();
    await reached('suspended');
    const closing = session.close();
    await delay(300);
    await proxy.accept();
    await closing;
    expect(await admin.exists('/test/e')).toBe(false);
  });

  it('tries again when the connection breaks before the answer', async () => {
    const session = await open({ sessionTimeoutMs: 10_000 });
    await session.createWithParents('/test/e', null, 'ephemeral');
    proxy.blackHole('requests');
    const closing = session.close();
    await delay(50);
    proxy.cut();
    proxy.heal();
    await closing;
    expect(await admin.exists('/test/e')).toBe(false);
  });

  it.each(['away', 'silent'])('is bounded when the server is %s, and leaves no socket', async (how) => {
    const session = await open({ sessionTimeoutMs: 10_000 });
    if (how === 'away') await proxy.refuse();
    else proxy.blackHole();
    const tookMs = await elapsedMs(() => session.close());
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(2_500);
    if (how === 'away') await proxy.accept();
    else proxy.heal();
    const { acceptedCount } = proxy;
    await delay(500);
    expect(proxy.acceptedCount).toBe(acceptedCount);
    expect(proxy.openCount).toBe(0);
  });

  it('lets the process end', async () => {
    const { code, lines, lingeredMs } = await runAlone(`
      const session = await ZookeeperSession.open(options);
      await session.exists('/x', { watch: true });
      await session.close();
      console.log(session.state);`);
    expect({ code, lines }).toEqual({ code: 0, lines: ['closed'] });
    expect(lingeredMs).toBeLessThan(250);
  });
});
