import { ArgumentFaults } from '../argumentFaults';

/** How many servers there are of each kind, with numbers from 1. */
export interface ServerCounts {
  readonly broker: number;
  readonly zookeeper: number;
}

/** What timers can wait. */
export const MOST_DELAY_MS = 0x7fff_ffff;

const RIGHT_FILTER = "an object such as { server: 'broker', number: 1 }";
const RIGHT_RANGE = 'a number or an object such as { minMs: 5, maxMs: 50 }';

/** Looks at the arguments of a fault, and collects what is wrong with them. */
export class NetworkArguments {
  readonly #faults: ArgumentFaults;
  readonly #servers: ServerCounts;

  constructor(call: string, servers: ServerCounts) {
    this.#faults = new ArgumentFaults(call);
    this.#servers = servers;
  }

  filter(given: unknown): this {
    const filter = this.#fieldsOf(given);
    if (filter?.client !== undefined) this.#faults.textOrPattern('filter.client', filter.client);
    return this;
  }

  /** One that cannot choose a client. */
  filterOfServers(given: unknown): this {
    if (this.#fieldsOf(given)?.client !== undefined) {
      this.#faults.add('filter.client must be left out: nobody knows yet who is connecting');
    }
    return this;
  }

  direction(given: unknown): this {
    this.#faults.oneOf('direction', given, ['requests', 'answers', 'both']);
    return this;
  }

  range(given: unknown): this {
    if (typeof given === 'number') return this.#delay('range', given);
    const range = this.#faults.fields('range', given, ['minMs', 'maxMs'], RIGHT_RANGE);
    if (range === null) return this;
    const { minMs, maxMs } = range;
    if (typeof minMs === 'number' && typeof maxMs === 'number' && minMs > maxMs) {
      this.#faults.check(false, 'range.maxMs', `minMs (${minMs}) or more`, maxMs);
    }
    return this.#delay('range.minMs', minMs).#delay('range.maxMs', maxMs);
  }

  cut(afterBytes: unknown, times: unknown): this {
    this.#faults.wholeNumber('afterBytes', afterBytes, 0).wholeNumber('times', times, 1);
    return this;
  }

  /** @throws TypeError with all that is wrong */
  refuse(): void {
    this.#faults.refuse();
  }

  #delay(name: string, ms: unknown): this {
    const isRight = typeof ms === 'number' && ms >= 0 && ms <= MOST_DELAY_MS;
    this.#faults.check(isRight, name, `milliseconds from 0 to ${MOST_DELAY_MS}`, ms);
    return this;
  }

  #fieldsOf(given: unknown): { readonly client?: unknown } | null {
    const filter = this.#faults.fields('filter', given, ['server', 'number', 'client'], RIGHT_FILTER);
    if (filter === null) return null;
    const { server, number } = filter;
    if (server !== undefined) this.#faults.oneOf('filter.server', server, ['broker', 'zookeeper']);
    if (number !== undefined) this.#faults.wholeNumber('filter.number', number, 1, this.#mostOf(server));
    return filter;
  }

  #mostOf(server: unknown): number {
    const { broker, zookeeper } = this.#servers;
    const most =
      server === 'broker' ? broker : server === 'zookeeper' ? zookeeper : Math.max(broker, zookeeper);
    return Math.max(1, most);
  }
}
