import PQueue from 'p-queue';

/** Requests in flight at once: enough to hide the round trips, few enough for the package's recursion per answer. */
const MOST_IN_FLIGHT = 200;

/**
 * Sends one request per item, pipelined, and resolves with the results in the items' order when all have settled:
 * a failed one must not leave others behind that still run.
 */
export async function inParallel<T, R>(items: Iterable<T>, request: (item: T) => Promise<R>): Promise<R[]> {
  const queue = new PQueue({ concurrency: MOST_IN_FLIGHT });
  const settled = await Promise.allSettled(Array.from(items, (item) => queue.add(() => request(item))));
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
