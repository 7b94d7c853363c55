import type { Socket } from 'node:net';

import { waitFor } from '../../../support/waitFor';
import { framed } from './support/EchoServer';
import { TestServer, untakenBytes } from './support/TestServer';

const MEGABYTE = 1_000_000;
/** More than the buffers of the system hold. */
const LARGE_COUNT = 400;
const LARGE_FRAME = framed('x'.repeat(MEGABYTE / 10 - 100));

async function until(condition: () => boolean, description: string): Promise<void> {
  await waitFor(condition, { timeoutMs: 4000, description, intervalMs: 5 });
}

/** Each request is answered with a megabyte. */
async function generousServer(): Promise<TestServer> {
  const server = new TestServer((connection) => connection.send(Buffer.alloc(MEGABYTE)));
  await server.listener.start();
  return server;
}

function sendLarge(socket: Socket): void {
  for (let count = 0; count < LARGE_COUNT; count += 1) socket.write(LARGE_FRAME);
}

describe('a client that does not read its answers', () => {
  it('is not given more of them than the system holds, and gets them all when it reads', async () => {
    await using server = await generousServer();
    const client = await server.client();
    client.pause();
    client.write(Buffer.concat(Array.from({ length: 100 }, () => framed('?'))));
    await expect(untakenBytes(client)).resolves.toBe(0);
    await until(() => server.receivedCount > 0, 'a request');
    expect(server.receivedCount).toBeLessThan(30);
    let bytes = 0;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length));
    client.resume();
    await until(() => bytes === 100 * (MEGABYTE + 4), 'all answers');
  });

  it('cannot send for ever', async () => {
    await using server = await generousServer();
    const client = await server.client();
    client.pause();
    sendLarge(client);
    await expect(untakenBytes(client)).resolves.toBeGreaterThan(20 * MEGABYTE);
    expect(server.receivedCount).toBeLessThan(30);
  });

  it.each([
    ['the client goes', (_: TestServer, client: Socket) => void client.destroy()],
    ['it is dropped', (server: TestServer) => server.network.drop()],
    ['the server stops', (server: TestServer) => void server.listener.stop()],
  ])('is closed when %s', async (_, end) => {
    await using server = await generousServer();
    const client = await server.client();
    client.pause();
    sendLarge(client);
    await untakenBytes(client);
    end(server, client);
    await until(() => server.closedCount === 1, 'the end of the connection');
    expect(server.network.connections()).toEqual([]);
  });

  it('learns the end behind what was sent, and what it sends then is thrown away', async () => {
    await using server = await generousServer();
    const client = await server.client();
    client.pause();
    sendLarge(client);
    await untakenBytes(client);
    const { receivedCount } = server;
    server.connections[0]?.end();
    let bytes = 0;
    let isEnded = false;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length));
    client.on('end', () => (isEnded = true));
    client.resume();
    await until(() => isEnded, 'the end');
    expect(bytes).toBe(receivedCount * (MEGABYTE + 4));
    client.end();
    await until(() => server.closedCount === 1, 'the end of the connection');
    expect(server.receivedCount).toBe(receivedCount);
  });

  it('waits for answers that are late, too', async () => {
    await using server = await generousServer();
    const client = await server.client();
    const hole = server.network.blackHole({}, 'answers');
    client.write(Buffer.concat(Array.from({ length: 20 }, () => framed('?'))));
    await until(() => server.receivedCount > 0, 'a request');
    expect(server.receivedCount).toBeLessThan(5);
    client.resume();
    hole.heal();
    await until(() => server.receivedCount === 20, 'all requests');
  });
});

describe('a conversation that is busy', () => {
  /** Lets the requests go on that the server works on. */
  let done: (() => void)[];
  let server: TestServer;
  let client: Socket;

  beforeEach(async () => {
    done = [];
    server = new TestServer(async (connection, frame) => {
      await new Promise<void>((resolve) => done.push(resolve));
      connection.send(frame.subarray(0, 1));
    });
    await server.listener.start();
    client = await server.client();
  });

  afterEach(() => server[Symbol.asyncDispose]());

  it('gets the next frame when it is done', async () => {
    const bytes: Buffer[] = [];
    client.on('data', (chunk: Buffer) => bytes.push(chunk));
    client.write(Buffer.concat(['a', 'b', 'c'].map(framed)));
    for (const count of [1, 2, 3]) {
      await until(() => server.receivedCount === count, 'a frame');
      await untakenBytes(client);
      expect(server.receivedCount).toBe(count);
      done.at(-1)?.();
    }
    await until(() => Buffer.concat(bytes).length === 15, 'all answers');
    expect(Buffer.concat(bytes)).toEqual(Buffer.concat(['a', 'b', 'c'].map(framed)));
  });

  it('does not let the client send for ever', async () => {
    sendLarge(client);
    await expect(untakenBytes(client)).resolves.toBeGreaterThan(20 * MEGABYTE);
    expect(server.receivedCount).toBe(1);
  });

  it('learns at once that the client is gone', async () => {
    client.end(Buffer.concat(['a', 'b'].map(framed)));
    await until(() => server.closedCount === 1, 'the end of the connection');
    done[0]?.();
    expect(server.receivedCount).toBe(1);
  });
});

describe('a black hole of requests', () => {
  it('does not read for ever, and loses nothing', async () => {
    await using server = new TestServer(() => undefined);
    await server.listener.start();
    const client = await server.client();
    const hole = server.network.blackHole({}, 'requests');
    sendLarge(client);
    await expect(untakenBytes(client)).resolves.toBeGreaterThan(20 * MEGABYTE);
    expect(server.receivedCount).toBe(0);
    hole.heal();
    await until(() => server.receivedCount === LARGE_COUNT, 'all requests');
  });

  it('swallows the end of a connection, too, until it is healed', async () => {
    await using server = new TestServer(() => undefined);
    await server.listener.start();
    const client = await server.client();
    const hole = server.network.blackHole({}, 'requests');
    client.end(framed('last'));
    await untakenBytes(client);
    expect([server.receivedCount, server.closedCount]).toEqual([0, 0]);
    hole.heal();
    await until(() => server.closedCount === 1, 'the end of the connection');
    expect(server.receivedCount).toBe(1);
  });

  it('can be stopped while it is full', async () => {
    await using server = new TestServer(() => undefined);
    await server.listener.start();
    const client = await server.client();
    server.network.blackHole({}, 'requests');
    sendLarge(client);
    await untakenBytes(client);
    await server.listener.stop();
    expect(server.closedCount).toBe(1);
  });
});
