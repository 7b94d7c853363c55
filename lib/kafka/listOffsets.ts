import { ISOLATION_LEVELS, type IsolationLevel } from './isolationLevel';
import { readByTopic, writeByTopic, type PartitionAnswer } from './topicGroups';
import type { KafkaRequest } from './wire';

export type ListOffsetsVersion = 0 | 1 | 2;

export interface OffsetQuery {
  readonly topic: string;
  readonly partition: number;
  /** The first offset that is still there, or the one behind the last that the asker can get. */
  readonly time: 'smallest' | 'largest';
}

export interface ListedOffset extends PartitionAnswer {
  /** null if the broker names none (always with an error). */
  readonly offset: number | null;
}

export const LIST_OFFSETS_API_KEY = 2;

/** Says that the asker is a consumer, not a replica. */
const CONSUMER = -1;
const TIMES = { smallest: -2, largest: -1 } as const;
const LEAST_PARTITION_BYTES = 10;

/**
 * Version 0 lists offsets (one is asked for); version 1 (0.10.1) names one, with its timestamp; version 2 (0.11) knows the
 * isolation level, and with read_committed the largest offset is the beginning of the first open transaction. Ask for each partition once at most:
 * of two questions about one partition 0.8 answers one, and version 1 answers both with INVALID_REQUEST.
 */
export function listOffsetsRequest(
  version: ListOffsetsVersion,
  queries: readonly OffsetQuery[],
  isolationLevel: IsolationLevel,
): KafkaRequest<readonly ListedOffset[]> {
  return {
    apiKey: LIST_OFFSETS_API_KEY,
    apiVersion: version,
    name: `ListOffsets v${version}`,
    write(writer) {
      writer.int32(CONSUMER);
      if (version === 2) writer.int8(ISOLATION_LEVELS[isolationLevel]);
      writeByTopic(writer, queries, (query) => {
        writer.int32(query.partition);
        writer.int64(TIMES[query.time]);
        if (version === 0) writer.int32(1);
      });
    },
    read(reader) {
      if (version === 2) reader.int32(); // throttle time
      return readByTopic(reader, LEAST_PARTITION_BYTES, (topic) => {
        const partition = reader.int32();
        const errorCode = reader.int16();
        let offset: number;
        if (version === 0) {
          offset = reader.array(8, () => reader.int64())[0] ?? -1;
        } else {
          reader.int64(); // timestamp
          offset = reader.int64();
        }
        return { topic, partition, errorCode, offset: errorCode !== 0 || offset < 0 ? null : offset };
      });
    },
  };
}
