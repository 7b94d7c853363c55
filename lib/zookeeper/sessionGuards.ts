import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

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
  socket: Socket | undefined;
  /** Start of an answer whose rest has not come yet. */
  pendingBuffer: Buffer | null;
  connectTimeoutHandler: NodeJS.Timeout | null;
  /** Not sent yet. */
  readonly packetQueue: { readonly queue: unknown[] };
  /** Sent, not answered. */
  readonly pendingQueue: readonly unknown[];
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

/** No honest answer is larger; HTTP or TLS on the port would otherwise be buffered without end. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;

/** All watches travel in one packet when a session moves to a new connection, and servers refuse more than 1 MiB. */
const MAX_WATCH_BYTES = 512 * 1024;

const NOTHING = Buffer.alloc(0);

export interface SocketDataGuard {
  /** After each answer. */
  frameRead(): void;
  /** The connection is of no more use. */
  isNotUnderstood(error: unknown): void;
}

/**
 * An answer that cannot be understood throws in the package, inside a socket handler, which ends the process. And for the next answer
 * of a chunk the package calls itself, which is deep recursion if there are thousands.
 */
export function guardSocketData(connections: ConnectionManager, guard: SocketDataGuard): void {
  const readFrame = connections.onSocketData.bind(connections);
  let isReading = false;
  let isMore = false;
  connections.onSocketData = (chunk) => {
    isMore = true;
    if (isReading) return;
    isReading = true;
    try {
      for (let next = chunk; isMore; next = NOTHING) {
        isMore = false;
        readFrame(next);
        guard.frameRead();
      }
      refuseLargeFrame(connections.pendingBuffer);
    } catch (error) {
      guard.isNotUnderstood(error);
    } finally {
      isReading = false;
    }
  };
}

function refuseLargeFrame(start: Buffer | null): void {
  if (!start || start.length < 4) return;
  const sizeBytes = start.readInt32BE(0);
  if (sizeBytes > MAX_FRAME_BYTES) {
    throw new Error(`an answer of ${sizeBytes} bytes, more than ${MAX_FRAME_BYTES}, is not one of ZooKeeper`);
  }
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

/** Between two connections: half an answer would spoil the next one, and packets unsent would pile up or be sent after their time. */
export function clearLeftovers(connections: ConnectionManager): void {
  connections.pendingBuffer = null;
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
