import { ConnectorError } from '../errors';
import { keyOf } from '../fetch/PartitionTopicInfo';
import type { NextOffset, TopicPartition } from '../types';
import type { OffsetStore, WriteOptions } from './OffsetStore';

/** In Kafka and in ZooKeeper (`dual.commit.enabled`), for a group on its way from one to the other. */
export class DualOffsetStore implements OffsetStore {
  readonly forgets: boolean;
  readonly #kafka: OffsetStore;
  readonly #zookeeper: OffsetStore;
  /** What ZooKeeper holds, as far as it was last read or written here: unchanged positions are not written there. */
  readonly #inZookeeper = new Map<string, number>();

  constructor(kafka: OffsetStore, zookeeper: OffsetStore) {
    this.#kafka = kafka;
    this.#zookeeper = zookeeper;
    this.forgets = kafka.forgets;
  }

  /** The larger one of each, so that a group goes on where it was whichever its members wrote to last. */
  async read(
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<Map<string, number | null | ConnectorError>> {
    const [inKafka, inZookeeper] = await Promise.all([
      this.#kafka.read(partitions, signal),
      this.#zookeeper.read(partitions, signal),
    ]);
    const positions = new Map<string, number | null | ConnectorError>();
    for (const key of partitions.map(keyOf)) {
      const there = inZookeeper.get(key) ?? null;
      if (typeof there === 'number') this.#inZookeeper.set(key, there);
      else this.#inZookeeper.delete(key);
      positions.set(key, largerOf(inKafka.get(key) ?? null, there));
    }
    return positions;
  }

  /** First to Kafka; what fails there is not written to ZooKeeper. */
  async write(
    positions: readonly NextOffset[],
    options: WriteOptions,
  ): Promise<ReadonlyMap<string, ConnectorError>> {
    const failedInKafka = await this.#kafka.write(positions, options);
    const changed = positions.filter((at) => {
      const key = keyOf(at);
      return !failedInKafka.has(key) && this.#inZookeeper.get(key) !== at.nextOffset;
    });
    if (changed.length === 0) return failedInKafka;
    // Whether a write that fails has come through is not known.
    for (const at of changed) this.#inZookeeper.delete(keyOf(at));
    const failedInZookeeper = await this.#zookeeper.write(changed, options);
    for (const at of changed) {
      const key = keyOf(at);
      if (!failedInZookeeper.has(key)) this.#inZookeeper.set(key, at.nextOffset);
    }
    return new Map([...failedInKafka, ...failedInZookeeper]);
  }

  close(): void {
    this.#kafka.close();
    this.#zookeeper.close();
  }
}

function largerOf(
  one: number | null | ConnectorError,
  other: number | null | ConnectorError,
): number | null | ConnectorError {
  if (ConnectorError.is(one)) return one;
  if (ConnectorError.is(other)) return other;
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
