import {
  matches,
  type ConnectionFacts,
  type ConnectionFilter,
  type DelayRange,
  type Direction,
  type FaultRule,
  type NetworkFault,
} from './FaultRule';
import { RandomNumbers } from './RandomNumbers';

/** A connection that a client has made to one of the cluster's servers. */
export interface EmbeddedConnection extends ConnectionFacts {
  /** Counts all connections of the cluster, from 1. */
  readonly id: number;
  readonly remotePort: number;
  /** Resets it. */
  drop(): void;
}

/** What the network asks of a connection. */
export interface FaultyConnection extends EmbeddedConnection {
  /** The rules that it falls under have changed. */
  rulesChanged(): void;
}

interface PlacedRule {
  readonly rule: FaultRule;
  readonly filter: ConnectionFilter;
}

/**
 * The faults between clients and an embedded cluster. A filter chooses connections, those that are open and those to
 * come; without one all are meant. Faults add up: two delays are waited for one after the other.
 */
export class EmbeddedNetwork {
  readonly #random: RandomNumbers;
  readonly #open = new Set<FaultyConnection>();
  #rules: PlacedRule[] = [];
  #connectionCount = 0;

  /** @param seed - for delays that are drawn; the same seed draws the same numbers */
  constructor(seed: number) {
    this.#random = new RandomNumbers(seed);
  }

  /** Connections that are open now. */
  connections(filter: ConnectionFilter = {}): readonly EmbeddedConnection[] {
    return [...this.#open].filter((connection) => matches(filter, connection));
  }

  /** Resets open connections; new ones are welcome. */
  drop(filter: ConnectionFilter = {}): void {
    for (const connection of this.connections(filter)) connection.drop();
  }

  /** Frames take longer from now on, and keep their order. */
  delay(range: DelayRange, filter: ConnectionFilter = {}, direction: Direction = 'both'): NetworkFault {
    const { minMs, maxMs } = typeof range === 'number' ? { minMs: range, maxMs: range } : range;
    if (!(minMs >= 0 && maxMs >= minMs)) {
      throw new RangeError(
        `a delay must be from 0 ms on, the smaller number first; not ${minMs} to ${maxMs}`,
      );
    }
    return this.#place({ kind: 'delay', direction, minMs, maxMs }, filter);
  }

  /** Frames go nowhere, and nobody is told; they arrive when the fault is healed. New connections are accepted. */
  blackHole(filter: ConnectionFilter = {}, direction: Direction = 'both'): NetworkFault {
    return this.#place({ kind: 'black-hole', direction }, filter);
  }

  /** New connections are reset as soon as they are made; those that are open stay. A filter by client has no effect. */
  refuse(filter: Omit<ConnectionFilter, 'client'> = {}): NetworkFault {
    return this.#place({ kind: 'refuse' }, filter);
  }

  /**
   * Cuts the next answers: so many bytes are sent, its length among them, then the connection is reset. An answer that
   * is shorter goes whole before that.
   *
   * @param times - number of answers, default 1
   */
  cutNextAnswer(afterBytes: number, filter: ConnectionFilter = {}, times = 1): NetworkFault {
    if (!(Number.isInteger(afterBytes) && afterBytes >= 0)) {
      throw new RangeError(`the bytes in front of a cut must be a whole number from 0 on, not ${afterBytes}`);
    }
    return this.#place({ kind: 'cut', afterBytes, timesLeft: times }, filter);
  }

  /** Ends all faults. */
  heal(): void {
    this.#rules = [];
    this.#changed();
  }

  /** @internal */
  nextConnectionId(): number {
    this.#connectionCount += 1;
    return this.#connectionCount;
  }

  /** @internal */
  opened(connection: FaultyConnection): void {
    this.#open.add(connection);
  }

  /** @internal */
  closed(connection: FaultyConnection): void {
    this.#open.delete(connection);
  }

  /** @internal */
  isRefused(facts: ConnectionFacts): boolean {
    return this.#rulesFor(facts).some(({ kind }) => kind === 'refuse');
  }

  /** @internal */
  isBlackHole(facts: ConnectionFacts, direction: 'requests' | 'answers'): boolean {
    return this.#rulesFor(facts).some(
      (rule) => rule.kind === 'black-hole' && covers(rule.direction, direction),
    );
  }

  /** @internal How long the next frame takes. */
  drawDelayMs(facts: ConnectionFacts, direction: 'requests' | 'answers'): number {
    if (this.#rules.length === 0) return 0;
    let totalMs = 0;
    for (const rule of this.#rulesFor(facts)) {
      if (rule.kind !== 'delay' || !covers(rule.direction, direction)) continue;
      totalMs += this.#random.between(rule.minMs, rule.maxMs);
    }
    return totalMs;
  }

  /** @internal After how many bytes this answer is cut, or null. Counts as one cut. */
  takeCut(facts: ConnectionFacts): number | null {
    if (this.#rules.length === 0) return null;
    for (const rule of this.#rulesFor(facts)) {
      if (rule.kind !== 'cut' || rule.timesLeft <= 0) continue;
      rule.timesLeft -= 1;
      return rule.afterBytes;
    }
    return null;
  }

  #rulesFor(facts: ConnectionFacts): readonly FaultRule[] {
    return this.#rules.filter(({ filter }) => matches(filter, facts)).map(({ rule }) => rule);
  }

  #place(rule: FaultRule, filter: ConnectionFilter): NetworkFault {
    const placed = { rule, filter };
    this.#rules.push(placed);
    this.#changed();
    const heal = (): void => {
      this.#rules = this.#rules.filter((one) => one !== placed);
      this.#changed();
    };
    return { heal, [Symbol.dispose]: heal };
  }

  #changed(): void {
    for (const connection of [...this.#open]) connection.rulesChanged();
  }
}

function covers(rule: Direction, direction: 'requests' | 'answers'): boolean {
  return rule === 'both' || rule === direction;
}
