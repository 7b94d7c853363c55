import { writeByTopic } from './topicGroups';
import type { KafkaRequest } from './wire';

export type FetchVersion = 0 | 1 | 2 | 3;

export interface FetchPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** At most so many bytes of this partition (version 3: more if its first entry is larger and it comes first). */
  readonly maxBytes: number;
}

export interface FetchArguments {
  readonly maxWaitMs: number;
  readonly minBytes: number;
  /** At most so many bytes in all; only version 3 can say it, and its broker serves partitions in their order. */
  readonly maxBytes: number;
  readonly partitions: readonly FetchPosition[];
}

export interface FetchedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  /** -1 with an error. */
  readonly highWatermark: number;
  /** A view into the answer, which it keeps alive; empty if there is nothing. */
  readonly records: Buffer;
}

export const FETCH_API_KEY = 1;

/** Says that the asker is a consumer, not a replica. */
const CONSUMER = -1;
const LEAST_TOPIC_BYTES = 6;
const LEAST_PARTITION_BYTES = 18;

/** Version 1 and later answer with a throttle time in front, version 2 and later with timestamps in the messages. */
export function fetchRequest(
  version: FetchVersion,
  { maxWaitMs, minBytes, maxBytes, partitions }: FetchArguments,
): KafkaRequest<readonly FetchedPartition[]> {
  return {
    apiKey: FETCH_API_KEY,
    apiVersion: version,
    name: `Fetch v${version}`,
    write(writer) {
      writer.int32(CONSUMER);
      writer.int32(maxWaitMs);
      writer.int32(minBytes);
      if (version >= 3) writer.int32(maxBytes);
      writeByTopic(writer, partitions, (position) => {
        writer.int32(position.partition);
        writer.int64(position.offset);
        writer.int32(position.maxBytes);
      });
    },
    read(reader) {
      if (version >= 1) reader.int32(); // throttle time: the broker has waited already
      const topics = reader.array(LEAST_TOPIC_BYTES, () => {
        const topic = reader.string();
        return reader.array(LEAST_PARTITION_BYTES, () => ({
          topic,
          partition: reader.int32(),
          errorCode: reader.int16(),
          highWatermark: reader.int64(),
          records: reader.bytes(),
        }));
      });
      return topics.flat();
    },
  };
}
