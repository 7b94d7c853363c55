import {
  create2,
  createContainer,
  createTtl,
  deleteContainer,
  getAllChildrenNumber,
  getEphemerals,
  multiRead,
  whoAmI,
} from '../newerRequests';
import {
  auth,
  create,
  exists,
  getAcl,
  getChildren,
  getData,
  multi,
  ping,
  remove,
  setAcl,
  setData,
  type Acl,
} from '../requests';
import type { Script } from '../Stage';

const NO_READ: readonly Acl[] = [{ permissions: 30, scheme: 'world', id: 'anyone' }];

/** What 3.8 can do and 3.4 cannot, but for watches. */
export const newerNodes: Script = {
  subject: 'nodes of 3.8',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(getData('/zookeeper/config'), getAcl('/zookeeper/config'), setData('/zookeeper/config', 'x'));
    await a.ask(create2('/k'), create2('/k/x', 'data'), create2('/k/x'), create2('/k/none/x'), create2('k'));
    await a.ask(create2('/k/e', '', { flags: 1 }), create2('/k/s', '', { flags: 2 }), create2('/k/e/x'));
    await a.ask(create2('/k/s', null, { flags: 3 }), create2('/k/acl', '', { acl: [] }), exists('/k'));
    for (const flags of [4, 5, 6, 7, -1]) await a.ask(create2(`/k/flags${flags}`, '', { flags }));
    await a.ask(getChildren('/k'));

    // Containers; the server looks for empty ones once a minute, which is later than the end of this script.
    await a.ask(createContainer('/k/c'), createContainer('/k/c'), exists('/k/c'), create('/k/c/x'));
    await a.ask(deleteContainer('/k/c'), remove('/k/c/x'), exists('/k/c'), deleteContainer('/k/c'));
    await a.ask(exists('/k/c'), createContainer('/k/d'), deleteContainer('/k/d'), exists('/k/d'));
    await a.ask(createContainer('/k/f', { flags: 0 }), createContainer('/k/g', { flags: 1 }), exists('/k/g'));
    await a.ask(deleteContainer('/k/x'), deleteContainer('/k/none'), remove('/k/d'), remove('/k/f'));
    await a.ask(createTtl('/k/ttl', 1000n), createTtl('/k/ttl', 0n), createTtl('/k/ttl', 1n, { flags: 6 }));
    await a.ask(createTtl('/k/ttl0', 1000n, { flags: 0 }), getChildren('/k'));

    await a.ask(
      getAllChildrenNumber('/k'),
      getAllChildrenNumber('/k/x'),
      create('/k/x/y'),
      create('/k/x/y/z'),
    );
    await a.ask(getAllChildrenNumber('/k'), getAllChildrenNumber('/k/none'), getAllChildrenNumber(null));
    await a.ask(getAllChildrenNumber('/'), getAllChildrenNumber('/k/'), getAllChildrenNumber(''));

    for (let index = 0; index < 20; index++) await b.ask(create(`/k/x/e${index}`, '', { flags: 1 }));
    await b.ask(getEphemerals('/'), getEphemerals('/k/x/e1'), getEphemerals('/none'), getEphemerals(''));
    await b.ask(getEphemerals(null), getEphemerals('/k/x/'), remove('/k/x/e3'), getEphemerals('/k/x'));
    await a.ask(getEphemerals('/'), getEphemerals(' '), getEphemerals('k'));

    await a.ask(whoAmI(), auth('digest', 'ann:secret'), whoAmI(), auth('digest', 'bob:x'), whoAmI());
    await b.ask(whoAmI());

    await a.ask(create('/k/secret', 'x', { acl: NO_READ }), exists('/k/secret'));
    await a.ask(
      multiRead([getData('/k/x'), getChildren('/k/x'), getData('/k/none'), getChildren('/k/none')]),
    );
    await a.ask(multiRead([getData('/k/secret'), getChildren('/k/secret'), getData('/k/s0000000002', true)]));
    await a.ask(multiRead([]), multiRead([getData('/k/x', true), getChildren('/k', true)]), ping());
    await a.ask(setData('/k/x', 'seen'), create('/k/seen'), ping());
    await a.ask(multiRead([exists('/k')]), multiRead([setData('/k', '')]), multi([getData('/k')]));
    await a.ask(getAllChildrenNumber('/k/secret'), getAcl('/k/secret'), setAcl('/k/secret', NO_READ));

    await a.ask(multi([create2('/k/m', 'x'), createContainer('/k/n'), create('/k/o'), create2('/k/m/x')]));
    await a.ask(multi([create2('/k/p'), create2('/k/m')]), multi([remove('/k/n'), remove('/k/o')]));
    await a.ask(multi([deleteContainer('/k/m')]), multi([createTtl('/k/q', 5n)]), exists('/k'));
  },
};
