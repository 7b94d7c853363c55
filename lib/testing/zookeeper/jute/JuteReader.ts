import { ZookeeperFault } from '../ZookeeperFault';

/**
 * Reads a record of a client. Bytes that are no such record are a MARSHALLING_ERROR, as is a null where the server
 * needs a value; bytes behind the record do not matter.
 */
export class JuteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  boolean(): boolean {
    return this.#bytes[this.#take(1)] !== 0;
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8));
  }

  /** A copy, since frames share their memory with what came before and after them. */
  bytesOrNull(): Buffer | null {
    const length = this.int32();
    if (length === -1) return null;
    const from = this.#take(length);
    return Buffer.from(this.#bytes.subarray(from, from + length));
  }

  textOrNull(): string | null {
    const length = this.int32();
    if (length === -1) return null;
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  text(): string {
    const text = this.textOrNull();
    if (text === null) throw new ZookeeperFault('MARSHALLING_ERROR', 'null where a text is needed');
    return text;
  }

  /** Null for the length -1; other negative lengths are an empty list. */
  listOrNull<T>(item: () => T): T[] | null {
    const length = this.int32();
    if (length === -1) return null;
    const items: T[] = [];
    // An item has bytes, so a length that is a lie ends with the frame.
    for (let index = 0; index < length; index += 1) items.push(item());
    return items;
  }

  list<T>(item: () => T): T[] {
    const items = this.listOrNull(item);
    if (items === null) throw new ZookeeperFault('MARSHALLING_ERROR', 'null where a list is needed');
    return items;
  }

  /** Where the next bytes begin, of which there must be as many. */
  #take(length: number): number {
    const from = this.#at;
    if (length < 0 || from + length > this.#bytes.length) {
      throw new ZookeeperFault('MARSHALLING_ERROR', `no ${length} bytes at ${from} of ${this.#bytes.length}`);
    }
    this.#at = from + length;
    return from;
  }
}
