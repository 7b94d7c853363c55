import type { ConnectorError } from '../../../../lib/errors';
import { keyOf } from '../../../../lib/fetch/PartitionTopicInfo';
import type { OffsetStore } from '../../../../lib/offsets/OffsetStore';
import type { TopicPartition } from '../../../../lib/types';

/** Positions in memory; writes can be held up and made to fail. */
export class MemoryOffsetStore implements OffsetStore {
  readonly stored = new Map<string, number | ConnectorError>();
  /** Each write as "topic/partition=position", in the order in which they came. */
  readonly writes: string[] = [];
  /** What writes of these partitions reject with. */
  readonly failing = new Map<string, Error>();
  #gate: Promise<void> = Promise.resolve();

  read(partitions: readonly TopicPartition[]): Promise<Map<string, number | null | ConnectorError>> {
    return Promise.resolve(new Map(partitions.map((at) => [keyOf(at), this.stored.get(keyOf(at)) ?? null])));
  }

  async write(at: TopicPartition, nextOffset: number): Promise<void> {
    const key = keyOf(at);
    this.writes.push(`${key}=${nextOffset}`);
    await this.#gate;
    const failure = this.failing.get(key);
    if (failure !== undefined) throw failure;
    this.stored.set(key, nextOffset);
  }

  /** Writes get no answer until the returned function is called. */
  block(): () => void {
    let open = (): void => undefined;
    this.#gate = new Promise((resolve) => (open = resolve));
    return open;
  }
}
