const HASH_BITS = 13;
const LEAST_COPY_BYTES = 4;
/** lz4 wants its last bytes as literals, and no copy that begins in the last twelve. */
const TAIL_BYTES = 12;
const LAST_LITERALS_BYTES = 5;
const NO_PLACE = -1;

/** Finds repetitions inside one block of at most 64 KiB: those of the last place with the same hash. */
export class Copies {
  /** By the hash of four bytes: where they were last. */
  readonly #places = new Int32Array(1 << HASH_BITS).fill(NO_PLACE);
  readonly #block: Buffer;
  #at = 0;
  /** Where the last copy that was found begins. */
  start = 0;
  /** How many bytes in front of its beginning its source is. */
  distance = 0;
  length = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  /** Goes to the next copy; false if there is none. */
  next(): boolean {
    const block = this.#block;
    const places = this.#places;
    const last = block.length - TAIL_BYTES;
    for (let at = this.#at; at <= last; at++) {
      const word = block.readInt32LE(at);
      const slot = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
      const before = places[slot] ?? NO_PLACE;
      places[slot] = at;
      if (before === NO_PLACE || block.readInt32LE(before) !== word) continue;
      this.start = at;
      this.distance = at - before;
      this.length = this.#lengthOf(before, at);
      this.#at = at + this.length;
      return true;
    }
    return false;
  }

  #lengthOf(before: number, at: number): number {
    const block = this.#block;
    const most = block.length - LAST_LITERALS_BYTES - at;
    let length = LEAST_COPY_BYTES;
    while (length < most && block[before + length] === block[at + length]) length++;
    return length;
  }
}
