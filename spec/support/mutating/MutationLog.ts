import type { Mutated } from './mutation';

const SHOWN_BYTES = 96;
const SHOWN = 12;

interface Entry {
  readonly kind: string;
  readonly link: Link;
  /** Where in what the connection was sent its first byte is. */
  readonly atByte: number;
  readonly mutated: Mutated;
  isRead: boolean;
}

/** One connection of the process under test. */
export interface Link {
  readonly number: number;
  readonly port: number;
  /** Handed to the network so far. */
  sentBytes: number;
}

/**
 * The mutated answers that were sent. One counts as delivered only if the process under test says how many bytes it has
 * read from that connection, and the answer begins among them.
 */
export class MutationLog {
  /** How many were delivered, by kind. */
  readonly delivered = new Map<string, number>();
  deliveredCount = 0;
  readonly #seed: number;
  readonly #entries: Entry[] = [];
  /** By the client's port, the oldest first: the system may give a port twice. */
  readonly #links = new Map<number, Link[]>();
  #linkCount = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  connected(port: number): Link {
    const link = { number: (this.#linkCount += 1), port, sentBytes: 0 };
    this.#links.set(port, [...(this.#links.get(port) ?? []), link]);
    return link;
  }

  sent(link: Link, kind: string, mutated: Mutated): void {
    this.#entries.push({ kind, link, atByte: link.sentBytes, mutated, isRead: false });
  }

  /** The process under test has closed its connection from that port, having read so many bytes. */
  wasRead(port: number, bytes: number): void {
    const link = this.#links.get(port)?.shift();
    for (const entry of this.#entries) {
      if (entry.link !== link || entry.isRead || entry.atByte >= bytes) continue;
      entry.isRead = true;
      this.deliveredCount += 1;
      this.delivered.set(entry.kind, (this.delivered.get(entry.kind) ?? 0) + 1);
    }
  }

  /** For a failure: what it takes to do it again, and what was sent last. */
  describe(): string {
    const last = this.#entries.slice(-SHOWN).map(({ kind, link, mutated: { bytes, then } }) => {
      const hex = bytes.subarray(0, SHOWN_BYTES).toString('hex') + (bytes.length > SHOWN_BYTES ? '…' : '');
      return `  connection ${link.number}: ${kind}, ${bytes.length} bytes, then ${then}: ${hex}`;
    });
    return [
      `Seed ${this.#seed}; ${this.#entries.length} mutated answers sent, ${this.deliveredCount} seen to arrive. The last ones:`,
      ...last,
    ].join('\n');
  }
}
