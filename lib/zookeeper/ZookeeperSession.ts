import { ConnectorError } from '../errors';
import { chrootMissing, openError, sessionLost } from './sessionErrors';
import { SessionRequests } from './sessionRequests';
import type { SessionOptions, SessionState, WatchOption, Znode, ZnodeKind, ZnodeStat } from './sessionTypes';
import { ZookeeperClient } from './ZookeeperClient';
import { ZookeeperHeartbeat } from './ZookeeperHeartbeat';

export type { SessionOptions, SessionState, WatchOption, Znode, ZnodeKind, ZnodeStat } from './sessionTypes';

/** `close` gives up reaching the server after this time. */
const CLOSE_TIMEOUT_MS = 2_000;

/** As long as `open` may take longer than asked, to close on the server what it has opened there. */
const ABANDON_TIMEOUT_MS = 500;

/**
 * One session of ZooKeeper, from its opening to its end; a new session is a new object.
 *
 * It is believed to live only as long as that is proved. The proof is an answer of the ensemble's leader; it counts against the
 * negotiated timeout, from a moment before which the leader's own clock for the session cannot have started. Without a new proof
 * the session is lost here when that time is over, whatever servers say later.
 */
export class ZookeeperSession {
  /**
   * `performance.now()` until which the session is proved alive; 0 when it is over. To be compared before anything is done that
   * only the session's owner may do, since timers are late when the event loop is busy.
   */
  provedUntilMs = 0;
  readonly #options: SessionOptions;
  readonly #client: ZookeeperClient;
  readonly #heartbeat: ZookeeperHeartbeat;
  readonly #requests: SessionRequests;
  /** Changed only by #enter. */
  #state: SessionState = 'suspended';
  /** Empty until the first connection. */
  #id = '';
  /** States are told only after `open`, which tells the first one by resolving. */
  #isOpen = false;
  /** Why the session is over. */
  #reason: ConnectorError | undefined;
  /** Runs at `provedUntilMs`. */
  #leaseTimer: NodeJS.Timeout | undefined;
  /** The end of the session on the server; shared by all who wait for it. */
  #ending: Promise<void> | undefined;

