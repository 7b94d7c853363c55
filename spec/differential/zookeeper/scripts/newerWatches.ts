import { addWatch, checkWatches, removeWatches, setWatches2 } from '../newerRequests';
import { create, exists, getChildren, getData, multi, ping, remove, setData } from '../requests';
import type { Script } from '../Stage';

const [CHILDREN, DATA, ANY] = [1, 2, 3];
const [PERSISTENT, RECURSIVE] = [0, 1];

/** Watches that stay, and those that are asked for and taken away. */
export const newerWatches: Script = {
  subject: 'watches of 3.8',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(create('/p'), create('/p/x'), create('/p/x/y'));

    await b.ask(addWatch('/p/x', PERSISTENT), addWatch('/p/x', PERSISTENT), addWatch('/p/none', PERSISTENT));
    await a.ask(setData('/p/x', '1'), setData('/p/x', '2'), create('/p/x/z'), setData('/p/x/z', ''));
    await b.ask(ping());
    await a.ask(remove('/p/x/z'), remove('/p/x/y'), remove('/p/x'), create('/p/x'), create('/p/none'));
    await b.ask(ping(), getData('/p/x', true), getChildren('/p/x', true));
    await a.ask(setData('/p/x', '3'), create('/p/x/y'), setData('/p/x', '4'));
    await b.ask(
      ping(),
      checkWatches('/p/x', ANY),
      checkWatches('/p/x', DATA),
      checkWatches('/p/x', CHILDREN),
    );
    await b.ask(removeWatches('/p/x', ANY), removeWatches('/p/x', ANY), removeWatches('/p/none', ANY));
    await a.ask(setData('/p/x', '5'), create('/p/x/z'));
    await b.ask(ping());

    await b.ask(addWatch('/p', RECURSIVE), getData('/p/x', true), exists('/p/new', true));
    await a.ask(
      setData('/p', ''),
      setData('/p/x', ''),
      create('/p/new'),
      create('/p/new/x'),
      remove('/p/x/z'),
    );
    await b.ask(ping(), getChildren('/p/new', true), getChildren('/p', true));
    await a.ask(
      remove('/p/new/x'),
      remove('/p/new'),
      multi([create('/p/m'), setData('/p/m', ''), remove('/p/m')]),
    );
    await b.ask(ping(), create('/p/own', '', { flags: 1 }), setData('/p/own', ''), remove('/p/own'));
    await b.ask(checkWatches('/p', ANY), checkWatches('/p/x', ANY), removeWatches('/p/x', ANY));
    await b.ask(addWatch('/p', PERSISTENT), addWatch('/p/x', RECURSIVE));
    await a.ask(setData('/p/x', ''), setData('/p', ''), remove('/p/x/y'));
    await b.ask(ping(), removeWatches('/p', ANY), removeWatches('/p/x', ANY), removeWatches('/p/x', ANY));
    await a.ask(setData('/p/x', ''), setData('/p', ''));
    await b.ask(ping(), addWatch('/p', 2), addWatch('/p', -1), addWatch('', 0), addWatch('p', 1));
    await b.ask(
      addWatch('/', RECURSIVE),
      removeWatches('/', ANY),
      checkWatches('/p', 0),
      checkWatches('/p', 9),
    );

    await b.ask(getData('/p/x', true), getChildren('/p/x', true), exists('/p/n', true));
    for (const type of [CHILDREN, DATA, ANY]) {
      await b.ask(checkWatches('/p/x', type), checkWatches('/p/n', type), checkWatches('/p', type));
    }
    await b.ask(removeWatches('/p/x', CHILDREN), checkWatches('/p/x', ANY), removeWatches('/p/x', DATA));
    await b.ask(checkWatches('/p/x', ANY), removeWatches('/p/x', ANY), removeWatches('/p/n', CHILDREN));
    await b.ask(removeWatches('/p/n', DATA), removeWatches('/p/n', DATA), removeWatches('/p/n', 4));
    await a.ask(setData('/p/x', ''), create('/p/n'));
    await b.ask(ping());

    // Set again on a new connection.
    const before = b.zxid;
    b.drop();
    await a.ask(create('/p/missed'), setData('/p/x', ''));
    await b.connect();
    await b.ask(
      setWatches2(before, { data: ['/p/x', '/p/n'], child: ['/p'], exist: ['/p/missed', '/p/soon'] }),
    );
    await b.ask(setWatches2(before, { persistent: ['/p/x', '/p/soon'], recursive: ['/p/n'] }), ping());
    await a.ask(
      setData('/p/x', ''),
      setData('/p/x', ''),
      create('/p/soon'),
      create('/p/n/x'),
      remove('/p/n/x'),
    );
    await b.ask(ping(), setWatches2(b.zxid, {}), checkWatches('/p/soon', ANY), checkWatches('/p/n', ANY));

    // At the end of a session.
    const owner = await stage.client('owner');
    await b.ask(addWatch('/p', RECURSIVE), exists('/p/e2', true));
    for (const name of ['e1', 'e2', 'e3']) await owner.ask(create(`/p/${name}`, '', { flags: 1 }));
    await b.ask(ping(), exists('/p/e2', true), getChildren('/p', true));
    await owner.end();
    await b.ask(ping());
  },
};
