import type { ZookeeperRelease } from '../ZookeeperRelease';

/** Ids as the real servers give them: number of the server, time of its start, count. */
export class SessionIds {
  readonly #release: ZookeeperRelease;
  readonly #server: number;
  #next = 0n;

  constructor(release: ZookeeperRelease, server: number) {
    this.#release = release;
    this.#server = server;
    this.restart();
  }

  /** Counts from the present time on. */
  restart(): void {
    // The newer release takes a clock that counts from the start of the machine.
    const nowMs = this.#release === '3.4' ? BigInt(Date.now()) : process.hrtime.bigint() / 1_000_000n;
    const first = (BigInt.asUintN(64, nowMs << 24n) >> 8n) | (BigInt(this.#server) << 56n);
    if (first > this.#next) this.#next = first;
  }

  next(): bigint {
    const id = this.#next;
    this.#next += 1n;
    return id;
  }
}

/** As everybody writes it: without leading zeros. */
export function sessionIdText(id: bigint): string {
  return `0x${id.toString(16)}`;
}
