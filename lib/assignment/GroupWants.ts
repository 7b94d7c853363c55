import { WorkSlice } from '../WorkSlice';
import { compareThreadIds, threadId } from '../zookeeper/consumerId';
import type { Registration } from '../zookeeper/registration';
import type { TopicToAssign } from './assignment';
import { topicPattern } from './topicPattern';

/** How many streams a member has for a topic. */
type StreamsOf = (topic: string) => number;

/**
 * What the members of a group want, as one member sees it: it evaluates the filters of the others, too, by its own
 * setting of which topics no filter matches. Thousands of topics and filters take their time, in which the event loop gets
 * its turns: the session has to be kept alive.
 */
export class GroupWants {
  /** By consumer id. */
  readonly #members: readonly (readonly [consumerId: string, streamsOf: StreamsOf])[];
  /** Topics that are subscribed to by name. */
  readonly #named: ReadonlySet<string>;
  /** Whether any member has a filter. */
  readonly hasFilters: boolean;
  /** Which members want a topic, each with its number of streams, as a text; by topic. */
  readonly #wantsOf = new Map<string, string>();
  /** The threads by that text: most topics are wanted by the same ones. */
  readonly #threads = new Map<string, readonly string[]>();
  /** Ends the evaluation. */
  readonly #signal: AbortSignal;

  /**
   * @param registrations - by consumer id
   * @param excluded - topics that no filter matches
   * @throws ConnectorError REGISTRATION_INVALID for a filter that cannot be evaluated
   */
  constructor(
    registrations: ReadonlyMap<string, Registration>,
    excluded: readonly string[],
    signal: AbortSignal,
  ) {
    const all = [...registrations];
    this.#members = all.map(([id, registration]) => [id, streamsByTopic(registration, excluded)]);
    const byName = all.filter(([, { pattern }]) => pattern === 'static');
    this.#named = new Set(byName.flatMap(([, { subscription }]) => [...subscription.keys()]));
    this.hasFilters = byName.length < all.length;
    this.#signal = signal;
  }

  /** The topics that somebody wants: named ones, whether there are such or not, and those of `existing` that a filter takes. */
  async topics(existing: readonly string[]): Promise<Set<string>> {
    await this.#evaluate(existing);
    const wanted = existing.filter((topic) => this.#wantsOf.get(topic) !== '');
    return new Set([...this.#named, ...wanted]);
  }

  /** What an assignor works on. Topics that the same members want have the same list of threads. */
  async assignmentInput(partitionsOfTopic: ReadonlyMap<string, readonly number[]>): Promise<TopicToAssign[]> {
    await this.#evaluate(partitionsOfTopic.keys());
    return Array.from(partitionsOfTopic, ([topic, partitions]) => ({
      topic,
      partitions,
      threads: this.#threadsFor(this.#wantsOf.get(topic) ?? ''),
    }));
  }

  async #evaluate(topics: Iterable<string>): Promise<void> {
    const slice = new WorkSlice();
    for (const topic of topics) {
      if (this.#wantsOf.has(topic)) continue;
      const wants: string[] = [];
      for (const [index, [, streamsOf]] of this.#members.entries()) {
        if (slice.isOver) await slice.next();
        this.#signal.throwIfAborted();
        const streams = streamsOf(topic);
        if (streams > 0) wants.push(`${index}:${streams}`);
      }
      this.#wantsOf.set(topic, wants.join());
    }
  }

  /** The ids of the threads, in the assignors' order. */
  #threadsFor(wants: string): readonly string[] {
    const known = this.#threads.get(wants);
    if (known !== undefined) return known;
    const threads: string[] = [];
    for (const want of wants === '' ? [] : wants.split(',')) {
      const [index = -1, streams = 0] = want.split(':').map(Number);
      const [consumerId = ''] = this.#members[index] ?? [];
      for (let n = 0; n < streams; n++) threads.push(threadId(consumerId, n));
    }
    threads.sort(compareThreadIds);
    this.#threads.set(wants, threads);
    return threads;
  }
}

function streamsByTopic(
  { path, pattern, subscription }: Registration,
  excluded: readonly string[],
): StreamsOf {
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
