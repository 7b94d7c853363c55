import { passwordOf } from '../../../../lib/testing/zookeeper/sessions/sessionPassword';
import { waitFor } from '../../../support/waitFor';
import { create, EPHEMERAL, OP, statAt } from './support/operations';
import { pack } from './support/pack';
import { TestEnsemble } from './support/TestEnsemble';

const TICK_MS = 25;

describe.each(['3.4', '3.8'] as const)('sessions of ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release, tickTimeMs: TICK_MS, maxSessionTimeoutMs: 60_000 });
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  /** Whether the ensemble still knows the session. */
  function isOpen(sessionId: bigint): boolean {
    return zookeeper.ensemble.sessions().some(({ id }) => BigInt(id) === sessionId);
  }

  it('opening and closing are transactions', async () => {
    const { client } = await zookeeper.connect();
    expect((await client.ask(OP.sync, '/')).zxid).toBe(1n);
    const other = await zookeeper.client();
    expect((await other.ask(OP.closeSession)).zxid).toBe(3n);
    await other.ended();
    expect((await client.ask(OP.sync, '/')).zxid).toBe(3n);
  });

  it('ids have the number of the server in front and count', async () => {
    const first = await zookeeper.connect();
    const second = await zookeeper.connect();
    expect(first.connected.sessionId >> 56n).toBe(1n);
    expect(first.connected.sessionId & 0xffffn).toBe(0n);
    expect(second.connected.sessionId).toBe(first.connected.sessionId + 1n);
    expect(zookeeper.ensemble.sessions().map(({ id }) => id)).toContain(
      `0x${first.connected.sessionId.toString(16)}`,
    );
  });

  it.each([
    ['as asked within the limits', 5_000, 5_000],
    ['not too short', 1, 2 * TICK_MS],
    ['not too long', 100_000, 60_000],
  ])('the time-out is %s', async (_name, timeoutMs, negotiatedMs) => {
    const { connected } = await zookeeper.connect(1, { timeoutMs });
    expect(connected).toMatchObject({ timeoutMs: negotiatedMs, isReadOnly: false });
  });

  it('an old client is not told whether the server can be written', async () => {
    const { connected } = await zookeeper.connect(1, { knowsReadOnly: false });
    expect(connected.isReadOnly).toBeNull();
  });

  it('a session expires a little after its time, with its nodes', async () => {
    const watching = await zookeeper.client();
    const startMs = performance.now();
    const { client, connected } = await zookeeper.connect(1, { timeoutMs: 100 });
    await create(client, '/e', { flags: EPHEMERAL });
    await watching.ask(OP.exists, '/e', true);
    await client.ended();
    const elapsedMs = performance.now() - startMs;
    expect(elapsedMs).toBeGreaterThanOrEqual(100);
    await waitFor(() => watching.timeline.includes('deleted /e'), {
      timeoutMs: 2_000,
      description: 'the event',
    });
    expect(isOpen(connected.sessionId)).toBe(false);
  });

  it('pings keep a session alive', async () => {
    const { client, connected } = await zookeeper.connect(1, { timeoutMs: 100 });
    const endMs = performance.now() + 400;
    const pinged = await waitFor(
      async () => {
        await client.askAs(-2, OP.ping);
        return performance.now() > endMs;
      },
      { timeoutMs: 2_000, description: 'four times the time-out' },
    );
    expect(pinged).toBe(true);
    expect(isOpen(connected.sessionId)).toBe(true);
  });

  it('what has arrived counts, though nobody could read it in time', async () => {
    const { client, connected } = await zookeeper.connect(1, { timeoutMs: 100 });
    await client.ask(OP.sync, '/');
    client.send(OP.sync, '/');
    // The whole process stands still, as under a debugger, after the request has left.
    await new Promise((resolve) => setImmediate(resolve));
    const untilMs = performance.now() + 250;
    while (performance.now() < untilMs);
    await client.ask(OP.sync, '/');
    expect(isOpen(connected.sessionId)).toBe(true);
  });

  it('a session outlives its connection', async () => {
    const first = await zookeeper.connect();
    await create(first.client, '/e', { flags: EPHEMERAL });
    await first.client.disconnect();
    await waitFor(() => !zookeeper.ensemble.sessions()[0]?.isConnected, {
      timeoutMs: 2_000,
      description: 'the end of the connection',
    });
    const { sessionId, password } = first.connected;
    const again = await zookeeper.connect(1, { sessionId, password, timeoutMs: 7_000 });
    expect(again.connected).toMatchObject({ sessionId, password, timeoutMs: 7_000 });
    expect(await statAt(again.client, '/e')).toMatchObject({ ephemeralOwner: sessionId });
    expect(zookeeper.ensemble.sessions()).toMatchObject([
      { timeoutMs: 7_000, isConnected: true, ephemerals: ['/e'] },
    ]);
  });

  it('coming back is no transaction', async () => {
    const { connected, client } = await zookeeper.connect();
    const { sessionId, password } = connected;
    const again = await zookeeper.client(1, { sessionId, password });
    expect((await again.ask(OP.sync, '/')).zxid).toBe(1n);
    await client.ended();
  });

  it('the old connection ends when its session comes back', async () => {
    const first = await zookeeper.connect();
    const { sessionId, password } = first.connected;
    const again = await zookeeper.client(1, { sessionId, password });
    await first.client.ended();
    expect((await again.ask(OP.sync, '/')).error).toBe(0);
  });

  it.each(['an unknown id', 'a wrong password'])(
    '%s is answered with zeros, then the connection ends',
    async (what) => {
      const { connected } = await zookeeper.connect();
      const options =
        what === 'an unknown id'
          ? { sessionId: 0x1234n, password: passwordOf(0x1234n) }
          : { sessionId: connected.sessionId, password: Buffer.alloc(16, 1) };
      const refused = await zookeeper.connect(1, options);
      expect(refused.connected).toEqual({
        ...{ timeoutMs: 0, sessionId: 0n, password: Buffer.alloc(16), isReadOnly: false },
      });
      await refused.client.ended();
      expect(isOpen(connected.sessionId)).toBe(true);
    },
  );

  it('an expired session does not come back', async () => {
    const { connected, client } = await zookeeper.connect();
    zookeeper.ensemble.expireSession(`0x${connected.sessionId.toString(16)}`);
    await client.ended();
    const { sessionId, password } = connected;
    expect((await zookeeper.connect(1, { sessionId, password })).connected.sessionId).toBe(0n);
  });

  it('a client that has seen more than the server is turned away', async () => {
    const connection = await zookeeper.connection();
    connection.sendFrame(pack(0, 99n, 10_000, 0n, Buffer.alloc(16), false));
    await connection.ended();
    expect(zookeeper.ensemble.sessions()).toEqual([]);
  });
});

describe('passwords of sessions', () => {
  it.each([
    // As real servers gave them.
    [0x01a2_2c4f_f1c0_0000n, 'b29242e55793d1d1e0b1d08ef844cd1e'],
    [0x01a2_2c4f_f1c0_0001n, 'c5b33ce5f7deb016d5f437bacccde1eb'],
    [0x0100_00c4_d059_0000n, '2d238f5eb6999d1c53c2fcf6ef975bf4'],
  ])('that of %d follows from the id', (id, password) => {
    expect(passwordOf(id).toString('hex')).toBe(password);
  });
});
