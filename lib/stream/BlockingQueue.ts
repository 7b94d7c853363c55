import type { ConnectorError } from '../errors';
import type { PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import type { MessageCursor } from '../kafka/MessageCursor';

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
 * A fetcher never blocks on it, since that would hold up the other partitions of its broker. What it fetched
 * beyond the bound waits in line, at most one chunk a partition: a fetcher asks {@link accepts} before it fetches.
 */
export class BlockingQueue {
  /** Chunks within the bound, oldest first. */
  readonly #chunks: Chunk[] = [];
  /** Chunks beyond the bound, oldest first. */
  readonly #waiting: Chunk[] = [];
  /** The bound. */
  readonly #capacity: number;
  /** Called when a chunk has come: the stream may be waiting for it. */
  onChunk: () => void = () => undefined;
  /** Called when a chunk has left: fetchers may go on. */
  onSpace: () => void = () => undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Chunks held, those beyond the bound included. */
  get size(): number {
    return this.#chunks.length + this.#waiting.length;
  }

  /** Whether another chunk of that partition may be fetched. */
  accepts(info: PartitionTopicInfo): boolean {
    return this.#chunks.length < this.#capacity && !this.#waiting.some((chunk) => chunk.info === info);
  }

  put(chunk: Chunk): void {
    (this.#chunks.length < this.#capacity ? this.#chunks : this.#waiting).push(chunk);
    this.onChunk();
  }

  /** The oldest chunk whose partition is not paused. Void chunks are thrown away on the way. */
  take(): Chunk | undefined {
    this.#drop((chunk) => chunk.epoch !== chunk.info.epoch);
    let index = this.#chunks.findIndex((chunk) => !chunk.info.paused);
    let from = this.#chunks;
    if (index < 0) {
      // Paused partitions may fill the queue; that must not hold up the others.
      index = this.#waiting.findIndex((chunk) => !chunk.info.paused);
      from = this.#waiting;
    }
    const [chunk] = index < 0 ? [] : from.splice(index, 1);
    this.#moveUp();
    if (chunk !== undefined) this.onSpace();
    return chunk;
  }

  /** Gives back a chunk that was taken, to be the next one of its partition. */
  putBack(chunk: Chunk): void {
    this.#chunks.unshift(chunk);
  }

  clear(): void {
    this.#drop(() => true);
    this.onSpace();
  }

  #drop(isVoid: (chunk: Chunk) => boolean): void {
    for (const list of [this.#chunks, this.#waiting]) {
      for (let index = list.length - 1; index >= 0; index -= 1) {
        const chunk = list[index];
        if (chunk !== undefined && isVoid(chunk)) list.splice(index, 1);
      }
    }
  }

  #moveUp(): void {
    while (this.#chunks.length < this.#capacity) {
      const chunk = this.#waiting.shift();
      if (chunk === undefined) return;
      this.#chunks.push(chunk);
    }
  }
}
