import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

import { AnswerFrames } from './AnswerFrames';
import { checkAnswer, checkConnectAnswer } from './answerLayout';

/*
 * Repairs of node-zookeeper-client 1.1.3 that need its inside. The version is pinned, since all of this is private there.
 */

export interface ServerAddress {
  readonly host: string;
  readonly port: number | string;
}

export interface ConnectionManager extends EventEmitter {
  /** In random order. */
  readonly servers: readonly ServerAddress[];
  readonly state: number;
  socket: Socket | undefined;
  connectTimeoutHandler: NodeJS.Timeout | null;
  /** Not sent yet. */
  readonly packetQueue: { readonly queue: unknown[] };
  /** Sent, not answered. */
  readonly pendingQueue: readonly { readonly request: { readonly header: { readonly type: number } } }[];
  readonly watcherManager: {
    dataWatchers: Record<string, unknown>;
    existenceWatchers: Record<string, unknown>;
    childWatchers: Record<string, unknown>;
    emit(event: { readonly type: number; readonly path: string }): void;
  };
  findNextServer(connectTo: (server: ServerAddress) => void): void;
  onSocketData(chunk: Buffer): void;
}

/** The kinds of watch event that the package knows are 1 to 4. */
const HIGHEST_EVENT_TYPE = 4;

/** The value of `state` in which the answer to the connect request is due. */
const CONNECTING = 1;

/** All watches travel in one packet when a session moves to a new connection, and servers refuse more than 1 MiB. */
const MAX_WATCH_BYTES = 512 * 1024;

export interface SocketDataGuard {
  /** Session timeout that was asked for. */
  readonly askedTimeoutMs: number;
  /** After each answer. */
  frameRead(): void;
  /** The connection is of no more use. */
  isNotUnderstood(error: unknown): void;
}

/**
 * Gives the package whole, checked answers, one at a time. By itself it keeps half an answer for the next connection, calls itself
 * for each answer of a chunk, trusts all lengths, and throws inside a socket handler, which ends the process.
 *
 * @returns forgets half an answer; to be called between two connections
 */
export function guardSocketData(connections: ConnectionManager, guard: SocketDataGuard): () => void {
  const readFrame = connections.onSocketData.bind(connections);
  const frames = new AnswerFrames();
  connections.onSocketData = (chunk) => {
    frames.push(chunk);
    try {
      // An answer may have been the last one of its connection.
      while (connections.socket?.destroyed === false) {
        const frame = frames.next();
        if (frame === null) break;
        if (connections.state === CONNECTING) checkConnectAnswer(frame, guard.askedTimeoutMs);
        else checkAnswer(frame, connections.pendingQueue[0]?.request.header.type);
        readFrame(frame);
        guard.frameRead();
      }
    } catch (error) {
      guard.isNotUnderstood(error);
    }
  };
  return () => frames.clear();
}

/** The package throws on kinds of event that it does not know. Of those only so much is sure: something happened there. */
export function guardWatchEvents(connections: ConnectionManager, happened: (path: string) => void): void {
  const watchers = connections.watcherManager;
  const emit = watchers.emit.bind(watchers);
  watchers.emit = (event) => {
    if (event.type >= 1 && event.type <= HIGHEST_EVENT_TYPE) emit(event);
    else happened(event.path);
  };
}

interface ExceptionTable {
  create: { (code: number, path?: string): Error; isTolerant?: true };
}

/** The package throws on error codes that it does not know, such as those of ZooKeeper 3.5 and later. */
export function tolerateUnknownCodes(exceptions: unknown): void {
  const table = exceptions as ExceptionTable;
  const { create } = table;
  if (create.isTolerant) return;
  const tolerant = (code: number, path?: string): Error => {
    try {
      return create(code, path);
    } catch {
      return Object.assign(new Error(`ZooKeeper error ${code}`), { code, getCode: () => code });
    }
  };
  table.create = Object.assign(tolerant, { isTolerant: true as const });
}

/** Between two connections: packets unsent would pile up or be sent after their time. */
export function clearUnsent(connections: ConnectionManager): void {
  connections.packetQueue.queue.length = 0;
}

/** Between two connections: forgets all watches, and returns their paths, if they are too many to be sent again. */
export function takeSurplusWatches(connections: ConnectionManager, chroot: string): string[] {
  const watchers = connections.watcherManager;
  const kinds = [watchers.dataWatchers, watchers.existenceWatchers, watchers.childWatchers];
  const paths = kinds.flatMap((watched) => Object.keys(watched));
  const sizeBytes = paths.reduce((sum, path) => sum + 4 + Buffer.byteLength(chroot + path), 0);
  if (sizeBytes <= MAX_WATCH_BYTES) return [];
  watchers.dataWatchers = {};
  watchers.existenceWatchers = {};
  watchers.childWatchers = {};
  return [...new Set(paths)];
}
