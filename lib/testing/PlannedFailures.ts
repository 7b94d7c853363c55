/** Failures that are still to come. */
export interface PlannedFailure extends Disposable {
  /** How many have not happened yet; 0 when all have. It stays as it is when the failure is called off. */
  readonly timesLeft: number;
  /** No more of them happen. */
  cancel(): void;
}

interface Planned<T> {
  readonly failure: T;
  timesLeft: number;
}

/** What is to fail, in the order in which it was asked for. */
export class PlannedFailures<T> {
  #planned: readonly Planned<T>[] = [];

  get isEmpty(): boolean {
    return this.#planned.length === 0;
  }

  add(failure: T, times: number): PlannedFailure {
    const planned = { failure, timesLeft: times };
    this.#planned = [...this.#planned, planned];
    const cancel = (): void => this.#remove(planned);
    return {
      get timesLeft() {
        return planned.timesLeft;
      },
      ...{ cancel, [Symbol.dispose]: cancel },
    };
  }

  clear(): void {
    this.#planned = [];
  }

  /** The first failure that is meant, or null. Counts as one of its times. */
  take(isMeant: (failure: T) => boolean): T | null {
    const due = this.#planned.find(({ failure }) => isMeant(failure));
    if (due === undefined) return null;
    due.timesLeft -= 1;
    if (due.timesLeft === 0) this.#remove(due);
    return due.failure;
  }

  #remove(planned: Planned<T>): void {
    this.#planned = this.#planned.filter((one) => one !== planned);
  }
}
