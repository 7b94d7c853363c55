import {
  ACL,
  createClient,
  CreateMode,
  Exception,
  Id,
  Permission,
  type Client,
  type Event,
  type Stat,
} from 'node-zookeeper-client';

import { errorText } from '../kafka/errorText';
import type { Logger } from '../logger';
import { PendingRequests, type Callback } from './PendingRequests';
import { ServerAttempts } from './ServerAttempts';
import {
  clearUnsent,
  guardSocketData,
  guardWatchEvents,
  takeSurplusWatches,
  tolerateUnknownCodes,
  type ConnectionManager,
} from './sessionGuards';
import {
  sessionIdText,
  ZookeeperFailure,
  type ClientEvents,
  type Credentials,
  type FailureCode,
  type Znode,
  type ZnodeAccess,
  type ZnodeKind,
  type ZnodeStat,
} from './sessionTypes';

/** Values of the connection manager's `state` event that matter here. */
const STATE = { disconnected: 0, connected: 2, closed: -2, expired: -3, authenticationFailed: -4 } as const;

const NOTHING = Buffer.alloc(0);

const OPEN = [new ACL(Permission.ALL, new Id('world', 'anyone'))];

/** What Kafka writes with `zookeeper.set.acl`: everything for the credentials of this session, reading for all. */
const CREATOR_ALL = [
  new ACL(Permission.ALL, new Id('auth', '')),
  new ACL(Permission.READ, new Id('world', 'anyone')),
];

export interface ZookeeperClientOptions {
  /** `h1:2181,h2:2181` */
  readonly servers: string;
  readonly chroot: string;
  readonly sessionTimeoutMs: number;
  /** From the start of a connection attempt to the server's answer; then the next server is tried. */
  readonly attemptTimeoutMs: number;
  readonly credentials: Credentials | undefined;
  readonly logger: Logger;
  readonly events: ClientEvents;
}

/**
 * One client of node-zookeeper-client, made safe: promises with deadlines, failures as codes, nothing that throws inside a socket
 * handler, connection attempts that end, and a way to give it up. It knows connections and requests; what they mean for the session
 * is not decided here. This is the only file that imports the package.
 */
export class ZookeeperClient {
  readonly #client: Client;
  readonly #connections: ConnectionManager;
  readonly #options: ZookeeperClientOptions;
  readonly #pending = new PendingRequests((code) => this.#requestFailed(code));
  /** Told true at the next connection, false when there will be none for them. */
  readonly #waiting = new Set<(connected: boolean) => void>();
  /** The same function for every path, so that a path never has two watchers. */
  readonly #watcher = (event: Event): void => this.#fired(event.path);
  /** Watches that were too many to be sent again; reported as fired at the next connection. */
  #droppedWatches: string[] = [];
  #connected = false;
  readonly #attempts: ServerAttempts;
  readonly #forgetHalfAnswer: () => void;
  /** Set while the session is being closed on the server; to be called when the connection has ended. */
  #closed: (() => void) | undefined;
  #isCloseAnswered = false;
  #givenUp = false;

