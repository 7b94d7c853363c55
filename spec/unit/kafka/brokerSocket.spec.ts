import { createServer, type AddressInfo } from 'node:net';
import { openBrokerSocket } from '../../../lib/kafka/brokerSocket';
import { waitFor } from '../../support/waitFor';
import { FakeBroker } from './support/FakeBroker';
import { leavesNothing } from './support/leavesNothing';

const options = { clientId: 'spec', timeoutMs: 1000 };

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('openBrokerSocket', () => {
  it('opens a socket on which nothing is sent and nobody listens', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined);
      const socket = await openBrokerSocket({ ...broker.endpoint, ...options });
      try {
        expect(socket.listenerCount('data')).toBe(0);
        expect(socket.isPaused()).toBe(true);
        await waitFor(() => broker.sockets.length === 1, { timeoutMs: 1000, description: 'the connection' });
        expect(broker.sockets[0]?.bytesRead).toBe(0);
      } finally {
        socket.destroy();
      }
    });
  });

  it('keeps what comes before there is a listener', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined);
      const socket = await openBrokerSocket({ ...broker.endpoint, ...options });
      await waitFor(() => broker.sockets.length === 1, { timeoutMs: 1000, description: 'the connection' });
      broker.sockets[0]?.write('early');
      const came = await new Promise((resolve) => {
        socket.once('data', resolve);
        socket.resume();
      });
      socket.destroy();

      expect(String(came)).toBe('early');
    });
  });

  it('is not opened again when the broker closes it', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined);
      const socket = await openBrokerSocket({ ...broker.endpoint, ...options });
      await waitFor(() => broker.sockets.length === 1, { timeoutMs: 1000, description: 'the connection' });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      broker.sockets[0]?.resetAndDestroy();
      await closed;
      // kafka-node would come back after a second.
      await new Promise((resolve) => setTimeout(resolve, 1200));

      expect(broker.sockets).toHaveLength(1);
    });
  });

  it('rejects when nobody listens there, with the broker and the cause', async () => {
    const port = await freePort();
    await leavesNothing(async () => {
      await expect(openBrokerSocket({ host: '127.0.0.1', port, ...options })).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
        retriable: true,
        context: { broker: `127.0.0.1:${port}` },
        cause: { code: 'ECONNREFUSED' },
      });
    });
  });

  it.each([
    ['a host that does not exist', { host: 'no-such-host.invalid', port: 9092 }],
    ['a port out of range', { host: '127.0.0.1', port: -1 }],
    ['a port that is none', { host: '127.0.0.1', port: 70_000 }],
  ])('rejects for %s', async (_name, address) => {
    await leavesNothing(async () => {
      await expect(openBrokerSocket({ ...address, ...options, timeoutMs: 4000 })).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
    });
  });

  it('rejects for a client id that kafka-node refuses', async () => {
    await leavesNothing(async () => {
      await expect(
        openBrokerSocket({ host: '127.0.0.1', port: 9092, ...options, clientId: 'a:b' }),
      ).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
    });
  });

  it('rejects at its deadline, and when it is aborted', async () => {
    await leavesNothing(async () => {
      // 192.0.2.0/24 is for documentation: nothing answers, or the network says so at once.
      const nowhere = { host: '192.0.2.1', port: 9092, clientId: 'spec' };
      await expect(openBrokerSocket({ ...nowhere, timeoutMs: 50 })).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
      const abort = new AbortController();
      const opening = openBrokerSocket({ ...nowhere, timeoutMs: 5000, signal: abort.signal });
      abort.abort();
      await expect(opening).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
      await expect(
        openBrokerSocket({ ...nowhere, timeoutMs: 5000, signal: abort.signal }),
      ).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
    });
  });
});
