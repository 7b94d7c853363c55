import { excerpt } from '../excerpt';
import { ArgumentFaults } from './argumentFaults';
import type { EmbeddedTopicOptions } from './EmbeddedClusterOptions';
import type { Generation } from './kafka/Generation';
import { isTopicName } from './kafka/topicNames';
import { checkTopicConfig } from './topicProperties';

/** Where a topic is to be. */
interface TopicSurroundings {
  readonly kafka: Generation;
  /** How many there are, with ids from 1. */
  readonly brokers: number;
}

/** A topic with more would take this process's memory. */
export const MOST_PARTITIONS = 10_000;

const OPTIONS = ['partitions', 'replicas', 'assignment', 'config'] as const;
const RIGHT = 'an object such as { partitions: 4, replicas: 2 }';

/** @throws TypeError with all that is wrong */
export function refuseWrongTopic(name: unknown, options: unknown, surroundings: TopicSurroundings): void {
  const faults = new ArgumentFaults('createTopic').text('name', name);
  if (typeof name === 'string') checkTopicName(faults, name, surroundings.kafka);
  checkTopicOptions(faults, options, surroundings);
  faults.refuse();
}

export function checkTopicName(faults: ArgumentFaults, name: string, kafka: Generation): boolean {
  const isRight = isTopicName(name, kafka);
  if (!isRight) {
    faults.add(
      `${excerpt(name)} cannot be a topic's name; one has 1 to 249 letters, digits, ".", "_" and "-", and is not "." or ".."`,
    );
  }
  return isRight;
}

/** @param where - what stands in front of the names of options, such as `topics.orders.` */
export function checkTopicOptions(
  faults: ArgumentFaults,
  given: unknown,
  { kafka, brokers }: TopicSurroundings,
  where = '',
): void {
  const subject = where === '' ? 'options' : where.slice(0, -1);
  const options = faults.fields(subject, given, OPTIONS, RIGHT);
  if (brokers === 0) faults.add(`${subject}: a topic needs a broker, and there is none`);
  if (options === null || brokers === 0) return;
  const { partitions, replicas, assignment, config } = options;
  if (partitions !== undefined) faults.wholeNumber(`${where}partitions`, partitions, 1, MOST_PARTITIONS);
  if (replicas !== undefined) {
    const right = `a whole number from 1 to ${brokers}, the number of brokers`;
    faults.check(isWithin(replicas, brokers), `${where}replicas`, right, replicas);
  }
  if (assignment !== undefined) {
    const isList = isAssignment(assignment, brokers);
    const right = `a list with the broker ids of each partition, such as [[1, 2], [2, 1]] (there are brokers 1 to ${brokers}; none twice for a partition)`;
    faults.check(isList, `${where}assignment`, right, assignment);
    if (isList) checkSizes(faults, assignment, { partitions, replicas }, where);
  }
  if (config !== undefined) checkTopicConfig(faults, `${where}config`, config, kafka);
}

/** The brokers of each partition, by options that are right. */
export function assignmentOf(options: EmbeddedTopicOptions, brokers: number): readonly (readonly number[])[] {
  const { partitions = 1, replicas = 1 } = options;
  return options.assignment ?? inTurn(0, partitions, brokers, replicas);
}

/** Partition p is led by broker (p % brokers) + 1, and its other replicas are the next ones. */
export function inTurn(from: number, to: number, brokers: number, replicas: number): number[][] {
  return Array.from({ length: to - from }, (_, index) =>
    Array.from({ length: replicas }, (_none, replica) => ((from + index + replica) % brokers) + 1),
  );
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}

function isAssignment(given: unknown, brokers: number): given is readonly (readonly number[])[] {
  return isFilledList(given, MOST_PARTITIONS) && given.every((replicas) => isReplicas(replicas, brokers));
}

function isReplicas(given: unknown, brokers: number): boolean {
  return (
    isFilledList(given, brokers) &&
    given.every((id) => isWithin(id, brokers)) &&
    new Set(given).size === given.length
  );
}

function isFilledList(given: unknown, most: number): given is readonly unknown[] {
  return Array.isArray(given) && given.length >= 1 && given.length <= most;
}

/** Both numbers follow from an assignment: one that says something else is a mistake in one of them. */
function checkSizes(
  faults: ArgumentFaults,
  assignment: readonly (readonly number[])[],
  { partitions, replicas }: { readonly partitions: unknown; readonly replicas: unknown },
  where: string,
): void {
  if (partitions !== undefined && partitions !== assignment.length) {
    const right = `${assignment.length}, as many as there are in ${where}assignment, or left out`;
    faults.check(false, `${where}partitions`, right, partitions);
  }
  const other = assignment.find(({ length }) => replicas !== undefined && length !== replicas);
  if (other !== undefined) {
    const right = `${other.length}, as many as there are in ${where}assignment, or left out`;
    faults.check(false, `${where}replicas`, right, replicas);
  }
}
