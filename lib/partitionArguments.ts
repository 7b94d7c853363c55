import { shownValue } from './config/shownValue';
import { ConnectorError } from './errors';
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

/** @throws ConnectorError OFFSET_INVALID for what is no position */
export function assertOffset(
  call: 'commitOffsets' | 'seek',
  { topic, partition }: TopicPartition,
  nextOffset: number,
): void {
  if (Number.isSafeInteger(nextOffset) && nextOffset >= 0) return;
  const wanted = `a whole number from 0${call === 'seek' ? ', or "smallest" or "largest"' : ''}`;
  const text = `${call}: nextOffset of ${topic}/${partition} must be ${wanted}, not ${shownValue(nextOffset)}`;
  throw new ConnectorError('OFFSET_INVALID', text, { topic, partition });
}

function faultOf(entry: unknown, wanted: string): string[] {
  if (typeof entry === 'object' && entry !== null) {
    const { topic, partition } = entry as Partial<Record<keyof TopicPartition, unknown>>;
    if (typeof topic === 'string' && typeof partition === 'number') return [];
  }
  return [`${wanted}, but one is ${shownValue(entry)}`];
}
