import PQueue from 'p-queue';

import { ConnectorError } from '../errors';
import type { Events } from '../events';
import type { PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import { inParallel } from '../zookeeper/inParallel';
import type { NextOffset } from '../types';
import type { OffsetStore } from './OffsetStore';

/** One position to store. */
export interface WantedCommit {
  readonly info: PartitionTopicInfo;
  readonly nextOffset: number;
  /** `info.jumps` when it was asked for: a position from before a seek does not bind those after it. */
  readonly jumps: number;
}

/**
 * Stores positions, one commit after the other. Unchanged ones are not written, and within one ownership a commit
 * never goes back, except after a seek or reset.
 */
export class OffsetCommits {
  readonly #events: Events;
  /** Whether the partition is still owned; looked at when its turn comes. */
  readonly #isOwned: (info: PartitionTopicInfo) => boolean;
  /** One at a time: a later commit must not be overtaken by an earlier one. */
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(events: Events, isOwned: (info: PartitionTopicInfo) => boolean) {
    this.#events = events;
    this.#isOwned = isOwned;
  }

  /**
   * Rejects with COMMIT_FAILED if any could not be stored, or is no longer owned when its turn comes; the others are
   * stored. A partition may stand in it once.
   */
  commit(store: OffsetStore, wanted: readonly WantedCommit[]): Promise<void> {
    return this.#queue.add(() => this.#commit(store, wanted));
  }

  /** Resolves when no commit is under way or waits. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #commit(store: OffsetStore, wanted: readonly WantedCommit[]): Promise<void> {
    const stored: NextOffset[] = [];
    const failures: unknown[] = [];
    await inParallel(wanted, async ({ info, nextOffset, jumps }) => {
      if (!info.isNews(nextOffset)) return;
      try {
        if (!this.#isOwned(info)) throw noLongerOwned(info);
        await store.write(info, nextOffset);
        info.stored(nextOffset, jumps);
        stored.push({ topic: info.topic, partition: info.partition, nextOffset });
      } catch (error) {
        failures.push(error);
      }
    });
    if (stored.length > 0) this.#events.emit('offsets:committed', { offsets: stored });
    if (failures.length === 0) return;
    const [cause] = failures;
    const context = ConnectorError.is(cause) ? cause.context : {};
    throw new ConnectorError(
      'COMMIT_FAILED',
      `${failures.length} of ${failures.length + stored.length} offsets could not be stored: ` +
        (cause instanceof Error ? cause.message : String(cause)),
      { ...context, cause },
    );
  }
}

function noLongerOwned({ topic, partition }: PartitionTopicInfo): ConnectorError {
  const text = `${topic}/${partition} was given up before its turn came: its next owner goes on from what is stored`;
  return new ConnectorError('NOT_OWNED', text, { topic, partition });
}
