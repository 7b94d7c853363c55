import { waitFor } from '../../../support/waitFor';
import { create, EPHEMERAL, ERROR, OP, OPEN_ACL, part, parts, remove, set } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

describe('the controls of an embedded ZooKeeper', () => {
  let zookeeper: TestEnsemble;
  let client: RawClient;
  let sessionId: string;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start();
    const { connected, ...made } = await zookeeper.connect();
    client = made.client;
    sessionId = `0x${connected.sessionId.toString(16)}`;
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('the tree is there as text', async () => {
    await create(client, '/b', { data: 'two' });
    await create(client, '/a', { data: 'one' });
    await create(client, '/a/x');
    expect([...zookeeper.ensemble.tree()]).toEqual([
      ['/', ''],
      ['/a', 'one'],
      ['/a/x', ''],
      ['/b', 'two'],
      ...['/zookeeper', '/zookeeper/config', '/zookeeper/quota'].map((path) => [path, '']),
    ]);
    expect([...zookeeper.ensemble.tree('/a').keys()]).toEqual(['/a', '/a/x']);
    expect(zookeeper.ensemble.tree('/missing').size).toBe(0);
  });

  it('every write is recorded, with what came of it', async () => {
    const beforeMs = performance.now();
    await create(client, '/a', { data: 'one' });
    await set(client, '/a', 'two');
    await client.ask(OP.setAcl, '/a', OPEN_ACL, -1);
    await client.ask(OP.delete, '/missing', -1);
    await client.ask(OP.getData, '/a', false);
    await create(client, '/a/s-', { flags: 2 });
    await remove(client, '/a/s-0000000000');
    const { operations } = zookeeper.ensemble;
    expect(operations).toMatchObject([
      { sessionId, type: 'create', path: '/a', data: 'one', result: 'ok', zxid: 2n, parts: [] },
      { sessionId, type: 'set', path: '/a', data: 'two', result: 'ok', zxid: 3n },
      { sessionId, type: 'setAcl', path: '/a', data: null, result: 'ok', zxid: 4n },
      { sessionId, type: 'delete', path: '/missing', data: null, result: 'NO_NODE', zxid: 5n },
      { sessionId, type: 'create', path: '/a/s-0000000000', data: '', result: 'ok', zxid: 6n },
      { sessionId, type: 'delete', path: '/a/s-0000000000', result: 'ok', zxid: 7n },
    ]);
    const times = operations.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]).toBeGreaterThanOrEqual(beforeMs);
  });

  it('a multi is recorded with its parts', async () => {
    await client.ask(
      OP.multi,
      parts(part(OP.create, '/a', 'x', OPEN_ACL, 0), part(OP.setData, '/a', 'y', 0)),
    );
    await client.ask(OP.multi, parts(part(OP.setData, '/a', 'z', 7), part(OP.delete, '/a', -1)));
    expect(zookeeper.ensemble.operations).toMatchObject([
      {
        ...{ type: 'multi', path: '/a', result: 'ok', zxid: 2n },
        parts: [
          { type: 'create', path: '/a', data: 'x', result: 'ok' },
          { type: 'set', path: '/a', data: 'y', result: 'ok' },
        ],
      },
      {
        ...{ type: 'multi', path: '/a', result: 'BAD_VERSION', zxid: 3n },
        parts: [
          { type: 'set', data: 'z', result: 'BAD_VERSION' },
          { type: 'delete', result: 'RUNTIME_INCONSISTENCY' },
        ],
      },
    ]);
  });

  it('writes within the process are recorded, too', () => {
    const local = zookeeper.ensemble.openSession('/kafka');
    local.mkdirp('/x');
    expect(zookeeper.ensemble.operations).toMatchObject([
      { sessionId: local.id, type: 'create', path: '/kafka' },
      { sessionId: local.id, type: 'create', path: '/kafka/x' },
    ]);
  });

  it('a planned failure is answered once, and nothing is done', async () => {
    zookeeper.ensemble.failNext({ operation: 'create', path: '/a', code: 'NO_AUTH' });
    await create(client, '/b');
    expect(await client.ask(OP.create, '/a', '', OPEN_ACL, 0)).toMatchObject({
      error: ERROR.noAuth,
      zxid: 3n,
    });
    expect(zookeeper.ensemble.tree('/a').size).toBe(0);
    expect(await create(client, '/a')).toBe('/a');
    expect(zookeeper.ensemble.operations.map(({ result }) => result)).toEqual(['ok', 'NO_AUTH', 'ok']);
  });

  it('failures can be planned for some paths and several times', async () => {
    await create(client, '/a');
    zookeeper.ensemble.failNext({ path: /^\/a/, code: 'OPERATION_TIMEOUT', times: 2 });
    expect((await client.ask(OP.exists, '/', false)).error).toBe(0);
    expect((await client.askAs(-2, OP.ping)).error).toBe(0);
    expect((await client.ask(OP.exists, '/a', false)).error).toBe(-7);
    expect((await client.ask(OP.getChildren2, '/a', false)).error).toBe(-7);
    expect((await client.ask(OP.getData, '/a', false)).error).toBe(0);
  });

  it.each(['CONNECTION_LOSS', 'SESSION_MOVED'] as const)(
    '%s is not answered: the connection ends',
    async (code) => {
      zookeeper.ensemble.failNext({ operation: 'set', code });
      await create(client, '/a', { data: 'before' });
      client.send(OP.setData, '/a', 'after', -1);
      await client.ended();
      expect(client.timeline).toEqual(['answer 1']);
      expect(zookeeper.ensemble.tree('/a').get('/a')).toBe('before');
      expect(zookeeper.ensemble.operations.at(-1)).toMatchObject({ type: 'set', result: code });
      expect(zookeeper.ensemble.sessions()).toMatchObject([{ id: sessionId }]);
    },
  );

  it('a multi fails as a whole by any of its paths', async () => {
    zookeeper.ensemble.failNext({ operation: 'multi', path: '/b', code: 'NO_AUTH' });
    const both = parts(part(OP.create, '/a', '', OPEN_ACL, 0), part(OP.create, '/b', '', OPEN_ACL, 0));
    expect((await client.ask(OP.multi, both)).error).toBe(ERROR.noAuth);
    expect(zookeeper.ensemble.tree('/a').size).toBe(0);
    expect((await client.ask(OP.multi, both)).error).toBe(0);
  });

  it('the process itself is not meant by planned failures', () => {
    zookeeper.ensemble.failNext({ code: 'NO_AUTH' });
    const local = zookeeper.ensemble.openSession('');
    local.create('/a', 'x');
    expect(local.get('/a')).not.toBeNull();
  });

  it('open sessions are listed with their nodes', async () => {
    await create(client, '/e', { flags: EPHEMERAL });
    const local = zookeeper.ensemble.openSession('/kafka');
    local.mkdirp('/brokers');
    local.create('/brokers/1', '', { ephemeral: true });
    expect(zookeeper.ensemble.sessions()).toEqual([
      { id: sessionId, timeoutMs: 10_000, ephemerals: ['/e'], isConnected: true },
      { id: local.id, timeoutMs: Infinity, ephemerals: ['/kafka/brokers/1'], isConnected: true },
    ]);
  });

  it('a session can be expired: its nodes go, and its connection ends', async () => {
    const watching = await zookeeper.client();
    await create(client, '/e', { flags: EPHEMERAL });
    await watching.ask(OP.exists, '/e', true);
    zookeeper.ensemble.expireSession(sessionId);
    await client.ended();
    await watching.ask(OP.sync, '/');
    expect(watching.timeline).toContain('deleted /e');
    expect(() => zookeeper.ensemble.expireSession(sessionId)).toThrow(`there is no session ${sessionId}`);
  });

  it('a connection can be dropped, and the session lives on', async () => {
    await create(client, '/e', { flags: EPHEMERAL });
    zookeeper.ensemble.dropConnection(sessionId);
    await client.ended();
    expect(zookeeper.ensemble.sessions()).toMatchObject([
      { id: sessionId, ephemerals: ['/e'], isConnected: false },
    ]);
    expect(() => zookeeper.ensemble.dropConnection(sessionId)).toThrow('has no connection');
  });

  it('faults of the network choose a client by its session', async () => {
    const other = await zookeeper.client();
    zookeeper.network.drop({ client: sessionId });
    await client.ended();
    expect((await other.ask(OP.sync, '/')).error).toBe(0);
  });

  it('a black hole lets a session expire', async () => {
    await using quick = await TestEnsemble.start({ tickTimeMs: 25 });
    const { client: quiet } = await quick.connect(1, { timeoutMs: 100 });
    await create(quiet, '/e', { flags: EPHEMERAL });
    const hole = quick.network.blackHole({}, 'requests');
    const pings = setInterval(() => quiet.send(OP.ping), 20);
    try {
      await waitFor(() => quick.ensemble.tree('/e').size === 0, {
        timeoutMs: 2_000,
        description: 'the expiry',
      });
    } finally {
      clearInterval(pings);
      hole.heal();
    }
    expect(quick.ensemble.sessions()).toEqual([]);
  });
});
