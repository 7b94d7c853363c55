import { compareThreadIds } from '../zookeeper/consumerId';
import type { Assignment, TopicToAssign } from './assignment';
import { oncePerList } from './oncePerList';

/**
 * Kafka's `range`: per topic, each thread gets a run of partitions, the first ones one more if they cannot be equal.
 * Every member computes this alone, so equal input must give an equal result. Topics without threads get no partitions.
 */
export function rangeAssign(topics: Iterable<TopicToAssign>): Assignment {
  const assignment: Assignment = new Map();
  const inTurn = oncePerList((threads) => [...new Set(threads)].sort(compareThreadIds));
  for (const { topic, partitions, threads } of topics) {
    assignment.set(topic, rangeAssignTopic(partitions, inTurn(threads)));
  }
  return assignment;
}

function rangeAssignTopic(partitions: readonly number[], candidates: readonly string[]): Map<number, string> {
  const inOrder = [...new Set(partitions)].sort((a, b) => a - b);
  const share = Math.floor(inOrder.length / candidates.length);
  const extras = inOrder.length % candidates.length;
  const owners = new Map<number, string>();
  for (const [index, thread] of candidates.entries()) {
    const start = share * index + Math.min(index, extras);
    const end = start + share + (index < extras ? 1 : 0);
    if (start === end) break; // the others get nothing either
    for (const partition of inOrder.slice(start, end)) owners.set(partition, thread);
  }
  return owners;
}
