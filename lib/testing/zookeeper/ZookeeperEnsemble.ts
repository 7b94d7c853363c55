import type { EmbeddedNetwork } from '../network/EmbeddedNetwork';
import type { PlannedFailure } from '../PlannedFailures';
import { Database } from './Database';
import { EmbeddedLocalSession } from './EmbeddedLocalSession';
import { FailurePlan, type OperationFailure } from './FailurePlan';
import type { LocalSession } from './LocalSession';
import type { RecordedOperation } from './OperationLog';
import { EnsembleServer, type TimeLimits } from './server/EnsembleServer';
import { Quorum } from './server/Quorum';
import type { Session } from './sessions/Session';
import { SessionIds, sessionIdText } from './sessions/SessionIds';
import type { ZookeeperRelease } from './ZookeeperRelease';

const DEFAULT_TICK_TIME_MS = 2_000;

/** As in real servers, in ticks. */
const MIN_SESSION_TICKS = 2;
const MAX_SESSION_TICKS = 20;

export interface ZookeeperEnsembleOptions {
  readonly network: EmbeddedNetwork;
  readonly release: ZookeeperRelease;
  /** Default 1. */
  readonly servers?: number;
  /** Sessions expire at whole ticks. Default 2000. */
  readonly tickTimeMs?: number;
  /** Default: 2 ticks. */
  readonly minSessionTimeoutMs?: number;
  /** Default: 20 ticks. */
  readonly maxSessionTimeoutMs?: number;
}

/** A session that is open. */
export interface EnsembleSession {
  /** Such as "0x15c0ffee". */
  readonly id: string;
  /** Infinity for a session of the process itself, which does not expire by itself. */
  readonly timeoutMs: number;
  /** Full paths, with the chroot. */
  readonly ephemerals: readonly string[];
  /** Always true for a session of the process itself. */
  readonly isConnected: boolean;
}

/** ZooKeeper within this process: servers that have one tree, and controls. */
export class ZookeeperEnsemble {
  readonly #database: Database;
  readonly #quorum: Quorum;
  readonly #servers: readonly EnsembleServer[];
  readonly #failures = new FailurePlan();
  /** Sessions of the process do not depend on any server. */
  readonly #localIds: SessionIds;

  constructor(options: ZookeeperEnsembleOptions) {
    const { network, release, servers = 1, tickTimeMs = DEFAULT_TICK_TIME_MS } = options;
    const limits: TimeLimits = {
      tickTimeMs,
      minSessionTimeoutMs: options.minSessionTimeoutMs ?? MIN_SESSION_TICKS * tickTimeMs,
      maxSessionTimeoutMs: options.maxSessionTimeoutMs ?? MAX_SESSION_TICKS * tickTimeMs,
    };
    const database = new Database(release, tickTimeMs);
    this.#database = database;
    this.#localIds = new SessionIds(release, servers + 1);
    this.#quorum = new Quorum(servers);
    const shared = { database, failures: this.#failures, network, limits, quorum: this.#quorum };
    this.#servers = Array.from({ length: servers }, (_, index) => {
      return new EnsembleServer({ ...shared, number: index + 1 });
    });
  }

  /** Where clients connect; the ports are known after `start`. */
  get servers(): readonly { readonly host: string; readonly port: number }[] {
    return this.#servers.map(({ address }) => address);
  }

  /** Every write that a client or the process itself has asked for, the oldest first; refused ones, too. */
  get operations(): readonly RecordedOperation[] {
    return this.#database.operations.all;
  }

  async start(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start()));
    this.#elect();
  }

  /** Connections are reset, and nothing is left running. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.#servers.map((server) => server.stop()));
    this.#elect();
    await stopped;
  }

  /**
   * Resolves when it runs, also if it did before or was about to.
   *
   * @param number - from 1
   * @throws Error if its port is not to be had, or if it is stopped before it runs
   */
  async startServer(number: number): Promise<void> {
    try {
      await this.#server(number).start();
    } finally {
      // One that was about to start counts for a majority, and does not any more if it could not.
      this.#elect();
    }
  }

  /**
   * Its clients are disconnected. Those of other servers are, too, if it was the leader, or if the others are no
   * majority any more: then nobody is served.
   *
   * @param number - from 1
   */
  async stopServer(number: number): Promise<void> {
    const stopped = this.#server(number).stop();
    this.#elect();
    await stopped;
  }

  /**
   * A session within the process; it is there while servers are stopped, too.
   *
   * @param chroot - such as "/kafka", or "" for none
   */
  openSession(chroot: string): LocalSession {
    const session = this.#database.openSession(this.#localIds.next(), Infinity, 0);
    return new EmbeddedLocalSession(this.#database, session, chroot);
  }

  sessions(): readonly EnsembleSession[] {
    const { sessions, tree } = this.#database;
    return sessions.all.map(({ id, idText, timeoutMs, connections }) => ({
      id: idText,
      timeoutMs,
      ephemerals: tree.ephemerals.get(id)?.values() ?? [],
      isConnected: timeoutMs === Infinity || connections.size > 0,
    }));
  }

  /**
   * Ends a session as if its time were over: its ephemeral nodes go, and its client learns it when it connects again.
   *
   * @throws Error if there is no such session
   */
  expireSession(id: string): void {
    this.#database.closeSession(this.#session(id));
    this.#database.changes.tell();
  }

  /**
   * Resets the connection of a session, which lives on.
   *
   * @throws Error if there is no such session, or if it has no connection
   */
  dropConnection(id: string): void {
    const { connections } = this.#session(id);
    if (connections.size === 0) throw new Error(`session ${id} has no connection`);
    for (const connection of [...connections]) connection.reset();
  }

  /** Lets the next requests of clients fail; those of the process itself are never meant. */
  failNext(failure: OperationFailure): PlannedFailure {
    return this.#failures.add(failure);
  }

  /** No request fails any more that was to fail. */
  clearFailures(): void {
    this.#failures.clear();
  }

  /** All nodes at and below a path, with their data as text. */
  tree(path = '/'): Map<string, string> {
    const nodes = this.#database.tree.walk(path);
    return new Map([...nodes].map(([at, { data }]) => [at, data?.toString() ?? '']));
  }

  /** Has to be called when servers have been started or stopped. */
  #elect(): void {
    const running = this.#running();
    const { isLost, isWon } = this.#quorum.elect(running.map(({ number }) => number));
    if (isLost) {
      this.#database.sessions.pause();
      for (const server of running) server.closeConnections();
    }
    if (!isWon) return;
    if (this.#quorum.size > 1) this.#database.beginEpoch();
    this.#database.sessions.resume();
  }

  #running(): readonly EnsembleServer[] {
    return this.#servers.filter(({ isRunning }) => isRunning);
  }

  #server(number: number): EnsembleServer {
    const server = this.#servers[number - 1];
    if (server === undefined)
      throw new RangeError(`there are servers 1 to ${this.#servers.length}, not ${number}`);
    return server;
  }

  #session(id: string): Session {
    const session = this.#database.sessions.get(BigInt(id));
    if (session === undefined) throw new Error(`there is no session ${sessionIdText(BigInt(id))}`);
    return session;
  }
}
