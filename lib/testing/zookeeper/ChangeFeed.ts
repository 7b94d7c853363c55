import type { TreeChange } from './LocalSession';

type ChangeListener = (change: TreeChange) => void;

/** Tells listeners inside the process of changes, in their order, also when a listener makes changes itself. */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();
  /** Changes that have been made and not been told. */
  #waiting: TreeChange[] = [];
  #isTelling = false;

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(change: TreeChange): void {
    if (this.#listeners.size > 0) this.#waiting.push(change);
  }

  /** Returns when all changes have been told, or at once within a listener. */
  tell(): void {
    if (this.#isTelling || this.#waiting.length === 0) return;
    this.#isTelling = true;
    try {
      for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
        for (const listener of [...this.#listeners]) {
          if (this.#listeners.has(listener)) listener(change);
        }
      }
    } finally {
      this.#isTelling = false;
    }
  }
}
