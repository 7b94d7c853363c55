import { compareThreadIds, threadId } from '../zookeeper/consumerId';
import type { Registration } from '../zookeeper/registration';
import type { TopicToAssign } from './rangeAssignor';
import { topicPattern } from './topicPattern';

/** The only internal topic that members of all versions leave out of a wildcard subscription. */
const OFFSETS_TOPIC = '__consumer_offsets';

/**
 * The ids of all threads of the group that want a topic, in the assignors' order: per topic only those members count
 * whose registration has it. The registrations are by consumer id.
 */
export function threadsForTopic(topic: string, registrations: ReadonlyMap<string, Registration>): string[] {
  const threads: string[] = [];
  for (const [consumerId, registration] of registrations) {
    const streams = streamsForTopic(topic, registration);
    for (let n = 0; n < streams; n++) threads.push(threadId(consumerId, n));
  }
  return threads.sort(compareThreadIds);
}

/** What an assignor works on: for each topic, which the own member has subscribed to, its threads. */
export function assignmentInput(
  partitionsOfTopic: ReadonlyMap<string, readonly number[]>,
  registrations: ReadonlyMap<string, Registration>,
): TopicToAssign[] {
  return Array.from(partitionsOfTopic, ([topic, partitions]) => ({
    topic,
    partitions,
    threads: threadsForTopic(topic, registrations),
  }));
}

function streamsForTopic(topic: string, { path, pattern, subscription }: Registration): number {
  if (pattern === 'static') return subscription.get(topic) ?? 0;
  // A JVM member takes only the first of several keys. (Up to four keys that is the first in the text; with more it
  // goes by hash. Names that are all digits come first here, as they do in what a JavaScript member has written.)
  const first = subscription.entries().next();
  if (first.done === true) return 0;
  const [regex, streams] = first.value;
  const isMatch = topicPattern(regex, path).test(topic);
  if (topic === OFFSETS_TOPIC) return 0;
  return isMatch === (pattern === 'white_list') ? streams : 0;
}
