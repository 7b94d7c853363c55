import { create, ERROR, OP, OPEN_ACL, part, parts, SEQUENTIAL, set, statAt } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

describe.each(['3.4', '3.8'] as const)('multi of ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;
  let client: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release });
    client = await zookeeper.client();
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('later parts see what earlier ones do, all in one transaction', async () => {
    const { error, zxid, body } = await client.ask(
      OP.multi,
      parts(
        part(OP.create, '/m', 'd', OPEN_ACL, 0),
        part(OP.setData, '/m', 'e', 0),
        part(OP.create, '/m/s-', '', OPEN_ACL, SEQUENTIAL),
        part(OP.create, '/m/s-', '', OPEN_ACL, SEQUENTIAL),
        part(OP.check, '/m', 1),
        part(OP.delete, '/m/s-0000000000', 0),
      ),
    );
    expect({ error, zxid }).toEqual({ error: 0, zxid: 2n });
    const header = (): unknown[] => [body.int(), body.bool(), body.int()];
    expect([header(), body.text()]).toEqual([[OP.create, false, 0], '/m']);
    expect([header(), body.stat()]).toMatchObject([
      [OP.setData, false, 0],
      { version: 1, mzxid: 2n, numChildren: 0 },
    ]);
    expect([header(), body.text()]).toEqual([[OP.create, false, 0], '/m/s-0000000000']);
    expect([header(), body.text()]).toEqual([[OP.create, false, 0], '/m/s-0000000001']);
    expect(header()).toEqual([OP.check, false, 0]);
    expect(header()).toEqual([OP.delete, false, 0]);
    expect(header()).toEqual([-1, true, -1]);
    expect(body.rest).toHaveLength(0);
    expect(await statAt(client, '/m')).toMatchObject({ cversion: 3, numChildren: 1, pzxid: 2n });
  });

  it('nothing is done when one part cannot be done', async () => {
    await create(client, '/a', { data: 'before' });
    await create(client, '/a/x');
    const before = await statAt(client, '/a');
    const { error, zxid, body } = await client.ask(
      OP.multi,
      parts(
        part(OP.create, '/a/new', '', OPEN_ACL, 0),
        part(OP.setData, '/a', 'after', -1),
        part(OP.delete, '/a/x', -1),
        part(OP.delete, '/missing', -1),
        part(OP.setData, '/a', 'never', -1),
      ),
    );
    expect({ error, zxid }).toEqual({ error: 0, zxid: 4n });
    expect(body.partErrors()).toEqual([0, 0, 0, ERROR.noNode, ERROR.runtimeInconsistency]);
    expect(await statAt(client, '/a')).toEqual(before);
    expect(zookeeper.ensemble.tree('/a')).toEqual(
      new Map([
        ['/a', 'before'],
        ['/a/x', ''],
      ]),
    );
  });

  it('a sequential number that was not used is used by the next one', async () => {
    await create(client, '/a');
    await client.ask(
      OP.multi,
      parts(part(OP.create, '/a/s', '', OPEN_ACL, SEQUENTIAL), part(OP.check, '/no', -1)),
    );
    expect(await create(client, '/a/s', { flags: SEQUENTIAL })).toBe('/a/s0000000000');
  });

  it('a node can be deleted and made again', async () => {
    await create(client, '/a', { data: 'old' });
    await set(client, '/a', 'older');
    await client.ask(OP.multi, parts(part(OP.delete, '/a', 1), part(OP.create, '/a', 'new', OPEN_ACL, 0)));
    expect(await statAt(client, '/a')).toMatchObject({ version: 0, czxid: 4n, dataLength: 3 });
  });

  it('a deleted node is missing for later parts', async () => {
    await create(client, '/a');
    const { body } = await client.ask(OP.multi, parts(part(OP.delete, '/a', -1), part(OP.check, '/a', -1)));
    expect(body.partErrors()).toEqual([0, ERROR.noNode]);
    expect(zookeeper.ensemble.tree('/a').size).toBe(1);
  });

  it('one without parts is a transaction, too', async () => {
    const { error, zxid, body } = await client.ask(OP.multi, parts());
    expect({ error, zxid }).toEqual({ error: 0, zxid: 2n });
    expect(body.partErrors()).toEqual([]);
  });

  it('one that cannot be read is refused as a whole', async () => {
    const { error, zxid } = await client.ask(OP.multi, parts(part(OP.getData, '/a', false)));
    expect({ error, zxid }).toEqual({ error: ERROR.marshalling, zxid: 2n });
    expect((await client.ask(OP.multi)).error).toBe(ERROR.marshalling);
  });
});
