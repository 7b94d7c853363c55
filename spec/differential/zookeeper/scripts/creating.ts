import { create, getChildren, getData, OPEN, PERMISSIONS, remove, type Acl } from '../requests';
import type { Script } from '../Stage';

const EPHEMERAL = 1;
const SEQUENTIAL = 2;

/** Paths that a server may or may not take; what becomes of each is asked for behind it. */
const STRANGE_PATHS = [
  '',
  '/',
  '//',
  'c',
  'c/relative',
  '/c/',
  '/c//x',
  '/c/.',
  '/c/..',
  '/c/./x',
  '/c/../x',
  '/c/...',
  '/c/.x',
  '/c/x.',
  '/c/a b',
  '/c/\u0000',
  '/c/a\u0000b',
  '/c/\u0001',
  '/c/\u001f',
  '/c/\u0019',
  '/c/\u007f',
  '/c/\u009f',
  '/c/ä',
  '/c/漢',
  '/c/😀',
  '/c/\ue000',
  '/c/\uf8ff',
  '/c/\ufff0',
  '/c/\ufffd',
  '/c/\t',
  '/c/100%',
  '/zookeeper/x',
  '/zookeeper',
] as const;

const STRANGE_ACLS: readonly (readonly [string, readonly Acl[] | null])[] = [
  ['none', []],
  ['null', null],
  ['unknown scheme', [{ permissions: 31, scheme: 'nobody', id: 'x' }]],
  ['world:somebody', [{ permissions: 31, scheme: 'world', id: 'somebody' }]],
  ['digest without password', [{ permissions: 31, scheme: 'digest', id: 'x' }]],
  ['digest with two colons', [{ permissions: 31, scheme: 'digest', id: 'x:y:z' }]],
  ['empty digest', [{ permissions: 31, scheme: 'digest', id: '' }]],
  ['ip', [{ permissions: 31, scheme: 'ip', id: '127.0.0.1' }]],
  ['ip with bits', [{ permissions: 31, scheme: 'ip', id: '10.0.0.0/8' }]],
  ['ip with too many bits', [{ permissions: 31, scheme: 'ip', id: '10.0.0.0/33' }]],
  ['ip that is none', [{ permissions: 31, scheme: 'ip', id: 'localhost' }]],
  ['sasl', [{ permissions: 31, scheme: 'sasl', id: 'x' }]],
  ['x509', [{ permissions: 31, scheme: 'x509', id: 'CN=x' }]],
  ['super', [{ permissions: 31, scheme: 'super', id: 'x' }]],
  ['address of six', [{ permissions: 31, scheme: 'ip', id: '::1' }]],
  ['auth without any', [{ permissions: 31, scheme: 'auth', id: '' }]],
  ['no permissions', [{ permissions: 0, scheme: 'world', id: 'anyone' }]],
  ['more permissions than there are', [{ permissions: 255, scheme: 'world', id: 'anyone' }]],
  ['twice the same', [...OPEN, ...OPEN]],
  ['two', [...OPEN, { permissions: PERMISSIONS.read, scheme: 'ip', id: '127.0.0.1' }]],
  ['null scheme', [{ permissions: 31, scheme: null, id: 'anyone' }]],
  ['null id', [{ permissions: 31, scheme: 'world', id: null }]],
];

export const creating: Script = {
  subject: 'create',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(getChildren('/'), getData('/'), getData('/zookeeper'), getChildren('/zookeeper'));
    await a.ask(getChildren('/zookeeper/quota'), create('/c'), create('/c', 'again'), getData('/c'));
    await a.ask(create('/c/missing/child'), create('/c/data', 'data'), getData('/c/data'));
    await a.ask(create('/c/null', null), getData('/c/null'), create('/c/bytes', Buffer.of(0, 255, 10)));
    await a.ask(getData('/c/bytes'), create('/c/data/child'), getData('/c/data'), create(null));

    await a.ask(create('/c/e', 'mine', { flags: EPHEMERAL }), getData('/c/e'), create('/c/e/child'));
    await b.ask(getData('/c/e'), create('/c/e'), create('/c/e/child'), create('/c/f', '', { flags: 1 }));
    await a.ask(getData('/c/f'), create('/c/e/child/of/it'));

    const sequential = { flags: SEQUENTIAL };
    await a.ask(create('/c/s'), create('/c/s/n-', '', sequential), create('/c/s/n-', '', sequential));
    await a.ask(remove('/c/s/n-0000000001'), create('/c/s/n-', '', sequential), create('/c/s/plain'));
    await b.ask(create('/c/s/', '', sequential), create('/c/s/m', '', { flags: 3 }), getChildren('/c/s'));
    await a.ask(create('/c/s/missing/n-', '', sequential), create('/c/e/n-', '', sequential));
    await a.ask(create('/c/s/n-', '', sequential), create('/c/s/n-', '', sequential), getData('/c/s'));
    await b.ask(create('/c/x/../', '', sequential), create('/c/s', '', sequential), getChildren('/c'));
    for (const flags of [4, 5, 6, 7, -1, 256]) {
      await a.ask(create(`/c/flags${flags}`, '', { flags }), getData(`/c/flags${flags}`));
    }
    for (const path of STRANGE_PATHS) await a.ask(create(path), getData(path));
    for (const [name, acl] of STRANGE_ACLS) {
      await a.ask(create(`/c/acl ${name}`, '', { acl }), getData(`/c/acl ${name}`));
    }
    await a.ask(getChildren('/c'), getChildren('/zookeeper'));
    await b.end();
    await a.ask(getChildren('/c/s'), getData('/c/s'), getChildren('/c'), getData('/c'));
  },
};
