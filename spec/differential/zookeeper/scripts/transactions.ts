import { JuteWriter } from '../JuteWriter';
import {
  check,
  create,
  exists,
  getChildren,
  getData,
  multi,
  ping,
  remove,
  setAcl,
  setData,
  OPEN,
  unusual,
} from '../requests';
import type { Script } from '../Stage';

export const transactions: Script = {
  subject: 'multi',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(multi([]), create('/m'), multi([create('/m/x', 'one'), create('/m/y'), create('/m/x/z')]));
    await a.ask(multi([check('/m', 0), setData('/m/x', 'two', 0), remove('/m/y'), check('/m/x', 1)]));
    await a.ask(getData('/m/x'), getChildren('/m'), exists('/m'), exists('/m/y'));

    const bad = [
      create('/m/x'),
      create('/m/none/x'),
      create('m'),
      create('/m/acl', '', { acl: [] }),
      remove('/m/none'),
      remove('/m/x'),
      remove('/m/x', 7),
      setData('/m/none', ''),
      setData('/m/x', '', 7),
      check('/m/x', 7),
      check('/m/none', 0),
      check('/m/none', -1),
    ];
    for (const operation of bad) {
      await a.ask(multi([operation]), multi([setData('/m', 'x'), operation, create('/m/new')]));
      await a.ask(multi([create('/m/new'), setData('/m/new', 'x'), operation]), exists('/m/new'));
    }
    await a.ask(exists('/m'), getData('/m'), getData('/m/x'), getChildren('/m'));

    const sequential = { flags: 2 };
    await a.ask(multi([create('/m/s-', '', sequential), create('/m/s-', '', sequential)]), exists('/m'));
    await a.ask(multi([create('/m/s-', '', sequential), remove('/m/none')]), exists('/m'));
    await a.ask(create('/m/s-', '', sequential), multi([create('/m/e', '', { flags: 1 }), create('/m/e/x')]));
    await a.ask(multi([create('/m/e', '', { flags: 1 }), create('/m/f', '', { flags: 3 })]), exists('/m/e'));
    await a.ask(multi([remove('/m/e'), create('/m/e'), create('/m/e/x')]), exists('/m/e'), exists('/m/e/x'));
    await a.ask(multi([setData('/m/x', 'a', 1), setData('/m/x', 'b', 2), setData('/m/x', 'c', 2)]));
    await a.ask(multi([setData('/m/x', 'a', 1), setData('/m/x', 'b', 2), check('/m/x', 3)]), getData('/m/x'));
    await a.ask(multi([create('/m/t'), remove('/m/t'), create('/m/t'), setData('/m/t', 'x', 0)]));
    await a.ask(
      exists('/m/t'),
      exists('/m'),
      multi([remove('/m/t', -1), remove('/m/t', -1)]),
      exists('/m/t'),
    );
    await a.ask(multi([check('/m', -1)]), multi([check('/m/x', 4), check('/m/t', 1)]));

    await b.ask(exists('/m/new', true), exists('/m/x', true), getChildren('/m', true), getData('/m/t', true));
    await a.ask(multi([create('/m/new'), check('/m/none', 0)]));
    await b.ask(ping());
    await a.ask(
      multi([create('/m/new'), setData('/m/x', 'seen'), remove('/m/t'), setData('/m/new', 'twice')]),
    );
    await b.ask(ping(), exists('/m/new', true), getChildren('/m', true));
    await b.ask(multi([setData('/m/new', 'own'), remove('/m/new')]), ping());

    // Operations that a transaction does not know, and bodies that are no transaction.
    await a.ask(multi([setAcl('/m', OPEN)]), multi([getData('/m')]), multi([multi([create('/m/nested')])]));
    await a.ask(multi([create('/m/k'), unusual('type 99', 99)]), multi([unusual('type -1', -1)]));
    await a.ask(unusual('multi without end', 14, new JuteWriter().int32(2).boolean(false).int32(-1).bytes));
    await a.ask(unusual('multi of nothing', 14), exists('/m/k'), exists('/m/nested'), exists('/m'));
  },
};
