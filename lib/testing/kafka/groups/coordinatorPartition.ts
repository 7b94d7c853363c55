import type { KafkaState, PartitionState } from '../KafkaState';

export const OFFSETS_TOPIC = '__consumer_offsets';

const SMALLEST_INT = -0x8000_0000;

/** The partition of the offsets topic that has this group, or undefined while there is no such topic. */
export function coordinatorPartition(
  { topics }: Pick<KafkaState, 'topics'>,
  groupId: string,
): PartitionState | undefined {
  const { partitions = [] } = topics.get(OFFSETS_TOPIC) ?? {};
  const hash = javaHashOf(groupId);
  // There is no positive number to the smallest one; Kafka takes 0.
  const distance = hash === SMALLEST_INT ? 0 : Math.abs(hash);
  return partitions[distance % partitions.length];
}

/** Java's String.hashCode. */
export function javaHashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}
