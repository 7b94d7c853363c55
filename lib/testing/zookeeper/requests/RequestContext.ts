import type { AuthIds } from '../acl/AuthIds';
import type { Database, MultiOutcome } from '../Database';
import type { FailurePlan, OperationName } from '../FailurePlan';
import type { JuteReader } from '../jute/JuteReader';
import type { JuteWriter } from '../jute/JuteWriter';
import type { Session, SessionConnection } from '../sessions/Session';
import type { Author } from '../tree/Transaction';
import type { TxnResult } from '../tree/Txn';
import type { Watcher } from '../watches/Watcher';
import type { Watches } from '../watches/Watches';
import { ZookeeperFault } from '../ZookeeperFault';
import type { WriteRequest } from './WriteRequest';

/** What comes of a request: an answer, one that breaks off with an error behind it, or none at all. */
export type Outcome = 'answered' | 'brokenOff' | 'silent';

/** Reads a request, does what it says, and writes what stands behind the header of the answer. */
export type Handler = (request: JuteReader, context: RequestContext, answer: JuteWriter) => Outcome;

export interface RequestContextParts {
  readonly database: Database;
  readonly failures: FailurePlan;
  /** Of the server that was asked. */
  readonly watches: Watches;
  readonly connection: Watcher & SessionConnection;
  readonly session: Session;
  readonly authIds: AuthIds;
}

/** What handlers know of the client that asks, and of the server. */
export class RequestContext {
  readonly database: Database;
  readonly watches: Watches;
  readonly connection: Watcher & SessionConnection;
  readonly session: Session;
  readonly #failures: FailurePlan;
  readonly #authIds: AuthIds;

  constructor(parts: RequestContextParts) {
    this.database = parts.database;
    this.watches = parts.watches;
    this.connection = parts.connection;
    this.session = parts.session;
    this.#failures = parts.failures;
    this.#authIds = parts.authIds;
  }

  /** Whether the session belongs to another server by now. */
  get hasMoved(): boolean {
    return this.session.server !== this.connection.serverNumber;
  }

  get author(): Author {
    return { sessionId: this.session.id, ids: this.#authIds.list(), hasMoved: this.hasMoved };
  }

  /** @throws ZookeeperFault if a control has planned that this request fails */
  mayFail(operation: OperationName, ...paths: readonly string[]): void {
    if (this.#failures.isEmpty) return;
    const code = this.#failures.take(operation, paths);
    if (code !== null) throw new ZookeeperFault(code, 'as planned');
  }

  /** A write that cannot be read is a transaction, too. */
  readWrite<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.database.takeZxid();
      throw error;
    }
  }

  write(request: WriteRequest): TxnResult {
    return this.database.write(this.author, request, this.#failures.take(request.type, [request.path]));
  }

  writeAll(requests: readonly WriteRequest[]): MultiOutcome {
    const paths = requests.map(({ path }) => path);
    return this.database.writeAll(this.author, requests, this.#failures.take('multi', paths));
  }
}
