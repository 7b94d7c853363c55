import type { ZookeeperRelease } from '../ZookeeperRelease';

/** What commands such as `srvr` and `cons` tell of requests and answers. */
export class Traffic {
  received = 0;
  sent = 0;
  #count = 0;
  #totalMs = 0;
  #minMs = Infinity;
  #maxMs = 0;

  /** A request has been answered. */
  answered(latencyMs: number): void {
    const wholeMs = Math.floor(latencyMs);
    this.#count += 1;
    this.#totalMs += wholeMs;
    this.#minMs = Math.min(this.#minMs, wholeMs);
    this.#maxMs = Math.max(this.#maxMs, wholeMs);
  }

  get minMs(): number {
    return this.#minMs === Infinity ? 0 : this.#minMs;
  }

  get averageMs(): number {
    return this.#count === 0 ? 0 : this.#totalMs / this.#count;
  }

  /** As the release writes it: whole, or with up to four decimals. */
  averageText(release: ZookeeperRelease): string {
    if (release === '3.4') return String(Math.floor(this.averageMs));
    const rounded = Math.round(this.averageMs * 10_000) / 10_000;
    return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded);
  }

  get maxMs(): number {
    return this.#maxMs;
  }

  reset(): void {
    this.received = this.sent = this.#count = this.#totalMs = this.#maxMs = 0;
    this.#minMs = Infinity;
  }
}
