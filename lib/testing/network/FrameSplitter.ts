const LENGTH_BYTES = 4;

/** Cuts a stream of bytes into frames: four bytes of length, then as many bytes. */
export class FrameSplitter {
  readonly #maxFrameBytes: number;
  /** Bytes that no frame has taken yet. */
  #chunks: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /** Bytes that have come and are in no frame yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#pendingBytes += chunk.length;
  }

  /** The first four bytes that are waiting, or null if there are fewer. */
  head(): Buffer | null {
    if (this.#pendingBytes < LENGTH_BYTES) return null;
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= LENGTH_BYTES) return first.subarray(0, LENGTH_BYTES);
    return this.#joined().subarray(0, LENGTH_BYTES);
  }

  /**
   * The next whole frame without its length, or null if more bytes have to come.
   *
   * @throws RangeError for a length that is negative or above the limit
   */
  next(): Buffer | null {
    const sizeBytes = this.head()?.readInt32BE();
    if (sizeBytes === undefined) return null;
    if (sizeBytes < 0 || sizeBytes > this.#maxFrameBytes) {
      throw new RangeError(`a frame of ${sizeBytes} bytes; the most is ${this.#maxFrameBytes}`);
    }
    const end = LENGTH_BYTES + sizeBytes;
    if (this.#pendingBytes < end) return null;
    const bytes = this.#joined();
    this.#chunks = bytes.length === end ? [] : [bytes.subarray(end)];
    this.#pendingBytes -= end;
    return bytes.subarray(LENGTH_BYTES, end);
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }
}
