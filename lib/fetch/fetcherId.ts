import { javaHashCode } from '../javaHashCode';

/**
 * Which of a broker's `num.consumer.fetchers` fetchers serves a partition: the same one as in the JVM, where it is
 * `Utils.abs(31 * topic.hashCode() + partition) % numFetchers` in int arithmetic (AbstractFetcherManager).
 */
export function fetcherIdOf(topic: string, partition: number, numFetchers: number): number {
  const sum = (Math.imul(31, javaHashCode(topic)) + partition) | 0;
  // Java's abs of the smallest int is itself; Kafka makes it 0.
  return sum === -(2 ** 31) ? 0 : Math.abs(sum) % numFetchers;
}
