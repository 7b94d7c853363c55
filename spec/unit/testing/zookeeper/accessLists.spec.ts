import { acl, ERROR, OP, OPEN_ACL, type AclEntry } from './support/operations';
import type { Field } from './support/pack';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

/** sha1 of "u:p" and "v:p", as the servers write it. */
const U = 'u:Jq7wMyA/w2Vd5WIDAKdu4OIIFEQ=';
const V = 'v:RylFHZNG40p+EX2Hf0QUdmqEStY=';

const [READ, WRITE, CREATE, DELETE, ADMIN, ALL] = [1, 2, 4, 8, 16, 31];

describe.each(['3.4', '3.8'] as const)('access lists of ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;
  let owner: RawClient;
  let stranger: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release });
    owner = await zookeeper.client();
    stranger = await zookeeper.client();
    await owner.ask(OP.auth, 0, 'digest', 'u:p');
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  async function make(path: string, ...entries: readonly AclEntry[]): Promise<number> {
    return (await owner.ask(OP.create, path, 'data', acl(...entries), 0)).error;
  }

  async function errorOf(client: RawClient, op: number, ...fields: readonly Field[]): Promise<number> {
    return (await client.ask(op, ...fields)).error;
  }

  it('proving who one is gets an answer without a transaction', async () => {
    const answer = await stranger.ask(OP.auth, 0, 'digest', 'v:p');
    expect(answer).toMatchObject({ error: 0, zxid: 0n });
    expect(answer.body.rest).toHaveLength(0);
  });

  it('an unknown scheme ends the connection', async () => {
    expect(await stranger.ask(OP.auth, 0, 'nosuch', 'x')).toMatchObject({
      error: ERROR.authFailed,
      zxid: 0n,
    });
    await stranger.ended();
  });

  it('the owner may do what a stranger may not', async () => {
    expect(await make('/own', [ALL, 'auth', ''])).toBe(0);
    await owner.ask(OP.create, '/own/there', '', OPEN_ACL, 0);
    for (const [client, error] of [[stranger, ERROR.noAuth] as const, [owner, 0] as const]) {
      expect(await errorOf(client, OP.getData, '/own', false)).toBe(error);
      expect(await errorOf(client, OP.getChildren, '/own', false)).toBe(error);
      expect(await errorOf(client, OP.setData, '/own', '', -1)).toBe(error);
      expect(await errorOf(client, OP.create, '/own/child', '', OPEN_ACL, 0)).toBe(error);
      expect(await errorOf(client, OP.delete, '/own/there', -1)).toBe(error);
      expect(await errorOf(client, OP.setAcl, '/own', acl([ALL, 'auth', '']), -1)).toBe(
        client === owner ? 0 : ERROR.invalidAcl,
      );
      expect(await errorOf(client, OP.setAcl, '/own', acl([ALL, 'digest', U]), -1)).toBe(error);
    }
  });

  it.each([
    ['read', READ, OP.getData, ['/n', false]],
    ['write', WRITE, OP.setData, ['/n', '', -1]],
    ['create', CREATE, OP.create, ['/n/new', '', OPEN_ACL, 0]],
    ['delete', DELETE, OP.delete, ['/n/child', -1]],
    ['administration', ADMIN, OP.setAcl, ['/n', OPEN_ACL, -1]],
  ] as const)('a list can give %s alone', async (_name, permission, op, fields) => {
    await make('/n', [ALL, 'digest', U], [permission, 'world', 'anyone']);
    await owner.ask(OP.create, '/n/child', '', OPEN_ACL, 0);
    expect(await errorOf(stranger, op, ...fields)).toBe(0);
    await owner.ask(OP.setAcl, '/n', acl([ALL, 'digest', U], [ALL & ~permission, 'world', 'anyone']), -1);
    await owner.ask(OP.create, '/n/child', '', OPEN_ACL, 0);
    expect(await errorOf(stranger, op, ...fields)).toBe(ERROR.noAuth);
  });

  it('an address is proved by the connection', async () => {
    await make('/near', [READ, 'ip', '127.0.0.1']);
    await make('/far', [READ, 'ip', '10.0.0.1']);
    expect(await errorOf(stranger, OP.getData, '/near', false)).toBe(0);
    expect(await errorOf(stranger, OP.getData, '/far', false)).toBe(ERROR.noAuth);
  });

  it('a range of addresses is for the newer release', async () => {
    expect(await make('/range', [READ, 'ip', '127.0.0.0/8'])).toBe(release === '3.4' ? ERROR.invalidAcl : 0);
  });

  it.each([
    ['an unknown scheme', [ALL, 'nosuch', 'x']],
    ['a digest without a password', [ALL, 'digest', 'user']],
    ['what is no address', [ALL, 'ip', '127.0.0.256']],
    ['somebody of the world', [ALL, 'world', 'someone']],
  ] as const)('%s is no access list', async (_name, entry) => {
    expect(await make('/bad', entry)).toBe(ERROR.invalidAcl);
  });

  it('"auth" stands for all that a client has proved, in the order of the release', async () => {
    await owner.ask(OP.auth, 0, 'digest', 'v:p');
    await make('/both', [ALL, 'auth', ''], [READ, 'world', 'anyone']);
    const { body } = await owner.ask(OP.getAcl, '/both');
    expect(body.acl()).toEqual(
      release === '3.4'
        ? ['1 world:anyone', `31 digest:${U}`, `31 digest:${V}`]
        : [`31 digest:${V}`, `31 digest:${U}`, '1 world:anyone'],
    );
    expect(body.stat()).toMatchObject({ dataLength: 4 });
  });

  it('an entry that stands twice counts once', async () => {
    await make('/twice', [READ, 'world', 'anyone'], [READ, 'world', 'anyone']);
    expect((await owner.ask(OP.getAcl, '/twice')).body.acl()).toEqual(['1 world:anyone']);
  });

  it('a new list has a version of its own', async () => {
    await make('/n', [ALL, 'auth', '']);
    const { body, zxid } = await owner.ask(OP.setAcl, '/n', OPEN_ACL, 0);
    expect(zxid).toBe(4n);
    expect(body.stat()).toMatchObject({ aversion: 1, version: 0, mzxid: 3n });
    expect(await errorOf(owner, OP.setAcl, '/n', OPEN_ACL, 0)).toBe(ERROR.badVersion);
  });

  it('access lists are secret in the newer release', async () => {
    await make('/own', [ALL, 'digest', U]);
    await make('/shown', [ALL, 'digest', U], [READ, 'world', 'anyone']);
    const isOlder = release === '3.4';
    expect(await errorOf(stranger, OP.getAcl, '/own')).toBe(isOlder ? 0 : ERROR.noAuth);
    expect(await errorOf(stranger, OP.exists, '/own', false)).toBe(isOlder ? 0 : ERROR.noAuth);
    const shown = (await stranger.ask(OP.getAcl, '/shown')).body.acl();
    expect(shown).toEqual([`31 digest:${isOlder ? U : 'u:x'}`, '1 world:anyone']);
  });

  it('events about what one may not read are told by the older release alone', async () => {
    await stranger.ask(OP.exists, '/later', true);
    await make('/later', [ALL, 'auth', '']);
    await stranger.ask(OP.sync, '/');
    expect(stranger.timeline.includes('created /later')).toBe(release === '3.4');
  });
});

describe('access lists within the process', () => {
  it('do not hold up its own sessions', async () => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client();
    await client.ask(OP.create, '/none', 'x', acl([0, 'world', 'anyone']), 0);
    expect((await client.ask(OP.getData, '/none', false)).error).toBe(ERROR.noAuth);
    const local = zookeeper.ensemble.openSession('');
    local.set('/none', 'y');
    expect(local.get('/none')?.data.toString()).toBe('y');
  });
});
