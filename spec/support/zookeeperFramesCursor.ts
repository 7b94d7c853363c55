/** Reads jute, ZooKeeper's encoding: big-endian numbers, and texts with their length in front. */
export class ByteCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#at += count;
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  boolean(): boolean {
    this.#at += 1;
    return this.#bytes[this.#at - 1] === 1;
  }

  /** Of a string or a buffer; null if its length is -1. */
  text(): string | null {
    const length = this.int32();
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }
}
