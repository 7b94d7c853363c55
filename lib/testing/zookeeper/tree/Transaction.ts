import type { AccessEntry, AccessId } from '../acl/AccessEntry';
import { requireAccess } from '../acl/access';
import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { DataTree } from './DataTree';

/** Who asks for a change. */
export interface Author {
  readonly sessionId: bigint;
  readonly ids: readonly AccessId[];
  /** Whether the session belongs to another server by now. */
  readonly hasMoved: boolean;
}

/** A node as it will be when the changes that were prepared before have been made. */
export interface PreparedNode {
  readonly version: number;
  readonly aversion: number;
  readonly createdChildren: number;
  readonly childCount: number;
  readonly acl: readonly AccessEntry[];
  readonly owner: bigint;
}

/** One transaction while its changes are prepared: nothing is changed before all of them are known to be possible. */
export class Transaction {
  readonly release: ZookeeperRelease;
  readonly author: Author;
  readonly #tree: DataTree;
  /** What earlier changes of this transaction will make of nodes; null for one that will be gone. */
  readonly #prepared = new Map<string, PreparedNode | null>();

  constructor(release: ZookeeperRelease, tree: DataTree, author: Author) {
    this.release = release;
    this.#tree = tree;
    this.author = author;
  }

  find(path: string): PreparedNode | undefined {
    const prepared = this.#prepared.get(path);
    return prepared === undefined ? this.#tree.find(path) : (prepared ?? undefined);
  }

  /** @throws NO_NODE */
  node(path: string): PreparedNode {
    const node = this.find(path);
    if (node === undefined) throw new ZookeeperFault('NO_NODE', path);
    return node;
  }

  /** The node will be there, or other than it is. */
  prepare(path: string, node: PreparedNode, changes: Partial<PreparedNode> = {}): void {
    const { version, aversion, createdChildren, childCount, acl, owner } = node;
    this.#prepared.set(path, { version, aversion, createdChildren, childCount, acl, owner, ...changes });
  }

  /** The node will be gone. */
  prepareDeletion(path: string): void {
    this.#prepared.set(path, null);
  }

  /** @throws NO_AUTH */
  requireAccess(node: PreparedNode, permission: number, path: string): void {
    requireAccess(node.acl, permission, this.author.ids, path);
  }
}

/**
 * The version behind the current one.
 *
 * @param expected - -1 for any
 * @throws BAD_VERSION
 */
export function nextVersion(current: number, expected: number, path: string): number {
  if (expected !== -1 && expected !== current) throw new ZookeeperFault('BAD_VERSION', path);
  return (current + 1) | 0;
}
