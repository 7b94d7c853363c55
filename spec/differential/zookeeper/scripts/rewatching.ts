import { create, getChildren, ping, remove, setData, setWatches, exists } from '../requests';
import type { Script } from '../Stage';

const PATHS = ['/v/same', '/v/changed', '/v/removed', '/v/made', '/v/parent', '/v/again', '/v/none', '/none'];

/** Watches that a client sets again on a new connection, after changes that it has missed. */
export const rewatching: Script = {
  subject: 'setWatches',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(create('/v'));
    for (const name of ['same', 'changed', 'removed', 'parent', 'again']) await a.ask(create(`/v/${name}`));
    await b.ask(ping());
    const before = b.zxid;
    b.drop();
    await a.ask(setData('/v/changed', 'x'), remove('/v/removed'), create('/v/made'));
    await a.ask(create('/v/parent/child'), remove('/v/again'), create('/v/again'));
    await b.connect();
    await b.ask(setWatches(before, { data: PATHS }), ping());
    await b.ask(setWatches(before, { exist: PATHS }), ping());
    await b.ask(setWatches(before, { child: PATHS }), ping());
    await b.ask(setWatches(before, { data: PATHS, exist: PATHS, child: PATHS }), ping());

    // Those that were not behind are watches now.
    await a.ask(setData('/v/same', 'x'), remove('/v/parent/child'), remove('/v/changed'), create('/v/none'));
    await b.ask(ping());
    await a.ask(remove('/v/same'), remove('/v/parent'), setData('/v/made', ''), remove('/v/made'));
    await b.ask(ping());

    // A zxid of today, of the future, and of the beginning.
    await b.ask(setWatches(b.zxid, { data: ['/v', '/v/again'], child: ['/v'], exist: ['/v/same'] }), ping());
    await a.ask(create('/v/same'), setData('/v/again', ''), setData('/v', ''));
    await b.ask(ping(), setWatches(b.zxid + 100n, { data: ['/v', '/v/again'], child: ['/v'] }), ping());
    await a.ask(setData('/v/again', ''), create('/v/last'));
    await b.ask(ping(), setWatches(0n, { data: ['/v', '/'], child: ['/v', '/'], exist: ['/', '/v/last'] }));
    await b.ask(
      setWatches(-1n, { data: ['/v'] }),
      setWatches(0n, {}),
      setWatches(0n, { data: [''] }),
      ping(),
    );
    await b.ask(setWatches(0n, { data: ['no path'], exist: ['no path'], child: ['no path'] }), ping());

    // Twice the same is one watch, also across the ways to set it.
    await b.ask(setWatches(b.zxid, { data: ['/v', '/v'], exist: ['/v/soon'] }), exists('/v/soon', true));
    await b.ask(exists('/v', true), getChildren('/v', true));
    await a.ask(create('/v/soon'), setData('/v', ''), setData('/v', ''));
    await b.ask(ping());
  },
};
