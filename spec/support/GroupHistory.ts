import type { TopicPartition } from '../../lib';
import type { TestCluster } from './cluster/TestCluster';
import type { ZookeeperAdmin, ZookeeperNodeState } from './cluster/ZookeeperAdmin';
import type { Repetition } from './deliveries';
import { waitFor } from './waitFor';

const LOOK_INTERVAL_MS = 5;

/** A position as it was stored. */
interface Stored {
  readonly zxid: bigint;
  /** Number of the write; a gap means that one was not seen. */
  readonly version: number;
  readonly nextOffset: number;
}

/** An owner node that was made. */
interface Claim {
  readonly zxid: bigint;
  readonly thread: string;
}

interface PartitionHistory {
  readonly stored: Stored[];
  readonly claims: Claim[];
}

/** What a claim may repeat, by what was stored before it. */
export interface RepeatedBy {
  readonly kind: 'read before the claim' | 'not committed at a crash';
  readonly claimedBy: string;
}

/**
 * Looks at the offsets and owner nodes of a group all the time and puts them in the order in which ZooKeeper has made
 * them, so that it can be told which claim a repeated message belongs to.
 */
export class GroupHistory implements AsyncDisposable {
  readonly #partitions = new Map<string, PartitionHistory>();
  readonly #stopping = new AbortController();
  readonly #looking: Promise<unknown>;

  constructor(cluster: TestCluster, group: string, partitions: readonly TopicPartition[]) {
    this.#looking = this.#run(cluster, group, partitions);
    this.#looking.catch(() => undefined); // stop() tells
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Claims of the partition so far. */
  claimsOf({ topic, partition }: TopicPartition): readonly Claim[] {
    return this.#partitions.get(`${topic}/${partition}`)?.claims ?? [];
  }

  /**
   * Which claim explains that a message was repeated; null if there is none.
   *
   * - A JVM member reads the offset before it claims: it may begin at the one that was stored before the release, and
   *   may hand out the message it had peeked at once more. So nothing outside of these two offsets.
   * - What a killed member had not stored begins at the last stored offset.
   */
  explain(
    { topic, partition, offset, by }: Repetition,
    jvms: ReadonlySet<string>,
    killed: ReadonlySet<string>,
  ): RepeatedBy | null {
    const { stored, claims } = this.#partitions.get(`${topic}/${partition}`) ?? { stored: [], claims: [] };
    for (const [index, claim] of claims.entries()) {
      const claimedBy = memberOf(claim.thread);
      if (!by.includes(claimedBy)) continue;
      const at = stored.findLastIndex(({ zxid }) => zxid < claim.zxid);
      const last = stored[at];
      const before = stored[at - 1];
      const after = stored[at + 1];
      // If a write was not seen, the next one that was is the least that is sure.
      const missed = after !== undefined && last !== undefined && after.version > last.version + 1;
      const upTo = (missed ? after.nextOffset : last?.nextOffset) ?? 0;
      if (jvms.has(claimedBy) && offset >= (before?.nextOffset ?? 0) && offset <= upTo) {
        return { kind: 'read before the claim', claimedBy };
      }
      const previous = claims[index - 1];
      const lost = previous !== undefined && killed.has(memberOf(previous.thread));
      if (lost && by.includes(memberOf(previous.thread)) && offset >= (last?.nextOffset ?? 0)) {
        return { kind: 'not committed at a crash', claimedBy };
      }
    }
    return null;
  }

  async #run(cluster: TestCluster, group: string, partitions: readonly TopicPartition[]): Promise<void> {
    await using zookeeper = await cluster.zookeeper();
    const root = `/consumers/${group}`;
    for (;;) {
      await Promise.all(partitions.map((at) => this.#look(zookeeper, root, at)));
      if (this.#stopping.signal.aborted) return;
      const nextMs = performance.now() + LOOK_INTERVAL_MS;
      await waitFor(() => performance.now() >= nextMs, {
        ...{ timeoutMs: 10_000, intervalMs: LOOK_INTERVAL_MS, description: 'the next look' },
      });
    }
  }

  async #look(zookeeper: ZookeeperAdmin, root: string, { topic, partition }: TopicPartition): Promise<void> {
    const key = `${topic}/${partition}`;
    const history = this.#partitions.get(key) ?? { stored: [], claims: [] };
    this.#partitions.set(key, history);
    const [offset, owner] = await Promise.all([
      zookeeper.get(`${root}/offsets/${key}`),
      zookeeper.get(`${root}/owners/${key}`),
    ]);
    if (offset !== null && offset.modifiedZxid !== history.stored.at(-1)?.zxid) {
      const { modifiedZxid: zxid, version } = offset;
      history.stored.push({ zxid, version, nextOffset: Number(textOf(offset)) });
    }
    if (owner !== null && owner.createdZxid !== history.claims.at(-1)?.zxid) {
      history.claims.push({ zxid: owner.createdZxid, thread: textOf(owner) });
    }
  }
}

function textOf({ data }: ZookeeperNodeState): string {
  return data?.toString() ?? '';
}

/** The consumer id in a thread id. */
function memberOf(thread: string): string {
  return thread.slice(0, thread.lastIndexOf('-'));
}
