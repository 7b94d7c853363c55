import {
  check,
  create,
  exists,
  getAcl,
  getChildren,
  getChildren2,
  getData,
  OPEN,
  remove,
  setAcl,
  setData,
  sync,
} from '../requests';
import type { Script } from '../Stage';

/** 14 names that share buckets of a small hash table, and grow it. */
const NAMES = [
  'z',
  'a',
  'Aa',
  'BB',
  'AaAa',
  'BBBB',
  'AaBB',
  '0',
  '10',
  '2',
  'ü',
  'consumers',
  'brokers',
  'ids',
];

export const reading: Script = {
  subject: 'read and write',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(create('/r', 'first'), exists('/r'), getData('/r'), getChildren('/r'), getChildren2('/r'));
    await a.ask(setData('/r', 'second'), setData('/r', 'third', 1), setData('/r', 'fourth', 1));
    await a.ask(setData('/r', 'fourth', 7), setData('/r', 'fourth', -2), setData('/r', '', 2), getData('/r'));
    await a.ask(setData('/r', null), getData('/r'), exists('/r'), setData('/none', 'x'), getAcl('/r'));
    await b.ask(setData('/r', 'of b'), exists('/none'), getData('/none'), getChildren('/none'));
    await b.ask(getChildren2('/none'), getAcl('/none'), exists('/r'));

    for (const name of NAMES) await a.ask(create(`/r/${name}`, name));
    await a.ask(getChildren('/r'), getChildren2('/r'), create('/r/a/b'), create('/r/a/b/c'), exists('/r'));
    await a.ask(exists('/r/a'), exists('/r/a/b'), setData('/r/a', 'new'), exists('/r'), exists('/r/a'));
    await a.ask(setAcl('/r/a', OPEN), exists('/r/a'));
    await a.ask(remove('/r/a/b/c'), exists('/r/a/b'), remove('/r/a/b'), exists('/r/a'), exists('/r'));
    for (const name of ['Aa', 'z', 'BBBB']) await b.ask(remove(`/r/${name}`), getChildren('/r'));
    await b.ask(create('/r/z'), create('/r/Aa'), getChildren('/r'), getChildren2('/r'));
    for (let index = 0; index < 40; index++) await b.ask(create(`/r/consumers/group-${index}`));
    await a.ask(getChildren('/r/consumers'), exists('/r/consumers'));
    for (let index = 0; index < 40; index += 3) await b.ask(remove(`/r/consumers/group-${index}`));
    await a.ask(getChildren2('/r/consumers'));

    await a.ask(sync('/r'), sync('/none'), sync(''), sync(null), sync('no path'));
    for (const path of ['', '/', 'r', '/r/', '//r', '/r/\u0000', '/r/../r']) {
      await a.ask(exists(path), getData(path), getChildren(path), getChildren2(path), getAcl(path));
      await a.ask(setAcl(path, []));
      // An empty path finds the root, and a server of 3.4 that has to write there ends itself.
      if (path !== '') await a.ask(setData(path, 'x'));
    }
    await a.ask(exists(null), getData(null), getChildren(null), getChildren2(null), getAcl(null));
    await a.ask(
      setData(null, ''),
      setAcl(null, OPEN),
      check(null, 0),
      getAcl('/'),
      getAcl('/zookeeper'),
      getData('/'),
      exists('/zookeeper'),
    );
    await a.ask(setData('/zookeeper/quota', 'x'), getData('/zookeeper/quota'));
    await a.ask(setData('/r', Buffer.alloc(10_000, 'x')), exists('/r'), setData('/r', 'small'), exists('/r'));
  },
};
