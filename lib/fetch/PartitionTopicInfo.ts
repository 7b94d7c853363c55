import type { ConnectorError } from '../errors';
import type { BlockingQueue } from '../stream/BlockingQueue';
import type { TopicPartition } from '../types';

/**
 * Where one owned partition stands (Scala's PartitionTopicInfo): the fetchers move `fetchOffset`, the stream
 * moves `handedOffset` and `processedOffset`, the offset commits move `storedOffset`.
 *
 * stored <= processed <= handed <= fetched holds but for `seek`, resets, and commits that name offsets.
 */
export class PartitionTopicInfo implements TopicPartition {
  readonly topic: string;
  readonly partition: number;
  /** The thread, and so the stream, that gets the messages. */
  readonly threadId: string;
  /** The queue of that thread's stream. */
  readonly queue: BlockingQueue;
  /** The next offset to ask a broker for; null until `auto.offset.reset` has been looked up. */
  fetchOffset: number | null;
  /** Behind the last message that the application was handed; null as long as `fetchOffset` was never known. */
  handedOffset: number | null;
  /** Behind the last message that the application was done with: what commits store. */
  processedOffset: number | null;
  /** What the offset store holds, as far as this member last wrote or read it; null = nothing. */
  storedOffset: number | null;
  /** Commits up to here are no news; null after a jump, since then the next commit may go back. */
  #committedOffset: number | null;
  /** How often the position has jumped (seek, reset). */
  jumps = 0;
  /** The offset behind the partition's last message, as of the last fetch. */
  highWatermark = -1;
  /** Raised when the position jumps: chunks and messages in hand of an earlier epoch are void. */
  epoch = 0;
  /** The application's pause; survives rebalances. */
  paused = false;
  /** Why the partition stands still; null while it moves. Ended by `seek` or the next claim. */
  failure: ConnectorError | null = null;
  /** What was fetched ends in damage, which asking again would only bring again. Ended by whatever moves the position. */
  endsInDamage = false;
  /** Bytes to ask for; grows while a message does not fit. */
  fetchSizeBytes: number;
  /** What was asked for and is not in the broker's log, until its replacement has been looked up. */
  outOfRangeOffset: number | null = null;
  /** Resets without data in between: more than one is a broker that contradicts itself. */
  resetsInARow = 0;

  constructor(
    at: TopicPartition,
    threadId: string,
    queue: BlockingQueue,
    storedOffset: number | null,
    fetchSizeBytes: number,
  ) {
    this.topic = at.topic;
    this.partition = at.partition;
    this.threadId = threadId;
    this.queue = queue;
    this.fetchSizeBytes = fetchSizeBytes;
    this.storedOffset = this.#committedOffset = storedOffset;
    this.fetchOffset = this.handedOffset = this.processedOffset = storedOffset;
  }

  /** Its next message cannot be handed out: what was fetched behind it is void, and nothing more is fetched. */
  fail(error: ConnectorError): void {
    this.epoch += 1;
    this.failure = error;
    this.endsInDamage = false;
  }

  /** Puts the position somewhere else (seek). What was fetched or handed out before no longer counts. */
  jump(nextOffset: number): void {
    this.epoch += 1;
    this.failure = null;
    this.endsInDamage = false;
    this.outOfRangeOffset = null;
    this.resetsInARow = 0;
    this.fetchOffset = nextOffset;
    this.moveTo(nextOffset);
  }

  /** The position of the application is `nextOffset`, wherever it was before. */
  moveTo(nextOffset: number): void {
    this.#committedOffset = null;
    this.jumps += 1;
    this.handedOffset = this.processedOffset = nextOffset;
  }

  /** A new claim of what this member had before: it goes on behind what was processed there, or committed by name. */
  continueFrom(before: PartitionTopicInfo): void {
    this.#committedOffset = before.#committedOffset;
    const next = before.processedOffset;
    this.fetchOffset = next === null ? null : Math.max(next, before.#committedOffset ?? next);
    this.handedOffset = this.processedOffset = this.fetchOffset;
  }

  /** The application is done with everything below `nextOffset`; void if the position has jumped since. */
  processed(nextOffset: number, epoch: number): void {
    if (epoch !== this.epoch) return;
    if (this.processedOffset === null || nextOffset > this.processedOffset) this.processedOffset = nextOffset;
  }

  /** Whether a commit of that position has to be stored. */
  isNews(nextOffset: number): boolean {
    if (nextOffset === this.storedOffset) return false;
    return this.#committedOffset === null || nextOffset > this.#committedOffset;
  }

  /** The position has been stored; `jumps` is as it was before the request. */
  stored(nextOffset: number, jumps: number): void {
    this.storedOffset = nextOffset;
    if (jumps === this.jumps) this.#committedOffset = nextOffset;
  }

  /** Fetching may go on behind the last handed message once everything queued has been thrown away. */
  discardFetched(): void {
    this.fetchOffset = this.handedOffset;
    this.endsInDamage = false;
    this.outOfRangeOffset = null;
    this.resetsInARow = 0;
  }
}

/** The key of a partition in maps. Topic names have no slash. */
export function keyOf(at: TopicPartition): string {
  return `${at.topic}/${at.partition}`;
}
