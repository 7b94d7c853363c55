/** What a node looks like from inside. */
export interface LocalNode {
  readonly data: Buffer;
  readonly version: number;
  readonly czxid: bigint;
  readonly mzxid: bigint;
  /** 0n for a persistent node. */
  readonly ephemeralOwner: bigint;
}

/** A change of the tree, told when it is committed. */
export interface TreeChange {
  readonly type: 'created' | 'deleted' | 'changed';
  readonly path: string;
  readonly zxid: bigint;
}

/**
 * A session of the embedded brokers: no connection, no time-out. Everything happens at once; a refusal is a thrown
 * ZookeeperFault with ZooKeeper's code. Paths are below the chroot that the session was opened with.
 */
export interface LocalSession {
  /** Such as "0x15c0ffee". */
  readonly id: string;
  readonly isOpen: boolean;
  create(path: string, data: Buffer | string, options?: { readonly ephemeral?: boolean }): void;
  /** With the missing parents; nothing happens if it exists. */
  mkdirp(path: string): void;
  set(path: string, data: Buffer | string, version?: number): void;
  delete(path: string, version?: number): void;
  get(path: string): LocalNode | null;
  /** Sorted names; null for a missing node. */
  children(path: string): readonly string[] | null;
  /** Called in the order of the changes, after each commit, until the returned function is called. */
  onChange(listener: (change: TreeChange) => void): () => void;
  /** The session has been ended by a control, not by `close`. */
  onExpired(listener: () => void): () => void;
  /** Ends the session; its ephemeral nodes go. */
  close(): void;
}
