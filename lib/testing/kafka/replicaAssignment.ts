import type { RandomNumbers } from '../network/RandomNumbers';

/**
 * Replicas per partition, spread as Kafka spreads those of a topic that it creates itself: leaders in turn from a random
 * broker on, and the other replicas a shift behind that grows with each round.
 *
 * @param brokers - ids, as many as `replicas` or more
 */
export function assignReplicas(
  brokers: readonly number[],
  partitions: number,
  replicas: number,
  random: RandomNumbers,
): number[][] {
  const count = brokers.length;
  const start = Math.floor(random.between(0, count));
  const firstShift = Math.floor(random.between(0, count));
  return Array.from({ length: partitions }, (_, partition) => {
    const leader = (partition + start) % count;
    const shift = firstShift + Math.floor(partition / count);
    return Array.from({ length: replicas }, (_, replica) => {
      const distance = replica === 0 ? 0 : 1 + ((shift + replica - 1) % (count - 1));
      return brokers[(leader + distance) % count] ?? -1;
    });
  });
}
