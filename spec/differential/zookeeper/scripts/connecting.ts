import { connectFrame, framed, requestFrame } from '../requestFrames';
import { JuteWriter } from '../JuteWriter';
import { create, exists, ping } from '../requests';
import type { Script } from '../Stage';

export const connecting: Script = {
  subject: 'connect',
  async play(stage) {
    const a = await stage.client('a');
    await a.ask(create('/n'), exists('/n'));
    for (const timeoutMs of [1, 0, -1, 999, 1000, 1001, 1250, 39_999, 40_000, 40_001, 2_147_483_647]) {
      const client = await stage.client(`time-out ${timeoutMs}`, { timeoutMs });
      await client.ask(ping());
      await client.end();
    }
    const connects = [
      ['old client', { readOnly: null }],
      ['read-only', { readOnly: true }],
      ['protocol version 1', { protocolVersion: 1 }],
      ['protocol version -1', { protocolVersion: -1 }],
      ['short password', { password: Buffer.alloc(3) }],
      ['long password', { password: Buffer.alloc(40, 1) }],
      ['unknown session', { sessionId: 0x1234567n }],
      ['negative session', { sessionId: -1n, password: Buffer.alloc(16, 1) }],
      ['zxid that is seen', { lastZxidSeen: a.zxid }],
      ['zxid before all', { lastZxidSeen: -1n }],
      ['zxid ahead', { lastZxidSeen: 1n << 40n }],
      ['unknown session, old client', { sessionId: 99n, readOnly: null }],
    ] as const;
    for (const [name, fields] of connects) {
      const client = stage.stranger(name);
      await client.connect(fields);
      if (client.sessionId !== 0n) await client.ask(exists('/n'));
      else await client.closed(name);
      await client.end();
    }
    const hasty = stage.stranger('hasty');
    await hasty.connectOnly();
    hasty.send(Buffer.concat([connectFrame({}), requestFrame(exists('/n'), 1), requestFrame(ping(), -2)]));
    await hasty.receive('connect and two requests at once', 'connect');
    await hasty.receive('exists', 'stat');
    await hasty.receive('ping');
    await hasty.end();
    const firsts: readonly (readonly [string, Buffer])[] = [
      ['empty frame', framed(Buffer.alloc(0))],
      ['short frame', framed(Buffer.alloc(10))],
      [
        'password longer than the frame',
        framed(new JuteWriter().int32(0).raw(Buffer.alloc(20)).int32(16).bytes),
      ],
      ['negative length', new JuteWriter().int32(-1).bytes],
      ['longest length', new JuteWriter().int32(0x7fffffff).bytes],
      ['no word', Buffer.from('abcd')],
      ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ];
    for (const [name, bytes] of firsts) {
      const client = stage.stranger(name);
      await client.connectOnly();
      client.send(bytes);
      await client.closed(name);
    }
    await stage.word('ruok', /.*/s);
    // In front of that it tells its version, times and traffic.
    await stage.word('srvr', /^Outstanding: .*/ms);
    await stage.word('isro', /.*/s);
    await a.ask(exists('/n'));
  },
};
