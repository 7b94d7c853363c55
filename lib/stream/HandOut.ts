import type { ConnectorError } from '../errors';
import type { PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import type { Message, MessageBatch, StreamOptions } from '../types';
import type { BlockingQueue, Chunk, MessageChunk } from './BlockingQueue';
import { MessageDecoder } from './MessageDecoder';

/** Proof that this member still owns what it owns. Hand-outs end when performance.now() passes it. */
export interface Lease {
  readonly provedUntilMs: number;
}

const NO_LEASE: Lease = { provedUntilMs: Number.NEGATIVE_INFINITY };

/**
 * What leaves the queue of one stream, message by message, and how far the application has come with it.
 *
 * handed: given to the application. processed: the application has asked for more since. A message is `in hand`
 * between the two.
 */
export class HandOut<K, V> {
  /** Where the chunks come from. */
  readonly #queue: BlockingQueue;
  /** Makes messages of what the cursor stands on. */
  readonly #decoder: MessageDecoder<K, V>;
  /** Told when a partition's next message cannot be handed out. */
  readonly #onFailure: (info: PartitionTopicInfo, error: ConnectorError) => void;
  /** The chunk that is being handed out. */
  #chunk: Chunk | undefined;
  /** The partition of what is in hand; null when the application has asked again. */
  #inHand: PartitionTopicInfo | null = null;
  /** The position behind what is in hand. */
  #inHandNext = 0;
  /** The epoch of the partition when that was handed out. */
  #inHandEpoch = 0;
  /** Until when messages may be handed out. Set by each claim. */
  #lease: Lease = NO_LEASE;
  /** A rebalance or shutdown is under way: nothing is handed out. */
  #held = true;
  /** The application's own pause of the stream. */
  paused = false;

  constructor(
    queue: BlockingQueue,
    decoders: StreamOptions<K, V>,
    onFailure: (info: PartitionTopicInfo, error: ConnectorError) => void,
  ) {
    this.#queue = queue;
    this.#decoder = new MessageDecoder(decoders);
    this.#onFailure = onFailure;
  }

  /** Whether the application works on something that it was handed. */
  get hasInHand(): boolean {
    return this.#inHand !== null;
  }

  /** Asking for the next item is what says that the last one has been processed. */
  asked(): void {
    this.#inHand?.processed(this.#inHandNext, this.#inHandEpoch);
    this.#inHand = null;
  }

  /** Hands nothing out from now on and throws away what was fetched. What is in hand stays in hand. */
  hold(): void {
    this.#held = true;
    this.#chunk = undefined;
    this.#queue.clear();
  }

  /** Hands out again, as long as the lease lasts. */
  release(lease: Lease): void {
    this.#lease = lease;
    this.#held = false;
  }

  /** The next message, if one may be handed out now. */
  takeMessage(nowMs: number): Message<K, V> | undefined {
    const chunk = this.#current(nowMs);
    if (chunk === undefined) return undefined;
    let message: Message<K, V>;
    try {
      message = this.#decoder.decode(chunk);
    } catch (error) {
      throw this.#giveUp(chunk.info, error as ConnectorError);
    }
    this.#handOut(chunk, message.offset + 1);
    return message;
  }

  /** Up to `maxMessages` of the partition whose turn it is. */
  takeBatch(nowMs: number, maxMessages: number): MessageBatch<K, V> | undefined {
    const chunk = this.#current(nowMs);
    if (chunk === undefined) return undefined;
    const { info, cursor } = chunk;
    const messages: Message<K, V>[] = [];
    let nextOffset = cursor.offset;
    try {
      do {
        messages.push(this.#decoder.decode(chunk));
        nextOffset = cursor.offset + 1;
        // A decoder may have called seek: what is behind that is no longer wanted.
      } while (messages.length < maxMessages && chunk.epoch === info.epoch && cursor.advance());
    } catch (error) {
      if (messages.length === 0) throw this.#giveUp(info, error as ConnectorError);
      chunk.failure = error as ConnectorError; // for the next time that this partition is asked for
    }
    this.#handOut(chunk, nextOffset);
    const { topic, partition, highWatermark } = info;
    return { topic, partition, messages, nextOffset, highWatermark };
  }

  /** The current chunk with its cursor on a message to hand out; undefined if there is none, or none may be. */
  #current(nowMs: number): MessageChunk | undefined {
    // The clock is compared at each hand-out: after a stopped process goes on, no timer may have fired yet.
    if (this.#held || this.paused || nowMs >= this.#lease.provedUntilMs) return undefined;
    for (;;) {
      const chunk = this.#currentChunk();
      if (chunk === undefined) return undefined;
      switch (chunk.kind) {
        case 'failure':
          throw this.#giveUp(chunk.info, chunk.error);
        case 'reset':
          chunk.info.moveTo(chunk.nextOffset);
          break;
        case 'messages':
          if (this.#advance(chunk)) return chunk;
          // Behind the last message there may be offsets without one (compaction).
          chunk.info.handedOffset = Math.max(chunk.nextOffset, chunk.info.handedOffset ?? 0);
          chunk.info.processed(chunk.nextOffset, chunk.epoch);
      }
      this.#chunk = undefined;
    }
  }

  #currentChunk(): Chunk | undefined {
    const current = this.#chunk;
    if (current?.info.paused === true) this.#queue.putBack(current);
    if (current === undefined || current.info.paused || current.epoch !== current.info.epoch) {
      this.#chunk = this.#queue.take();
    }
    return this.#chunk;
  }

  #advance({ info, cursor, failure }: MessageChunk): boolean {
    try {
      if (failure !== undefined) throw failure;
      return cursor.advance();
    } catch (error) {
      throw this.#giveUp(info, error as ConnectorError);
    }
  }

  #handOut({ info, epoch }: MessageChunk, nextOffset: number): void {
    // A decoder may have called seek, and then the position is where that has put it.
    if (epoch === info.epoch) info.handedOffset = nextOffset;
    this.#inHand = info;
    this.#inHandNext = nextOffset;
    this.#inHandEpoch = epoch;
  }

  /** Stops a partition whose next message cannot be handed out. */
  #giveUp(info: PartitionTopicInfo, error: ConnectorError): ConnectorError {
    this.#chunk = undefined;
    info.fail(error);
    this.#onFailure(info, error);
    return error;
  }
}
