import { check, create, exists, getChildren, getData, multi, ping, remove, setData, sync } from '../requests';
import type { Script } from '../Stage';

/** Requests that a client sends without waiting for answers. */
export const together: Script = {
  subject: 'several requests at once',
  async play(stage) {
    const a = await stage.client('a');
    await a.askTogether(create('/t'), create('/t/x', 'one'), getData('/t/x', true), setData('/t/x', 'two'));
    await a.askTogether(getData('/t/x'), ping(), remove('/t/x', 0), ping(), exists('/t/x', true), sync('/t'));
    await a.askTogether(
      setData('/t/x', 'three'),
      remove('/t/x'),
      create('/t/x', '', { flags: 2 }),
      create('/t/x', '', { flags: 3 }),
      getChildren('/t', true),
      create('/t/none/x'),
      multi([create('/t/m'), remove('/t/m'), create('/t/m')]),
      multi([check('/t/m', 0), setData('/t/m', 'x', 1)]),
      ping(),
      getData('/t/m'),
      remove('/t/m'),
      remove('/t/m'),
    );
    await a.askTogether(...Array.from({ length: 30 }, (_, index) => create(`/t/${index}`, '', { flags: 1 })));
    await a.ask(getChildren('/t'));
  },
};
