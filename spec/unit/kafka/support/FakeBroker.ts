import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { waitFor } from '../../../support/waitFor';

export interface ReceivedRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly correlationId: number;
  readonly clientId: string;
  readonly body: Buffer;
  readonly socket: Socket;
  /** 1 for the first connection, and so on. */
  readonly connection: number;
  /** From now on what comes on this connection are bare tokens of a login, for `take`; null ends that. */
  readonly takeTokens: (take: TokenTaker | null) => void;
}

/** Gets what came with nothing but its length in front. */
export type TokenTaker = (token: Buffer) => void;

export type Handler = (request: ReceivedRequest) => void;

/** A server on a free port that cuts what it gets into requests and leaves the answers to the spec. */
export class FakeBroker implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  /** All connections there were. */
  readonly sockets: Socket[] = [];
  /** Replaced by a spec to change what the broker does. */
  handler: Handler;
  readonly #server: Server;

  private constructor(handler: Handler, server: Server) {
    this.handler = handler;
    this.#server = server;
  }

  /** @param tls - what makes it a TLS server; then `sockets` are those whose handshake is over */
  static async start(handler: Handler, tls?: TlsOptions): Promise<FakeBroker> {
    const server: Server = tls === undefined ? createServer() : createTlsServer(tls);
    const broker = new FakeBroker(handler, server);
    server.on('tlsClientError', () => undefined);
    server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
      broker.#accept(socket),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return broker;
  }

  get endpoint(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  /** Fails if the client keeps a connection, then closes. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await waitFor(() => this.sockets.every((socket) => socket.destroyed), {
        timeoutMs: 2000,
        description: 'the client to close its connections',
      });
    } finally {
      await this.stop();
    }
  }

  /** Closes everything at once. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.sockets.push(socket);
    const connection = this.sockets.length;
    let received = Buffer.alloc(0);
    const taker: { current: TokenTaker | null } = { current: null };
    const takeTokens = (take: TokenTaker | null): void => void (taker.current = take);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
        const length = received.readInt32BE(0);
        const bytes = received.subarray(4, 4 + length);
        received = received.subarray(4 + length);
        if (taker.current === null) {
          const request = { ...parse(bytes), socket, connection, takeTokens };
          this.requests.push(request);
          this.handler(request);
        } else taker.current(bytes);
      }
    });
  }
}

function parse(frame: Buffer): Omit<ReceivedRequest, 'socket' | 'connection' | 'takeTokens'> {
  const clientIdBytes = frame.readInt16BE(8);
  return {
    apiKey: frame.readInt16BE(0),
    apiVersion: frame.readInt16BE(2),
    correlationId: frame.readInt32BE(4),
    clientId: frame.toString('utf8', 10, 10 + clientIdBytes),
    body: frame.subarray(10 + clientIdBytes),
  };
}

/** An answer as it goes over the wire. */
export function frame(correlationId: number, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeInt32BE(body.length + 4, 0);
  header.writeInt32BE(correlationId, 4);
  return Buffer.concat([header, body]);
}

export const API_VERSIONS = 18;
export const METADATA = 3;

/** The body of an ApiVersions answer: key, least and greatest version of each API. */
export function apiVersionsBody(apis: readonly (readonly [number, number, number])[], errorCode = 0): Buffer {
  const body = Buffer.alloc(6 + apis.length * 6);
  body.writeInt16BE(errorCode, 0);
  body.writeInt32BE(apis.length, 2);
  apis.flat().forEach((value, index) => body.writeInt16BE(value, 6 + index * 2));
  return body;
}

/** What Kafka 3.9 takes of the APIs in use. */
export const MODERN = [
  [1, 0, 17],
  [2, 0, 9],
  [3, 0, 12],
  [18, 0, 4],
] as const;

/** Answers ApiVersions as a broker of today, and leaves the rest to `handler`. */
export function modern(handler: Handler = () => undefined): Handler {
  return (request) => {
    if (request.apiKey === API_VERSIONS) {
      request.socket.write(frame(request.correlationId, apiVersionsBody(MODERN)));
    } else {
      handler(request);
    }
  };
}

/** Closes the connection at ApiVersions, as Kafka 0.8 does, and leaves the rest to `handler`. */
export function ancient(handler: Handler = () => undefined): Handler {
  return (request) => {
    if (request.apiKey === API_VERSIONS) request.socket.destroy();
    else handler(request);
  };
}
