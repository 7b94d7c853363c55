import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { leavesNothing } from './leavesNothing';

const SOON_MS = 100;
const VAIN = /Waited 100 ms in vain for: sockets and timers to be gone/;
const noop = (): void => undefined;

/** What the bodies lose on purpose. */
const lost: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of lost.splice(0)) clearTimeout(timer);
});

describe('leavesNothing', () => {
  it('finds a single timer that was lost', async () => {
    const found = leavesNothing(async () => {
      await turn();
      lost.push(setTimeout(noop, 60_000));
    }, SOON_MS);
    await expect(found).rejects.toThrow(VAIN);
  });

  it('finds an interval that was lost behind a timer, after the body', async () => {
    const found = leavesNothing(async () => {
      await turn();
      setTimeout(() => lost.push(setInterval(noop, 5)), 5);
    }, SOON_MS);
    await expect(found).rejects.toThrow(VAIN);
  });

  it('finds a server, both ends of its connection, and a timer of the far end', async () => {
    const ends: Socket[] = [];
    const server = createServer((far) => {
      ends.push(far.on('data', () => lost.push(setTimeout(noop, 60_000))));
    });
    const found = leavesNothing(async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
      ends.push(near);
      near.write('x');
    }, SOON_MS);
    await expect(found).rejects.toThrow(/TCPSERVERWRAP TCPWRAP TCPWRAP Timeout/);
    for (const end of ends) end.destroy();
    await once(server.close(), 'close');
  });

  it('is content when all is taken back, at once or soon', async () => {
    const body = async (): Promise<void> => {
      const server = createServer((socket) => socket.end());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      await once(connect((server.address() as AddressInfo).port, '127.0.0.1').resume(), 'close');
      clearTimeout(setTimeout(noop, 60_000));
      setTimeout(noop, 20);
      setInterval(noop, 60_000).unref();
      server.close();
    };
    await expect(leavesNothing(body)).resolves.toBeUndefined();
  });

  it('does not mind timers that others have, or start meanwhile', async () => {
    lost.push(setTimeout(noop, 60_000));
    const quiet = leavesNothing(() => turn());
    lost.push(setTimeout(noop, 60_000));
    await expect(quiet).resolves.toBeUndefined();
  });
});
