import { JuteWriter } from '../JuteWriter';
import { connectFrame, framed, requestFrame } from '../requestFrames';
import { auth, create, exists, getData, ping, unusual } from '../requests';
import type { Script } from '../Stage';

/** Types that no server knows, or not from clients. */
const TYPES = [0, -1, -2, -12, 10, 23, 77, 99, 108, 1000, 2147483647, -2147483648];
/** The longest frame that a server reads unless its configuration says otherwise. */
const MAX_FRAME = 0xfffff;

export const oddRequests: Script = {
  subject: 'odd requests',
  async play(stage) {
    const a = await stage.client('a');
    await a.ask(create('/o', 'x'));
    for (const type of TYPES) {
      const client = await stage.client(`type ${type}`);
      await client.ask(unusual(`type ${type}`, type));
      await client.closed(`type ${type}`);
      await client.end();
    }
    for (const type of [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 101]) {
      await a.ask(unusual(`type ${type} without a body`, type), exists('/o'));
    }
    const path = new JuteWriter().buffer('/o').bytes;
    await a.ask(unusual('exists without a watch', 3, path), unusual('setData without data', 5, path));
    await a.ask(unusual('path longer than the frame', 3, new JuteWriter().int32(99).raw(path).bytes));
    await a.ask(unusual('path with a negative length', 3, new JuteWriter().int32(-5).raw(path).bytes));
    await a.ask(unusual('more than the body', 3, Buffer.concat([path, Buffer.alloc(20)]), 'stat'));
    await a.ask(unusual('many ACLs', 7, new JuteWriter().buffer('/o').int32(0x7fffffff).bytes));
    await a.ask(unusual('less than no ACLs', 7, new JuteWriter().buffer('/o').int32(-2).int32(0).bytes));
    await a.ask(unusual('watch of 7', 4, Buffer.concat([path, Buffer.of(7)]), 'dataStat'));
    await a.ask(
      unusual('no UTF-8', 3, new JuteWriter().buffer(Buffer.of(47, 0xff, 0xc0)).boolean(false).bytes),
    );
    await a.ask(unusual('cut UTF-8', 1, new JuteWriter().buffer(Buffer.of(47, 111, 47, 0xe6, 0xbc)).bytes));
    await a.ask(exists('/o'), ping());

    // Numbers that clients keep for something else, or have used.
    for (const xid of [0, -2, -4, -8, 1, 1, 2147483647, -2147483648]) {
      a.send(requestFrame(exists('/o'), xid));
      await a.receive(`exists with xid ${xid}`, 'stat');
      a.send(requestFrame(ping(), xid));
      await a.receive(`ping with xid ${xid}`);
      a.send(requestFrame(auth('digest', 'a:b'), xid));
      await a.receive(`auth with xid ${xid}`);
    }
    for (const type of [100, 102]) {
      const client = await stage.client(`type ${type}`);
      client.send(requestFrame(unusual('', type), 1));
      await client.receive(`type ${type} without a body`);
      client.send(requestFrame(ping(), 2));
      await client.receive('ping');
      await client.end();
    }

    const whole = requestFrame(getData('/o'), 1000);
    for (const cut of [1, 4, 9, whole.length - 1]) {
      a.send(whole.subarray(0, cut));
      await stage.word('ruok', /.*/s);
      a.send(whole.subarray(cut));
      await a.receive(`getData in two parts, cut at ${cut}`, 'dataStat');
    }
    const big = Buffer.alloc(MAX_FRAME);
    const room = requestFrame(create('/o/big'), 1).length - 4;
    await a.ask(create('/o/big', big.subarray(room)), exists('/o/big'));

    const broken: readonly (readonly [string, Buffer])[] = [
      ['empty frame', framed(Buffer.alloc(0))],
      ['one byte', framed(Buffer.alloc(1))],
      ['xid only', framed(Buffer.alloc(4))],
      ['seven bytes', framed(Buffer.alloc(7))],
      ['negative length', new JuteWriter().int32(-2).bytes],
      ['length of the limit and one', new JuteWriter().int32(MAX_FRAME + 1).bytes],
      ['longest length', new JuteWriter().int32(0x7fffffff).bytes],
      ['another connect request', connectFrame({})],
      ['four-letter word', Buffer.from('ruok')],
      ['request longer than the limit', requestFrame(create('/o/bigger', big), 1)],
    ];
    for (const [name, bytes] of broken) {
      const client = await stage.client(name);
      client.send(bytes);
      await client.closed(name);
      await client.connect();
      await client.ask(ping());
      await client.end();
    }
    await a.ask(exists('/o'));
  },
};
