import { acl, create, EPHEMERAL, ERROR, OP, OPEN_ACL, part, parts, statAt } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

const CONTAINER = 4;
const TTL = 5;

describe('what ZooKeeper 3.8 can be asked beside', () => {
  let zookeeper: TestEnsemble;
  let client: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release: '3.8' });
    client = await zookeeper.client();
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('a creation can answer what is to be known of the node', async () => {
    const { body } = await client.ask(OP.create2, '/a', 'abc', OPEN_ACL, EPHEMERAL);
    expect(body.text()).toBe('/a');
    expect(body.stat()).toEqual(await statAt(client, '/a'));
  });

  it('a container looks like a persistent node, and may have children', async () => {
    const { body } = await client.ask(OP.createContainer, '/c', '', OPEN_ACL, CONTAINER);
    expect(body.text()).toBe('/c');
    expect(body.stat()).toMatchObject({ ephemeralOwner: 0n });
    await create(client, '/c/child');
    await client.ask(OP.closeSession);
    expect([...zookeeper.ensemble.tree('/c').keys()]).toEqual(['/c', '/c/child']);
  });

  it('a time to live is refused, as by default', async () => {
    const answer = await client.ask(OP.createTtl, '/t', '', OPEN_ACL, TTL, 1000n);
    expect(answer).toMatchObject({ error: ERROR.unimplemented, zxid: 2n });
  });

  it('nobody deletes containers but the server, and nobody changes the ensemble', async () => {
    expect(await client.ask(OP.deleteContainer, '/c')).toMatchObject({ error: ERROR.badArguments, zxid: 2n });
    const answer = await client.ask(OP.reconfig, null, null, null, -1n);
    expect(answer).toMatchObject({ error: ERROR.reconfigDisabled, zxid: 3n });
  });

  it('a multi can have containers', async () => {
    const { error, body } = await client.ask(
      OP.multi,
      parts(part(OP.createContainer, '/c', '', OPEN_ACL, CONTAINER), part(OP.create2, '/d', '', OPEN_ACL, 0)),
    );
    expect(error).toBe(0);
    for (const path of ['/c', '/d']) {
      expect([body.int(), body.bool(), body.int(), body.text()]).toEqual([OP.create2, false, 0, path]);
      expect(body.stat()).toMatchObject({ czxid: 2n });
    }
  });

  it('several reads each have a result or an error', async () => {
    await create(client, '/a', { data: 'x' });
    await create(client, '/a/b');
    const { error, zxid, body } = await client.ask(
      OP.multiRead,
      parts(
        part(OP.getData, '/a', false),
        part(OP.getChildren, '/missing', false),
        part(OP.getChildren, '/a', false),
      ),
    );
    expect({ error, zxid }).toEqual({ error: 0, zxid: 3n });
    const header = (): unknown[] => [body.int(), body.bool(), body.int()];
    expect([header(), body.text()]).toEqual([[OP.getData, false, 0], 'x']);
    expect(body.stat()).toMatchObject({ numChildren: 1 });
    expect([header(), body.int()]).toEqual([[-1, false, ERROR.noNode], ERROR.noNode]);
    expect([header(), body.texts()]).toEqual([[OP.getChildren, false, 0], ['b']]);
    expect(header()).toEqual([-1, true, -1]);
    const mixed = await client.ask(OP.multiRead, parts(part(OP.delete, '/a/b', -1)));
    expect(mixed).toMatchObject({ error: ERROR.marshalling, zxid: 3n });
  });

  it('ephemeral nodes of the own session are listed below a prefix', async () => {
    const other = await zookeeper.client();
    await create(other, '/x-other', { flags: EPHEMERAL });
    for (const path of ['/x1', '/x2', '/y1']) await create(client, path, { flags: EPHEMERAL });
    expect((await client.ask(OP.getEphemerals, '/x')).body.texts().sort()).toEqual(['/x1', '/x2']);
    expect((await client.ask(OP.getEphemerals, null)).body.texts()).toHaveLength(3);
    expect((await client.ask(OP.getEphemerals, '/')).body.texts()).toHaveLength(3);
  });

  it('all that is below a node is counted', async () => {
    for (const path of ['/a', '/a/b', '/a/b/c', '/ab']) await create(client, path);
    expect((await client.ask(OP.getAllChildrenNumber, '/a')).body.int()).toBe(2);
    // With the three of the server.
    expect((await client.ask(OP.getAllChildrenNumber, '/')).body.int()).toBe(7);
    expect((await client.ask(OP.getAllChildrenNumber, '/no')).error).toBe(ERROR.noNode);
  });

  it('a client is told who it is', async () => {
    await client.ask(OP.auth, 0, 'digest', 'u:p');
    const { body } = await client.ask(OP.whoAmI);
    expect(body.int()).toBe(2);
    expect([body.text(), body.text(), body.text(), body.text()]).toEqual(['ip', '127.0.0.1', 'digest', 'u']);
  });

  it('the configuration can be read, and not be written', async () => {
    const { body } = await client.ask(OP.getAcl, '/zookeeper/config');
    expect(body.acl()).toEqual(['1 world:anyone']);
    expect(body.stat()).toMatchObject({ aversion: -1, czxid: 0n });
    expect((await client.ask(OP.setData, '/zookeeper/config', 'x', -1)).error).toBe(ERROR.noAuth);
    expect((await client.ask(OP.setAcl, '/zookeeper/config', acl([31, 'world', 'anyone']), -1)).error).toBe(
      ERROR.noAuth,
    );
  });
});
