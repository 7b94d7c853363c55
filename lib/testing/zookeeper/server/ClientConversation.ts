import { performance } from 'node:perf_hooks';

import type { ClientConnection, Conversation } from '../../network/Conversation';
import { HOST } from '../../network/Listener';
import { isAllowed } from '../acl/access';
import { PERMISSION, type AccessEntry } from '../acl/AccessEntry';
import { AuthIds } from '../acl/AuthIds';
import { JuteReader } from '../jute/JuteReader';
import { authenticate } from '../requests/authentication';
import { HANDLERS, TRANSACTIONS } from '../requests/handlers';
import { OP } from '../requests/opCodes';
import { RequestContext, type Handler } from '../requests/RequestContext';
import type { Session, SessionConnection } from '../sessions/Session';
import type { EventType, Watcher } from '../watches/Watcher';
import { FAULT_NUMBERS, ZookeeperFault } from '../ZookeeperFault';
import { connectResponse, readConnectRequest } from './connectRequest';
import { beginAnswer, eventFrame, finishAnswer, NO_ZXID, type AnswerHeader } from './frames';
import { operationLabel } from './operationLabels';
import type { ServerCore } from './ServerCore';
import { Traffic } from './Traffic';

const PING_XID = -2;

/** What `cons` tells of a connection beside its traffic. */
export interface LastOperation {
  readonly label: string;
  readonly xid: number;
  readonly zxid: bigint;
  /** Milliseconds of the wall clock. */
  readonly atMs: number;
  readonly latencyMs: number;
}

/** One connection of a client: its session is opened or taken over, then requests are answered in their order. */
export class ClientConversation implements Conversation, Watcher, SessionConnection {
  readonly connection: ClientConnection;
  readonly traffic = new Traffic();
  readonly establishedMs = Date.now();
  /** Null before there is a session. */
  lastOperation: LastOperation | null = null;
  readonly #core: ServerCore;
  readonly #authIds: AuthIds;
  /** Null before there is a session. */
  #context: RequestContext | null = null;
  /** Nothing that comes is read any more. */
  #isOver = false;

  constructor(core: ServerCore, connection: ClientConnection) {
    this.#core = core;
    this.connection = connection;
    this.#authIds = new AuthIds(core.database.release, HOST);
  }

  get serverNumber(): number {
    return this.#core.number;
  }

  get session(): Session | null {
    return this.#context?.session ?? null;
  }

  get sessionIdText(): string {
    return this.session?.idText ?? '0x0';
  }

