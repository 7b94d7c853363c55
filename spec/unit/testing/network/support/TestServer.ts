import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { ClientConnection } from '../../../../../lib/testing/network/Conversation';
import { EmbeddedNetwork } from '../../../../../lib/testing/network/EmbeddedNetwork';
import { HOST, Listener } from '../../../../../lib/testing/network/Listener';
import { waitFor } from '../../../../support/waitFor';

const TRAITS = { server: 'broker', number: 1, maxFrameBytes: 100_000 } as const;

/** A server that does with frames what a spec says. */
export class TestServer implements AsyncDisposable {
  readonly network = new EmbeddedNetwork(1);
  readonly listener: Listener;
  readonly connections: ClientConnection[] = [];
  receivedCount = 0;
  closedCount = 0;
  readonly #sockets: Socket[] = [];

  constructor(received: (connection: ClientConnection, frame: Buffer) => void | Promise<void>) {
    this.listener = new Listener(this.network, TRAITS, (connection) => {
      this.connections.push(connection);
      return {
        received: (frame) => {
          this.receivedCount += 1;
          return received(connection, frame);
        },
        closed: () => (this.closedCount += 1),
      };
    });
  }

  async client(): Promise<Socket> {
    const socket = connect(this.listener.port, HOST);
    this.#sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.listener.stop();
  }
}

/** How many bytes of a client nobody takes: all the others have been taken. */
export async function untakenBytes(socket: Socket): Promise<number> {
  let before = -1;
  await waitFor(
    () => {
      const isSame = socket.writableLength === before;
      before = socket.writableLength;
      return isSame;
    },
    { timeoutMs: 4000, description: 'that nothing is taken any more', intervalMs: 100 },
  );
  return before;
}
