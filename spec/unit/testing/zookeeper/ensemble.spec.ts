import { waitFor } from '../../../support/waitFor';
import { create, EPHEMERAL, OP, OPEN_ACL, part, parts, set, statAt } from './support/operations';
import { pack } from './support/pack';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

/** Transactions of the first leader, and of the second one. */
const FIRST_EPOCH = 1n << 32n;
const SECOND_EPOCH = 2n << 32n;

describe('an ensemble of three servers', () => {
  let zookeeper: TestEnsemble;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ servers: 3, tickTimeMs: 50 });
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  /** Whether a server speaks for new sessions. */
  async function isServed(number: number): Promise<boolean> {
    const connection = await zookeeper.connection(number);
    connection.sendFrame(pack(0, 0n, 1_000, 0n, Buffer.alloc(16), false));
    await waitFor(() => connection.isClosed || connection.isIntroduced, {
      timeoutMs: 2_000,
      description: 'an answer, or the end of the connection',
    });
    return connection.isIntroduced;
  }

  async function isGone(client: RawClient): Promise<boolean> {
    await client.ended();
    return client.isClosed;
  }

  it('has one tree and one order of transactions', async () => {
    const [first, third] = [await zookeeper.client(1), await zookeeper.client(3)];
    await create(first, '/a');
    await third.ask(OP.getData, '/a', true);
    expect(await statAt(third, '/a')).toMatchObject({ czxid: FIRST_EPOCH + 3n });
    await set(first, '/a', 'x');
    await third.ask(OP.sync, '/');
    expect(third.timeline).toContain('changed /a');
  });

  it('gives sessions that tell their server', async () => {
    for (const number of [1, 2, 3]) {
      const { connected } = await zookeeper.connect(number);
      expect(connected.sessionId >> 56n).toBe(BigInt(number));
    }
  });

  it('a session goes on at another server when its own one is stopped', async () => {
    const { client, connected } = await zookeeper.connect(1);
    await create(client, '/e', { flags: EPHEMERAL });
    await zookeeper.ensemble.stopServer(1);
    expect(await isGone(client)).toBe(true);
    const { sessionId, password } = connected;
    const again = await zookeeper.connect(2, { sessionId, password });
    expect(again.connected.sessionId).toBe(sessionId);
    expect(await statAt(again.client, '/e')).toMatchObject({ ephemeralOwner: sessionId });
  });

  it('clients of others stay when a follower is stopped', async () => {
    const client = await zookeeper.client(2);
    await zookeeper.ensemble.stopServer(1);
    expect((await client.ask(OP.sync, '/')).error).toBe(0);
    expect(await isServed(3)).toBe(true);
  });

  it('all clients are disconnected when the leader is stopped, and a new epoch begins', async () => {
    const clients = [await zookeeper.client(1), await zookeeper.client(2)];
    await zookeeper.ensemble.stopServer(3);
    expect(await Promise.all(clients.map(isGone))).toEqual([true, true]);
    const again = await zookeeper.client(1);
    expect((await again.ask(OP.sync, '/')).zxid).toBe(SECOND_EPOCH + 1n);
  });

  it('without a majority nobody is served, until there is one', async () => {
    const client = await zookeeper.client(1);
    await zookeeper.ensemble.stopServer(2);
    await zookeeper.ensemble.stopServer(3);
    expect(await isGone(client)).toBe(true);
    expect(await isServed(1)).toBe(false);
    await zookeeper.ensemble.startServer(2);
    expect(await isServed(1)).toBe(true);
    expect(await isServed(2)).toBe(true);
  });

  it('nobody expires while there is no majority, and everybody has the whole time afterwards', async () => {
    await zookeeper.connect(1, { timeoutMs: 100 });
    await zookeeper.ensemble.stopServer(2);
    await zookeeper.ensemble.stopServer(3);
    const stoppedMs = performance.now();
    await waitFor(() => performance.now() > stoppedMs + 300, {
      timeoutMs: 2_000,
      description: 'three time-outs',
    });
    expect(zookeeper.ensemble.sessions()).toHaveLength(1);
    const restartedMs = performance.now();
    await zookeeper.ensemble.startServer(3);
    await waitFor(() => zookeeper.ensemble.sessions().length === 0, {
      timeoutMs: 2_000,
      description: 'the expiry',
      intervalMs: 5,
    });
    expect(performance.now() - restartedMs).toBeGreaterThanOrEqual(100);
  });

  it('servers keep their ports, and their number is checked', async () => {
    const before = zookeeper.ensemble.servers;
    await zookeeper.ensemble.stopServer(1);
    await zookeeper.ensemble.startServer(1);
    expect(zookeeper.ensemble.servers).toEqual(before);
    await expect(zookeeper.ensemble.stopServer(4)).rejects.toThrow('servers 1 to 3, not 4');
  });

  it('a server that is started twice, or stopped twice, does not mind', async () => {
    await zookeeper.ensemble.startServer(1);
    await zookeeper.ensemble.stopServer(1);
    await zookeeper.ensemble.stopServer(1);
    await zookeeper.ensemble.start();
    expect(await isServed(1)).toBe(true);
  });

  describe('when a client has moved to another server', () => {
    let old: RawClient;
    let moved: RawClient;
    let sessionId: bigint;
    let password: Buffer;

    beforeEach(async () => {
      const first = await zookeeper.connect(1);
      old = first.client;
      ({ sessionId, password } = first.connected);
      moved = await zookeeper.client(2, { sessionId, password });
      await create(moved, '/a');
    });

    it('its old connection can read, but a write ends it, and is a refused transaction', async () => {
      expect((await old.ask(OP.exists, '/a', false)).error).toBe(0);
      expect((await old.askAs(-2, OP.ping)).error).toBe(0);
      const { zxid } = await moved.ask(OP.sync, '/');
      old.send(OP.create, '/never', '', OPEN_ACL, 0);
      expect(await isGone(old)).toBe(true);
      expect(old.timeline).toEqual(['answer 1', 'answer -2']);
      expect((await moved.ask(OP.exists, '/never', false)).zxid).toBe(zxid + 1n);
    });

    it('its old connection can have a sync, and watch', async () => {
      expect((await old.ask(OP.sync, '/')).error).toBe(0);
      await old.ask(OP.getData, '/a', true);
      await set(moved, '/a', 'x');
      await old.ask(OP.sync, '/');
      expect(old.timeline).toEqual(['answer 1', 'answer 2', 'changed /a', 'answer 3']);
    });

    it('its old connection ends with a multi, unless that has no parts', async () => {
      expect((await old.ask(OP.multi, parts())).error).toBe(0);
      old.send(OP.multi, parts(part(OP.check, '/', -1), part(OP.check, '/a', -1)));
      expect(await isGone(old)).toBe(true);
      expect(zookeeper.ensemble.operations.at(-1)).toMatchObject({ type: 'multi', result: 'SESSION_MOVED' });
    });

    it('its old connection can end the session', async () => {
      expect((await old.ask(OP.closeSession)).error).toBe(0);
      expect(await Promise.all([isGone(old), isGone(moved)])).toEqual([true, true]);
      expect(zookeeper.ensemble.sessions()).toEqual([]);
    });

    it('both connections end with the session', async () => {
      zookeeper.ensemble.expireSession(`0x${sessionId.toString(16)}`);
      expect(await Promise.all([isGone(old), isGone(moved)])).toEqual([true, true]);
    });

    it('the client may come back', async () => {
      const again = await zookeeper.client(1, { sessionId, password });
      expect(await isGone(old)).toBe(true);
      expect((await again.ask(OP.create, '/b', '', OPEN_ACL, 0)).error).toBe(0);
      moved.send(OP.create, '/c', '', OPEN_ACL, 0);
      expect(await isGone(moved)).toBe(true);
    });
  });

  it('the older release tells in a multi that its client has moved', async () => {
    await using older = await TestEnsemble.start({ servers: 3, release: '3.4' });
    const { client, connected } = await older.connect(1);
    await older.connect(2, { sessionId: connected.sessionId, password: connected.password });
    const { error, body } = await client.ask(
      OP.multi,
      parts(part(OP.check, '/', -1), part(OP.check, '/', -1)),
    );
    expect(error).toBe(0);
    expect(body.partErrors()).toEqual([-118, -2]);
  });

  it('an old connection at the leader cannot even read', async () => {
    const first = await zookeeper.connect(3);
    const { sessionId, password } = first.connected;
    await zookeeper.connect(1, { sessionId, password });
    first.client.send(OP.exists, '/', false);
    expect(await isGone(first.client)).toBe(true);
    expect(first.client.timeline).toEqual([]);
  });
});

describe('one server', () => {
  it('keeps tree and sessions while it is stopped', async () => {
    await using zookeeper = await TestEnsemble.start({ release: '3.4' });
    const { client, connected } = await zookeeper.connect();
    await create(client, '/e', { flags: EPHEMERAL });
    await zookeeper.ensemble.stopServer(1);
    await client.ended();
    expect(zookeeper.ensemble.sessions()).toMatchObject([{ ephemerals: ['/e'], isConnected: false }]);
    await zookeeper.ensemble.startServer(1);
    const { sessionId, password } = connected;
    const again = await zookeeper.client(1, { sessionId, password });
    expect(await again.ask(OP.exists, '/e', false)).toMatchObject({ error: 0, zxid: 2n });
  });

  it('leaves nothing behind when it is stopped', async () => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client();
    await zookeeper.ensemble.stop();
    await client.ended();
    expect(zookeeper.network.connections()).toEqual([]);
    await zookeeper.ensemble.stop();
  });
});
