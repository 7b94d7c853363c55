import type { AccessEntry } from '../acl/AccessEntry';
import type { EventType, Watcher, WatchMode } from './Watcher';

/** Watches of one kind, on data or on children. */
export class WatchTable {
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** A watcher stays when its last watch has fired, which is how the servers count watchers. */
  readonly #paths = new Map<Watcher, Set<string>>();
  /** Where it is not 'once'. */
  readonly #modes = new Map<Watcher, Map<string, WatchMode>>();
  /** Watches of the recursive mode: without any nobody has to look at parents. */
  #recursiveCount = 0;

  get watcherCount(): number {
    return this.#paths.size;
  }

  get pathCount(): number {
    return this.#watchers.size;
  }

  get watchCount(): number {
    let count = 0;
    for (const watchers of this.#watchers.values()) count += watchers.size;
    return count;
  }

  get watchersByPath(): ReadonlyMap<string, ReadonlySet<Watcher>> {
    return this.#watchers;
  }

  get pathsByWatcher(): ReadonlyMap<Watcher, ReadonlySet<string>> {
    return this.#paths;
  }

  /** A watch of another mode on the same path is replaced, even a persistent one by one that fires once. */
  add(path: string, watcher: Watcher, mode: WatchMode): void {
    entryOf(this.#watchers, path, () => new Set()).add(watcher);
    entryOf(this.#paths, watcher, () => new Set()).add(path);
    this.#setMode(path, watcher, mode);
  }

  /** @returns whether there was a watch */
  remove(path: string, watcher: Watcher): boolean {
    if (this.#paths.get(watcher)?.delete(path) !== true) return false;
    this.#dropFromPath(path, watcher);
    this.#setMode(path, watcher, 'once');
    return true;
  }

  removeAll(watcher: Watcher): void {
    for (const path of this.#paths.get(watcher) ?? []) {
      this.#dropFromPath(path, watcher);
      this.#setMode(path, watcher, 'once');
    }
    this.#paths.delete(watcher);
  }

  /**
   * As the servers answer it: any watch on the very path will do, whoever has it; further up it must be a recursive
   * one, and then the watcher's own mode on the path decides.
   */
  contains(path: string, watcher: Watcher): boolean {
    if (this.#watchers.has(path)) return true;
    return this.#modeOf(path, watcher) === 'recursive';
  }

  /** Tells all watchers but those that know it already; those whose watch has fired once do not have it any more. */
  trigger(
    type: EventType,
    path: string,
    acl: readonly AccessEntry[],
    informed: ReadonlySet<Watcher> | null = null,
  ): ReadonlySet<Watcher> {
    const told = new Set<Watcher>();
    for (const watcher of this.#watchers.get(path) ?? []) this.#take(type, path, watcher, told);
    if (this.#recursiveCount > 0 && type !== 'children') this.#takeFromParents(path, told);
    for (const watcher of told) {
      if (informed?.has(watcher) !== true) watcher.tell(type, path, acl);
    }
    return told;
  }

  #take(type: EventType, path: string, watcher: Watcher, told: Set<Watcher>): void {
    const mode = this.#modeOf(path, watcher);
    // A recursive watch tells of the children themselves instead.
    if (mode === 'recursive' && type === 'children') return;
    told.add(watcher);
    if (mode !== 'once') return;
    this.#paths.get(watcher)?.delete(path);
    this.#dropFromPath(path, watcher);
  }

  #takeFromParents(path: string, told: Set<Watcher>): void {
    for (let above = path; above !== '/' && above !== '';) {
      above = above.slice(0, above.lastIndexOf('/')) || '/';
      for (const watcher of this.#watchers.get(above) ?? []) {
        if (this.#modeOf(above, watcher) === 'recursive') told.add(watcher);
      }
    }
  }

  #modeOf(path: string, watcher: Watcher): WatchMode {
    return this.#modes.get(watcher)?.get(path) ?? 'once';
  }

  #setMode(path: string, watcher: Watcher, mode: WatchMode): void {
    const before = this.#modeOf(path, watcher);
    if (before === 'recursive') this.#recursiveCount -= 1;
    if (mode === 'recursive') this.#recursiveCount += 1;
    if (mode !== 'once') {
      entryOf(this.#modes, watcher, () => new Map()).set(path, mode);
      return;
    }
    const modes = this.#modes.get(watcher);
    modes?.delete(path);
    if (modes?.size === 0) this.#modes.delete(watcher);
  }

  #dropFromPath(path: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(path);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(path);
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
