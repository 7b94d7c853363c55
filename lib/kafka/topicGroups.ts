import type { TopicPartition } from '../types';
import type { ByteReader, ByteWriter } from './wire';

/** What a broker says of one partition. */
export interface PartitionAnswer extends TopicPartition {
  readonly errorCode: number;
}

const LEAST_TOPIC_BYTES = 6;

/**
 * Writes partitions as the protocol's nested arrays, topic by topic. Topics stand in the order of their first partition
 * and partitions in the order given, since a broker that fills a bounded answer (Fetch v3) goes by that order.
 */
export function writeByTopic<P extends { readonly topic: string }>(
  writer: ByteWriter,
  partitions: readonly P[],
  writePartition: (partition: P) => void,
): void {
  const topics = new Map<string, P[]>();
  for (const partition of partitions) {
    const group = topics.get(partition.topic);
    if (group === undefined) topics.set(partition.topic, [partition]);
    else group.push(partition);
  }
  writer.int32(topics.size);
  for (const [topic, group] of topics) {
    writer.string(topic);
    writer.int32(group.length);
    for (const partition of group) writePartition(partition);
  }
}

/** Reads what a broker says of partitions, in the protocol's nested arrays. */
export function readByTopic<A extends PartitionAnswer>(
  reader: ByteReader,
  leastPartitionBytes: number,
  readPartition: (topic: string) => A,
): A[] {
  const topics = reader.array(LEAST_TOPIC_BYTES, () => {
    const topic = reader.string();
    return reader.array(leastPartitionBytes, () => readPartition(topic));
  });
  return topics.flat();
}
