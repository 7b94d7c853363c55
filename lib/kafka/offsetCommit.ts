import type { NextOffset } from '../types';
import { readByTopic, writeByTopic, type PartitionAnswer } from './topicGroups';
import type { KafkaRequest } from './wire';

/** 1 is for brokers from 0.8.2. There is a version 0, too, but it stores in ZooKeeper. */
export type OffsetCommitVersion = 1 | 2;

export const OFFSET_COMMIT_API_KEY = 8;

/** Generation and member of a group whose members the coordinator does not know. */
const NO_GENERATION = -1;
const NO_MEMBER = '';
/** The broker's clock, and the broker's own offsets.retention.minutes. */
const NOW = -1;
const RETENTION_OF_BROKER = -1;
const NO_METADATA = '';
const PARTITION_BYTES = 6;

/** Stores positions of a group with its coordinator. Version 1 has a time for each, version 2 one retention for all. */
export function offsetCommitRequest(
  version: OffsetCommitVersion,
  group: string,
  positions: readonly NextOffset[],
): KafkaRequest<readonly PartitionAnswer[]> {
  return {
    apiKey: OFFSET_COMMIT_API_KEY,
    apiVersion: version,
    name: `OffsetCommit v${version}`,
    write(writer) {
      writer.string(group);
      writer.int32(NO_GENERATION);
      writer.string(NO_MEMBER);
      if (version === 2) writer.int64(RETENTION_OF_BROKER);
      writeByTopic(writer, positions, ({ partition, nextOffset }) => {
        writer.int32(partition);
        writer.int64(nextOffset);
        if (version === 1) writer.int64(NOW);
        writer.string(NO_METADATA);
      });
    },
    read: (reader) =>
      readByTopic(reader, PARTITION_BYTES, (topic) => ({
        ...{ topic, partition: reader.int32(), errorCode: reader.int16() },
      })),
  };
}
