import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';

import { ConnectorError } from '../errors';
import type { PartitionTopicInfo } from '../fetch/PartitionTopicInfo';
import type { KafkaStream, Message, MessageBatch, StreamOptions } from '../types';
import { BlockingQueue } from './BlockingQueue';
import type { EventLoopTurn } from './EventLoopTurn';
import { HandOut, type Lease } from './HandOut';
import { assertLoopOptions } from './streamOptions';
import { StreamLoop, type LoopSource } from './StreamLoop';

const DONE: IteratorResult<never, undefined> = { value: undefined, done: true };
const DEFAULT_BATCH_MESSAGES = 1000;

/** What a stream needs of its connector. */
export interface MessageStreamSettings<K, V> extends StreamOptions<K, V> {
  readonly threadId: string;
  readonly topic: string | null;
  /** `queued.max.message.chunks` */
  readonly maxChunks: number;
  /** `consumer.timeout.ms`; negative = wait for ever. */
  readonly timeoutMs: number;
  readonly turn: EventLoopTurn;
  /** A message of that partition cannot be handed out. */
  readonly onFailure: (info: PartitionTopicInfo, error: ConnectorError) => void;
}

/** A call of next() that waits. */
interface Waiter {
  readonly take: (nowMs: number) => unknown;
  readonly resolve: (result: IteratorResult<never, undefined>) => void;
  readonly reject: (error: unknown) => void;
  timer: NodeJS.Timeout | undefined;
}

/** The messages of one consumer thread, for one loop at a time: lets it wait, wakes it, ends it. */
export class MessageStream<K, V> implements KafkaStream<K, V>, LoopSource {
  readonly threadId: string;
  readonly topic: string | null;
  /** Where the fetchers put chunks. */
  readonly queue: BlockingQueue;

  readonly #settings: MessageStreamSettings<K, V>;
  /** What may be handed out. */
  readonly #handOut: HandOut<K, V>;
  /** The loop that runs over this stream, and what ends it. */
  #loop: { readonly owner: object; readonly signals: readonly AbortSignal[] } | null = null;
  /** The call of next() that waits. */
  #waiter: Waiter | null = null;
  /** Told when the application has asked again, or its loop is over. */
  #onDrained: (() => void) | null = null;
  /** After shutdown(): every loop ends. */
  #closed = false;

  constructor(settings: MessageStreamSettings<K, V>) {
    this.#settings = settings;
    this.threadId = settings.threadId;
    this.topic = settings.topic;
    this.queue = new BlockingQueue(settings.maxChunks);
    this.#handOut = new HandOut(this.queue, settings, settings.onFailure);
    this.queue.onChunk = () => this.wake();
  }

  // --- the application's side -----------------------------------------------------------------------------------

  [Symbol.asyncIterator](): AsyncIterableIterator<Message<K, V>> {
    return this.messages();
  }

