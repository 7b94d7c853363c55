import { silentLogger } from '../../../../lib/logger';
import { ZookeeperSession, type SessionState } from '../../../../lib/zookeeper/ZookeeperSession';
import { ZookeeperAdmin } from '../../../support/cluster/ZookeeperAdmin';
import { waitFor } from '../../../support/waitFor';
import { TestEnsemble } from './support/TestEnsemble';

describe.each(['3.4', '3.8'] as const)('clients of other people at ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;
  let hosts: string;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release, servers: 3, tickTimeMs: 100 });
    hosts = zookeeper.ensemble.servers.map(({ host, port }) => `${host}:${port}`).join(',');
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  /** A session of the connector; what it hears is noted. */
  async function open(heard: { states: SessionState[]; watches: string[] }): Promise<ZookeeperSession> {
    return ZookeeperSession.open({
      ...{ servers: hosts, chroot: '/app', sessionTimeoutMs: 1_000, connectionTimeoutMs: 5_000 },
      logger: silentLogger,
      onState: (state) => heard.states.push(state),
      onWatch: (path) => heard.watches.push(path),
    });
  }

  beforeEach(() => {
    const local = zookeeper.ensemble.openSession('/app');
    local.mkdirp('/');
    local.close();
  });

  it('node-zookeeper-client reads, writes and deletes', async () => {
    await using admin = await ZookeeperAdmin.connect(`${hosts}/app`);
    await admin.mkdirp('/a/b');
    await admin.create('/a/e', 'data', { ephemeral: true });
    await admin.set('/a/b', 'ä');
    expect(await admin.children('/a')).toEqual(['b', 'e']);
    expect(await admin.get('/a/e')).toMatchObject({ ephemeralOwner: admin.sessionId, version: 0 });
    expect(await admin.tree('/a')).toEqual(
      new Map([
        ['/a', ''],
        ['/a/b', 'ä'],
        ['/a/e', 'data'],
      ]),
    );
    await admin.removeRecursive('/a');
    expect(await admin.exists('/a')).toBe(false);
    await expect(admin.remove('/a')).rejects.toMatchObject({ name: 'NO_NODE' });
  });

  it('a session of the connector works, and is ended by its close', async () => {
    const session = await open({ states: [], watches: [] });
    try {
      expect(await session.createWithParents('/x/y', Buffer.from('1'), 'ephemeral')).toBe('created');
      expect(await session.read('/x/y')).toMatchObject({
        ephemeralOwner: session.id,
        data: Buffer.from('1'),
      });
      expect(zookeeper.ensemble.sessions()).toMatchObject([{ id: session.id, ephemerals: ['/app/x/y'] }]);
    } finally {
      await session.close();
    }
    expect(zookeeper.ensemble.sessions()).toEqual([]);
  });

  it('the connector hears of changes, also of those that it missed while it was disconnected', async () => {
    const heard = { states: [] as SessionState[], watches: [] as string[] };
    const session = await open(heard);
    const local = zookeeper.ensemble.openSession('/app');
    try {
      await session.children('/', { watch: true });
      local.create('/one', '');
      await waitFor(() => heard.watches.includes('/'), { timeoutMs: 2_000, description: 'the watch' });
      await session.read('/one', { watch: true });
      const refused = zookeeper.network.refuse();
      zookeeper.ensemble.dropConnection(session.id);
      await waitFor(() => heard.states.at(-1) === 'suspended', { timeoutMs: 2_000, description: 'the loss' });
      local.set('/one', 'missed');
      refused.heal();
      await waitFor(() => heard.watches.includes('/one'), {
        timeoutMs: 3_000,
        description: 'the missed event',
      });
      expect(heard.states).toEqual(['suspended', 'connected']);
    } finally {
      await session.close();
    }
  });

  it('the connector loses its session when a control expires it', async () => {
    const heard = { states: [] as SessionState[], watches: [] as string[] };
    const session = await open(heard);
    try {
      zookeeper.ensemble.expireSession(session.id);
      await waitFor(() => session.state === 'lost', { timeoutMs: 3_000, description: 'the loss' });
      expect(heard.states.at(-1)).toBe('lost');
    } finally {
      await session.close();
    }
  });

  it('the connector moves to another server with its session', async () => {
    const heard = { states: [] as SessionState[], watches: [] as string[] };
    const session = await open(heard);
    try {
      await session.create('/mine', null, 'ephemeral');
      const { number = 0 } = zookeeper.network.connections({ client: session.id })[0] ?? {};
      await zookeeper.ensemble.stopServer(number);
      await waitFor(() => heard.states.includes('suspended') && heard.states.at(-1) === 'connected', {
        timeoutMs: 5_000,
        description: 'the new connection',
      });
      expect(await session.exists('/mine')).toMatchObject({ ephemeralOwner: session.id });
    } finally {
      await session.close();
    }
  });
});
