/** Which bytes are meant: what clients send, what they are answered, or both. */
export type Direction = 'requests' | 'answers' | 'both';

/** Chooses connections; what is left out does not matter. */
export interface ConnectionFilter {
  /** Of ZooKeeper's servers or of the brokers. */
  readonly server?: 'zookeeper' | 'broker';
  /** Number of the server, or id of the broker; both count from 1. */
  readonly number?: number;
  /** A broker's client by its client.id, ZooKeeper's by the session's id, such as "0x15c0ffee". */
  readonly client?: string | RegExp;
}

/** What is known of a connection: a filter is held against it. */
export interface ConnectionFacts {
  readonly server: 'zookeeper' | 'broker';
  readonly number: number;
  readonly client: string | null;
}

/** A fault of the network that lasts until it is healed. */
export interface NetworkFault extends Disposable {
  /** Ends the fault: what a black hole has kept back arrives now. */
  heal(): void;
}

/** A fault that strikes so many times. */
export interface CountedFault extends NetworkFault {
  /** How many times it has not struck yet; 0 when it is over. It stays as it is when the fault is healed. */
  readonly timesLeft: number;
}

/** How long a frame takes, in milliseconds; between two numbers it is drawn by the cluster's seed. */
export type DelayRange = number | { readonly minMs: number; readonly maxMs: number };

export type FaultRule =
  | { readonly kind: 'delay'; readonly direction: Direction; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: 'black-hole'; readonly direction: Direction }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'cut'; readonly afterBytes: number; timesLeft: number };

export function matches(filter: ConnectionFilter, facts: ConnectionFacts): boolean {
  if (filter.server !== undefined && filter.server !== facts.server) return false;
  if (filter.number !== undefined && filter.number !== facts.number) return false;
  if (filter.client === undefined) return true;
  if (facts.client === null) return false;
  if (typeof filter.client === 'string') return filter.client === facts.client;
  // Not test(), which goes on where it was with the flags g and y.
  return facts.client.search(filter.client) >= 0;
}
