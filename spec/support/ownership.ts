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

/** Owner texts by "topic/partition", as they are in ZooKeeper. */
export async function ownersOf(
  zookeeper: ZookeeperAdmin,
  group: string,
  topics: readonly string[],
): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  for (const topic of topics) {
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
    async () => {
      if (asText(await ownersOf(zookeeper, group, [topic])) !== asText(wanted)) return false;
      return members.every(({ owned }, index) => {
        const own = [...wanted].filter(([, thread]) => thread === threads[index]);
        return asText(owned) === asText(new Map(own));
      });
    },
    {
      timeoutMs,
      description: `owners ${asText(wanted)}`,
      details: () => members.map(({ log }) => log).join('\n'),
    },
  );
}

export function asText(owners: ReadonlyMap<string, string>): string {
  return JSON.stringify([...owners].sort());
}
