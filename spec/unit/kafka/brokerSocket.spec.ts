import { createServer, type AddressInfo } from 'node:net';
import { openBrokerSocket } from '../../../lib/kafka/brokerSocket';
import { waitFor } from '../../support/waitFor';
import { FakeBroker } from './support/FakeBroker';
import { leavesNothing } from './support/leavesNothing';
import { SERVER, tlsSettings } from './support/tlsFixtures';

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
      const { socket } = await openBrokerSocket({ ...broker.endpoint, ...options });
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

  it.each([
    ['a plain connection', false],
    ['a connection by TLS', true],
  ])('reads %s into the memory that its sink gives', async (_name, isTls) => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined, isTls ? SERVER : undefined);
      const { socket, readInto } = await openBrokerSocket({
        ...{ ...broker.endpoint, ...options, tls: isTls ? tlsSettings() : undefined },
      });
      await waitFor(() => broker.sockets.length === 1, { timeoutMs: 1000, description: 'the connection' });
      const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      // What comes early is not lost.
      broker.sockets[0]?.write(sent);
      const memory = Buffer.alloc(sent.length);
      const others: Buffer[] = [];
      let cameBytes = 0;
      readInto({
        room: () => memory.subarray(cameBytes),
        filled: (buffer, bytes) => {
          if (buffer.buffer !== memory.buffer) others.push(Buffer.from(buffer.subarray(0, bytes)));
          if (buffer.buffer !== memory.buffer) buffer.copy(memory, cameBytes, 0, bytes);
          cameBytes += bytes;
        },
      });
      await waitFor(() => cameBytes === sent.length, { timeoutMs: 2000, description: 'all bytes' });
      socket.destroy();

      expect(memory.equals(sent)).toBe(true);
      // Nothing but the first piece needed memory of another kind.
      expect(others.length).toBeLessThanOrEqual(1);
      expect(others[0]?.length ?? 0).toBeLessThanOrEqual(1024);
    });
  });

  it('is not opened again when the broker closes it', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined);
      const { socket, readInto } = await openBrokerSocket({ ...broker.endpoint, ...options });
      await waitFor(() => broker.sockets.length === 1, { timeoutMs: 1000, description: 'the connection' });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      readInto({ room: () => Buffer.alloc(1), filled: () => undefined });
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
