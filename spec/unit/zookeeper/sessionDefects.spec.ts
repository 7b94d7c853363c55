import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { silentLogger } from '../../../lib/logger';
import { inParallel } from '../../../lib/zookeeper/inParallel';
import { guardSocketData, type ConnectionManager } from '../../../lib/zookeeper/sessionGuards';
import {
  ZookeeperSession,
  type SessionOptions,
  type SessionState,
} from '../../../lib/zookeeper/ZookeeperSession';
import { waitFor } from '../../support/waitFor';
import { FakeZookeeper, NO_AUTH, NO_NODE, NODE_EXISTS, OP } from './support/FakeZookeeper';

/* Faults of node-zookeeper-client that no other spec shows; docs/dependencies.md has all of them. */

const CREDENTIALS = { scheme: 'digest', auth: Buffer.from('user:password') } as const;

let zookeeper: FakeZookeeper;
let states: SessionState[];
const sessions: ZookeeperSession[] = [];

beforeEach(async () => {
  zookeeper = await FakeZookeeper.start();
  states = [];
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await zookeeper[Symbol.asyncDispose]();
});

function options(changes: Partial<SessionOptions> = {}): SessionOptions {
  return {
    ...{ servers: zookeeper.address, chroot: '', sessionTimeoutMs: 1_000, connectionTimeoutMs: 2_000 },
    logger: silentLogger,
    onWatch: () => undefined,
    onState: (state) => states.push(state),
    ...changes,
  };
}

async function open(changes: Partial<SessionOptions> = {}): Promise<ZookeeperSession> {
  const session = await ZookeeperSession.open(options(changes));
  sessions.push(session);
  return session;
}

function until(description: string, condition: () => boolean): Promise<unknown> {
  return waitFor(condition, { timeoutMs: 5_000, intervalMs: 2, description });
}

describe('credentials', () => {
  it('go before every request on each connection, also before those that wait for the connection', async () => {
    const session = await open({ credentials: CREDENTIALS });
    await session.exists('/a', { watch: true });
    expect(zookeeper.sentOn(1).slice(0, 2)).toEqual([OP.connect, OP.auth]);
    zookeeper.onConnect = () => 'wait';
    zookeeper.cut();
    await until('the next connection', () => zookeeper.sentOn(2).length > 0);
    const asked = [session.exists('/b'), session.createWithParents('/c', null, 'ephemeral')];
    await delay(20);
    zookeeper.letIn();
    await Promise.all(asked);
    const sent = zookeeper.sentOn(2);
    expect(sent.slice(0, 3)).toEqual([OP.connect, OP.auth, OP.setWatches]);
    expect(sent).toEqual(expect.arrayContaining([OP.exists, OP.create]));
  });

  it('and watches are sent once on a connection, however many attempts came to nothing before it', async () => {
    const session = await open({ credentials: CREDENTIALS });
    await session.exists('/a', { watch: true });
    zookeeper.onConnect = (connection) => (connection <= 6 ? 'hang up' : 'let in');
    zookeeper.cut();
    await session.exists('/b');
    const sent = zookeeper.sentOn(7);
    expect(sent.filter((op) => op === OP.auth)).toHaveLength(1);
    expect(sent.filter((op) => op === OP.setWatches)).toHaveLength(1);
  });
});

