import type { ConnectorError } from '../errors';
import type { NextOffset, TopicPartition } from '../types';

export interface WriteOptions {
  /** Whether what fails is tried again (the JVM's `retryOnFailure`). An automatic commit is not: its next interval is. */
  readonly retryOnFailure: boolean;
}

/** Where the positions of a group are kept. One instance belongs to one claim: it writes only while that is proved. */
export interface OffsetStore {
  /** Whether it forgets a position that is not stored again for long, so that also unchanged ones have to be. */
  readonly forgets: boolean;
  /**
   * The stored position of each partition, by {@link keyOf}: null if there is none, the error if what is stored there
   * is no position. Rejects if the store cannot be asked, or soon after the signal is aborted.
   */
  read(
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<Map<string, number | null | ConnectorError>>;
  /** Stores positions, one for each partition at most. Resolves with the error of each, by {@link keyOf}, that could not be stored. */
  write(
    positions: readonly NextOffset[],
    options: WriteOptions,
  ): Promise<ReadonlyMap<string, ConnectorError>>;
  /** Ends its connections. */
  close(): void;
}
