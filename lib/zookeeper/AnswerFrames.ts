/** No honest answer is larger; HTTP or TLS on the port would otherwise be buffered without end. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;

const LENGTH_BYTES = 4;

/** Cuts what a ZooKeeper server sends into its frames. */
export class AnswerFrames {
  /** What has come and was not taken yet. */
  #chunks: Buffer[] = [];
  /** How much that is. */
  #sizeBytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
  }

  /** The next frame with its length in front, or null if it is not complete; throws for a length that none can have. */
  next(): Buffer | null {
    if (this.#sizeBytes < LENGTH_BYTES) return null;
    const [first = this.#join()] = this.#chunks;
    const length = (first.length < LENGTH_BYTES ? this.#join() : first).readInt32BE(0);
    if (length < 0 || length > MAX_FRAME_BYTES) {
      throw new Error(`an answer of ${length} bytes, at most ${MAX_FRAME_BYTES}, is not one of ZooKeeper`);
    }
    const end = LENGTH_BYTES + length;
    if (this.#sizeBytes < end) return null;
    const all = this.#join();
    this.#chunks = [all.subarray(end)];
    this.#sizeBytes -= end;
    return all.subarray(0, end);
  }

  clear(): void {
    this.#chunks = [];
    this.#sizeBytes = 0;
  }

  #join(): Buffer {
    const [only] = this.#chunks;
    if (this.#chunks.length === 1 && only) return only;
    const all = Buffer.concat(this.#chunks, this.#sizeBytes);
    this.#chunks = [all];
    return all;
  }
}
