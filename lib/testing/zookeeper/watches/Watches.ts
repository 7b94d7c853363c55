import type { DataTree } from '../tree/DataTree';
import { parentOf } from '../tree/paths';
import type { TreeEvent } from '../tree/Txn';
import type { Watcher } from './Watcher';
import { WatchTable } from './WatchTable';

/** What a client wants to watch again after it has reconnected. */
export interface KeptWatches {
  /** The last transaction of which the client knows. */
  readonly sinceZxid: bigint;
  readonly data: readonly string[];
  readonly exist: readonly string[];
  readonly children: readonly string[];
  readonly persistent: readonly string[];
  readonly recursive: readonly string[];
}

/** The watches of all connections of one server. */
export class Watches {
  readonly data = new WatchTable();
  readonly children = new WatchTable();

  /** Tells of a change, in the order of the real servers: the node first, then its parent. */
  trigger({ type, path, acl, parentAcl }: TreeEvent): void {
    const informed = this.data.trigger(type, path, acl);
    if (type === 'changed') return;
    // Who watches the children of a node that is deleted hears of it once.
    if (type === 'deleted') this.children.trigger(type, path, acl, informed);
    this.children.trigger('children', parentOf(path) || '/', parentAcl);
  }

  removeAll(watcher: Watcher): void {
    this.data.removeAll(watcher);
    this.children.removeAll(watcher);
  }

  addBoth(path: string, watcher: Watcher, mode: 'persistent' | 'recursive'): void {
    this.data.add(path, watcher, mode);
    this.children.add(path, watcher, mode);
  }

  /** What the client has missed is told at once; the other watches wait for their event. */
  restore(kept: KeptWatches, tree: DataTree, watcher: Watcher): void {
    for (const path of kept.data) {
      const node = tree.find(path);
      if (node === undefined) watcher.tell('deleted', path, null);
      else if (node.mzxid > kept.sinceZxid) watcher.tell('changed', path, null);
      else this.data.add(path, watcher, 'once');
    }
    for (const path of kept.exist) {
      if (tree.find(path) !== undefined) watcher.tell('created', path, null);
      else this.data.add(path, watcher, 'once');
    }
    for (const path of kept.children) {
      const node = tree.find(path);
      if (node === undefined) watcher.tell('deleted', path, null);
      else if (node.pzxid > kept.sinceZxid) watcher.tell('children', path, null);
      else this.children.add(path, watcher, 'once');
    }
    for (const path of kept.persistent) this.addBoth(path, watcher, 'persistent');
    for (const path of kept.recursive) this.addBoth(path, watcher, 'recursive');
  }
}
