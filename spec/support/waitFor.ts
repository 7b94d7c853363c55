import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface WaitOptions {
  /** After this long without a truthy value the wait fails. */
  readonly timeoutMs: number;
  /** What is waited for; part of the error. */
  readonly description: string;
  readonly intervalMs?: number;
  /** More to say when the wait fails, such as the last lines of a log. */
  readonly details?: () => string;
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Asks `condition` again and again and resolves with its first truthy value. An error that the condition throws
 * counts as "not yet": what is polled here is often still starting.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs, description, intervalMs = 20, details }: WaitOptions,
): Promise<Truthy<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let last: string;
    let cause: unknown;
    try {
      const left = Math.max(end - Date.now(), 1);
      const value = await withDeadline(Promise.resolve(condition()), left, description);
      if (value) return value as Truthy<T>;
      last = inspect(value, { depth: 5 });
    } catch (error) {
      cause = error;
      last = error instanceof Error ? `the error "${error.message}"` : inspect(error);
    }
    if (Date.now() + intervalMs > end) {
      const more = details === undefined ? '' : `\n${details()}`;
      throw new Error(`Waited ${timeoutMs} ms in vain for: ${description}. Last seen: ${last}${more}`, {
        cause,
      });
    }
    await delay(intervalMs);
  }
}

/** Rejects if the promise does not settle in time. The work behind it is not stopped. */
export async function withDeadline<T>(
  promise: Promise<T>,
  timeoutMs: number,
  description: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`No answer within ${timeoutMs} ms: ${description}`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