  constructor(options: ZookeeperClientOptions) {
    this.#options = options;
    tolerateUnknownCodes(Exception);
    this.#client = createClient(options.servers + options.chroot, {
      sessionTimeout: options.sessionTimeoutMs,
      retries: 0,
    });
    this.#connections = (
      this.#client as unknown as { connectionManager: ConnectionManager }
    ).connectionManager;
    // Before any request: the package sends them first on each new connection.
    const { credentials, attemptTimeoutMs, sessionTimeoutMs, logger } = options;
    if (credentials) this.#client.addAuthInfo(credentials.scheme, credentials.auth);
    this.#attempts = new ServerAttempts({
      connections: this.#connections,
      ...{ attemptTimeoutMs, logger },
      pauseMs: Math.min(1000, sessionTimeoutMs / 20),
    });
    this.#forgetHalfAnswer = guardSocketData(this.#connections, {
      askedTimeoutMs: sessionTimeoutMs,
      frameRead: () => this.#noteCloseAnswer(),
      isNotUnderstood: (error) => {
        logger.warn('answer of the ZooKeeper server not understood', { error });
        this.#attempts.failed(`what it answers is not ZooKeeper's protocol (${errorText(error)})`);
        this.dropConnection();
      },
    });
    guardWatchEvents(this.#connections, (path) => this.#fired(path));
    this.#connections.on('state', (state: number) => this.#onState(state));
  }

  get isConnected(): boolean {
    return this.#connected;
  }

  /** Negotiated once connected. */
  get timeoutMs(): number {
    return this.#client.getSessionTimeout();
  }

  get sessionId(): string {
    return sessionIdText(this.#client.getSessionId());
  }

  /** `host:port` to the reason why it did not open a session, since there was a connection. */
  get failures(): ReadonlyMap<string, string> {
    return this.#attempts.failures;
  }

  connect(): void {
    this.#client.connect();
  }

  /** True at once or with the next connection; false at the deadline, or when `failRequests` or `giveUp` ends the wait. */
  untilConnected(deadlineMs = Infinity): Promise<boolean> {
    if (this.#connected || this.#givenUp) return Promise.resolve(this.#connected);
    return new Promise((resolve) => {
      const settle = (connected: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        resolve(connected);
      };
      const timer =
        deadlineMs === Infinity
          ? undefined
          : setTimeout(settle, Math.max(0, deadlineMs - performance.now()), false);
      this.#waiting.add(settle);
    });
  }

  exists(path: string, watch: boolean, deadlineMs: number): Promise<ZnodeStat | null> {
    return this.#request<Stat | null>(deadlineMs, (callback) =>
      watch ? this.#client.exists(path, this.#watcher, callback) : this.#client.exists(path, callback),
    ).then((stat) => (stat ? statOf(stat) : null));
  }

  read(path: string, watch: boolean, deadlineMs: number): Promise<Znode> {
    return this.#request<Znode>(deadlineMs, (callback) => {
      const answer = (error: unknown, data: Buffer | undefined, stat: Stat): void =>
        error ? callback(error) : callback(null, { data: data ?? NOTHING, ...statOf(stat) });
      if (watch) this.#client.getData(path, this.#watcher, answer);
      else this.#client.getData(path, answer);
    });
  }

  children(path: string, watch: boolean, deadlineMs: number): Promise<string[]> {
    return this.#request<string[] | undefined>(deadlineMs, (callback) =>
      watch
        ? this.#client.getChildren(path, this.#watcher, callback)
        : this.#client.getChildren(path, callback),
    ).then((children) => children ?? []);
  }

  create(
    path: string,
    data: Buffer | null,
    kind: ZnodeKind,
    access: ZnodeAccess,
    deadlineMs: number,
  ): Promise<unknown> {
    const mode = kind === 'ephemeral' ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
    const acls = access === 'open' ? OPEN : CREATOR_ALL;
    return this.#request(deadlineMs, (callback) =>
      data === null
        ? this.#client.create(path, acls, mode, callback)
        : this.#client.create(path, data, acls, mode, callback),
    );
  }

  write(path: string, data: Buffer, version: number, deadlineMs: number): Promise<unknown> {
    return this.#request(deadlineMs, (callback) => this.#client.setData(path, data, version, callback));
  }

  remove(path: string, version: number, deadlineMs: number): Promise<unknown> {
    return this.#request(deadlineMs, (callback) => this.#client.remove(path, version, callback));
  }

  /** A transaction that only checks: the ensemble's leader must answer it. */
  check(path: string, deadlineMs: number): Promise<unknown> {
    return this.#request(deadlineMs, (callback) =>
      this.#client.transaction().check(path, -1).commit(callback),
    );
  }

  /** Cuts this connection; the session lives on and the next server is tried. */
  dropConnection(): void {
    this.#connections.socket?.destroy();
  }

  /** Fails what is unanswered and ends what waits for a connection, while the client goes on. */
  failRequests(): void {
    const failure = new ZookeeperFailure('CONNECTION_LOSS', 'the connection to ZooKeeper is lost');
    this.#pending.failAll(failure);
    for (const settle of [...this.#waiting]) settle(false);
  }

  /**
   * Closes the session on the server, as soon as there is a connection, and gives the client up. Ends only so, or by `giveUp`.
   * Closing without a connection would not reach the server, and before the first one it can crash the package. Never rejects.
   */
  async closeSession(): Promise<void> {
    while (await this.untilConnected()) {
      if (await this.#closeOnce()) break;
      // The package does not reconnect by itself after a close that broke off.
      this.#client.connect();
    }
    this.giveUp();
  }

  /** Leaves the session to its fate: no more attempts, no socket, no timer, no event. */
  giveUp(): void {
    if (this.#givenUp) return;
    this.#givenUp = true;
    this.#connected = false;
    this.#connections.removeAllListeners('state');
    this.#attempts.stop();
    const { socket } = this.#connections;
    // It reconnects from its 'close' listener; the 'error' listener must stay.
    for (const event of ['connect', 'data', 'drain', 'close']) socket?.removeAllListeners(event);
    socket?.destroy();
    this.failRequests();
    this.#closed?.();
  }

  #request<T>(deadlineMs: number, start: (callback: Callback<T>) => void): Promise<T> {
    if (this.#connected) return this.#pending.ask(deadlineMs, start);
    return Promise.reject(new ZookeeperFailure('NOT_CONNECTED', 'not connected to ZooKeeper'));
  }

  #requestFailed(code: FailureCode): void {
    if (code === 'SESSION_EXPIRED') this.#options.events.expired();
    // The session is at home on another connection now, or the server says that this one is lost; a new one can take it back.
    if (code === 'SESSION_MOVED' || code === 'CONNECTION_LOSS') this.dropConnection();
  }

  /** False if the connection broke before the answer. */
  async #closeOnce(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      this.#isCloseAnswered = false;
      this.#closed = resolve;
      this.#client.close();
    });
    this.#closed = undefined;
    return this.#isCloseAnswered || this.#givenUp;
  }

  /** The close request is the last one, so the one whose answer leaves nothing unanswered. */
  #noteCloseAnswer(): void {
    const { packetQueue, pendingQueue } = this.#connections;
    if (this.#closed && packetQueue.queue.length === 0 && pendingQueue.length === 0)
      this.#isCloseAnswered = true;
  }

  #onState(state: number): void {
    const { events } = this.#options;
    switch (state) {
      case STATE.connected:
        this.#attempts.succeeded();
        this.#connected = true;
        events.connected(this.#attempts.startedMs);
        for (const path of this.#droppedWatches.splice(0)) this.#fired(path);
        for (const settle of [...this.#waiting]) settle(true);
        break;
      case STATE.disconnected: {
        const wasConnected = this.#connected;
        this.#connected = false;
        this.#attempts.disconnected(wasConnected);
        this.#forgetHalfAnswer();
        clearUnsent(this.#connections);
        this.#droppedWatches = this.#droppedWatches.concat(
          takeSurplusWatches(this.#connections, this.#options.chroot),
        );
        if (!wasConnected) break;
        this.#pending.failAll(
          new ZookeeperFailure('CONNECTION_LOSS', 'the connection to ZooKeeper was lost before the answer'),
        );
        events.disconnected();
        break;
      }
      case STATE.closed:
        this.#closed?.();
        break;
      case STATE.expired:
        events.expired();
        break;
      case STATE.authenticationFailed:
        events.authenticationFailed();
        break;
    }
  }

  /** Later than the promise of the read that left the watch, and away from the socket handler. */
  #fired(path: string): void {
    setImmediate(() => {
      if (!this.#givenUp) this.#options.events.watchFired(path);
    });
  }
}

function statOf(stat: Stat): ZnodeStat {
  return { version: stat.version, ephemeralOwner: sessionIdText(stat.ephemeralOwner) };
}
