/** Runs work with a signal that is aborted as soon as one of these is. */
export async function untilAnyAborted<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const stops = signals.map((signal) => {
    const stop = (): void => ending.abort(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
    return (): void => signal.removeEventListener('abort', stop);
  });
  try {
    return await work(ending.signal);
  } finally {
    for (const stop of stops) stop();
  }
}
