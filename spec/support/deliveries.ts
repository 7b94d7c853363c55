import type { TopicPartition } from '../../lib';

/** A message as any member reported it. */
export interface Delivered extends TopicPartition {
  readonly offset: number;
  readonly value: unknown;
}

export interface Receiver {
  readonly consumerId: string;
  readonly messages: readonly Delivered[];
}

export interface Repetition extends TopicPartition {
  readonly offset: number;
  /** Consumer ids of all who got it; one that got it twice is there twice. */
  readonly by: readonly string[];
}

export interface DeliveryReport {
  /** "topic/partition@offset" of what nobody got, or got with another value than was produced. */
  readonly missing: readonly string[];
  readonly repeated: readonly Repetition[];
  /** "topic/partition" of all that more than one member has read: taken over. */
  readonly takenOver: ReadonlySet<string>;
}

/** Compares what was produced with what the members got, all together. */
export function compareDeliveries(
  produced: readonly Delivered[],
  receivers: readonly Receiver[],
): DeliveryReport {
  const got = new Map<string, { message: Delivered; by: string[] }>();
  const readers = new Map<string, Set<string>>();
  for (const { consumerId, messages } of receivers) {
    for (const message of messages) {
      const key = keyOf(message);
      const entry = got.get(key);
      if (entry === undefined) got.set(key, { message, by: [consumerId] });
      else entry.by.push(consumerId);
      const partition = `${message.topic}/${message.partition}`;
      readers.set(partition, (readers.get(partition) ?? new Set()).add(consumerId));
    }
  }
  const missing = produced
    .filter((message) => got.get(keyOf(message))?.message.value !== message.value)
    .map(keyOf);
  const repeated = [...got.values()]
    .filter(({ by }) => by.length > 1)
    .map(({ message: { topic, partition, offset }, by }) => ({ topic, partition, offset, by }));
  const takenOver = new Set([...readers].filter(([, by]) => by.size > 1).map(([partition]) => partition));
  return { missing, repeated, takenOver };
}

function keyOf({ topic, partition, offset }: Delivered): string {
  return `${topic}/${partition}@${offset}`;
}
