import {
  create,
  exists,
  getChildren,
  getChildren2,
  getData,
  ping,
  remove,
  setAcl,
  setData,
  OPEN,
} from '../requests';
import type { Script } from '../Stage';

export const watches: Script = {
  subject: 'watches',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    const c = await stage.client('c');
    await a.ask(create('/w'), create('/w/x', 'one'), create('/w/y'));

    // Of the session that makes the change: the event comes ahead of the answer.
    await a.ask(getData('/w/x', true), setData('/w/x', 'two'), setData('/w/x', 'three'));
    await a.ask(exists('/w/x', true), getData('/w/x', true), setData('/w/x', 'four'), ping());
    await a.ask(exists('/w/new', true), create('/w/new'), exists('/w/new', true), remove('/w/new'));
    await a.ask(getChildren('/w', true), create('/w/new'), create('/w/new2'), getChildren2('/w', true));
    await a.ask(setData('/w', 'no change of children'), create('/w/x/child'), remove('/w/new2'), ping());
    await a.ask(getChildren('/w/new', true), remove('/w/new'), exists('/w/new', true), create('/w/new'));

    // All kinds of watches on one node, and on its parent.
    await a.ask(exists('/w/new', true), getData('/w/new', true), getChildren('/w/new', true));
    await a.ask(getChildren('/w', true), remove('/w/new'), ping());
    await a.ask(exists('/w', true), getChildren('/w', true), setData('/w', 'x'), create('/w/new'), ping());
    await a.ask(getData('/w/none', true), getChildren('/w/none', true), create('/w/none'), ping());
    await a.ask(exists('/w/none', true), setAcl('/w/none', OPEN), setData('/w/none', ''), ping());
    await a.ask(exists('/w/y', true), setData('/w/y', 'x', 7), remove('/w/y', 7), ping(), remove('/w/y'));

    // Of other sessions.
    await b.ask(getData('/w/x', true), getChildren('/w', true), exists('/w/z', true), exists('/w/z/z', true));
    await c.ask(getData('/w/x', true), getChildren('/w', true), getChildren('/w/x', true));
    await a.ask(setData('/w/x', 'five'));
    await b.ask(ping());
    await c.ask(ping());
    await a.ask(create('/w/z'), create('/w/z/z'), setData('/w/z', 'x'), remove('/w/z/z'), remove('/w/z'));
    await b.ask(ping(), exists('/w/z', true));
    await c.ask(ping(), exists('/w/z', true));
    await b.ask(create('/w/z', '', { flags: 1 }));
    await c.ask(ping(), exists('/w/z', true));
    await b.end();
    await c.ask(ping());
    await a.ask(remove('/w/x/child'), remove('/w/x'));
    await c.ask(ping());

    // A watch goes with its connection.
    await c.ask(exists('/w', true), getChildren('/w', true));
    await stage.word('wchs', /.*/s);
    c.drop();
    await c.connect();
    await a.ask(setData('/w', 'unseen'), create('/w/unseen'));
    await c.ask(ping());

    // Paths that no node can have.
    await a.ask(exists('w', true), exists('', true), exists('/', true), getChildren('/', true), ping());
    await a.ask(create('/watched'), setData('/', 'x'), ping(), exists('/', true), setData('/', ''), ping());
  },
};
