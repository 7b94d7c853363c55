import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { ClientConnection, Conversation } from '../../../../../lib/testing/network/Conversation';
import { EmbeddedNetwork } from '../../../../../lib/testing/network/EmbeddedNetwork';
import { HOST, Listener } from '../../../../../lib/testing/network/Listener';

/** The answer to "?" is a second frame "!" behind the echo; a frame "label:x" labels the connection; "end" ends it. */
export class EchoServer implements AsyncDisposable {
  readonly network: EmbeddedNetwork;
  readonly listener: Listener;
  /** Connections in the order of their coming. */
  readonly connections: ClientConnection[] = [];
  closedCount = 0;
  readonly #sockets: Socket[] = [];

  constructor(seed = 1, number = 1, port = 0) {
    this.network = new EmbeddedNetwork(seed);
    const traits = {
      ...({ server: 'broker', number, maxFrameBytes: 1000 } as const),
      plainCommand: (word: string) => (word === 'ruok' ? 'imok' : null),
    };
    const open = (connection: ClientConnection): Conversation => {
      this.connections.push(connection);
      return {
        received: (frame) => this.#answer(connection, frame),
        closed: () => (this.closedCount += 1),
      };
    };
    this.listener = new Listener(this.network, traits, open, port);
  }

  static async start(seed?: number): Promise<EchoServer> {
    const server = new EchoServer(seed);
    await server.listener.start();
    return server;
  }

  async client(): Promise<EchoClient> {
    const socket = connect(this.listener.port, HOST);
    this.#sockets.push(socket);
    const client = new EchoClient(socket);
    // A refused connection may be over before it is known to be there.
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.listener.stop();
  }

  #answer(connection: ClientConnection, frame: Buffer): void {
    const text = frame.toString();
    if (text.startsWith('label:')) connection.client = text.slice('label:'.length);
    connection.send(frame);
    if (text === '?') connection.send(Buffer.from('!'));
    if (text === 'end') connection.end();
  }
}

export class EchoClient {
  readonly socket: Socket;
  /** Bytes that came, as they came. */
  bytes = Buffer.alloc(0);
  /** 'end' in order, 'reset', or null while it is open. */
  how: 'end' | 'reset' | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => (this.bytes = Buffer.concat([this.bytes, chunk])));
    socket.on('error', () => (this.how = 'reset'));
    socket.on('end', () => (this.how ??= 'end'));
  }

  send(...texts: string[]): void {
    this.socket.write(Buffer.concat(texts.map(framed)));
  }

  /** Whole frames that have come. */
  get frames(): string[] {
    const found: string[] = [];
    for (let at = 0; at + 4 <= this.bytes.length;) {
      const end = at + 4 + this.bytes.readInt32BE(at);
      if (end > this.bytes.length) break;
      found.push(this.bytes.toString('utf8', at + 4, end));
      at = end;
    }
    return found;
  }
}

export function framed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