  received(frame: Buffer): void {
    if (this.#isOver) return;
    this.traffic.received += 1;
    this.#core.traffic.received += 1;
    try {
      if (!this.#core.isServing) this.close();
      else if (this.#context === null) this.#connect(frame);
      else this.#answer(new JuteReader(frame), this.#context);
    } catch (error) {
      // What cannot be understood at all ends the connection.
      if (!(error instanceof ZookeeperFault)) throw error;
      this.close();
    }
    this.#core.database.changes.tell();
  }

  closed(): void {
    this.#leave();
    this.#core.conversations.delete(this);
  }

  tell(type: EventType, path: string, acl: readonly AccessEntry[] | null): void {
    if (this.#isOver) return;
    const isGuarded = acl !== null && this.#core.database.release === '3.8';
    if (isGuarded && !isAllowed(acl, PERMISSION.read, this.#authIds.list())) return;
    this.#send(eventFrame(type, path));
  }

  close(): void {
    if (this.#isOver) return;
    this.#leave();
    this.connection.end();
  }

  reset(): void {
    this.connection.reset();
  }

  #connect(frame: Buffer): void {
    const startMs = performance.now();
    const request = readConnectRequest(new JuteReader(frame));
    // Such a client must find a server that is not behind it.
    if (request.lastZxidSeen > this.#core.database.lastZxid) {
      this.close();
      return;
    }
    const session = this.#core.sessionFor(request);
    if (session !== null) this.#speakFor(session);
    this.#countSent();
    this.connection.send(connectResponse(session, request.knowsReadOnly));
    if (session === null) this.close();
    else if (request.sessionId === 0n) this.#note(OP.createSession, 0, startMs);
  }

  #speakFor(session: Session): void {
    session.connections.add(this);
    this.connection.client = session.idText;
    const { database, failures, watches } = this.#core;
    const authIds = this.#authIds;
    this.#context = new RequestContext({ database, failures, watches, authIds, session, connection: this });
  }

  #answer(request: JuteReader, context: RequestContext): void {
    const startMs = performance.now();
    const xid = request.int32();
    const op = request.int32();
    context.database.sessions.touch(context.session);
    const handler = HANDLERS[context.database.release].get(op);
    if (op === OP.auth) {
      this.#authenticate(request, xid);
    } else if (op === OP.sasl) {
      request.bytesOrNull();
      // No server here has anything to say to such a token.
      this.#send(finishAnswer(beginAnswer().bytes(null), { xid, zxid: 0n, error: 0 }));
    } else if (handler === undefined) {
      this.#sendHeader({ xid, zxid: NO_ZXID, error: FAULT_NUMBERS.UNIMPLEMENTED });
      this.close();
    } else if (context.hasMoved && this.#core.isLeader && !TRANSACTIONS.has(op)) {
      // Followers let a client read that has moved away; only the leader knows.
      this.close();
    } else if (this.#handle(handler, { xid, op }, request, context)) {
      this.#note(op, xid, startMs);
      if (op === OP.closeSession) this.close();
    }
  }

  /** @returns whether there was an answer */
  #handle(
    handler: Handler,
    { xid, op }: { readonly xid: number; readonly op: number },
    request: JuteReader,
    context: RequestContext,
  ): boolean {
    let answer = beginAnswer();
    let error = 0;
    try {
      const outcome = handler(request, context, answer);
      if (outcome === 'silent') return false;
      if (outcome === 'brokenOff') error = FAULT_NUMBERS.MARSHALLING_ERROR;
    } catch (fault) {
      if (!(fault instanceof ZookeeperFault)) throw fault;
      if (this.#endedBy(fault)) return false;
      error = fault.number;
      answer = beginAnswer();
    }
    const { lastZxid } = context.database;
    this.#send(finishAnswer(answer, { xid: op === OP.ping ? PING_XID : xid, zxid: lastZxid, error }));
    return true;
  }

  #endedBy({ code }: ZookeeperFault): boolean {
    if (code === 'CONNECTION_LOSS') this.reset();
    else if (code === 'SESSION_MOVED') this.close();
    else return false;
    return true;
  }

  #authenticate(request: JuteReader, xid: number): void {
    const isAccepted = authenticate(request, this.#authIds);
    this.#sendHeader({ xid, zxid: 0n, error: isAccepted ? 0 : FAULT_NUMBERS.AUTH_FAILED });
    if (!isAccepted) this.close();
  }

  #sendHeader(header: AnswerHeader): void {
    this.#send(finishAnswer(beginAnswer(), header));
  }

  #send(frame: Buffer): void {
    this.#countSent();
    this.connection.sendRaw(frame);
  }

  #countSent(): void {
    this.traffic.sent += 1;
    this.#core.traffic.sent += 1;
  }

  #note(op: number, xid: number, startMs: number): void {
    const latencyMs = performance.now() - startMs;
    this.traffic.answered(latencyMs);
    this.#core.traffic.answered(latencyMs);
    const zxid = this.#core.database.lastZxid;
    const label = operationLabel(op);
    this.lastOperation = { label, xid, zxid, atMs: Date.now(), latencyMs: Math.floor(latencyMs) };
  }

  /** Whether it is ended from here or from the other side. */
  #leave(): void {
    this.#isOver = true;
    this.#core.watches.removeAll(this);
    this.session?.connections.delete(this);
  }
}
