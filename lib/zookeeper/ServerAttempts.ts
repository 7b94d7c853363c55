import { errorText } from '../kafka/errorText';
import type { Logger } from '../logger';
import type { ConnectionManager, ServerAddress } from './sessionGuards';

export interface ServerAttemptsOptions {
  readonly connections: ConnectionManager;
  /** From the start of an attempt to the server's answer; then the next server is tried. */
  readonly attemptTimeoutMs: number;
  /** Pause between two attempts, once every server has had one. */
  readonly pauseMs: number;
  readonly logger: Logger;
}

/**
 * Which server is tried next, after which pause and for how long; and why those tried did not do. It stands in for the package's own
 * way, which cannot be cancelled, waits for ever for a server that accepts and is mute, and says nothing about failures.
 */
export class ServerAttempts {
  /** When the running attempt began, or the one that led to the present connection. */
  startedMs = 0;
  /** `host:port` to what its last attempt came to, in the order of the attempts. */
  readonly failures = new Map<string, string>();
  readonly #options: ServerAttemptsOptions;
  /** Where in the server list the next attempt goes. */
  #next = 0;
  /** Attempts since a connection that lasted; the first round goes without pauses. */
  #count = 0;
  /** Pause before the next attempt, or the deadline of the running one. */
  #timer: NodeJS.Timeout | undefined;
  /** Of the running attempt. */
  #server: string | undefined;
  #connectedAtMs = 0;
  #stopped = false;

  constructor(options: ServerAttemptsOptions) {
    this.#options = options;
    options.connections.findNextServer = (connectTo) => this.#schedule(connectTo);
  }

  /** The running attempt has led to a connection. */
  succeeded(): void {
    this.#endAttempt();
    this.#server = undefined;
    this.failures.clear();
    this.#connectedAtMs = performance.now();
  }

  /** What is wrong with the server of the running attempt; the first reason counts. */
  failed(why: string): void {
    if (this.#server === undefined) return;
    // Behind the others, so that the order is that of the attempts.
    this.failures.delete(this.#server);
    this.failures.set(this.#server, why);
    this.#server = undefined;
  }

  /** There is no connection, or no longer one: the package makes the next attempt. */
  disconnected(wasConnected: boolean): void {
    this.#endAttempt();
    this.failed('it closed the connection without an answer');
    // A server that accepts a session only to cut it at once must not be asked again without a pause.
    if (wasConnected && performance.now() - this.#connectedAtMs > this.#options.pauseMs) this.#count = 0;
  }

  /** No more attempts, no timer. */
  stop(): void {
    this.#stopped = true;
    this.#endAttempt();
  }

  #schedule(connectTo: (server: ServerAddress) => void): void {
    if (this.#stopped) return;
    const { connections, pauseMs } = this.#options;
    const { servers } = connections;
    const server = servers[this.#next % servers.length];
    if (server === undefined) return;
    const delayMs = this.#count < servers.length ? 0 : pauseMs * (0.5 + Math.random());
    this.#next += 1;
    this.#count += 1;
    this.#timer = setTimeout(() => this.#begin(server, connectTo), delayMs);
  }

  #begin(server: ServerAddress, connectTo: (server: ServerAddress) => void): void {
    const { connections, attemptTimeoutMs, logger } = this.#options;
    this.startedMs = performance.now();
    this.#server = `${server.host}:${server.port}`;
    this.#timer = setTimeout(() => {
      logger.warn('ZooKeeper server does not answer', { ...server, attemptTimeoutMs });
      this.failed(`no answer within ${Math.round(attemptTimeoutMs)} ms`);
      connections.socket?.destroy();
    }, attemptTimeoutMs);
    connectTo(server);
    connections.socket?.once('error', (error) => this.failed(errorText(error)));
  }

  #endAttempt(): void {
    clearTimeout(this.#timer);
    // Left running by the package when a socket closes without an error; it would destroy a later, healthy socket.
    const { connectTimeoutHandler } = this.#options.connections;
    if (connectTimeoutHandler) clearTimeout(connectTimeoutHandler);
  }
}
