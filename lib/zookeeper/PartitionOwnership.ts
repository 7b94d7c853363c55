import { ConnectorError } from '../errors';
import type { TopicPartition } from '../types';
import { inParallel } from './inParallel';
import type { GroupPaths } from './paths';
import type { ZookeeperSession } from './ZookeeperSession';

/** A partition and the thread that shall consume it. */
export interface AssignedPartition extends TopicPartition {
  readonly threadId: string;
}

/** Owner nodes of others that stood in the way of a claim. */
export interface OwnershipConflict {
  readonly path: string;
  /** What the node holds; null if it went away in the meantime. */
  readonly owner: string | null;
}

/** At most so many conflicting nodes are watched: one that goes away is enough to try again. */
const MOST_WATCHED = 100;

/**
 * The owner nodes of one session: `/consumers/[group]/owners/[topic]/[partition]`, ephemeral, with the thread id.
 * Only a node whose ephemeralOwner is this session counts as ours; one of an earlier session will vanish.
 */
export class PartitionOwnership {
  readonly #session: ZookeeperSession;
  readonly #paths: GroupPaths;
  /** Nodes that are ours, or may be: an unanswered create counts until it has been looked at. Path to thread id. */
  readonly #nodes = new Map<string, string>();
  /** What the last claim could not get, until it is watched. */
  #conflicts: readonly OwnershipConflict[] = [];

  constructor(session: ZookeeperSession, paths: GroupPaths) {
    this.#session = session;
    this.#paths = paths;
  }

  /**
   * Claims all of them, each with a request of its own, so that each conflict is seen alone. With any conflict the
   * claim has failed: what it got is released again, so that it stands in nobody's way.
   */
  async claim(partitions: readonly AssignedPartition[]): Promise<void> {
    try {
      await this.#claimAll(partitions);
    } catch (error) {
      await this.release().catch(() => undefined); // what could not be released is, before the next claim
      throw error;
    }
  }

  /** Deletes our owner nodes. Nodes that are gone, or have become another session's, are left alone. */
  async release(): Promise<void> {
    await inParallel([...this.#nodes.keys()], async (path) => {
      const node = await this.#session.exists(path);
      if (node?.ephemeralOwner === this.#session.id) await this.#session.remove(path);
      this.#nodes.delete(path);
    });
  }

  /** Whether exactly these are claimed and every node still stands as we wrote it. */
  async stands(partitions: readonly AssignedPartition[]): Promise<boolean> {
    if (partitions.length !== this.#nodes.size) return false;
    const checks = await inParallel(partitions, async ({ topic, partition, threadId }) => {
      const path = this.#paths.owner(topic, partition);
      if (this.#nodes.get(path) !== threadId) return false;
      const node = await this.#session.read(path);
      return node?.ephemeralOwner === this.#session.id && node.data.toString() === threadId;
    });
    return checks.every(Boolean);
  }

  /** Sets watches on the nodes that the last claim met; true if one of them is gone already. */
  async watchConflicts(): Promise<boolean> {
    const watched = this.#conflicts.slice(0, MOST_WATCHED);
    this.#conflicts = []; // an attempt that fails before its claim has met none of them
    const nodes = await inParallel(watched, ({ path }) => this.#session.exists(path, { watch: true }));
    return nodes.some((node) => node === null);
  }

  async #claimAll(partitions: readonly AssignedPartition[]): Promise<void> {
    const results = await inParallel(partitions, async ({ topic, partition, threadId }) => {
      const path = this.#paths.owner(topic, partition);
      this.#nodes.set(path, threadId);
      const conflict = await this.#claimNode(path, threadId);
      if (conflict !== null) this.#nodes.delete(path);
      return conflict;
    });
    this.#conflicts = results.filter((conflict) => conflict !== null);
    const [first] = this.#conflicts;
    if (first === undefined) return;
    throw new ConnectorError(
      'REBALANCE_FAILED',
      `${this.#conflicts.length} of ${partitions.length} partitions still have another owner, ` +
        `for example ${first.path}: ${first.owner ?? 'gone since'}`,
      { path: first.path },
    );
  }

  /** Null when the node is ours. */
  async #claimNode(path: string, threadId: string): Promise<OwnershipConflict | null> {
    const data = Buffer.from(threadId);
    // Released between our create and our look: free, so once more at once; the last word is a conflict.
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      if ((await this.#session.createWithParents(path, data, 'ephemeral')) === 'created') return null;
      const node = await this.#session.read(path);
      if (node === null) continue;
      if (node.ephemeralOwner !== this.#session.id) return { path, owner: node.data.toString() };
      if (node.data.equals(data)) return null;
      await this.#session.remove(path); // ours, for another thread of ours
    }
    return { path, owner: null };
  }
}
