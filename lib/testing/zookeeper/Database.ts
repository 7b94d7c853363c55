import { performance } from 'node:perf_hooks';

import { ChangeFeed } from './ChangeFeed';
import { OperationLog, type RecordedPart } from './OperationLog';
import type { WriteRequest } from './requests/WriteRequest';
import { Session, type SessionConnection } from './sessions/Session';
import { sessionIdText } from './sessions/SessionIds';
import { SessionTable } from './sessions/SessionTable';
import { DataTree } from './tree/DataTree';
import { Transaction, type Author } from './tree/Transaction';
import type { TreeEvent, Txn, TxnResult } from './tree/Txn';
import type { Watches } from './watches/Watches';
import { ZookeeperFault, type ZookeeperCode } from './ZookeeperFault';
import type { ZookeeperRelease } from './ZookeeperRelease';

/** What a transaction of several changes has come to: all of them, or none because of one. */
export type MultiOutcome =
  { readonly results: readonly TxnResult[] } | { readonly failedAt: number; readonly code: ZookeeperCode };

/** Bits of a transaction's number that count within an epoch. */
const COUNTER_BITS = 32n;

/** What all servers share: the tree, the sessions and the order of transactions. */
export class Database {
  readonly release: ZookeeperRelease;
  readonly tree: DataTree;
  readonly sessions: SessionTable;
  readonly operations = new OperationLog();
  readonly changes = new ChangeFeed();
  /** Of every server. */
  readonly #watches = new Set<Watches>();
  #lastZxid = 0n;
  #nextZxid = 1n;

  constructor(release: ZookeeperRelease, tickTimeMs: number) {
    this.release = release;
    this.tree = new DataTree(release);
    this.sessions = new SessionTable({
      ...{ release, tickTimeMs },
      expire: (session) => {
        this.closeSession(session);
        this.changes.tell();
      },
    });
  }

  /** The last transaction, also if it was refused. */
  get lastZxid(): bigint {
    return this.#lastZxid;
  }

  addWatches(watches: Watches): void {
    this.#watches.add(watches);
  }

  /** A new leader counts its transactions from 1 in an epoch of its own. */
  beginEpoch(): void {
    this.#nextZxid = (((this.#nextZxid >> COUNTER_BITS) + 1n) << COUNTER_BITS) + 1n;
  }

  /** Every transaction has a number, those that are refused, too. */
  takeZxid(): bigint {
    this.#lastZxid = this.#nextZxid;
    this.#nextZxid += 1n;
    return this.#lastZxid;
  }

  openSession(id: bigint, timeoutMs: number, server: number): Session {
    this.takeZxid();
    const session = new Session(id, timeoutMs, server);
    this.sessions.add(session);
    return session;
  }

  /**
   * Ends a session with its ephemeral nodes and its connections.
   *
   * @param asking - the connection over which the client asks for it; it gets an answer first
   */
  closeSession(session: Session, asking: SessionConnection | null = null): void {
    const zxid = this.takeZxid();
    this.sessions.remove(session);
    const ephemerals = this.tree.ephemerals.get(session.id);
    this.tree.forgetOwner(session.id);
    // The newer release goes through a copy, whose order can be another.
    const paths = this.release === '3.8' ? ephemerals?.clone() : ephemerals;
    for (const path of paths?.values() ?? []) this.#announce(this.tree.delete(path, zxid), zxid);
    for (const connection of [...session.connections]) {
      if (connection !== asking) connection.close();
    }
    if (asking === null) session.onExpired?.();
  }

  /** @param refusal - the code with which it has to fail by a control, or null */
  write(author: Author, request: WriteRequest, refusal: ZookeeperCode | null): TxnResult {
    const zxid = this.takeZxid();
    try {
      if (refusal !== null) throw new ZookeeperFault(refusal, 'as planned');
      const txn = prepare(request, new Transaction(this.release, this.tree, author));
      this.#record(author, zxid, partOf(request, 'ok', txn.path));
      return this.#apply(txn, zxid, Date.now());
    } catch (error) {
      if (error instanceof ZookeeperFault) this.#record(author, zxid, partOf(request, error.code));
      throw error;
    }
  }

  /** All of the changes, or none; `refusal` as in `write`. */
  writeAll(author: Author, requests: readonly WriteRequest[], refusal: ZookeeperCode | null): MultiOutcome {
    const zxid = this.takeZxid();
    const transaction = new Transaction(this.release, this.tree, author);
    const txns: Txn[] = [];
    try {
      if (refusal !== null) throw new ZookeeperFault(refusal, 'as planned');
      for (const request of requests) txns.push(prepare(request, transaction));
    } catch (error) {
      if (!(error instanceof ZookeeperFault)) throw error;
      const { code } = error;
      const parts = requests.map((request, index) =>
        partOf(request, index === txns.length ? code : 'RUNTIME_INCONSISTENCY'),
      );
      this.#recordMulti(author, zxid, parts, code);
      const isMoved = code === 'SESSION_MOVED' && this.release === '3.8';
      // The servers understand the whole or nothing; and the older release tells of a session that has moved.
      if (refusal !== null || code === 'MARSHALLING_ERROR' || isMoved) throw error;
      return { failedAt: txns.length, code };
    }
    const parts = requests.map((request, index) => partOf(request, 'ok', txns[index]?.path));
    this.#recordMulti(author, zxid, parts, 'ok');
    const timeMs = Date.now();
    return { results: txns.map((txn) => this.#apply(txn, zxid, timeMs)) };
  }

  #apply(txn: Txn, zxid: bigint, timeMs: number): TxnResult {
    const event = this.tree.apply(txn, zxid, timeMs);
    const stat = this.tree.find(txn.path)?.stat() ?? null;
    if (event !== null) this.#announce(event, zxid);
    return { path: txn.path, stat };
  }

  #announce(event: TreeEvent, zxid: bigint): void {
    for (const watches of this.#watches) watches.trigger(event);
    this.changes.add({ type: event.type, path: event.path, zxid });
  }

  #recordMulti(
    author: Author,
    zxid: bigint,
    parts: readonly RecordedPart[],
    result: 'ok' | ZookeeperCode,
  ): void {
    this.#record(author, zxid, { type: 'multi', path: parts[0]?.path ?? '', data: null, result }, parts);
  }

  #record(author: Author, zxid: bigint, own: RecordedPart, parts: readonly RecordedPart[] = []): void {
    const sessionId = sessionIdText(author.sessionId);
    this.operations.add({ ...own, parts, zxid, sessionId, atMs: performance.now() });
  }
}

/** What a client can change that has moved to another server: nothing. */
function prepare(request: WriteRequest, transaction: Transaction): Txn {
  if (transaction.author.hasMoved) throw new ZookeeperFault('SESSION_MOVED', request.path);
  return request.prepare(transaction);
}

function partOf(request: WriteRequest, result: 'ok' | ZookeeperCode, path = request.path): RecordedPart {
  return { type: request.type, path, data: request.data?.toString() ?? null, result };
}
