import { randomOf } from './randomOf';

/** Chooses by chance, the same for the same seed. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  /** From 0 to `below` - 1. */
  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.number(items.length)];
    if (item === undefined) throw new RangeError('There is nothing to choose from');
    return item;
  }
}
