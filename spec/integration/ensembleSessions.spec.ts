import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import zookeeper, { type Client } from 'node-zookeeper-client';

import { silentLogger } from '../../lib/logger';
import {
  ZookeeperSession,
  type SessionOptions,
  type SessionState,
} from '../../lib/zookeeper/ZookeeperSession';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin, ZookeeperNodeState } from '../support/cluster/ZookeeperAdmin';
import { addressOf, serversWith } from '../support/ensemble';
import { FlappingProxy, type Flap } from '../support/FlappingProxy';
import { randomOf } from '../support/randomOf';
import { SessionTap, type SessionKey } from '../support/SessionTap';
import { TcpProxy } from '../support/TcpProxy';
import { waitFor } from '../support/waitFor';
import { report } from '../support/report';

jest.setTimeout(60_000);

const CHROOT = '/kafka';
const LIMIT = { timeoutMs: 20_000 };
/** Bytes of the answer to a connect request. */
const CONNECT_ANSWER_BYTES = 40;

describe.each(['0.8.2.2', '3.9.1'])('a session on three servers of the ZooKeeper of Kafka %s', (kafka) => {
  let cluster: TestCluster;
  let admin: ZookeeperAdmin;
  let taps: SessionTap[];
  /** In front of the servers, in their order. */
  let doors: TcpProxy[];
  /** Of the session under test. */
  let states: SessionState[];
  const sessions: ZookeeperSession[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ kafka, zookeepers: 3, brokers: 0, chroot: CHROOT });
    admin = await cluster.zookeeper();
    taps = await Promise.all(cluster.zookeeperServers.map((server) => SessionTap.to(server)));
    doors = await Promise.all(taps.map((tap) => TcpProxy.to(tap)));
    await admin.mkdirp('/test');
  });

  afterAll(async () => {
    await Promise.all(doors.map((door) => door[Symbol.asyncDispose]()));
    await Promise.all(taps.map((tap) => tap[Symbol.asyncDispose]()));
    await admin.close();
    await cluster.stop();
  });

  beforeEach(() => {
    states = [];
  });

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.close()));
  });

  function options(servers: string, changes: Partial<SessionOptions> = {}): SessionOptions {
    return {
      ...{ servers, chroot: CHROOT, sessionTimeoutMs: 2000, connectionTimeoutMs: 5000, logger: silentLogger },
      onWatch: () => undefined,
      onState: (state) => states.push(state),
      ...changes,
    };
  }

  async function open(servers: string, changes: Partial<SessionOptions> = {}): Promise<ZookeeperSession> {
    const session = await ZookeeperSession.open(options(servers, changes));
    sessions.push(session);
    return session;
  }

  const addresses = (): string => doors.map(({ address }) => address).join(',');
  const openCount = (): number => doors.reduce((sum, door) => sum + door.openCount, 0);

  /** The number of the one server that has the session's connection. */
  function homeOf(session: ZookeeperSession): Promise<number> {
    return waitFor(
      async () => {
        const servers = await serversWith(cluster, session.id);
        return servers.length === 1 && openCount() === 1 && session.state === 'connected' && servers[0];
      },
      { ...LIMIT, description: 'exactly one connection' },
    );
  }

  /** Resolves when the session has been proved twice since now: the second beat proves a time behind the first one. */
  async function provedAnew(session: ZookeeperSession): Promise<void> {
    const atMs = performance.now();
    await waitFor(() => session.provedUntilMs > atMs + session.timeoutMs, {
      ...{ ...LIMIT, description: 'a proof of a later moment' },
    });
  }

  /** The node that it has made, as soon as the server of the spec has it, too. */
  function nodeOf(session: ZookeeperSession): Promise<ZookeeperNodeState> {
    return waitFor(
      async () => {
        const node = await admin.get('/test/mine');
        return node?.ephemeralOwner === session.id && node;
      },
      { ...LIMIT, description: 'the ephemeral node' },
    );
  }

  function keyOf(session: ZookeeperSession): SessionKey {
    const key = taps.map(({ keys }) => keys.get(session.id)).find((found) => found !== undefined);
    if (key === undefined) throw new Error(`no server has told the key of ${session.id}`);
    return key;
  }

  /** Takes the session over at that server, and goes at once without closing it. */
  async function steal({ id, password }: SessionKey, server: number): Promise<void> {
    const thief = zookeeper.createClient(addressOf(cluster, server), {
      ...{ sessionTimeout: 2000, retries: 0, sessionId: id, sessionPassword: password },
    });
    const gone = new Promise<void>((resolve) => {
      thief.once('connected', () => {
        vanish(thief);
        resolve();
      });
    });
    thief.connect();
    await gone;
    expect(thief.getSessionId()).toEqual(id);
  }

  /** Asks for this and that all the time, several things at once, until it is stopped; each has the result that it should have. */
  function busyWith(session: ZookeeperSession): { stop(): Promise<number> } {
    const stopping = new AbortController();
    const loop = async (name: string): Promise<number> => {
      const path = `/test/${name}`;
      let rounds = 0;
      for (; !stopping.signal.aborted; rounds += 1) {
        expect(await session.create(path, Buffer.from('1'), 'ephemeral')).toBe('created');
        expect(await session.write(path, Buffer.from('2'))).toBe('written');
        expect(await session.read(path)).toMatchObject({
          data: Buffer.from('2'),
          ephemeralOwner: session.id,
        });
        expect(await session.children('/test')).toContain(name);
        expect(await session.remove(path)).toBe('removed');
      }
      return rounds;
    };
    const loops = Promise.all(['a', 'b', 'c', 'd'].map(loop));
    loops.catch(() => undefined); // stop() tells
    return {
      stop: async () => {
        stopping.abort();
        return (await loops).reduce((sum, rounds) => sum + rounds, 0);
      },
    };
  }

  describe('that is moved to another server behind its back', () => {
    it.each([
      { what: 'idle but for its heartbeats', isBusy: false },
      { what: 'busy', isBusy: true },
    ])(
      'comes back by itself when $what, with its id and its nodes, and every request gets its answer',
      async ({ isBusy }) => {
        const session = await open(addresses());
        const { id } = session;
        await session.create('/test/mine', Buffer.from('mine'), 'ephemeral');
        session.setProofPath('/test/mine');
        const node = await nodeOf(session);
        const work = isBusy ? busyWith(session) : undefined;
        const tookMs: number[] = [];
        for (let round = 0; round < 4; round += 1) {
          const home = await homeOf(session);
          states.length = 0;
          const stolenMs = performance.now();
          await steal(keyOf(session), (home % 3) + 1);
          await waitFor(() => states.join(' ').startsWith('suspended connected'), {
            ...{ ...LIMIT, intervalMs: 5, description: 'the session taken back' },
          });
          tookMs.push(Math.round(performance.now() - stolenMs));
          await provedAnew(session);
          await homeOf(session);
          expect(states).toEqual(['suspended', 'connected']);
        }
        const rounds = await work?.stop();
        expect(session.id).toBe(id);
        expect(session.isProved).toBe(true);
        expect(await admin.get('/test/mine')).toEqual(node);
        expect(await session.remove('/test/mine')).toBe('removed');
        report(`taken back after ${tookMs.join(' ')} ms${isBusy ? `, ${rounds} rounds of requests` : ''}`);
      },
    );

    it('lives on when that happens at its own server', async () => {
      const session = await open(addresses());
      await session.create('/test/mine', Buffer.from('mine'), 'ephemeral');
      const node = await nodeOf(session);
      const work = busyWith(session);
      for (let round = 0; round < 4; round += 1) {
        await steal(keyOf(session), await homeOf(session));
        await provedAnew(session);
      }
      await homeOf(session);
      expect(await work.stop()).toBeGreaterThan(0);
      expect(states).not.toContain('lost');
      expect(await admin.get('/test/mine')).toEqual(node);
    });
  });

  describe('with a flapping server', () => {
    const FLAPS = 50;
    /** Pauses between attempts are half to one and a half twentieths of the session timeout of 2 s; one round of all servers goes without. */
    const MOST_PER_SECOND = 1000 / 50 + 3;
    /** Of many attempts, whose pauses are 100 ms in the mean. */
    const MEAN_PER_SECOND = 1000 / 100 + 2;

    /** The largest number of moments within any second. */
    function mostPerSecond(atMs: readonly number[]): number {
      const counts = atMs.map((fromMs) => atMs.filter((ms) => ms >= fromMs && ms < fromMs + 1000).length);
      return Math.max(...counts);
    }

    function flapsOf(seed: number, flaps: readonly Flap[]): () => Flap {
      const random = randomOf(seed);
      return () => flaps[Math.floor(random() * flaps.length)] ?? { afterMs: 0 };
    }

    /** Before the session has been opened, so that the server has not been heard. */
    const MUTE: readonly Flap[] = [
      { afterBytes: 0 },
      { afterBytes: 3 },
      { afterBytes: 20 },
      { afterBytes: CONNECT_ANSWER_BYTES - 1 },
    ];
    /** In the middle of the session's life, also of an answer. */
    const LATER: readonly Flap[] = [
      { afterBytes: CONNECT_ANSWER_BYTES },
      { afterBytes: CONNECT_ANSWER_BYTES + 10 },
      { afterBytes: CONNECT_ANSWER_BYTES + 100 },
      { afterMs: 1 },
      { afterMs: 20 },
      { afterMs: 60 },
    ];

    const target = (): { readonly host: string; readonly port: number } => {
      const [server] = cluster.zookeeperServers;
      if (server === undefined) throw new Error('there is no server');
      return server;
    };

    it('and two healthy ones lives on: no more connections than the back-off allows, none left over', async () => {
      await using flapping = await FlappingProxy.to(target(), flapsOf(20_250_500, [...MUTE, ...LATER]));
      const sockets = socketCount();
      const healthy = doors.slice(1);
      const acceptedBefore = healthy.map(({ acceptedCount }) => acceptedCount);
      const servers = [flapping, ...healthy].map(({ address }) => address).join(',');
      const session = await open(servers);
      const { id } = session;
      await session.create('/test/mine', Buffer.from('mine'), 'ephemeral');
      const node = await nodeOf(session);
      const startMs = performance.now();
      // It would stay at a healthy server; without that one the next is tried, which is the flapping one in its turn.
      await waitFor(
        () => {
          if (session.state === 'connected') for (const door of healthy) door.cut();
          return flapping.acceptedAtMs.length >= FLAPS;
        },
        { timeoutMs: 40_000, description: `${FLAPS} flaps`, intervalMs: 5 },
      );
      const tookMs = performance.now() - startMs;
      await homeOf(session);
      await provedAnew(session);
      expect(session.id).toBe(id);
      expect(states).not.toContain('lost');
      expect(await admin.get('/test/mine')).toEqual(node);
      expect(await session.remove('/test/mine')).toBe('removed');
      expect(mostPerSecond(flapping.acceptedAtMs)).toBeLessThan(MOST_PER_SECOND);
      const made = healthy.map(({ acceptedCount }, index) => acceptedCount - (acceptedBefore[index] ?? 0));
      const perSecond = (made.reduce((sum, count) => sum + count, FLAPS) / tookMs) * 1000;
      expect(perSecond).toBeLessThan(MEAN_PER_SECOND);
      await session.close();
      await waitFor(() => flapping.openCount === 0, { ...LIMIT, description: 'no connection' });
      await noSocketsMoreThan(sockets);
      report(`${FLAPS} flaps and ${made.join('+')} healthy connections in ${Math.round(tookMs)} ms`);
    });

    it('alone lives on as long as it is let in now and then; requests get an answer or an error in time', async () => {
      await using flapping = await FlappingProxy.to(target(), flapsOf(20_250_600, LATER));
      const sockets = socketCount();
      const session = await open(flapping.address);
      const { id } = session;
      const startMs = performance.now();
      let answered = 0;
      const failures: unknown[] = [];
      let longestMs = 0;
      while (flapping.acceptedAtMs.length < FLAPS) {
        const askedMs = performance.now();
        try {
          await session.read('/test');
          answered += 1;
        } catch (error) {
          failures.push(error);
        }
        longestMs = Math.max(longestMs, performance.now() - askedMs);
        expect(states).not.toContain('lost');
      }
      for (const error of failures) {
        expect(error).toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE', context: { path: '/test' } });
      }
      expect(session.id).toBe(id);
      expect(longestMs).toBeLessThan(session.timeoutMs + 300);
      expect(answered).toBeGreaterThan(0);
      expect(mostPerSecond(flapping.acceptedAtMs)).toBeLessThan(MOST_PER_SECOND);
      await session.close();
      expect(session.state).toBe('closed');
      await waitFor(() => flapping.openCount === 0, { ...LIMIT, description: 'no connection' });
      await noSocketsMoreThan(sockets);
      const tookMs = Math.round(performance.now() - startMs);
      report(
        `${FLAPS} flaps in ${tookMs} ms, at most ${mostPerSecond(flapping.acceptedAtMs)} a second; ` +
          `${answered} reads answered, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms`,
      );
    });

    it('alone that never lets it in is lost in time, tries to close for no longer than one timeout, and leaves no socket', async () => {
      let flaps: () => Flap = () => ({ afterMs: 3_600_000 });
      await using flapping = await FlappingProxy.to(target(), () => flaps());
      const sockets = socketCount();
      let lostMs = 0;
      const session = await open(flapping.address, {
        onState: (state) => {
          states.push(state);
          if (state === 'lost') lostMs = performance.now();
        },
      });
      await provedAnew(session);
      const { provedUntilMs } = session;
      flaps = flapsOf(20_250_700, MUTE);
      const accepted = flapping.acceptedAtMs.length;
      flapping.cut();
      await waitFor(() => lostMs > 0, { ...LIMIT, description: 'the loss' });
      expect(lostMs).toBeGreaterThanOrEqual(provedUntilMs);
      expect(lostMs).toBeLessThan(provedUntilMs + session.timeoutMs / 4);
      await expect(session.read('/test')).rejects.toMatchObject({ code: 'SESSION_LOST' });
      await session.close();
      expect(performance.now() - lostMs).toBeLessThan(session.timeoutMs + 300);
      const tried = flapping.acceptedAtMs.slice(accepted);
      expect(tried.length).toBeGreaterThan(10);
      report(`${tried.length} attempts, lost ${Math.round(lostMs - provedUntilMs)} ms behind the proof`);
      expect(mostPerSecond(tried)).toBeLessThan(MOST_PER_SECOND);
      await waitFor(() => flapping.openCount === 0, { ...LIMIT, description: 'no connection' });
      await noSocketsMoreThan(sockets);
      expect(flapping.acceptedAtMs).toHaveLength(accepted + tried.length);
    });

    it('alone that never lets it in cannot be opened: ZOOKEEPER_UNREACHABLE in time, with bounded attempts', async () => {
      await using flapping = await FlappingProxy.to(target(), flapsOf(20_250_800, MUTE));
      const sockets = socketCount();
      const startMs = performance.now();
      await expect(
        ZookeeperSession.open(options(flapping.address, { connectionTimeoutMs: 3000 })),
      ).rejects.toMatchObject({
        code: 'ZOOKEEPER_UNREACHABLE',
        retriable: true,
        message: expect.stringContaining(flapping.address) as string,
      });
      expect(performance.now() - startMs).toBeLessThan(3700);
      expect(flapping.acceptedAtMs.length).toBeGreaterThan(10);
      expect(mostPerSecond(flapping.acceptedAtMs)).toBeLessThan(MOST_PER_SECOND);
      await waitFor(() => flapping.openCount === 0, { ...LIMIT, description: 'no connection' });
      await noSocketsMoreThan(sockets);
    });
  });
});

/** Destroys its socket and lets it do nothing about that. */
function vanish(client: Client): void {
  const { connectionManager } = client as unknown as {
    connectionManager: { socket: Socket };
  };
  connectionManager.socket.removeAllListeners('close');
  connectionManager.socket.destroy();
}

/** Of this process: those of clients, and of proxies towards either side. */
function socketCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

async function noSocketsMoreThan(count: number): Promise<void> {
  await waitFor(() => socketCount() <= count, { ...LIMIT, description: `no more than ${count} sockets` });
}
