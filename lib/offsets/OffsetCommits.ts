import PQueue from 'p-queue';

import { ConnectorError } from '../errors';
import type { Events } from '../events';
import { keyOf, type PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import type { NextOffset } from '../types';
import type { OffsetStore, WriteOptions } from './OffsetStore';

/** One position to store. */
export interface WantedCommit {
  readonly info: PartitionTopicInfo;
  readonly nextOffset: number;
  /** `info.jumps` when it was asked for: a position from before a seek does not bind those after it. */
  readonly jumps: number;
}

/**
 * Stores positions, one commit after the other. Unchanged ones are written only to a store that forgets, and within one
 * ownership a commit never goes back, except after a seek or reset.
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
  commit(store: OffsetStore, wanted: readonly WantedCommit[], options: WriteOptions): Promise<void> {
    return this.#queue.add(() => this.#commit(store, wanted, options));
  }

  /** Resolves when no commit is under way or waits. */
  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  async #commit(store: OffsetStore, wanted: readonly WantedCommit[], options: WriteOptions): Promise<void> {
    const due: WantedCommit[] = [];
    const failures: unknown[] = [];
    for (const one of wanted) {
      const { info, nextOffset } = one;
      const isNews = info.isNews(nextOffset);
      if (!isNews && !(store.forgets && nextOffset === info.storedOffset)) continue;
      if (this.#isOwned(info)) due.push(one);
      else if (isNews) failures.push(noLongerOwned(info));
    }
    const errors = await errorsOf(store, due, options);
    const stored: NextOffset[] = [];
    for (const { info, nextOffset, jumps } of due) {
      const key = keyOf(info);
      if (errors.has(key)) failures.push(errors.get(key));
      else {
        info.stored(nextOffset, jumps);
        stored.push({ topic: info.topic, partition: info.partition, nextOffset });
      }
    }
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

/** Those of the positions that could not be stored, by {@link keyOf}. */
async function errorsOf(
  store: OffsetStore,
  due: readonly WantedCommit[],
  options: WriteOptions,
): Promise<ReadonlyMap<string, unknown>> {
  if (due.length === 0) return new Map();
  const positions = due.map(({ info: { topic, partition }, nextOffset }) => ({
    topic,
    partition,
    nextOffset,
  }));
  try {
    return await store.write(positions, options);
  } catch (error) {
    return new Map(positions.map((at) => [keyOf(at), error]));
  }
}

function noLongerOwned({ topic, partition }: PartitionTopicInfo): ConnectorError {
  const text = `${topic}/${partition} was given up before its turn came: its next owner goes on from what is stored`;
  return new ConnectorError('NOT_OWNED', text, { topic, partition });
}
