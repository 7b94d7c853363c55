/** What an election has changed: the old leader is lost, a new one is there, or both. */
export interface Election {
  readonly isLost: boolean;
  readonly isWon: boolean;
}

/** Which servers there are, and who leads them. */
export class Quorum {
  /** How many servers the ensemble has. */
  readonly size: number;
  #leader: number | null = null;
  #followers = 0;

  constructor(size: number) {
    this.size = size;
  }

  /** Number of the server that leads now; null while there is no majority. */
  get leader(): number | null {
    return this.#leader;
  }

  /** How many servers follow the leader. */
  get followers(): number {
    return this.#followers;
  }

  /** @param running - numbers of the servers that run now */
  elect(running: readonly number[]): Election {
    const before = this.#leader;
    const hasMajority = running.length * 2 > this.size;
    const isKept = before !== null && hasMajority && running.includes(before);
    // All servers know the same, so the one with the highest number wins.
    if (!isKept) this.#leader = hasMajority ? Math.max(...running) : null;
    this.#followers = this.#leader === null ? 0 : running.length - 1;
    return { isLost: before !== null && !isKept, isWon: this.#leader !== null && !isKept };
  }
}
