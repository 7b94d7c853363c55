import { JuteWriter } from '../JuteWriter';
import {
  addWatch,
  checkWatches,
  create2,
  createContainer,
  createTtl,
  deleteContainer,
  getAllChildrenNumber,
  getEphemerals,
  multiRead,
  removeWatches,
  setWatches2,
  whoAmI,
} from '../newerRequests';
import { create, exists, getChildren, getData, multi, ping, setData, unusual } from '../requests';
import type { Script } from '../Stage';

/** Paths and bodies that the requests of 3.8 do not expect. */
export const newerOddRequests: Script = {
  subject: 'odd requests of 3.8',
  async play(stage) {
    const a = await stage.client('a');
    await a.ask(create('/q', 'x'));
    for (const type of [15, 17, 18, 19, 20, 21, 22, 103, 104, 105, 106, 107]) {
      await a.ask(unusual(`type ${type} without a body`, type), exists('/q'));
    }
    for (const path of [
      null,
      '',
      'q',
      '/',
      '/q/',
      '//q',
      '/q/\u0000',
      '/q/..',
      '/zookeeper',
      '/zookeeper/x',
    ]) {
      await a.ask(create2(path), createContainer(path), deleteContainer(path), createTtl(path, 1000n));
      await a.ask(getAllChildrenNumber(path), getEphemerals(path), checkWatches(path, 3));
      await a.ask(removeWatches(path, 3), multiRead([getData(path), getChildren(path)]));
    }
    for (const path of ['q', '/q/', '//q', '/q/\u0000', '/zookeeper', '/none/none']) {
      await a.ask(addWatch(path, 0), addWatch(path, 1), checkWatches(path, 3), removeWatches(path, 3));
    }
    await a.ask(
      setWatches2(-1n, { data: ['q'], exist: ['q'], child: ['q'], persistent: ['q', 'q'], recursive: ['q'] }),
    );
    await a.ask(setWatches2(1n << 50n, { persistent: ['/q/a/b'], recursive: ['/', '/q'] }), create('/q/a'));
    await a.ask(
      create('/q/a/b'),
      setData('/q/a/b', ''),
      ping(),
      removeWatches('/', 3),
      removeWatches('/q', 3),
    );
    // Without a time to live, createTTL ends the real server if the mode needs none.
    await a.ask(createTtl('/q/ttl', -1n, { flags: 5 }), createTtl('/q/ttl', -1n, { flags: 6 }));
    for (const flags of [0, 1, 2, 3, 4, 5, 6, 7]) {
      await a.ask(createTtl(`/q/ttl${flags}`, 1000n, { flags }), createTtl(`/q/now${flags}`, 0n, { flags }));
      await a.ask(createContainer(`/q/container${flags}`, { flags }), getChildren('/q'));
      await a.ask(multi([create2(`/q/m${flags}`, '', { flags })]));
      await a.ask(multi([create(`/q/mp${flags}`, '', { flags })]), exists(`/q/mp${flags}`));
      await a.ask(multi([create('/q'), create2(`/q/m${flags}`, '', { flags })]));
      await a.ask(multi([createTtl(`/q/t${flags}`, 1000n, { flags })]));
      await a.ask(multi([createContainer(`/q/mc${flags}`, { flags })]), exists(`/q/mc${flags}`));
    }
    for (const container of [4, 5, 6]) await a.ask(deleteContainer(`/q/container${container}`));
    await a.ask(deleteContainer('/q/mc4'), deleteContainer('/q'), exists('/q'), getChildren('/q'));
    const multiReads = [
      multiRead([whoAmI()]),
      multiRead([multiRead([getData('/q')])]),
      multiRead([getData('/q'), unusual('type 99', 99)]),
      unusual('multiRead without an end', 22, new JuteWriter().int32(4).boolean(false).int32(-1).bytes),
    ];
    await a.ask(...multiReads, multi([getData('/q'), create('/q/n')]), exists('/q/n'));
    const reconfiguration = new JuteWriter().buffer(null).buffer(null).buffer(null).int64(-1n).bytes;
    await a.ask(unusual('reconfig', 16, reconfiguration), unusual('reconfig without a body', 16), ping());
  },
};
