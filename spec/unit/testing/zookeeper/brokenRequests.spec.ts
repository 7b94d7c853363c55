import { create, ERROR, OP } from './support/operations';
import { pack } from './support/pack';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

/** The longest frame that the servers read. */
const MAX_BYTES = 0xfffff;

describe.each(['3.4', '3.8'] as const)('broken requests to ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;
  let client: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release });
    client = await zookeeper.client();
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it.each([
    ['a header that is cut', pack(1, true)],
    ['an empty frame', Buffer.alloc(0)],
    ['an authentication that is cut', pack(1, OP.auth, 0)],
  ])('%s ends the connection', async (_name, frame) => {
    client.sendFrame(frame);
    await client.ended();
    expect(await (await zookeeper.client()).ask(OP.sync, '/')).toMatchObject({ error: 0 });
  });

  it.each([
    ['too long', pack(MAX_BYTES + 1)],
    ['negative', pack(-5)],
  ])('a length that is %s ends the connection', async (_name, bytes) => {
    client.sendBytes(bytes);
    await client.ended();
    expect(client.timeline).toEqual([]);
  });

  it('the longest frame is read', async () => {
    const path = '/a';
    const head = pack(0, OP.setData, path, 0, -1).length;
    await create(client, path);
    const { error, body } = await client.ask(OP.setData, path, Buffer.alloc(MAX_BYTES - head), -1);
    expect(error).toBe(0);
    expect(body.stat()).toMatchObject({ dataLength: MAX_BYTES - head });
    const read = await client.ask(OP.getData, path, false);
    expect(read.body.buffer()).toHaveLength(MAX_BYTES - head);
  });

  it('a write that cannot be read is a transaction, a read is none', async () => {
    expect(await client.ask(OP.create, '/a')).toMatchObject({ error: ERROR.marshalling, zxid: 2n });
    expect(await client.ask(OP.create, null, '', [], 0)).toMatchObject({
      error: ERROR.marshalling,
      zxid: 3n,
    });
    expect(await client.ask(OP.exists)).toMatchObject({ error: ERROR.marshalling, zxid: 3n });
    expect(await client.ask(OP.getData, -7)).toMatchObject({ error: ERROR.marshalling, zxid: 3n });
  });

  it('a list that claims to be endless is not believed', async () => {
    expect(await client.ask(OP.setWatches, 0n, 0x7fff_ffff)).toMatchObject({ error: ERROR.marshalling });
  });

  it('an unknown operation is answered, then the connection ends', async () => {
    expect(await client.ask(999)).toMatchObject({ error: ERROR.unimplemented, zxid: -1n });
    await client.ended();
  });

  it.each([
    ...([
      OP.create2,
      OP.checkWatches,
      OP.createContainer,
      OP.createTtl,
      OP.multiRead,
      OP.getEphemerals,
    ] as const),
    ...([OP.getAllChildrenNumber, OP.setWatches2, OP.addWatch, OP.whoAmI, OP.reconfig] as const),
  ])('operation %d is one of the newer release', async (op) => {
    const { error } = await client.ask(op);
    expect(error === ERROR.unimplemented).toBe(release === '3.4');
  });

  it('a first frame that is cut ends the connection', async () => {
    const connection = await zookeeper.connection();
    connection.sendFrame(pack(0, 0n, 1000));
    await connection.ended();
    expect(zookeeper.ensemble.sessions()).toHaveLength(1);
  });

  it('a token of SASL gets none in return', async () => {
    const answer = await client.ask(OP.sasl, 'token');
    expect(answer).toMatchObject({ error: 0, zxid: 0n });
    expect(answer.body.buffer()).toBeNull();
  });

  it('nothing is answered behind the end of a session', async () => {
    client.send(OP.closeSession);
    client.send(OP.sync, '/');
    await client.ended();
    expect(client.timeline).toEqual(['answer 1']);
  });
});
