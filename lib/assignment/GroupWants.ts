import { compareThreadIds, threadId } from '../zookeeper/consumerId';
import type { Registration } from '../zookeeper/registration';
import type { TopicToAssign } from './assignment';
import { topicPattern } from './topicPattern';

/**
 * What the members of a group want, as one member sees it: it evaluates the filters of the others, too, by its own
 * setting of which topics no filter matches.
 */
export class GroupWants {
  /** For each member, by consumer id: how many streams it has for a topic. */
  readonly #streamsOf: ReadonlyMap<string, (topic: string) => number>;
  /** Topics that are subscribed to by name. */
  readonly #named: ReadonlySet<string>;
  /** Whether any member has a filter. */
  readonly hasFilters: boolean;

  /**
   * @param registrations - by consumer id
   * @param excluded - topics that no filter matches
   */
  constructor(registrations: ReadonlyMap<string, Registration>, excluded: readonly string[]) {
    const all = [...registrations];
    this.#streamsOf = new Map(all.map(([id, registration]) => [id, streamsByTopic(registration, excluded)]));
    const byName = all.filter(([, { pattern }]) => pattern === 'static');
    this.#named = new Set(byName.flatMap(([, { subscription }]) => [...subscription.keys()]));
    this.hasFilters = byName.length < all.length;
  }

  /** The topics that somebody wants: named ones, whether there are such or not, and those of `existing` that a filter takes. */
  topics(existing: readonly string[]): Set<string> {
    const wanted = existing.filter((topic) =>
      [...this.#streamsOf.values()].some((streamsOf) => streamsOf(topic) > 0),
    );
    return new Set([...this.#named, ...wanted]);
  }

  /** What an assignor works on. */
  assignmentInput(partitionsOfTopic: ReadonlyMap<string, readonly number[]>): TopicToAssign[] {
    return Array.from(partitionsOfTopic, ([topic, partitions]) => ({
      topic,
      partitions,
      threads: this.#threadsFor(topic),
    }));
  }

  /** The ids of all threads that want a topic, in the assignors' order. */
  #threadsFor(topic: string): string[] {
    const threads: string[] = [];
    for (const [consumerId, streamsOf] of this.#streamsOf) {
      const streams = streamsOf(topic);
      for (let n = 0; n < streams; n++) threads.push(threadId(consumerId, n));
    }
    return threads.sort(compareThreadIds);
  }
}

function streamsByTopic(
  { path, pattern, subscription }: Registration,
  excluded: readonly string[],
): (topic: string) => number {
  if (pattern === 'static') return (topic) => subscription.get(topic) ?? 0;
  // A JVM member takes only the first of several keys. (Up to four keys that is the first in the text; with more it
  // goes by hash. Names that are all digits come first here, as they do in what a JavaScript member has written.)
  const first = subscription.entries().next();
  if (first.done === true) return () => 0;
  const [regex, streams] = first.value;
  const matcher = topicPattern(regex, path);
  return (topic) =>
    matcher.test(topic) === (pattern === 'white_list') && !excluded.includes(topic) ? streams : 0;
}
