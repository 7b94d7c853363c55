import { create, exists, getChildren, ping, setData } from '../requests';
import type { Script } from '../Stage';
import type { ScriptClient } from '../ScriptClient';

const NAMES = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'Aa',
  'BB',
  'seven',
  'eight',
  'nine',
  'ten',
  '11',
  '12',
  '13',
];

export const expiry: Script = {
  subject: 'expiry',
  async play(stage) {
    const watcher = await stage.client('watcher');
    await watcher.ask(create('/x'), create('/x/owned'));

    const expired = await stage.client('expired');
    await leaveNodes(expired, watcher);
    const { sessionId, password } = expired;
    await expired.expire();
    await watcher.ask(ping(), getChildren('/x'), exists('/x'));
    await expired.connect({ sessionId, password });
    await expired.closed('expired session');
    await watcher.ask(exists('/x'));

    // The same at the hands of its owner.
    const closing = await stage.client('closing');
    await leaveNodes(closing, watcher);
    await closing.end();
    await watcher.ask(ping(), getChildren('/x'), exists('/x'));

    // A client that says nothing, on a connection that stays open, and one without any.
    const silent = await stage.client('silent', { timeoutMs: 2000 });
    await leaveNodes(silent, watcher);
    await silent.closed('no ping');
    await watcher.ask(ping(), getChildren('/x'));
    await silent.connect();
    await silent.closed('expired');
    silent.forgetSession();

    const gone = await stage.client('gone', { timeoutMs: 2000 });
    await gone.ask(create('/x/owned/last', '', { flags: 1 }));
    await watcher.ask(exists('/x/owned/last', true));
    gone.drop();
    await watcher.events(1);
    await watcher.ask(ping(), exists('/x'));
    await gone.connect();
    await gone.closed('expired');

    // Watches and nodes of two sessions: what one leaves, the other one sees.
    const one = await stage.client('one');
    const other = await stage.client('other');
    await one.ask(create('/x/of one', '', { flags: 1 }), exists('/x/of other', true));
    await other.ask(create('/x/of other', '', { flags: 1 }), exists('/x/of one', true));
    await one.ask(ping(), exists('/x/of other', true), getChildren('/x', true));
    await other.expire();
    await one.ask(ping(), setData('/x', 'x'));
    await one.expire();
    await watcher.ask(getChildren('/x'), exists('/x'));
  },
};

/** Ephemeral nodes, most below one parent, that a watcher sees disappear. */
async function leaveNodes(owner: ScriptClient, watcher: ScriptClient): Promise<void> {
  for (const name of NAMES) await owner.ask(create(`/x/${name}`, name, { flags: 1 }));
  await owner.ask(create('/x/owned/n-', '', { flags: 3 }), exists('/x', true));
  for (const name of NAMES) await watcher.ask(exists(`/x/${name}`, true));
  await watcher.ask(getChildren('/x', true), getChildren('/x/owned', true), getChildren('/x/Aa', true));
}
