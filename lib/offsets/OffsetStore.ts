import type { ConnectorError } from '../errors';
import type { TopicPartition } from '../types';

/** Where the positions of a group are kept. One instance belongs to one claim: it writes only while that is proved. */
export interface OffsetStore {
  /**
   * The stored position of each partition, by {@link keyOf}: null if there is none, the error if what is stored there
   * is no position. Rejects if the store cannot be asked.
   */
  read(partitions: readonly TopicPartition[]): Promise<Map<string, number | null | ConnectorError>>;
  /** Stores one position. */
  write(at: TopicPartition, nextOffset: number): Promise<void>;
}
