import { clearTimeout, setTimeout } from 'node:timers';

import type { PartitionState } from '../KafkaState';

/**
 * Resolves when `isEnough` says so, which is asked after appends to the partitions and after changes of their leaders; or
 * after that time, or when nobody waits for the answer any more.
 */
export function waitForData(
  partitions: readonly PartitionState[],
  maxWaitMs: number,
  signal: AbortSignal,
  isEnough: () => boolean,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let isAsked = false;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
    const finish = (): void => {
      end();
      resolve();
    };
    const ask = (): void => {
      isAsked = false;
      if (isOver) return;
      try {
        if (isEnough()) finish();
      } catch (error) {
        end();
        reject(error);
      }
    };
    // One request can append to many partitions: they are looked at once, behind all of them.
    const wake = (): void => {
      if (isAsked) return;
      isAsked = true;
      void Promise.resolve().then(ask);
    };
    const timer = setTimeout(finish, maxWaitMs);
    signal.addEventListener('abort', finish);
    const unsubscribes = partitions.flatMap((one) => [one.log.onAppend(wake), one.onLeaderChange(wake)]);
  });
}
