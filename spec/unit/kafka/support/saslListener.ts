import type { Socket } from 'node:net';

import { array, bytes, int16, string } from './bytes';
import {
  API_VERSIONS,
  apiVersionsBody,
  frame,
  MODERN,
  type Handler,
  type ReceivedRequest,
} from './FakeBroker';
import { ScramServer } from './ScramServer';

export const SASL_HANDSHAKE = 17;
export const SASL_AUTHENTICATE = 36;

const UNSUPPORTED_MECHANISM = 33;
const AUTHENTICATION_FAILED = 58;

/** The broker's part of one login: the answer to a token, or null if it refuses. */
export type SaslServer = (token: Buffer) => Buffer | null;

export interface SaslListenerOptions {
  /** What it can do, each with its part of a login. */
  readonly mechanisms: Readonly<Record<string, () => SaslServer>>;
  /** 0: SaslHandshake v0 and bare tokens; 1: SaslAuthenticate, too. */
  readonly version: 0 | 1;
  /** How many tokens of the client make a login. */
  readonly tokens: number;
  /** The text in a refusal by SaslAuthenticate. */
  readonly refusal?: string | null;
  /** Called in place of the answer to what comes on a connection, counted from 1 (ApiVersions); undefined answers it. */
  readonly instead?: (count: number) => ((socket: Socket) => void) | undefined;
  /** Gets what comes after the login. */
  readonly handler: Handler;
}

export const CREDENTIALS = { username: 'alice, =1', password: 'rosebud=1,ü' } as const;

export function plainServer(): SaslServer {
  const { username, password } = CREDENTIALS;
  const expected = Buffer.concat([`\0${username}`, `\0${password}`].map((text) => Buffer.from(text)));
  return (token) => (token.equals(expected) ? Buffer.alloc(0) : null);
}

export function scramServer(hash: 'sha256' | 'sha512', iterations = 4096): SaslServer {
  const server = new ScramServer({ hash, ...CREDENTIALS, iterations });
  return (token) => {
    const answer = server.next(token);
    return answer === null ? null : Buffer.from(answer);
  };
}

/** All mechanisms of this package, with the number of tokens of each. */
export const MECHANISMS = {
  PLAIN: { start: plainServer, tokens: 1 },
  'SCRAM-SHA-256': { start: () => scramServer('sha256'), tokens: 2 },
  'SCRAM-SHA-512': { start: () => scramServer('sha512'), tokens: 2 },
} as const;

/** What a listener that wants a login does; before it, nothing but the versions is told, as in Kafka. */
export function saslListener(options: SaslListenerOptions): Handler {
  const connections = new WeakMap<Socket, SaslConnection>();
  return (request) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? new SaslConnection(options);
    connections.set(socket, connection);
    connection.handle(request);
  };
}

class SaslConnection {
  readonly #options: SaslListenerOptions;
  /** How much came so far. */
  #count = 0;
  #server: SaslServer | null = null;
  /** How many tokens were good. */
  #tokens = 0;

  constructor(options: SaslListenerOptions) {
    this.#options = options;
  }

  handle(request: ReceivedRequest): void {
    if (this.#tokens === this.#options.tokens) {
      this.#options.handler(request);
      return;
    }
    if (!this.#answersNext(request.socket)) return;
    const answer = this.#answer(request);
    if (answer === null) request.socket.end();
    else request.socket.write(frame(request.correlationId, answer));
  }

  #answer(request: ReceivedRequest): Buffer | null {
    const { mechanisms, version } = this.#options;
    const { apiKey, apiVersion, body } = request;
    if (apiKey === API_VERSIONS) {
      const authenticate = version === 1 ? [[SASL_AUTHENTICATE, 0, 2] as const] : [];
      return apiVersionsBody([...MODERN, [SASL_HANDSHAKE, 0, version], ...authenticate]);
    }
    if (apiKey === SASL_HANDSHAKE && apiVersion === version) {
      const start = mechanisms[body.toString('utf8', 2)];
      const names = array(Object.keys(mechanisms).map((name) => [string(name)]));
      if (start === undefined) return Buffer.concat([int16(UNSUPPORTED_MECHANISM), names]);
      this.#server = start();
      if (version === 0) request.takeTokens((token) => this.#takeBare(token, request));
      return Buffer.concat([int16(0), names]);
    }
    if (apiKey !== SASL_AUTHENTICATE || version !== 1 || apiVersion !== 0 || !this.#server) return null;
    const token = this.#next(body.subarray(4));
    if (token !== null) return Buffer.concat([int16(0), string(null), bytes(token)]);
    const { refusal = 'Authentication failed' } = this.#options;
    return Buffer.concat([int16(AUTHENTICATION_FAILED), string(refusal), bytes(Buffer.alloc(0))]);
  }

  #takeBare(token: Buffer, { socket, takeTokens }: ReceivedRequest): void {
    if (!this.#answersNext(socket)) return;
    const answer = this.#next(token);
    if (this.#tokens === this.#options.tokens) takeTokens(null);
    if (answer === null) socket.end();
    else socket.write(bytes(answer));
  }

  #answersNext(socket: Socket): boolean {
    this.#count += 1;
    const act = this.#options.instead?.(this.#count);
    act?.(socket);
    return act === undefined;
  }

  #next(token: Buffer): Buffer | null {
    const answer = this.#server?.(token) ?? null;
    if (answer !== null) this.#tokens += 1;
    return answer;
  }
}
