import { codeOfAnswer, ZookeeperFailure, type FailureCode } from './sessionTypes';

/** Node's way of an answer; the package calls it at most once, or never. */
export type Callback<T> = (error: unknown, value?: T) => void;

/** Requests that were sent and not yet answered. Each ends: by its answer, at its deadline, or with the connection. */
export class PendingRequests {
  /** Each function fails one of them. */
  readonly #unanswered = new Set<(failure: ZookeeperFailure) => void>();
  /** Told of each answer that is a failure, after that has reached its request. */
  readonly #onFailure: (code: FailureCode) => void;

  constructor(onFailure: (code: FailureCode) => void) {
    this.#onFailure = onFailure;
  }

  /** `start` sends the request; the callback takes the answer. */
  ask<T>(deadlineMs: number, start: (callback: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (): boolean => {
        clearTimeout(timer);
        return this.#unanswered.delete(fail);
      };
      const fail = (failure: ZookeeperFailure): void => {
        if (finish()) reject(failure);
      };
      const timer = setTimeout(
        // One more turn, so that an answer that already lies in the socket after a blocked event loop still counts.
        () => setImmediate(() => fail(new ZookeeperFailure('DEADLINE', 'ZooKeeper did not answer in time'))),
        Math.max(0, deadlineMs - performance.now()),
      );
      this.#unanswered.add(fail);
      try {
        start((error, value) => {
          if (!error) {
            if (finish()) resolve(value as T);
            return;
          }
          const failure = failureOf(error);
          fail(failure);
          this.#onFailure(failure.code);
        });
      } catch (error) {
        fail(new ZookeeperFailure('REFUSED', error instanceof Error ? error.message : String(error)));
      }
    });
  }

  failAll(failure: ZookeeperFailure): void {
    for (const fail of [...this.#unanswered]) fail(failure);
  }
}

function failureOf(error: unknown): ZookeeperFailure {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return new ZookeeperFailure(codeOfAnswer(code), String(message));
}
