import type { Readable } from 'node:stream';

/** One partition of one topic. */
export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/**
 * A position in a partition: the offset of the next message to read, which is what Kafka's offset stores hold.
 * It is not called `offset`, so that a {@link Message} does not type-check as a commit.
 */
export interface NextOffset extends TopicPartition {
  readonly nextOffset: number;
}

/** A partition that this member owns at the moment. */
export interface OwnedPartition extends NextOffset {
  /** The thread, and so the stream, that gets its messages: `<consumer id>-<n>`. */
  readonly threadId: string;
  /** The offset behind the last message of the partition as of the last fetch; -1 before the first one. */
  readonly highWatermark: number;
  readonly paused: boolean;
}

/**
 * A message as a stream hands it out (Scala's MessageAndMetadata).
 * With the default decoder `key` and `value` are views that keep their whole fetch response in memory; use
 * `decoders.copy` for messages that are kept.
 */
export interface Message<K = Buffer, V = Buffer> extends TopicPartition {
  /** A safe integer; larger offsets are refused. */
  readonly offset: number;
  /** `null` if the message has no key. */
  readonly key: K | null;
  /** `null` for a tombstone. */
  readonly value: V | null;
  readonly highWatermark: number;
  /** Milliseconds since 1970; `null` in message format 0 (brokers before 0.10). */
  readonly timestamp: number | null;
  /** Who set the timestamp: the producer (`create`) or the broker (`append`). */
  readonly timestampType: 'create' | 'append' | null;
  /** Empty before message format 2. */
  readonly headers: readonly { readonly key: string; readonly value: Buffer | null }[];
}

/** Messages of one partition that follow each other. `nextOffset` is the position behind them. */
export interface MessageBatch<K = Buffer, V = Buffer> extends NextOffset {
  readonly messages: readonly Message<K, V>[];
  readonly highWatermark: number;
}

/** Where a decoder's bytes come from. */
export interface DecodedField extends TopicPartition {
  readonly offset: number;
  readonly field: 'key' | 'value';
}

/** Makes a key or value of its bytes. It is not called for `null`. A throw rejects with DECODE_FAILED. */
export type Decoder<T> = (bytes: Buffer, at: DecodedField) => T;

/** Options of the streams that one call creates. */
export interface StreamOptions<K, V> {
  /** Default: `decoders.view`. */
  readonly keyDecoder?: Decoder<K>;
  /** Default: `decoders.view`. */
  readonly valueDecoder?: Decoder<V>;
  /** Aborting it ends every loop over these streams. */
  readonly signal?: AbortSignal;
}

/**
 * One consumer thread's messages (Scala's KafkaStream). A message counts as processed when the next one of the
 * stream is asked for; `break`, `return` and a throw in the loop body leave it unprocessed.
 *
 * One loop at a time (STREAM_BUSY). After CONSUMER_TIMEOUT, or an error about one message, a new loop goes on.
 * Loops end by themselves after `shutdown()`.
 */
export interface KafkaStream<K = Buffer, V = Buffer> extends AsyncIterable<Message<K, V>> {
  /** `<consumer id>-<n>`, the text in the owner znodes of its partitions. */
  readonly threadId: string;
  /** The stream's topic; `null` for a stream of several topics. */
  readonly topic: string | null;
  /** The same as iterating the stream itself, with a signal that ends the loop. */
  messages(options?: { signal?: AbortSignal }): AsyncIterableIterator<Message<K, V>>;
  /**
   * Runs of messages of one partition: the fastest way to consume. `maxMessages` (default 1,000) bounds a batch.
   */
  batches(options?: {
    signal?: AbortSignal;
    maxMessages?: number;
  }): AsyncIterableIterator<MessageBatch<K, V>>;
  /** As a Node stream in object mode. `highWaterMark` is 1 by default: what was read ahead counts as asked for. */
  toReadable(options?: { signal?: AbortSignal; highWaterMark?: number }): Readable;
  /** Hands nothing out until `resume`. Fetching stops when the queue is full. */
  pause(): void;
  resume(): void;
}

/** Where the connector stands. */
export type ConnectorState =
  'idle' | 'connecting' | 'running' | 'rebalancing' | 'suspended' | 'closing' | 'closed';
