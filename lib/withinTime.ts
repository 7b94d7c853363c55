/** When work has to end that has not ended by itself, and what it then rejects with. */
export interface TimeLimit {
  readonly limitMs: number;
  readonly late: () => Error;
  /** Ends it before that; its reason must be an Error. */
  readonly signal?: AbortSignal;
}

/**
 * The result of the work. When its time is over its signal is aborted, and this rejects at once, whether the work listens to
 * that or not.
 */
export async function withinTime<T>(
  { limitMs, late, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const over = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error), { once: true });
  });
  const timer = setTimeout(() => ending.abort(late()), limitMs);
  const stop = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(ending.signal), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
