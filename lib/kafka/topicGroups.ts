import type { ByteWriter } from './wire';

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
