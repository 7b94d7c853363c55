import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import type { ClientConnection, Conversation } from './Conversation';
import type { EmbeddedNetwork } from './EmbeddedNetwork';
import { resetSocket } from './resetSocket';
import { SocketConnection, type ConnectionTraits } from './SocketConnection';

export const HOST = '127.0.0.1';

/** One server's port on the loopback address: it keeps its number when the server is stopped and started again. */
export class Listener {
  readonly #network: EmbeddedNetwork;
  readonly #traits: ConnectionTraits;
  /** Takes a new connection. */
  readonly #open: (connection: ClientConnection) => Conversation;
  readonly #connections = new Set<SocketConnection>();
  #server: Server | null = null;
  #port: number;

  /** @param port - 0 for any that is free */
  constructor(
    network: EmbeddedNetwork,
    traits: ConnectionTraits,
    open: (connection: ClientConnection) => Conversation,
    port = 0,
  ) {
    this.#network = network;
    this.#traits = traits;
    this.#open = open;
    this.#port = port;
  }

  /** 0 before the first start, if any was welcome. */
  get port(): number {
    return this.#port;
  }

  get isListening(): boolean {
    return this.#server !== null;
  }

  /**
   * @throws Error if the port is not to be had, or if it is stopped before it listens
   */
  async start(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket));
    this.#server = server;
    try {
      server.listen(this.#port, HOST);
      await Promise.race([once(server, 'listening'), once(server, 'close')]);
    } catch (error) {
      this.#server = null;
      throw error;
    }
    if (!server.listening) throw new Error('stopped before it was started');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Resets all connections and gives the port up. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.close();
    for (const connection of [...this.#connections]) connection.reset();
    await closed;
  }

  #accept(socket: Socket): void {
    if (this.#server === null || this.#network.isRefused({ ...this.#traits, client: null })) {
      socket.on('error', () => undefined);
      resetSocket(socket);
      return;
    }
    const connection = new SocketConnection(socket, this.#network, this.#traits);
    const conversation = this.#open(connection);
    this.#connections.add(connection);
    connection.begin({
      received: (frame) => conversation.received(frame),
      closed: () => {
        this.#connections.delete(connection);
        conversation.closed();
      },
    });
  }
}
