import type { LocalSession, TreeChange } from '../../../../lib/testing/zookeeper/LocalSession';
import { ZookeeperFault } from '../../../../lib/testing/zookeeper/ZookeeperFault';
import { create, EPHEMERAL, OP, remove, set } from './support/operations';
import { TestEnsemble } from './support/TestEnsemble';

describe('a session within the process', () => {
  let zookeeper: TestEnsemble;
  let local: LocalSession;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release: '3.4' });
    local = zookeeper.ensemble.openSession('/kafka');
    local.mkdirp('/');
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('sees what is below its chroot', async () => {
    local.mkdirp('/brokers/ids');
    local.create('/brokers/ids/2', Buffer.from('two'));
    local.create('/brokers/ids/1', 'one');
    expect(local.children('/brokers/ids')).toEqual(['1', '2']);
    expect(local.children('/')).toEqual(['brokers']);
    expect(local.children('/missing')).toBeNull();
    expect(local.get('/brokers/ids/1')).toMatchObject({
      data: Buffer.from('one'),
      version: 0,
      ephemeralOwner: 0n,
    });
    expect(local.get('/missing')).toBeNull();
    const client = await zookeeper.client();
    expect((await client.ask(OP.getData, '/kafka/brokers/ids/2', false)).body.text()).toBe('two');
  });

  it('makes missing parents, its chroot among them, and keeps what is there', () => {
    const deep = zookeeper.ensemble.openSession('/x/y');
    deep.mkdirp('/a/b');
    deep.set('/a', 'kept');
    deep.mkdirp('/a/b');
    expect(deep.get('/a')?.data.toString()).toBe('kept');
    expect([...zookeeper.ensemble.tree('/x').keys()]).toEqual(['/x', '/x/y', '/x/y/a', '/x/y/a/b']);
  });

  it("is refused what cannot be done, with ZooKeeper's code", () => {
    local.create('/a', 'x');
    expect(() => local.create('/a', 'x')).toThrow('NODE_EXISTS');
    expect(() => local.create('/no/a', 'x')).toThrow('NO_NODE');
    expect(() => local.set('/a', 'y', 3)).toThrow('BAD_VERSION');
    expect(() => local.delete('/a', 3)).toThrow('BAD_VERSION');
    local.set('/a', 'y', 0);
    local.delete('/a', 1);
    expect(() => local.delete('/a')).toThrow(new ZookeeperFault('NO_NODE', '/kafka/a'));
  });

  it('owns its ephemeral nodes until it is closed', () => {
    local.create('/e', '', { ephemeral: true });
    expect(local.get('/e')?.ephemeralOwner).toBe(BigInt(local.id));
    const other = zookeeper.ensemble.openSession('');
    local.close();
    local.close();
    expect(other.children('/kafka')).toEqual([]);
    expect(local.isOpen).toBe(false);
    expect(() => local.get('/')).toThrow('SESSION_EXPIRED');
    expect(zookeeper.ensemble.sessions().map(({ id }) => id)).toEqual([other.id]);
  });

  it('is told of changes below its chroot, whoever makes them', async () => {
    const changes: TreeChange[] = [];
    const stop = local.onChange((change) => changes.push(change));
    const client = await zookeeper.client();
    await create(client, '/kafka/a');
    await set(client, '/kafka/a', 'x');
    await create(client, '/kafkaesque');
    await remove(client, '/kafka/a');
    await create(client, '/kafka/e', { flags: EPHEMERAL });
    await client.ask(OP.closeSession);
    local.set('/', 'root');
    stop();
    local.create('/unseen', '');
    expect(changes).toEqual([
      { type: 'created', path: '/a', zxid: 4n },
      { type: 'changed', path: '/a', zxid: 5n },
      { type: 'deleted', path: '/a', zxid: 7n },
      { type: 'created', path: '/e', zxid: 8n },
      { type: 'deleted', path: '/e', zxid: 9n },
      { type: 'changed', path: '/', zxid: 10n },
    ]);
  });

  it('all listeners hear of changes in their order, also of those that a listener makes', () => {
    const heard: string[] = [];
    local.onChange(({ path }) => {
      heard.push(`first ${path}`);
      if (path === '/a') local.create('/b', '');
    });
    local.onChange(({ path }) => heard.push(`second ${path}`));
    local.create('/a', '');
    expect(heard).toEqual(['first /a', 'second /a', 'first /b', 'second /b']);
  });

  it('a client has its answer before a listener changes anything', async () => {
    local.onChange(({ path, type }) => {
      if (path === '/a' && type === 'created') local.set('/a', 'by the listener');
    });
    const client = await zookeeper.client();
    await client.ask(OP.exists, '/kafka/a', true);
    await create(client, '/kafka/a');
    const { body } = await client.ask(OP.getData, '/kafka/a', false);
    expect(body.text()).toBe('by the listener');
    expect(client.timeline).toEqual(['answer 1', 'created /kafka/a', 'answer 2', 'answer 3']);
  });

  it('is told when a control ends it, not when it closes itself', () => {
    const closed = zookeeper.ensemble.openSession('');
    let told = '';
    closed.onExpired(() => (told += ' closed'));
    closed.close();
    local.create('/e', '', { ephemeral: true });
    local.onExpired(() => (told += ' expired'));
    const stop = local.onExpired(() => (told += ' never'));
    stop();
    zookeeper.ensemble.expireSession(local.id);
    expect(told).toBe(' expired');
    expect(local.isOpen).toBe(false);
    expect(zookeeper.ensemble.tree('/kafka/e').size).toBe(0);
  });

  it('works while no server runs', async () => {
    await zookeeper.ensemble.stop();
    local.create('/a', 'x');
    const late = zookeeper.ensemble.openSession('/kafka');
    expect(late.get('/a')?.data.toString()).toBe('x');
    await zookeeper.ensemble.start();
    const client = await zookeeper.client();
    expect((await client.ask(OP.getData, '/kafka/a', false)).body.text()).toBe('x');
  });
});
