import type { TopicPartition } from '../types';
import { NONE } from './errorCodes';
import { readByTopic, writeByTopic, type PartitionAnswer } from './topicGroups';
import type { ByteReader, KafkaRequest } from './wire';

/** 2 is for brokers from 0.10.2, 1 for those from 0.8.2. There is a version 0, too, but it reads from ZooKeeper. */
export type OffsetFetchVersion = 1 | 2;

export interface StoredPartition extends PartitionAnswer {
  /** -1 if nothing is stored. May be any int64, so that one that is too large is no fault of the others. */
  readonly offset: bigint;
}

export const OFFSET_FETCH_API_KEY = 9;

const NOTHING_STORED = -1n;
/** Partition, offset, the length of the metadata, error. */
const LEAST_PARTITION_BYTES = 16;

/**
 * Asks the coordinator of a group for its stored positions.
 *
 * Version 1 has an error of the group in each partition, but 3.9 then leaves the partitions out; version 2 has it by itself, and it
 * is told of each partition that was asked for. An empty list would mean "all partitions" for 0.9 and is refused.
 */
export function offsetFetchRequest(
  version: OffsetFetchVersion,
  group: string,
  partitions: readonly TopicPartition[],
): KafkaRequest<readonly StoredPartition[]> {
  if (partitions.length === 0) throw new RangeError('the offset of no partition at all was asked for');
  return {
    apiKey: OFFSET_FETCH_API_KEY,
    apiVersion: version,
    name: `OffsetFetch v${version}`,
    write(writer) {
      writer.string(group);
      writeByTopic(writer, partitions, ({ partition }) => writer.int32(partition));
    },
    read(reader) {
      const stored = readByTopic(reader, LEAST_PARTITION_BYTES, (topic) => readPartition(reader, topic));
      const errorOfGroup = version === 2 ? reader.int16() : NONE;
      if (errorOfGroup === NONE) return stored;
      return partitions.map(({ topic, partition }) => ({
        ...{ topic, partition, errorCode: errorOfGroup, offset: NOTHING_STORED },
      }));
    },
  };
}

function readPartition(reader: ByteReader, topic: string): StoredPartition {
  const partition = reader.int32();
  const offset = (BigInt(reader.int32()) << 32n) | BigInt(reader.int32() >>> 0);
  reader.nullableString(); // metadata: what other clients have put there
  return { topic, partition, offset, errorCode: reader.int16() };
}
