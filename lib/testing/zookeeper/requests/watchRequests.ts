import type { JuteReader } from '../jute/JuteReader';
import type { WatchTable } from '../watches/WatchTable';
import { ZookeeperFault } from '../ZookeeperFault';
import type { Handler, RequestContext } from './RequestContext';

/** Modes of lasting watches on the wire. */
const MODES = ['persistent', 'recursive'] as const;

/** What a client watched before it reconnected: op code 101. */
export const handleSetWatches: Handler = (request, context) => {
  restore(request, context, false);
  return 'answered';
};

/** The same with lasting watches: op code 105. */
export const handleSetWatches2: Handler = (request, context) => {
  restore(request, context, true);
  return 'answered';
};

/** A watch that lasts, on data and children, or on all that is below. */
export const handleAddWatch: Handler = (request, context, answer) => {
  const path = request.text();
  const mode = MODES[request.int32()];
  context.mayFail('addWatch', path);
  if (mode === undefined) throw new ZookeeperFault('MARSHALLING_ERROR', 'no such mode of a watch');
  context.watches.addBoth(path, context.connection, mode);
  answer.int32(0);
  return 'answered';
};

export const handleCheckWatches: Handler = (request, context) => {
  const { path, tables } = readWatch(request, context);
  if (path === null) throw new ZookeeperFault('MARSHALLING_ERROR', 'no path');
  context.mayFail('checkWatches', path);
  // The server looks for the parents of a path that has none.
  if (path !== '' && !path.includes('/')) throw new ZookeeperFault('MARSHALLING_ERROR', path);
  if (!tables.some((table) => table.contains(path, context.connection))) {
    throw new ZookeeperFault('NO_WATCHER', path);
  }
  return 'answered';
};

export const handleRemoveWatches: Handler = (request, context) => {
  const { path, tables } = readWatch(request, context);
  if (path === null) throw new ZookeeperFault('NO_WATCHER', 'no path');
  context.mayFail('removeWatches', path);
  const removed = tables.map((table) => table.remove(path, context.connection));
  if (!removed.includes(true)) throw new ZookeeperFault('NO_WATCHER', path);
  return 'answered';
};

function restore(request: JuteReader, context: RequestContext, hasLasting: boolean): void {
  const paths = (): string[] => request.list(() => request.text());
  const kept = {
    sinceZxid: request.int64(),
    data: paths(),
    exist: paths(),
    children: paths(),
    persistent: hasLasting ? paths() : [],
    recursive: hasLasting ? paths() : [],
  };
  context.mayFail('setWatches', ...kept.data, ...kept.exist, ...kept.children);
  context.watches.restore(kept, context.database.tree, context.connection);
}

function readWatch(
  request: JuteReader,
  { watches }: RequestContext,
): { readonly path: string | null; readonly tables: readonly WatchTable[] } {
  const path = request.textOrNull();
  const type = request.int32();
  switch (type) {
    case 1:
      return { path, tables: [watches.children] };
    case 2:
      return { path, tables: [watches.data] };
    case 3:
      return { path, tables: [watches.children, watches.data] };
    default:
      throw new ZookeeperFault('MARSHALLING_ERROR', `no watches of type ${type}`);
  }
}
