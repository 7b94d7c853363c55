import type { EmbeddedNetwork } from '../../network/EmbeddedNetwork';
import { HOST, Listener } from '../../network/Listener';
import type { Database } from '../Database';
import type { FailurePlan } from '../FailurePlan';
import type { Session } from '../sessions/Session';
import { SessionIds } from '../sessions/SessionIds';
import { passwordOf } from '../sessions/sessionPassword';
import { Watches } from '../watches/Watches';
import { ClientConversation } from './ClientConversation';
import { answerCommand } from './commands';
import type { ConnectRequest } from './connectRequest';
import type { Quorum } from './Quorum';
import type { ServerCore } from './ServerCore';
import { Traffic } from './Traffic';

/** jute.maxbuffer by default: a longer frame ends the connection. */
const MAX_FRAME_BYTES = 0xfffff;

/** Milliseconds. */
export interface TimeLimits {
  readonly tickTimeMs: number;
  readonly minSessionTimeoutMs: number;
  readonly maxSessionTimeoutMs: number;
}

export interface EnsembleServerOptions {
  /** From 1. */
  readonly number: number;
  readonly database: Database;
  readonly failures: FailurePlan;
  readonly network: EmbeddedNetwork;
  readonly limits: TimeLimits;
  readonly quorum: Quorum;
}

/** One server of the ensemble, which has a port and connections of its own. */
export class EnsembleServer implements ServerCore {
  readonly number: number;
  readonly database: Database;
  readonly failures: FailurePlan;
  readonly limits: TimeLimits;
  readonly watches = new Watches();
  readonly traffic = new Traffic();
  readonly conversations = new Set<ClientConversation>();
  readonly #options: EnsembleServerOptions;
  readonly #ids: SessionIds;
  readonly #listener: Listener;

  constructor(options: EnsembleServerOptions) {
    const { number, database, failures, limits, network } = options;
    this.#options = options;
    this.number = number;
    this.database = database;
    this.failures = failures;
    this.limits = limits;
    this.#ids = new SessionIds(database.release, number);
    database.addWatches(this.watches);
    this.#listener = new Listener(
      network,
      {
        ...{ server: 'zookeeper', number, maxFrameBytes: MAX_FRAME_BYTES },
        plainCommand: (word) => answerCommand(word, this),
      },
      (connection) => {
        const conversation = new ClientConversation(this, connection);
        this.conversations.add(conversation);
        return conversation;
      },
    );
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: HOST, port: this.#listener.port };
  }

  get isRunning(): boolean {
    return this.#listener.isListening;
  }

  get isServing(): boolean {
    return this.#options.quorum.leader !== null;
  }

  get isLeader(): boolean {
    return this.#options.quorum.leader === this.number;
  }

  /** As commands tell it. */
  get mode(): 'standalone' | 'leader' | 'follower' {
    if (this.#options.quorum.size === 1) return 'standalone';
    return this.isLeader ? 'leader' : 'follower';
  }

  get followers(): number {
    return this.#options.quorum.followers;
  }

  async start(): Promise<void> {
    const isNew = !this.isRunning;
    await this.#listener.start();
    if (!isNew) return;
    this.#ids.restart();
    this.traffic.reset();
  }

  stop(): Promise<void> {
    return this.#listener.stop();
  }

  /** As every server does that has lost its leader. */
  closeConnections(): void {
    for (const conversation of [...this.conversations]) conversation.close();
  }

  nextSessionId(): bigint {
    return this.#ids.next();
  }

  sessionFor(request: ConnectRequest): Session | null {
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = this.limits;
    const timeoutMs = Math.min(Math.max(request.timeoutMs, minSessionTimeoutMs), maxSessionTimeoutMs);
    if (request.sessionId === 0n) {
      return this.database.openSession(this.nextSessionId(), timeoutMs, this.number);
    }
    const session = this.database.sessions.get(request.sessionId);
    // The old connection ends first, even if the password turns out to be wrong.
    for (const connection of [...(session?.connections ?? [])]) {
      if (connection.serverNumber === this.number) connection.close();
    }
    if (session === undefined || request.password?.equals(passwordOf(session.id)) !== true) return null;
    session.timeoutMs = timeoutMs;
    session.server = this.number;
    this.database.sessions.touch(session);
    return session;
  }
}
