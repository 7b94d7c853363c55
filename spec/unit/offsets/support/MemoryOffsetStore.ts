import type { ConnectorError } from '../../../../lib/errors';
import { keyOf } from '../../../../lib/fetch/PartitionTopicInfo';
import type { OffsetStore, WriteOptions } from '../../../../lib/offsets/OffsetStore';
import type { NextOffset, TopicPartition } from '../../../../lib/types';

/** Positions in memory; writes can be held up and made to fail. */
export class MemoryOffsetStore implements OffsetStore {
  forgets = false;
  readonly stored = new Map<string, number | ConnectorError>();
  /** Each position written as "topic/partition=position", in the order in which they came. */
  readonly writes: string[] = [];
  /** With what options `write` was called each time. */
  readonly calls: WriteOptions[] = [];
  /** The errors of these partitions, by key. */
  readonly failing = new Map<string, ConnectorError>();
  /** What whole reads and writes reject with. */
  rejection: Error | null = null;
  isClosed = false;
  #gate: Promise<void> = Promise.resolve();

  read(partitions: readonly TopicPartition[]): Promise<Map<string, number | null | ConnectorError>> {
    if (this.rejection !== null) return Promise.reject(this.rejection);
    return Promise.resolve(new Map(partitions.map((at) => [keyOf(at), this.stored.get(keyOf(at)) ?? null])));
  }

  async write(
    positions: readonly NextOffset[],
    options: WriteOptions,
  ): Promise<ReadonlyMap<string, ConnectorError>> {
    this.calls.push(options);
    for (const at of positions) this.writes.push(`${keyOf(at)}=${at.nextOffset}`);
    await this.#gate;
    if (this.rejection !== null) throw this.rejection;
    const errors = new Map<string, ConnectorError>();
    for (const at of positions) {
      const key = keyOf(at);
      const failure = this.failing.get(key);
      if (failure === undefined) this.stored.set(key, at.nextOffset);
      else errors.set(key, failure);
    }
    return errors;
  }

  close(): void {
    this.isClosed = true;
  }

  /** Writes get no answer until the returned function is called. */
  block(): () => void {
    let open = (): void => undefined;
    this.#gate = new Promise((resolve) => (open = resolve));
    return open;
  }
}