  private constructor(options: SessionOptions) {
    this.#options = options;
    const { servers, chroot, sessionTimeoutMs, connectionTimeoutMs, credentials, logger } = options;
    this.#client = new ZookeeperClient({
      ...{ servers, chroot, sessionTimeoutMs, credentials, logger },
      // Every server gets its turn before the time is over.
      attemptTimeoutMs: Math.min(sessionTimeoutMs, connectionTimeoutMs) / (servers.split(',').length + 1),
      events: {
        connected: (sentAfterMs) => this.#connected(sentAfterMs),
        disconnected: () => this.#enter('suspended'),
        expired: () => this.#serverEnded(),
        authenticationFailed: () =>
          this.#serverEnded(new ConnectorError('NO_AUTH', 'ZooKeeper refused the authentication')),
        watchFired: (path) => this.#tell(() => this.#options.onWatch(path)),
      },
    });
    this.#heartbeat = new ZookeeperHeartbeat({
      ...{ client: this.#client, logger },
      proved: (fromMs) => this.#proved(fromMs),
    });
    this.#requests = new SessionRequests({
      client: this.#client,
      accessOf: options.accessOf ?? (() => 'open'),
      ready: (path, deadlineMs) => this.#ready(path, deadlineMs),
      finalError: (path) => this.#finalError(path),
    });
  }

  /** Leaves nothing behind when it rejects, neither here nor on the server. */
  static async open(options: SessionOptions): Promise<ZookeeperSession> {
    const session = new ZookeeperSession(options);
    try {
      await session.#open();
      return session;
    } catch (error) {
      await session.#abandon();
      throw error;
    }
  }

  /** As ZooKeeper writes it: hex with `0x`; equal to `ephemeralOwner` of this session's nodes. */
  get id(): string {
    return this.#id;
  }

  /** Negotiated with the server. */
  get timeoutMs(): number {
    return this.#client.timeoutMs;
  }

  get state(): SessionState {
    // The clock decides, even if the timer is late and nobody has been told yet.
    return !isFinal(this.#state) && this.#isLeaseOver() ? 'lost' : this.#state;
  }

  get isProved(): boolean {
    return performance.now() < this.provedUntilMs;
  }

  /** The node that heartbeats check, `/` at first. */
  setProofPath(path: string): void {
    this.#heartbeat.proofPath = path;
  }

  /** Null if there is no such node; a watch is left in both cases. */
  exists(path: string, { watch = false }: WatchOption = {}): Promise<ZnodeStat | null> {
    return this.#requests.exists(path, watch);
  }

  /** Null if there is no such node; then the watch is one on its creation. */
  read(path: string, { watch = false }: WatchOption = {}): Promise<Znode | null> {
    return this.#requests.read(path, watch);
  }

  /** Names, in no order. Null if there is no such node; then the watch is one on its creation. */
  children(path: string, { watch = false }: WatchOption = {}): Promise<string[] | null> {
    return this.#requests.children(path, watch);
  }

  /** `created` means: by this session, with this data. */
  create(path: string, data: Buffer | null, kind: ZnodeKind): Promise<'created' | 'exists' | 'no-parent'> {
    return this.#requests.create(path, data, kind);
  }

  /** Makes missing parents persistent and without data. */
  createWithParents(path: string, data: Buffer | null, kind: ZnodeKind): Promise<'created' | 'exists'> {
    return this.#requests.createWithParents(path, data, kind);
  }

  /** Whatever version the node has. */
  write(path: string, data: Buffer): Promise<'written' | 'absent'> {
    return this.#requests.write(path, data);
  }

  /** Without a version, whatever version the node has; else `changed` if it has another one. */
  remove(path: string, version?: number): Promise<'removed' | 'absent' | 'changed'> {
    return this.#requests.remove(path, version);
  }

  /** Ends the session on the server if that can be reached within 2 seconds. Resolves in any case, with no socket or timer left. */
  close(): Promise<void> {
    return this.#end(
      'closed',
      CLOSE_TIMEOUT_MS,
      new ConnectorError('CONNECTOR_CLOSED', 'The connector is closed.'),
    );
  }

  async #open(): Promise<void> {
    const { signal, connectionTimeoutMs } = this.#options;
    const deadlineMs = performance.now() + connectionTimeoutMs;
    const closed = new ConnectorError(
      'CONNECTOR_CLOSED',
      'Closed while the connection to ZooKeeper was opened.',
    );
    if (signal?.aborted) throw closed;
    const abort = (): void => this.#enter('closed', closed);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#client.connect();
      if ((await this.#requests.exists('/', false, deadlineMs)) === null) throw chrootMissing(this.#options);
      this.#isOpen = true;
    } catch (error) {
      throw openError(error, this.#options, this.#client.failures);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #abandon(): Promise<void> {
    if (!this.#client.isConnected) this.#client.giveUp();
    await this.#end('closed', ABANDON_TIMEOUT_MS);
  }

  /** The only place where the state changes. */
  #enter(next: SessionState, reason?: ConnectorError): void {
    if (isFinal(this.#state) || next === this.#state) return;
    const previous = this.#state;
    this.#state = next;
    switch (next) {
      case 'connected':
        this.#heartbeat.start();
        break;
      case 'suspended':
        this.#heartbeat.stop();
        break;
      case 'lost':
      case 'closed':
        this.#reason = reason;
        this.provedUntilMs = 0;
        clearTimeout(this.#leaseTimer);
        this.#heartbeat.stop();
        this.#client.failRequests();
        break;
    }
    this.#options.logger.info('ZooKeeper session', {
      ...{ sessionId: this.#id, state: next, previous },
      ...(reason && { reason: reason.message }),
    });
    if (this.#isOpen) this.#tell(() => this.#options.onState(next));
  }

  #connected(sentAfterMs: number): void {
    if (isFinal(this.#state)) return;
    // A session is taken up again only if it is still alive by our own clock.
    if (this.#loseIfLeaseOver()) return;
    this.#id = this.#client.sessionId;
    // To open a session or to move it to another connection, a server asks the leader, which starts the session's clock anew.
    this.#extendLease(sentAfterMs);
    this.#enter('connected');
  }

  #proved(fromMs: number): void {
    if (!isFinal(this.#state) && !this.#loseIfLeaseOver()) this.#extendLease(fromMs);
  }

  #extendLease(fromMs: number): void {
    this.provedUntilMs = fromMs + this.timeoutMs;
    this.#watchLease();
  }

  #watchLease(): void {
    clearTimeout(this.#leaseTimer);
    this.#leaseTimer = setTimeout(
      () =>
        // One more turn: an answer that already lies in the socket may be a proof that is younger.
        setImmediate(() => {
          // Timers may be a fraction of a millisecond early.
          if (!isFinal(this.#state) && !this.#loseIfLeaseOver()) this.#watchLease();
        }),
      this.provedUntilMs - performance.now(),
    );
  }

  #isLeaseOver(): boolean {
    return this.#id !== '' && performance.now() >= this.provedUntilMs;
  }

  #loseIfLeaseOver(): boolean {
    if (isFinal(this.#state) || !this.#isLeaseOver()) return false;
    const reason = `it could not be proved alive for its timeout of ${this.timeoutMs} ms`;
    // If the server still keeps the session, its nodes would stand in the way of the next one: the client goes on only to close it.
    void this.#end('lost', this.timeoutMs, sessionLost(this.#id, reason));
    return true;
  }

  #serverEnded(cause?: ConnectorError): void {
    this.#enter('lost', sessionLost(this.#id, cause?.message ?? 'the server has ended it', cause));
    this.#client.giveUp();
  }

  /** Ends the session on the server, but does not try so for longer than this. */
  async #end(state: 'lost' | 'closed', timeoutMs: number, reason?: ConnectorError): Promise<void> {
    this.#enter(state, reason);
    this.#ending ??= this.#client.closeSession();
    const timer = setTimeout(() => this.#client.giveUp(), timeoutMs);
    await this.#ending;
    clearTimeout(timer);
  }

  async #ready(path: string, deadlineMs: number): Promise<void> {
    for (;;) {
      this.#loseIfLeaseOver();
      const finalError = this.#finalError(path);
      if (finalError) throw finalError;
      if (this.#client.isConnected) return;
      if (performance.now() >= deadlineMs) {
        throw new ConnectorError('ZOOKEEPER_UNREACHABLE', `No connection to ZooKeeper, needed for ${path}.`, {
          path,
        });
      }
      await this.#client.untilConnected(deadlineMs);
    }
  }

  #finalError(path: string): ConnectorError | undefined {
    return (
      this.#reason &&
      new ConnectorError(this.#reason.code, this.#reason.message, { path, cause: this.#reason })
    );
  }

  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.logger.error('callback of the ZooKeeper session threw', { error });
    }
  }
}

function isFinal(state: SessionState): state is 'lost' | 'closed' {
  return state === 'lost' || state === 'closed';
}
