import { createHash } from 'node:crypto';

import {
  auth,
  check,
  create,
  exists,
  getAcl,
  getChildren,
  getChildren2,
  getData,
  multi,
  OPEN,
  PERMISSIONS,
  remove,
  setAcl,
  setData,
  type Acl,
} from '../requests';
import type { Script } from '../Stage';

const digestOf = (user: string, password: string): string =>
  `${user}:${createHash('sha1').update(`${user}:${password}`).digest('base64')}`;

const digest = (permissions: number, user = 'ann', password = 'secret'): Acl => ({
  permissions,
  scheme: 'digest',
  id: digestOf(user, password),
});

const world = (permissions: number): Acl => ({ permissions, scheme: 'world', id: 'anyone' });
const ip = (permissions: number, id: string): Acl => ({ permissions, scheme: 'ip', id });
const ALL = PERMISSIONS.all;

export const acls: Script = {
  subject: 'ACL',
  async play(stage) {
    const ann = await stage.client('ann');
    const bob = await stage.client('bob');
    await ann.ask(create('/a'), getAcl('/a'), create('/a/early', '', { acl: [whoeverAsks(ALL)] }));
    await ann.ask(auth('digest', 'ann:secret'), auth('digest', 'ann:secret'));
    await bob.ask(auth('digest', 'bob:'), auth('ip', ''), auth('ip', 'x'));

    await ann.ask(create('/a/hers', 'x', { acl: [digest(ALL)] }), create('/a/hers/child'), getAcl('/a/hers'));
    await ann.ask(create('/a/auth', 'x', { acl: [whoeverAsks(ALL)] }), getAcl('/a/auth'), getData('/a/auth'));
    for (const path of ['/a/hers', '/a/auth']) {
      await bob.ask(getData(path), exists(path), getChildren(path), getChildren2(path), getAcl(path));
      await bob.ask(
        setData(path, 'y'),
        setData(path, 'y', 9),
        create(`${path}/new`),
        remove(`${path}/child`),
      );
      await bob.ask(setAcl(path, OPEN), setAcl(path, []), check(path, 0), multi([check(path, 0)]));
      await bob.ask(multi([setData('/a', 'x'), setData(path, 'x'), remove(`${path}/child`)]));
    }
    for (const [name, permissions] of Object.entries(PERMISSIONS)) {
      const path = `/a/${name}`;
      await ann.ask(create(path, '', { acl: [world(permissions), digest(PERMISSIONS.create)] }));
      await ann.ask(create(`${path}/child`));
      await bob.ask(getData(path), getChildren(path), getAcl(path), setData(path, ''), create(`${path}/new`));
      await bob.ask(remove(`${path}/child`), setAcl(path, [world(permissions)]), exists(path), getAcl(path));
    }
    await ann.ask(create('/a/v'), setAcl('/a/v', OPEN, 0), setAcl('/a/v', OPEN, 0), exists('/a/v'));
    await ann.ask(setAcl('/a/v', [digest(ALL), world(PERMISSIONS.read)], 1), getAcl('/a/v'));
    await ann.ask(setAcl('/a/v', [digest(ALL)], -2), setAcl('/a/v', null), setAcl('/a/none', OPEN));
    await bob.ask(setAcl('/a/v', [digest(ALL, 'bob', '')]), getAcl('/a/v'), setAcl('/a/v', []));
    await ann.ask(setAcl('/a/v', [digest(ALL, 'bob', '')]), getData('/a/v'), getAcl('/a/v'), exists('/a/v'));
    await bob.ask(
      getData('/a/v'),
      getAcl('/a/v'),
      setAcl('/a/v', [whoeverAsks(ALL), whoeverAsks(ALL)]),
      getAcl('/a/v'),
    );
    await ann.ask(
      remove('/a/v'),
      create('/a/mixed', '', { acl: [whoeverAsks(1), world(4), digest(2), whoeverAsks(1)] }),
    );
    await bob.ask(getAcl('/a/mixed'), create('/a/mixed/x'), getData('/a/mixed'));
    await ann.ask(getAcl('/a/mixed'), getData('/a/mixed'), setData('/a/mixed', ''), remove('/a/mixed/x'));

    const addresses = ['127.0.0.1', '127.0.0.1/32', '127.0.0.0/8', '126.0.0.0/7', '128.0.0.1/1', '0.0.0.0/0'];
    for (const [index, id] of [
      ...addresses,
      '127.0.0.2',
      '127.1',
      '256.0.0.1',
      '127.0.0.1/x',
      '1/',
    ].entries()) {
      await ann.ask(create(`/a/ip${index}`, '', { acl: [ip(ALL, id)] }));
      await bob.ask(getData(`/a/ip${index}`), getAcl(`/a/ip${index}`));
    }
    await bob.ask(
      auth('digest', 'ann:secret'),
      getData('/a/hers'),
      create('/a/both', '', { acl: [whoeverAsks(1)] }),
    );
    await bob.ask(getAcl('/a/both'), setAcl('/a/hers', OPEN), getAcl('/a/hers'));
    bob.drop();
    await bob.connect();
    await bob.ask(getData('/a/both'), getAcl('/a/both'));

    for (const credentials of ['nocolon', '', ':', ':x', 'x:y:z', Buffer.of(0xff, 58, 0xfe)]) {
      const client = await stage.client('odd credentials');
      await client.ask(auth('digest', credentials), create('/a/odd', '', { acl: [whoeverAsks(ALL)] }));
      await client.ask(getAcl('/a/odd'), remove('/a/odd'));
    }
    // A refusal ends the connection.
    for (const scheme of ['kerberos', 'world', 'super', 'auth', '', null]) {
      const client = await stage.client(`scheme ${scheme ?? 'null'}`);
      await client.ask(auth(scheme, 'x'));
      await client.closed('refused');
    }
    const client = await stage.client('null credentials');
    await client.ask(auth('digest', null));
    await client.closed('refused');
    await ann.ask(getChildren('/a'));
  },
};

function whoeverAsks(permissions: number): Acl {
  return { permissions, scheme: 'auth', id: '' };
}