  messages(options: { signal?: AbortSignal } = {}): AsyncIterableIterator<Message<K, V>> {
    assertLoopOptions('messages', options);
    const take = (nowMs: number): Message<K, V> | undefined => this.#handOut.takeMessage(nowMs);
    return new StreamLoop(this, take, [this.#settings.signal, options.signal]);
  }

  batches(
    options: { signal?: AbortSignal; maxMessages?: number } = {},
  ): AsyncIterableIterator<MessageBatch<K, V>> {
    assertLoopOptions('batches', options);
    const { maxMessages = DEFAULT_BATCH_MESSAGES } = options;
    if (!Number.isSafeInteger(maxMessages) || maxMessages < 1) {
      const text = `batches: maxMessages must be a whole number from 1, not ${String(maxMessages)}`;
      throw new ConnectorError('CONFIG_INVALID', text);
    }
    const take = (nowMs: number): MessageBatch<K, V> | undefined =>
      this.#handOut.takeBatch(nowMs, maxMessages);
    return new StreamLoop(this, take, [this.#settings.signal, options.signal]);
  }

  toReadable(options: { signal?: AbortSignal; highWaterMark?: number } = {}): Readable {
    assertLoopOptions('toReadable', options);
    const { signal, highWaterMark = 1 } = options;
    return Readable.from(this.messages(signal === undefined ? {} : { signal }), {
      objectMode: true,
      highWaterMark,
    });
  }

  pause(): void {
    this.#handOut.paused = true;
  }

  resume(): void {
    this.#handOut.paused = false;
    this.wake();
  }

  // --- the loop's side (LoopSource) -----------------------------------------------------------------------------

  serves(owner: object): boolean {
    return this.#loop?.owner === owner;
  }

  enter(owner: object, signals: readonly AbortSignal[]): void {
    if (this.#loop !== null) throw this.#busy('has a loop already; end it (break, return) before the next');
    this.#loop = { owner, signals };
    for (const signal of signals) {
      setMaxListeners(Infinity, signal); // all streams of a connector may share it, which is no leak
      signal.addEventListener('abort', this.#onAbort);
    }
  }

  leave(owner: object): void {
    if (this.#loop?.owner !== owner) return;
    for (const signal of this.#loop.signals) signal.removeEventListener('abort', this.#onAbort);
    this.#loop = null;
    const waiter = this.#waiter;
    this.#waiter = null;
    clearTimeout(waiter?.timer);
    waiter?.resolve(DONE);
    this.#onDrained?.();
  }

  ask<T>(owner: object, take: (nowMs: number) => T | undefined): Promise<IteratorResult<T, undefined>> {
    if (this.#waiter !== null) return Promise.reject(this.#busy('has a call of next() that waits already'));
    this.#handOut.asked();
    this.#onDrained?.();
    if (this.#isOver()) {
      this.leave(owner);
      return Promise.resolve(DONE);
    }
    const nowMs = performance.now();
    const turnIsDue = this.#settings.turn.isDue(nowMs);
    if (!turnIsDue) {
      try {
        const item = take(nowMs);
        if (item !== undefined) return Promise.resolve({ value: item, done: false });
      } catch (error) {
        this.leave(owner);
        return Promise.reject(error);
      }
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { take, resolve, reject, timer: undefined };
      this.#waiter = waiter;
      if (turnIsDue) this.#settings.turn.give(() => this.wake());
      if (this.#settings.timeoutMs >= 0) {
        waiter.timer = setTimeout(() => this.#timeOut(waiter), this.#settings.timeoutMs);
      }
    });
  }

  // --- the connector's side -------------------------------------------------------------------------------------

  /** Tries again to serve the call of next() that waits. */
  wake(): void {
    const waiter = this.#waiter;
    if (waiter === null) return;
    if (this.#isOver()) {
      if (this.#loop !== null) this.leave(this.#loop.owner);
      return;
    }
    this.#waiter = null; // a listener that is told of a failure may wake, too
    try {
      const item = waiter.take(performance.now());
      if (item === undefined) {
        this.#waiter = waiter;
        return;
      }
      clearTimeout(waiter.timer);
      waiter.resolve({ value: item as never, done: false });
    } catch (error) {
      this.#fail(waiter, error);
    }
  }

  /** Hands nothing out from now on and throws away what was fetched. What is in hand stays in hand. */
  hold(): void {
    this.#handOut.hold();
  }

  /** Resolves when nothing is in work any more: the application has asked again, or no loop runs. */
  drained(): Promise<void> {
    if (!this.#handOut.hasInHand || this.#loop === null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = () => {
        this.#onDrained = null;
        resolve();
      };
    });
  }

  /** Hands out again, as long as the lease lasts. */
  release(lease: Lease): void {
    this.#handOut.release(lease);
    this.wake();
  }

  /** Ends every loop, now and later. */
  close(): void {
    this.hold();
    this.#closed = true;
    this.#onDrained?.();
    this.wake();
  }

  // --- ends -----------------------------------------------------------------------------------------------------

  readonly #onAbort = (): void => this.wake();

  #isOver(): boolean {
    if (this.#closed) return true;
    if (this.#loop === null) return false;
    // Asked for each message, so without a closure.
    for (const signal of this.#loop.signals) if (signal.aborted) return true;
    return false;
  }

  #timeOut(waiter: Waiter): void {
    this.wake(); // in an event loop that was held up, timers come before the turn that messages may wait for
    if (this.#waiter !== waiter) return;
    const { timeoutMs } = this.#settings;
    const text = `no message came within consumer.timeout.ms (${timeoutMs}) for ${this.threadId}; a new loop goes on`;
    this.#fail(waiter, new ConnectorError('CONSUMER_TIMEOUT', text));
  }

  /** Rejects the call that waits; its loop is over. */
  #fail(waiter: Waiter, error: unknown): void {
    this.#waiter = null;
    clearTimeout(waiter.timer);
    if (this.#loop !== null) this.leave(this.#loop.owner);
    waiter.reject(error);
  }

  #busy(why: string): ConnectorError {
    return new ConnectorError('STREAM_BUSY', `the stream of ${this.threadId} ${why}`);
  }
}
