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
  /** Null from the call of stop to the call of start. */
  #server: Server | null = null;
  /** Kept when the server listens. */
  #started: Promise<void> = Promise.resolve();
  /** Kept when the server before is closed. */
  #stopped: Promise<void> = Promise.resolve();
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

  /** From the call of start to the call of stop. */
  get isListening(): boolean {
    return this.#server !== null;
  }

  /**
   * Resolves when it listens, also if it did before or was about to.
   *
   * @throws Error if the port is not to be had, or if it is stopped before it listens
   */
  start(): Promise<void> {
    if (this.#server === null) {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        this.#accept(server, socket);
      });
      this.#server = server;
      this.#started = this.#listen(server);
    }
    return this.#started;
  }

  /** Resets all connections and gives the port up. */
  stop(): Promise<void> {
    const server = this.#server;
    if (server === null) return this.#stopped;
    this.#server = null;
    this.#stopped = this.#close(server, this.#started);
    return this.#stopped;
  }

  async #listen(server: Server): Promise<void> {
    await this.#stopped;
    try {
      if (this.#server === server) await once(server.listen(this.#port, HOST), 'listening');
    } catch (error) {
      if (this.#server === server) this.#server = null;
      throw error;
    }
    if (this.#server !== server) throw new Error('stopped before it was started');
    this.#port = (server.address() as AddressInfo).port;
  }

  async #close(server: Server, started: Promise<void>): Promise<void> {
    for (const connection of [...this.#connections]) connection.reset();
    // A server that is closed before it listens would listen all the same.
    if (!server.listening) await started.catch(() => undefined);
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  #accept(server: Server, socket: Socket): void {
    if (this.#server !== server || this.#network.isRefused({ ...this.#traits, client: null })) {
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
