import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import type { ZookeeperAdmin } from './cluster/ZookeeperAdmin';

const PAUSE_MS = 2;

/** Looks at a node through one server all the time, to say when it vanished from there. */
export class NodeSights implements AsyncDisposable {
  /** `performance.now()` when the last question was asked whose answer was that the node is there: it vanished later. */
  presentAtMs = 0;
  /** When the first answer came that it is not; 0 before. It vanished earlier. */
  absentAtMs = 0;
  readonly #stopping = new AbortController();
  readonly #looking: Promise<void>;

  /** The function is called before each question. */
  constructor(admin: ZookeeperAdmin, path: string, onLook: () => void = () => undefined) {
    this.#looking = this.#run(admin, path, onLook);
    this.#looking.catch(() => undefined); // the end of the spec tells
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async #run(admin: ZookeeperAdmin, path: string, onLook: () => void): Promise<void> {
    while (this.absentAtMs === 0 && !this.#stopping.signal.aborted) {
      onLook();
      const askedMs = performance.now();
      if (await admin.exists(path)) this.presentAtMs = askedMs;
      else this.absentAtMs = performance.now();
      await delay(PAUSE_MS);
    }
  }
}
