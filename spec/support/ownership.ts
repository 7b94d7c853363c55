import type { ZookeeperAdmin } from './cluster/ZookeeperAdmin';
import { waitFor } from './waitFor';

/** What `range` gives the threads of one topic, counted without the code under test: "topic/partition" to thread id. */
export function rangeOf(topic: string, partitions: number, threads: readonly string[]): Map<string, string> {
  const sorted = [...threads].sort();
  const share = Math.floor(partitions / sorted.length);
  const extras = partitions % sorted.length;
  const owners = sorted.flatMap((thread, index) =>
    Array.from({ length: share + (index < extras ? 1 : 0) }, () => thread),
  );
  return new Map(owners.map((thread, partition) => [`${topic}/${partition}`, thread]));
}

/** A topic with the ids of all threads that want it. */
export interface WantedTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly threads: readonly string[];
}

/**
 * What `roundrobin` gives the threads of a group, counted without the code under test: the partitions of all topics in the
 * order of their texts' hash codes in Java, "[topic,partition]" up to 0.11 and "topic-partition" from 1.0 on.
 */
export function roundRobinOf(topics: readonly WantedTopic[], textOrder: '0.8' | '1.0'): Map<string, string> {
  const all = topics.flatMap(({ topic, partitions, threads }) =>
    Array.from({ length: partitions }, (_, partition) => ({
      ...{ at: `${topic}/${partition}`, threads },
      hash: javaHash(textOrder === '0.8' ? `[${topic},${partition}]` : `${topic}-${partition}`),
    })),
  );
  let circle = [...new Set(topics.flatMap(({ threads }) => threads))].sort();
  const owners = new Map<string, string>();
  for (const { at, threads } of all.sort((a, b) => a.hash - b.hash)) {
    const index = circle.findIndex((thread) => threads.includes(thread));
    owners.set(at, circle[index] ?? '');
    circle = [...circle.slice(index + 1), ...circle.slice(0, index + 1)];
  }
  return owners;
}

function javaHash(text: string): number {
  return Buffer.from(text, 'ascii').reduce((hash, code) => (Math.imul(31, hash) + code) | 0, 0);
}

/** Owner texts by "topic/partition", as they are in ZooKeeper; of all topics of the group by default. */
export async function ownersOf(
  zookeeper: ZookeeperAdmin,
  group: string,
  topics?: readonly string[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (const topic of topics ?? (await zookeeper.children(`/consumers/${group}/owners`))) {
    const path = `/consumers/${group}/owners/${topic}`;
    for (const partition of await zookeeper.children(path)) {
      const node = await zookeeper.get(`${path}/${partition}`);
      if (node !== null) owners.set(`${topic}/${partition}`, node.data?.toString() ?? '');
    }
  }
  return owners;
}

/** A member of either kind. */
export interface OwningMember {
  readonly consumerId: string;
  /** Thread id by "topic/partition", in its own words. */
  readonly owned: ReadonlyMap<string, string>;
  readonly log: string;
}

/** Resolves when ZooKeeper, and the members themselves, say that each has exactly its range; they have one stream each. */
export async function untilRanges(
  zookeeper: ZookeeperAdmin,
  { group, topic, partitions }: { group: string; topic: string; partitions: number },
  members: readonly OwningMember[],
  timeoutMs = 60_000,
): Promise<void> {
  const threads = members.map(({ consumerId }) => `${consumerId}-0`);
  const wanted = rangeOf(topic, partitions, threads);
  await waitFor(
    async () =>
      asText(await ownersOf(zookeeper, group, [topic])) === asText(wanted) &&
      members.every((member) => knowsItsOwn(member, wanted)),
    {
      timeoutMs,
      description: `owners ${asText(wanted)}`,
      details: () => members.map(({ log }) => log).join('\n'),
    },
  );
}

/** Whether a member's own word is what these owners give to it. */
export function knowsItsOwn(
  { consumerId, owned }: OwningMember,
  owners: ReadonlyMap<string, string>,
): boolean {
  const own = [...owners].filter(([, thread]) => thread.startsWith(`${consumerId}-`));
  return asText(owned) === asText(new Map(own));
}

export function asText(owners: ReadonlyMap<string, string>): string {
  return JSON.stringify([...owners].sort());
}
