import type { ConnectorError } from '../errors';
import type { PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import type { MessageCursor } from '../kafka/records/MessageCursor';

interface ChunkBase {
  readonly info: PartitionTopicInfo;
  /** The partition's epoch when it was fetched; another one now means that the chunk is void. */
  readonly epoch: number;
}

/** Messages of one partition, decoded one by one as they are handed out. */
export interface MessageChunk extends ChunkBase {
  readonly kind: 'messages';
  readonly cursor: MessageCursor;
  /** The position behind the chunk. */
  readonly nextOffset: number;
  /** Why its next message cannot be handed out; found out behind the last messages of a batch. */
  failure?: ConnectorError;
}

/** The position has been reset to `nextOffset`. */
interface ResetChunk extends ChunkBase {
  readonly kind: 'reset';
  readonly nextOffset: number;
}

/** The partition cannot be read further. */
interface FailureChunk extends ChunkBase {
  readonly kind: 'failure';
  readonly error: ConnectorError;
}

/** What a fetcher brings for one partition. */
export type Chunk = MessageChunk | ResetChunk | FailureChunk;

/**
 * The queue between the fetchers and one stream, bounded by `queued.max.message.chunks`.
 *
 * A fetcher never blocks on it, since that would hold up the other partitions of its broker: it asks {@link accepts}
 * before it fetches. One fetch may bring more than there is room for, so the queue holds at most one chunk a partition
 * beyond the bound (and one more of those that were paused while it was handed out).
 */
export class BlockingQueue {
  /** Oldest first. */
  readonly #chunks: Chunk[] = [];
  /** The bound. */
  readonly #capacity: number;
  /** Called when a chunk has come: the stream may be waiting for it. */
  onChunk: () => void = () => undefined;
  /** Called when a chunk has left and there is room for another: fetchers may go on. */
  onSpace: () => void = () => undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Chunks held, those beyond the bound included. */
  get size(): number {
    return this.#chunks.length;
  }

  /** Whether another chunk of that partition may be fetched. */
  accepts(info: PartitionTopicInfo): boolean {
    if (this.#chunks.length < this.#capacity) return true;
    // Chunks of paused partitions may stay for long. They must not hold up the others, each of which gets room for one.
    return !this.#isFullOfRunning() && !this.#chunks.some((chunk) => chunk.info === info);
  }

  put(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.onChunk();
  }

  /** The oldest chunk whose partition is not paused. Void chunks are thrown away on the way to it. */
  take(): Chunk | undefined {
    for (;;) {
      const index = this.#chunks.findIndex((chunk) => isVoid(chunk) || !chunk.info.paused);
      if (index < 0) return undefined;
      const [chunk] = this.#chunks.splice(index, 1);
      if (!this.#isFullOfRunning()) this.onSpace();
      if (chunk !== undefined && !isVoid(chunk)) return chunk;
    }
  }

  /** Gives back a chunk that was taken, to be the next one of its partition. */
  putBack(chunk: Chunk): void {
    this.#chunks.unshift(chunk);
  }

  clear(): void {
    this.#chunks.length = 0;
    this.onSpace();
  }

  #isFullOfRunning(): boolean {
    let count = 0;
    return this.#chunks.some(({ info }) => !info.paused && (count += 1) === this.#capacity);
  }
}

/** The position has jumped since it was fetched. */
function isVoid({ epoch, info }: Chunk): boolean {
  return epoch !== info.epoch;
}
