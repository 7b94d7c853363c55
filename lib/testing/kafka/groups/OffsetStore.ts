/** What a group has committed for one partition. */
export interface StoredOffset {
  readonly offset: number;
  /** -1 if the client did not say. */
  readonly leaderEpoch: number;
  readonly metadata: string | null;
  /** Milliseconds since 1970: when the broker got it, unless the client said otherwise. */
  readonly commitTimestamp: number;
}

type Partitions = Map<number, StoredOffset>;

/** The committed offsets of all groups, as the offsets topic keeps them. */
export class OffsetStore {
  readonly #groups = new Map<string, Map<string, Partitions>>();

  has(group: string): boolean {
    return this.#groups.has(group);
  }

  set(group: string, topic: string, partition: number, stored: StoredOffset): void {
    const topics = this.#groups.get(group) ?? new Map<string, Partitions>();
    const partitions = topics.get(topic) ?? new Map<number, StoredOffset>();
    this.#groups.set(group, topics.set(topic, partitions.set(partition, stored)));
  }

  get(group: string, topic: string, partition: number): StoredOffset | undefined {
    return this.#groups.get(group)?.get(topic)?.get(partition);
  }

  /** By topic and partition. */
  topicsOf(group: string): ReadonlyMap<string, ReadonlyMap<number, StoredOffset>> {
    return this.#groups.get(group) ?? new Map<string, Partitions>();
  }

  removeTopic(topic: string): void {
    for (const topics of this.#groups.values()) topics.delete(topic);
  }
}
