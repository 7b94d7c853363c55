import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the range from which systems take the ports of outgoing connections: from inside it, a stopped broker's port
 * may be taken by a client's connection, and the broker could not be started again.
 */
const FIRST_PORT = 12_000;
const END_PORT = 32_000;

const START_TRIES = 3;

/** Starts again, on other ports, what failed since another process had taken one of its ports in the meantime. */
export async function startOnFreePorts<T>(start: () => Promise<T>): Promise<T> {
  for (let left = START_TRIES - 1; ; left--) {
    try {
      return await start();
    } catch (error) {
      if (left === 0 || !/already in use|BindException/.test(String(error))) throw error;
    }
  }
}

/** Different ports of 127.0.0.1 on which nobody listens at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const held: { port: number; server: Server }[] = [];
  try {
    while (held.length < count) {
      const port = randomInt(FIRST_PORT, END_PORT);
      const server = await listen(port);
      if (server !== null) held.push({ port, server });
    }
    return held.map(({ port }) => port);
  } finally {
    for (const { server } of held) {
      server.close();
      await once(server, 'close');
    }
  }
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}
