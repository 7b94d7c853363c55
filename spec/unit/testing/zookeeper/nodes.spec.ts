import { TestEnsemble } from './support/TestEnsemble';
import {
  create,
  EPHEMERAL,
  ERROR,
  OP,
  OPEN_ACL,
  remove,
  SEQUENTIAL,
  set,
  statAt,
} from './support/operations';

describe.each(['3.4', '3.8'] as const)('nodes of ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release });
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('a new node has the transaction and the time of its creation', async () => {
    const client = await zookeeper.client();
    const beforeMs = Date.now();
    expect(await create(client, '/a', { data: 'one' })).toBe('/a');
    const stat = await statAt(client, '/a');
    expect(stat).toMatchObject({
      ...{ czxid: 2n, mzxid: 2n, pzxid: 2n, version: 0, cversion: 0, aversion: 0 },
      ...{ ephemeralOwner: 0n, dataLength: 3, numChildren: 0 },
    });
    expect(stat.ctimeMs).toBeGreaterThanOrEqual(beforeMs);
    expect(stat.mtimeMs).toBe(stat.ctimeMs);
  });

  it('writing counts versions and keeps the time of creation', async () => {
    const client = await zookeeper.client();
    await create(client, '/a');
    const created = await statAt(client, '/a');
    const changed = await set(client, '/a', 'two');
    expect(changed).toMatchObject({
      version: 1,
      czxid: 2n,
      mzxid: 3n,
      dataLength: 3,
      ctimeMs: created.ctimeMs,
    });
    const read = await client.ask(OP.getData, '/a', false);
    expect(read.body.text()).toBe('two');
    expect(read.body.stat()).toEqual(changed);
  });

  it('a node without data is not one with no bytes', async () => {
    const client = await zookeeper.client();
    await client.ask(OP.create, '/none', null, OPEN_ACL, 0);
    await create(client, '/empty');
    expect((await client.ask(OP.getData, '/none', false)).body.buffer()).toBeNull();
    expect((await client.ask(OP.getData, '/empty', false)).body.buffer()).toHaveLength(0);
  });

  it('children change their parent: number, version and last transaction', async () => {
    const client = await zookeeper.client();
    await create(client, '/a');
    await create(client, '/a/b');
    await create(client, '/a/c');
    await remove(client, '/a/b');
    expect(await statAt(client, '/a')).toMatchObject({ cversion: 3, numChildren: 1, pzxid: 5n, version: 0 });
  });

  it('sequential nodes are numbered by how many children there ever were', async () => {
    const client = await zookeeper.client();
    await create(client, '/s');
    await create(client, '/s/x');
    await remove(client, '/s/x');
    expect(await create(client, '/s/n-', { flags: SEQUENTIAL })).toBe('/s/n-0000000001');
    expect(await create(client, '/s/', { flags: SEQUENTIAL | EPHEMERAL })).toBe('/s/0000000002');
  });

  it('an ephemeral node has an owner and no children', async () => {
    const { client, connected } = await zookeeper.connect();
    await create(client, '/e', { flags: EPHEMERAL });
    expect(await statAt(client, '/e')).toMatchObject({ ephemeralOwner: connected.sessionId });
    const refused = await client.ask(OP.create, '/e/child', '', OPEN_ACL, 0);
    expect(refused.error).toBe(ERROR.noChildrenForEphemerals);
  });

  it('names of children come in the order of Java hash sets', async () => {
    const client = await zookeeper.client();
    for (const name of ['a', 'ac']) await create(client, `/${name}`);
    for (let index = 0; index < 30; index += 1) await create(client, `/k${(index * 7919) % 1000}`);
    await remove(client, '/k919');
    await create(client, '/k919');
    const { body } = await client.ask(OP.getChildren2, '/', false);
    // As both releases answered.
    expect(body.texts().join(' ')).toBe(
      'k947 k704 k190 k56 k380 k461 k785 k542 k866 k623 k109 a ac k838 zookeeper k0 k919 k271 k28 k352 k299 k651 ' +
        'k595 k433 k894 k732 k676 k137 k514 k975 k813 k757 k218',
    );
    expect(body.stat()).toMatchObject({ numChildren: 33 });
  });

  it.each([
    ['a missing node', OP.delete, ['/missing', -1], ERROR.noNode],
    ['a missing parent', OP.create, ['/no/child', '', OPEN_ACL, 0], ERROR.noNode],
    ['a node that is there', OP.create, ['/full', '', OPEN_ACL, 0], ERROR.nodeExists],
    ['a node with children', OP.delete, ['/full', -1], ERROR.notEmpty],
    ['another version', OP.setData, ['/full', '', 4], ERROR.badVersion],
    ['another version, which is negative', OP.delete, ['/full/child', -2], ERROR.badVersion],
    ['a path without a slash', OP.create, ['path', '', OPEN_ACL, 0], ERROR.badArguments],
    ['a path with an empty name', OP.create, ['/full//x', '', OPEN_ACL, 0], ERROR.noNode],
    ['a path that ends with a slash', OP.create, ['/full/', '', OPEN_ACL, 0], ERROR.badArguments],
    ['a relative path', OP.create, ['/full/..', '', OPEN_ACL, 0], ERROR.badArguments],
    ['a control character', OP.create, ['/full/\u0001', '', OPEN_ACL, 0], ERROR.badArguments],
    ['NUL', OP.create, ['/full/\0', '', OPEN_ACL, 0], ERROR.badArguments],
    ['unknown flags', OP.create, ['/x', '', OPEN_ACL, 9], ERROR.badArguments],
    ['no access list', OP.create, ['/x', '', [], 0], ERROR.invalidAcl],
    ['a node of the server', OP.delete, ['/zookeeper', -1], ERROR.badArguments],
    ['the root', OP.create, ['/', '', OPEN_ACL, 0], ERROR.nodeExists],
  ])('%s is refused, and the refusal is a transaction', async (_name, op, fields, error) => {
    const client = await zookeeper.client();
    await create(client, '/full');
    await create(client, '/full/child');
    const answer = await client.ask(op, ...fields);
    expect(answer).toMatchObject({ error, zxid: 4n });
    expect(answer.body.rest).toHaveLength(0);
    expect((await client.ask(OP.exists, '/full', false)).zxid).toBe(4n);
  });

  it('the border of the control characters is that of the release', async () => {
    const client = await zookeeper.client();
    const answer = await client.ask(OP.create, '/\u001f', '', OPEN_ACL, 0);
    expect(answer.error).toBe(release === '3.4' ? 0 : ERROR.badArguments);
  });

  it('reads are answered with the last transaction, missing nodes without a body', async () => {
    const client = await zookeeper.client();
    await create(client, '/a');
    for (const op of [OP.exists, OP.getData, OP.getChildren, OP.getChildren2]) {
      const answer = await client.ask(op, '/missing', false);
      expect(answer).toMatchObject({ error: ERROR.noNode, zxid: 2n });
      expect(answer.body.rest).toHaveLength(0);
    }
  });

  it('an empty path is the root', async () => {
    const client = await zookeeper.client();
    await create(client, '/a');
    const { error, body } = await client.ask(OP.getChildren, '', false);
    expect(error).toBe(0);
    expect(body.texts()).toEqual(['a', 'zookeeper']);
  });

  it('the nodes of the server are there from the start', async () => {
    const client = await zookeeper.client();
    const { body } = await client.ask(OP.getChildren, '/zookeeper', false);
    expect(body.texts().sort()).toEqual(release === '3.4' ? ['quota'] : ['config', 'quota']);
  });

  it('a sync answers its path, a ping its own number', async () => {
    const client = await zookeeper.client();
    const sync = await client.ask(OP.sync, '/a');
    expect(sync).toMatchObject({ error: 0, zxid: 1n });
    expect(sync.body.text()).toBe('/a');
    const ping = await client.askAs(-2, OP.ping);
    expect(ping).toMatchObject({ xid: -2, error: 0, zxid: 1n });
  });

  it('a check that stands alone is not answered when it holds', async () => {
    const client = await zookeeper.client();
    await create(client, '/a');
    client.send(OP.check, '/a', 0);
    expect((await client.ask(OP.check, '/a', 1)).error).toBe(ERROR.badVersion);
    expect(client.timeline).toEqual(['answer 1', 'answer 3']);
    expect((await client.ask(OP.sync, '/')).zxid).toBe(4n);
  });
});
