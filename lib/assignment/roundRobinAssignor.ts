import { excerpt } from '../excerpt';
import { javaHashCode } from '../javaHashCode';
import type { TopicPartition } from '../types';
import { compareThreadIds } from '../zookeeper/consumerId';
import type { Assignment, TopicToAssign } from './assignment';
import { oncePerList } from './oncePerList';

/** Whose order it is: that of JVM members from 0.8.2 to 0.11, or that of those from 1.0 on. */
export type RoundRobinTextOrder = '0.8' | '1.0';

/** The texts by whose hashes the partitions are ordered: how Kafka's TopicAndPartition prints itself. */
const TEXT_OF: Readonly<Record<RoundRobinTextOrder, (topic: string, partition: number) => string>> = {
  '0.8': (topic, partition) => `[${topic},${partition}]`,
  '1.0': (topic, partition) => `${topic}-${partition}`,
};

/** A partition that somebody wants. */
interface WantedPartition extends TopicPartition {
  readonly hash: number;
  readonly threads: ReadonlySet<string>;
}

/**
 * Kafka's `roundrobin`: the partitions of all topics, in the order of a hash, go to the threads in turn. A thread that
 * does not want the topic is passed over, and the turn goes on behind the one that got it. Every member computes this
 * alone, so each must be given all topics of the group, also those that it has not subscribed to, each of them once.
 *
 * Where two hashes are equal, a JVM member takes what comes first in a hash map of its own, which depends on its release
 * and on the order in which it has read things: not even two members of the JVM agree about that. Here topic and number
 * of the partition decide.
 */
export function roundRobinAssign(
  topics: readonly TopicToAssign[],
  textOrder: RoundRobinTextOrder,
): Assignment {
  const assignment: Assignment = new Map(topics.map(({ topic }) => [topic, new Map<number, string>()]));
  const lists = new Set(topics.map(({ threads }) => threads));
  const circle = [...new Set([...lists].flat())].sort(compareThreadIds);
  let turn = 0;
  for (const { topic, partition, threads } of inHashOrder(topics, textOrder)) {
    const taker = nextThread(circle, turn, threads);
    assignment.get(topic)?.set(partition, taker.thread);
    turn = taker.index + 1;
  }
  return assignment;
}

/**
 * Why JVM members from 0.8.2 to 0.10.1 fail on these topics of a group, null if they do not: they take only groups in
 * which all topics have the same threads. Those of 0.8.2 take only groups that have a topic, too.
 */
export function refusedByOldMembers(topics: readonly TopicToAssign[]): string | null {
  const [first, ...others] = topics.filter(({ threads }) => threads.length > 0);
  if (first === undefined) return 'no member wants any topic';
  const textOf = oncePerList(threadsText);
  const other = others.find(({ threads }) => textOf(threads) !== textOf(first.threads));
  if (other === undefined) return null;
  return `the topics ${excerpt(first.topic)} and ${excerpt(other.topic)} do not have the same threads`;
}

function inHashOrder(topics: readonly TopicToAssign[], textOrder: RoundRobinTextOrder): WantedPartition[] {
  const wanted = topics.filter(({ threads }) => threads.length > 0);
  const setOf = oncePerList((ids) => new Set(ids));
  const all = wanted.flatMap(({ topic, partitions, threads: ids }) => {
    const threads = setOf(ids);
    return Array.from(new Set(partitions), (partition) => ({
      ...{ topic, partition, threads },
      hash: javaHashCode(TEXT_OF[textOrder](topic, partition)),
    }));
  });
  return all.sort((a, b) => a.hash - b.hash || compareByName(a, b));
}

function compareByName(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}

/** The first thread in the circle, from `turn` on, that is one of `threads`. */
function nextThread(
  circle: readonly string[],
  turn: number,
  threads: ReadonlySet<string>,
): { readonly thread: string; readonly index: number } {
  for (let step = 0; step < circle.length; step++) {
    const index = (turn + step) % circle.length;
    const thread = circle[index];
    if (thread !== undefined && threads.has(thread)) return { thread, index };
  }
  throw new RangeError('None of the threads is in the circle');
}

/** Unequal for unequal sets: no thread id has a slash, since it begins with the name of a node. */
function threadsText(threads: readonly string[]): string {
  return [...new Set(threads)].sort(compareThreadIds).join('/');
}
