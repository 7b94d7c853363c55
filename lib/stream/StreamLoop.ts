/** What a loop needs of its stream. */
export interface LoopSource {
  /** Whether the stream serves this loop. It no longer does after an error, or after its end. */
  serves(loop: object): boolean;
  /** Makes the loop the stream's only one; throws STREAM_BUSY if there is another. */
  enter(loop: object, signals: readonly AbortSignal[]): void;
  /** The next item; done after the end. */
  ask<T>(loop: object, take: (nowMs: number) => T | undefined): Promise<IteratorResult<T, undefined>>;
  /** The loop is over. What it was handed last stays unprocessed. */
  leave(loop: object): void;
}

/**
 * The iterator of one `for await` loop, written by hand: an async generator costs several times as much a message.
 */
export class StreamLoop<T> implements AsyncIterableIterator<T> {
  /** The stream. */
  readonly #source: LoopSource;
  /** Takes the next item if there is one; may throw. */
  readonly #take: (nowMs: number) => T | undefined;
  /** Abort of any of these ends the loop. */
  readonly #signals: readonly AbortSignal[];
  /** return() was called: it gives nothing any more. */
  #left = false;

  constructor(
    source: LoopSource,
    take: (nowMs: number) => T | undefined,
    signals: readonly (AbortSignal | undefined)[],
  ) {
    this.#source = source;
    this.#take = take;
    this.#signals = signals.filter((signal) => signal !== undefined);
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#left) return Promise.resolve({ value: undefined, done: true });
    // It enters at the first call, so that an iterator nobody uses keeps no other out, and again after an error.
    if (!this.#source.serves(this)) {
      try {
        this.#source.enter(this, this.#signals);
      } catch (error) {
        return Promise.reject(error);
      }
    }
    return this.#source.ask(this, this.#take);
  }

  return(): Promise<IteratorResult<T, undefined>> {
    this.#left = true;
    this.#source.leave(this);
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
