import { OPEN, READ_ONLY, type AccessEntry } from '../acl/AccessEntry';
import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import { HashOrder } from './HashOrder';
import { nameOf, parentOf } from './paths';
import { CONTAINER_OWNER, TreeNode } from './TreeNode';
import type { TreeEvent, Txn } from './Txn';

/** Buckets of a new HashSet in Java. */
const EPHEMERALS_CAPACITY = 16;

/** All nodes. It does what it is told: whether a change is possible is found out before. */
export class DataTree {
  readonly #nodes = new Map<string, TreeNode>();
  readonly #root: TreeNode;
  /** Paths by the owner's session; an empty set stays, as in the real servers. */
  readonly #ephemerals = new Map<bigint, HashOrder>();

  constructor(release: ZookeeperRelease) {
    this.#root = this.#addInitial('/', OPEN);
    this.#addInitial('/zookeeper', OPEN);
    this.#addInitial('/zookeeper/quota', OPEN);
    // The server sets this list with a version that is none.
    if (release === '3.8') this.#addInitial('/zookeeper/config', READ_ONLY).aversion = -1;
  }

  /** Number of nodes as the servers count them: the root twice. */
  get countedNodes(): number {
    return this.#nodes.size + 1;
  }

  /** Bytes of paths and data, as the servers estimate it. */
  get approximateBytes(): number {
    let bytes = 0;
    for (const [path, { data }] of this.#nodes) bytes += path.length + (data?.length ?? 0);
    return bytes;
  }

  get ephemeralCount(): number {
    let count = 0;
    for (const paths of this.#ephemerals.values()) count += paths.size;
    return count;
  }

  get ephemerals(): ReadonlyMap<bigint, HashOrder> {
    return this.#ephemerals;
  }

  /** "" is the root, too, as in the real servers. */
  find(path: string): TreeNode | undefined {
    return path === '' ? this.#root : this.#nodes.get(path);
  }

  /** @throws NO_NODE */
  node(path: string): TreeNode {
    const node = this.find(path);
    if (node === undefined) throw new ZookeeperFault('NO_NODE', path);
    return node;
  }

  /** Number of nodes below the path, at any depth; below the empty path, which is the root, too, there is also "/". */
  countBelow(path: string): number {
    const prefix = path === '/' ? path : `${path}/`;
    let count = 0;
    for (const one of this.#nodes.keys()) if (one !== path && one.startsWith(prefix)) count += 1;
    return count;
  }

  /** The node and all below it; parents come before their children. */
  *walk(path: string): Generator<readonly [path: string, node: TreeNode]> {
    // The next one is the last; not recursive, since clients can make trees of any depth.
    const ahead = [path];
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
      const node = this.#nodes.get(at);
      if (node === undefined) continue;
      yield [at, node];
      const prefix = at === '/' ? at : `${at}/`;
      for (const name of [...node.children].sort().reverse()) ahead.push(prefix + name);
    }
  }

  /** What there is to tell about the change, or null. */
  apply(txn: Txn, zxid: bigint, timeMs: number): TreeEvent | null {
    switch (txn.kind) {
      case 'create':
        return this.#create(txn.path, new TreeNode({ ...txn, zxid, timeMs }), zxid);
      case 'delete':
        return this.delete(txn.path, zxid);
      case 'set': {
        const node = this.node(txn.path);
        node.data = txn.data;
        node.version = txn.version;
        node.mzxid = zxid;
        node.mtimeMs = timeMs;
        return { type: 'changed', path: txn.path, acl: node.acl, parentAcl: [] };
      }
      case 'setAcl': {
        const node = this.node(txn.path);
        node.acl = txn.acl;
        node.aversion = txn.version;
        return null;
      }
      case 'check':
        return null;
    }
  }

  delete(path: string, zxid: bigint): TreeEvent {
    const node = this.node(path);
    const parent = this.node(parentOf(path));
    this.#nodes.delete(path);
    parent.removeChild(nameOf(path));
    parent.pzxid = zxid;
    this.#ephemerals.get(node.owner)?.delete(path);
    return { type: 'deleted', path, acl: node.acl, parentAcl: parent.acl };
  }

  /** The session has no nodes any more: they have been deleted. */
  forgetOwner(owner: bigint): void {
    this.#ephemerals.delete(owner);
  }

  #create(path: string, node: TreeNode, zxid: bigint): TreeEvent {
    const parent = this.node(parentOf(path));
    parent.createdChildren += 1;
    parent.pzxid = zxid;
    parent.addChild(nameOf(path));
    this.#nodes.set(path, node);
    if (node.owner !== 0n && node.owner !== CONTAINER_OWNER) this.#ephemeralsOf(node.owner).add(path);
    return { type: 'created', path, acl: node.acl, parentAcl: parent.acl };
  }

  #ephemeralsOf(owner: bigint): HashOrder {
    const known = this.#ephemerals.get(owner);
    if (known !== undefined) return known;
    const made = new HashOrder(EPHEMERALS_CAPACITY);
    this.#ephemerals.set(owner, made);
    return made;
  }

  #addInitial(path: string, acl: readonly AccessEntry[]): TreeNode {
    const node = new TreeNode({ data: Buffer.alloc(0), acl, owner: 0n, zxid: 0n, timeMs: 0 });
    this.#nodes.set(path, node);
    if (path !== '/') this.#nodes.get(parentOf(path) || '/')?.addChild(nameOf(path));
    return node;
  }
}
