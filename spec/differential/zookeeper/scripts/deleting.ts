import { check, create, exists, getChildren, ping, remove, setData } from '../requests';
import type { Script } from '../Stage';

export const deleting: Script = {
  subject: 'delete',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(create('/d'), create('/d/x'), create('/d/x/child'), remove('/d/x'), remove('/d/none'));
    await a.ask(remove('/d/none', 3), remove('/d/none/child'), remove('/d/x/child', 1), exists('/d/x/child'));
    await a.ask(remove('/d/x/child', 0), remove('/d/x/child', 0), remove('/d/x', -2), remove('/d/x', -1));
    await a.ask(create('/d/v'), setData('/d/v', 'a'), setData('/d/v', 'b'), remove('/d/v', 1));
    // A check that succeeds outside of a transaction is not answered by 3.4.
    await a.askTogether(check('/d/v', 2), ping());
    await a.ask(check('/d/v', 1), remove('/d/v', 2), exists('/d/v'), exists('/d'));
    await a.ask(create('/d/e', '', { flags: 1 }));
    await b.ask(remove('/d/e'), exists('/d/e'));
    await a.ask(create('/d/e', '', { flags: 1 }), remove('/d/e', 0), create('/d/e'), exists('/d/e'));
    for (const path of ['', '/', 'd', 'd/x', '/d/', '/d//e', '/d/\u0000', '/d/../d/e', '/zookeeper']) {
      await a.ask(remove(path));
    }
    await a.ask(remove('/zookeeper/quota'), remove('/zookeeper/none'), remove(null), exists('/d'));
    await b.ask(getChildren('/d'), remove('/d'), remove('/d/e'), remove('/d'), exists('/d'), remove('/d'));
  },
};