describe('closing', () => {
  it('before there is a socket makes none', async () => {
    const abort = new AbortController();
    const opening = ZookeeperSession.open(options({ signal: abort.signal }));
    abort.abort();
    await expect(opening).rejects.toMatchObject({ code: 'CONNECTOR_CLOSED' });
    await delay(50);
    expect(zookeeper.connectionCount).toBe(0);
  });

  it('while the server has not yet let the session in again ends it on the server when it has', async () => {
    const session = await open();
    zookeeper.onConnect = () => 'wait';
    zookeeper.cut();
    await until('the next connection', () => zookeeper.sentOn(2).length > 0);
    const closing = session.close();
    await delay(20);
    expect(zookeeper.sentOn(2)).toEqual([OP.connect]);
    zookeeper.letIn();
    await closing;
    expect(zookeeper.sentOn(2)).toEqual([OP.connect, OP.close]);
    expect(zookeeper.connectionCount).toBe(2);
    await until('no connection', () => zookeeper.openCount === 0);
  });

  it('of a session whose server lets nobody in any more leaves no client that would come back', async () => {
    const session = await open();
    zookeeper.onConnect = () => 'wait';
    zookeeper.cut();
    await until('the loss', () => states.includes('lost'));
    await session.close();
    await until('no connection', () => zookeeper.openCount === 0);
    const { connectionCount } = zookeeper;
    zookeeper.onConnect = () => 'let in';
    await delay(300);
    expect(zookeeper.connectionCount).toBe(connectionCount);
  });
});

describe('a server', () => {
  it.each(['hang up', 'let in and cut'] as const)(
    'that can do nothing but %s is not asked again without pauses',
    async (how) => {
      const session = await open();
      zookeeper.onConnect = () => how;
      const before = zookeeper.connectionCount;
      zookeeper.cut();
      await delay(500);
      const count = zookeeper.connectionCount - before;
      // After the first attempt, pauses of a fortieth of the timeout or more.
      expect(count).toBeLessThanOrEqual(21);
      expect(count).toBeGreaterThan(3);
      zookeeper.onConnect = () => 'let in';
      expect(await session.exists('/a')).not.toBeNull();
    },
  );
});

describe('missing parents', () => {
  it('alone are created: those that are there, and may be forbidden to make, are not tried', async () => {
    const session = await open();
    const nodes = new Set(['', '/consumers']);
    zookeeper.answer = ({ op, path }) => {
      if (op !== OP.create) return 0;
      // As a server does: the right to make the node comes before the look whether it is there.
      if (path === '/consumers') return NO_AUTH;
      if (nodes.has(path)) return NODE_EXISTS;
      if (!nodes.has(path.slice(0, path.lastIndexOf('/')))) return NO_NODE;
      nodes.add(path);
      return 0;
    };
    expect(await session.createWithParents('/consumers/g/ids/a', null, 'ephemeral')).toBe('created');
    expect(nodes.has('/consumers/g/ids/a')).toBe(true);
    expect(zookeeper.pathsOf(OP.create)).not.toContain('/consumers');
  });
});

describe('many answers', () => {
  it('in one piece are read one after the other, and not inside each other', () => {
    // xid and transaction id of a ping, no error.
    const answer = Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.alloc(16)]);
    answer.writeInt32BE(-2, 4);
    let [read, depth, deepest] = [0, 0, 0];
    const connections = Object.assign(new EventEmitter(), {
      ...{ state: 2, socket: { destroyed: false }, pendingQueue: [] },
      // The package reads one answer, then calls itself for the rest.
      onSocketData(chunk: Buffer): void {
        depth += 1;
        deepest = Math.max(deepest, depth);
        read += 1;
        if (chunk.length > answer.length) this.onSocketData(chunk.subarray(answer.length));
        depth -= 1;
      },
    }) as unknown as ConnectionManager;
    let told = 0;
    guardSocketData(connections, {
      askedTimeoutMs: 1_000,
      frameRead: () => (told += 1),
      isNotUnderstood: (error) => {
        throw error;
      },
    });
    connections.onSocketData(Buffer.concat(Array.from({ length: 1_000 }, () => answer)));
    expect({ read, told, deepest }).toEqual({ read: 1_000, told: 1_000, deepest: 1 });
  });

  it('are not asked for at once: 200 requests are under way at most', async () => {
    let [underWay, most] = [0, 0];
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const results = await inParallel(items, async (item) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await delay(1);
      underWay -= 1;
      return item;
    });
    expect(results).toEqual(items);
    expect(most).toBe(200);
  });
});
