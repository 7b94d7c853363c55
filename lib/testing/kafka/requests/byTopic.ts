/**
 * What is asked for, by topic and partition. Brokers keep it so: what is named twice is answered once, in the first place but
 * as it was named last.
 */
export function byTopic<P>(
  topics: Iterable<readonly [topic: string, partitions: readonly P[]]>,
  indexOf: (partition: P) => number,
): ReadonlyMap<string, ReadonlyMap<number, P>> {
  const wanted = new Map<string, Map<number, P>>();
  for (const [topic, partitions] of topics) {
    const known = wanted.get(topic) ?? new Map<number, P>();
    for (const partition of partitions) known.set(indexOf(partition), partition);
    wanted.set(topic, known);
  }
  return wanted;
}
