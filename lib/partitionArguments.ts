import { shownValue } from './config/shownValue';
import type { TopicPartition } from './types';
import { wrongArguments } from './wrongArguments';

/**
 * The entries of a list that an application has given, each checked to name a partition.
 *
 * @param list - what was given
 * @param wanted - what it should be, such as `commitOffsets takes a list of { topic, partition, nextOffset }`
 * @throws ConnectorError CONFIG_INVALID with all faults
 */
export function partitionsGiven<T extends TopicPartition>(list: Iterable<T>, wanted: string): T[] {
  const given: unknown = list;
  if (typeof given !== 'object' || given === null || !(Symbol.iterator in given)) {
    throw wrongArguments([`${wanted}, not ${shownValue(given)}`]);
  }
  const entries = [...list];
  const faults = entries.flatMap((entry) => faultOf(entry, wanted));
  if (faults.length > 0) throw wrongArguments(faults);
  return entries;
}

/** The same for one partition. */
export function partitionGiven<T extends TopicPartition>(entry: T, wanted: string): T {
  return partitionsGiven([entry], wanted)[0] as T;
}

function faultOf(entry: unknown, wanted: string): string[] {
  if (typeof entry === 'object' && entry !== null) {
    const { topic, partition } = entry as Partial<Record<keyof TopicPartition, unknown>>;
    if (typeof topic === 'string' && typeof partition === 'number') return [];
  }
  return [`${wanted}, but one is ${shownValue(entry)}`];
}
