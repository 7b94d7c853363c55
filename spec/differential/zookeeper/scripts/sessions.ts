import { create, exists, getChildren, getData, ping, setData } from '../requests';
import type { Script } from '../Stage';

const EPHEMERAL = { flags: 1 };

export const sessions: Script = {
  subject: 'sessions',
  async play(stage) {
    const a = await stage.client('a');
    const b = await stage.client('b');
    await a.ask(create('/s'), create('/s/e', '', EPHEMERAL), getData('/s/e'));
    await b.ask(getData('/s/e'), exists('/s/e', true));

    // With the same session, and another time-out, on a new connection.
    a.drop();
    await a.connect();
    await a.ask(getData('/s/e'), ping());
    a.drop();
    await a.connect({ timeoutMs: 20_000 });
    a.drop();
    await a.connect({ readOnly: null, lastZxidSeen: 0n });
    await a.ask(setData('/s/e', 'again'));
    await b.ask(ping());

    // While the first connection is open, a second one takes the session.
    const taker = stage.stranger('taker');
    await taker.connect({ sessionId: a.sessionId, password: a.password });
    await a.closed('the session is taken');
    await taker.ask(getData('/s/e'), create('/s/e2', '', EPHEMERAL));
    await a.connect();
    await taker.closed('the session is taken back');
    taker.forgetSession();
    await a.ask(getChildren('/s'), getData('/s/e2'));

    // A wrong password ends the attempt, not the session.
    const thief = stage.stranger('thief');
    for (const password of [Buffer.alloc(16), Buffer.alloc(16, 1), Buffer.alloc(0), null]) {
      a.drop();
      await thief.connect({ sessionId: a.sessionId, password });
      await thief.closed('wrong password');
      thief.forgetSession();
      await a.connect();
      await a.ask(ping(), getData('/s/e'));
    }
    a.drop();
    await a.connect({ lastZxidSeen: a.zxid + 1_000_000n });
    await a.closed('zxid ahead');
    await a.connect();
    await a.ask(getData('/s/e'));

    // A session that was closed is gone.
    const { sessionId, password } = a;
    await b.ask(exists('/s/e', true), exists('/s/e2', true), getChildren('/s', true));
    await a.end();
    await b.ask(ping(), getChildren('/s'));
    await thief.connect({ sessionId, password });
    await thief.closed('closed session');
    await b.ask(exists('/s'));
  },
};
