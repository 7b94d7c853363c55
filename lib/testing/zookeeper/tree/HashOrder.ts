/**
 * A set of texts that gives them in the order of Java's HashSet, which is the one in which real servers answer names
 * of children and delete the ephemeral nodes of a session. Not rebuilt is the tree that Java makes of a bucket with more
 * than eight texts, which takes names that were chosen for it.
 */
export class HashOrder {
  readonly #hashOf: (text: string) => number;
  /** Texts with their hashes; the older first, which is their order within a bucket. */
  readonly #hashes = new Map<string, number>();
  /** Number of buckets, a power of two; it never shrinks. */
  #capacity: number;
  /** Known until the set changes. */
  #ordered: readonly string[] | null = null;

  constructor(capacity: number, hashOf: (text: string) => number = javaHash) {
    this.#capacity = capacity;
    this.#hashOf = hashOf;
  }

  get size(): number {
    return this.#hashes.size;
  }

  has(text: string): boolean {
    return this.#hashes.has(text);
  }

  add(text: string): void {
    if (this.#hashes.has(text)) return;
    const hash = this.#hashOf(text);
    this.#hashes.set(text, hash ^ (hash >>> 16));
    this.#ordered = null;
    if (this.#hashes.size > this.#capacity * 0.75) this.#capacity *= 2;
  }

  delete(text: string): void {
    if (this.#hashes.delete(text)) this.#ordered = null;
  }

  values(): readonly string[] {
    this.#ordered ??= this.#order();
    return this.#ordered;
  }

  /** As HashSet.clone does: with no more buckets than the texts need. */
  clone(): HashOrder {
    let capacity = 1;
    while (capacity < Math.floor(this.size / 0.75 + 1)) capacity *= 2;
    const copy = new HashOrder(capacity, this.#hashOf);
    for (const text of this.values()) copy.add(text);
    return copy;
  }

  #order(): readonly string[] {
    const lastBucket = this.#capacity - 1;
    return [...this.#hashes]
      .sort(([, one], [, other]) => (one & lastBucket) - (other & lastBucket))
      .map(([text]) => text);
  }
}

/** String.hashCode of Java. */
export function javaHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return hash;
}
