import { stoppedError } from '../stoppedError';
import { MOST_DELAY_MS, NetworkArguments, type ServerCounts } from './NetworkArguments';
import {
  matches,
  type ConnectionFacts,
  type ConnectionFilter,
  type CountedFault,
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
  readonly #servers: ServerCounts;
  readonly #open = new Set<FaultyConnection>();
  #rules: PlacedRule[] = [];
  #connectionCount = 0;
  #isEnded = false;

  /**
   * @param seed - for delays that are drawn; the same seed draws the same numbers
   * @param servers - how many there are, for filters by number
   */
  constructor(seed: number, servers: ServerCounts = { broker: Infinity, zookeeper: Infinity }) {
    this.#random = new RandomNumbers(seed);
    this.#servers = servers;
  }

  /**
   * Connections that are open now.
   *
   * @throws TypeError for a filter that is none
   */
  connections(filter: ConnectionFilter = {}): readonly EmbeddedConnection[] {
    this.#arguments('connections').filter(filter).refuse();
    return [...this.#open].filter((connection) => matches(filter, connection));
  }

  /**
   * Resets open connections; new ones are welcome.
   *
   * @throws TypeError for a filter that is none, Error for a cluster that has been stopped
   */
  drop(filter: ConnectionFilter = {}): void {
    this.#arguments('drop').filter(filter).refuse();
    this.#mustRun();
    for (const connection of this.connections(filter)) connection.drop();
  }

  /**
   * Frames take longer from now on, and keep their order.
   *
   * @param range - at most 2,147,483,647 ms, which is what timers can wait
   * @throws TypeError for arguments that cannot be used, Error for a cluster that has been stopped
   */
  delay(range: DelayRange, filter: ConnectionFilter = {}, direction: Direction = 'both'): NetworkFault {
    this.#arguments('delay').range(range).filter(filter).direction(direction).refuse();
    const { minMs, maxMs } = typeof range === 'number' ? { minMs: range, maxMs: range } : range;
    return this.#place({ kind: 'delay', direction, minMs, maxMs }, filter);
  }

  /**
   * Frames go nowhere, and nobody is told; they arrive when the fault is healed. New connections are accepted.
   *
   * @throws TypeError for arguments that cannot be used, Error for a cluster that has been stopped
   */
  blackHole(filter: ConnectionFilter = {}, direction: Direction = 'both'): NetworkFault {
    this.#arguments('blackHole').filter(filter).direction(direction).refuse();
    return this.#place({ kind: 'black-hole', direction }, filter);
  }

  /**
   * New connections are reset as soon as they are made; those that are open stay. It cannot be for one client, since nobody
   * knows yet who is connecting.
   *
   * @throws TypeError for a filter that is none, Error for a cluster that has been stopped
   */
  refuse(filter: Omit<ConnectionFilter, 'client'> = {}): NetworkFault {
    this.#arguments('refuse').filterOfServers(filter).refuse();
    return this.#place({ kind: 'refuse' }, filter);
  }

  /**
   * Cuts the next answers: so many bytes are sent, its length among them, then the connection is reset. An answer that
   * is shorter goes whole before that. Of more than some 100 KB in front of a cut the reset may throw away a part.
   *
   * @param times - number of answers, default 1
   * @throws TypeError for arguments that cannot be used, Error for a cluster that has been stopped
   */
  cutNextAnswer(afterBytes: number, filter: ConnectionFilter = {}, times = 1): CountedFault {
    this.#arguments('cutNextAnswer').cut(afterBytes, times).filter(filter).refuse();
    const rule = { kind: 'cut' as const, afterBytes, timesLeft: times };
    return {
      ...this.#place(rule, filter),
      get timesLeft() {
        return rule.timesLeft;
      },
    };
  }

  /**
   * Ends all faults.
   *
   * @throws Error for a cluster that has been stopped
   */
  heal(): void {
    this.#mustRun();
    this.#rules = [];
    this.#changed();
  }

  /** @internal The cluster is being stopped: no fault can be placed any more. */
  end(): void {
    this.#isEnded = true;
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
    return Math.min(totalMs, MOST_DELAY_MS);
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

  #arguments(call: string): NetworkArguments {
    return new NetworkArguments(`network.${call}`, this.#servers);
  }

  #mustRun(): void {
    if (this.#isEnded) throw stoppedError();
  }

  #place(rule: FaultRule, filter: ConnectionFilter): NetworkFault {
    this.#mustRun();
    const placed = { rule, filter: { ...filter } };
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
