import { shownValue } from './config/shownValue';
import type { ConnectorError } from './errors';
import type { Logger } from './logger';
import type { NextOffset, TopicPartition } from './types';
import { rightNames, wrongArguments } from './wrongArguments';

/** The steps of a rebalance, in the order in which they happen. */
export type RebalanceStep =
  'stop-fetchers' | 'commit' | 'release' | 'assign' | 'claim' | 'read-offsets' | 'start-fetchers';

/** Why a rebalance runs. */
export type RebalanceTrigger =
  | 'created' // createMessageStreams
  | 'members-changed' // children of /consumers/[group]/ids
  | 'topic-changed' // data of /brokers/topics/[topic]; with a topic filter also the list of topics
  | 'session-lost' // a new ZooKeeper session must register again
  | 'interval'; // the regular comparison of ZooKeeper with what is held

/** Everything a connector tells while it works. No event is named `error`: an unheard one harms nothing. */
export interface ConnectorEvents {
  'session:connected': { readonly sessionId: string; readonly timeoutMs: number };
  /** The connection to ZooKeeper is gone; the session may still live. */
  'session:suspended': { readonly sessionId: string };
  'session:lost': { readonly sessionId: string };
  'rebalance:started': { readonly attempt: number; readonly trigger: RebalanceTrigger };
  'rebalance:step': { readonly step: RebalanceStep; readonly durationMs: number };
  /** `changed` is false when everything stood as it should and nothing was touched. */
  'rebalance:finished': {
    readonly durationMs: number;
    readonly owned: readonly TopicPartition[];
    readonly changed: boolean;
  };
  'rebalance:failed': {
    readonly attempt: number;
    readonly error: ConnectorError;
    readonly retryInMs: number;
  };
  /** Given up in order. */
  'partitions:released': { readonly partitions: readonly TopicPartition[] };
  /** Given up because the session could no longer be proved alive: nothing was committed. */
  'partitions:lost': { readonly partitions: readonly TopicPartition[] };
  'offsets:committed': { readonly offsets: readonly NextOffset[] };
  /** A position came from `auto.offset.reset`: nothing was stored, or the log no longer has what was stored. */
  'offset:reset': TopicPartition & {
    readonly from: number | null;
    readonly to: number;
    readonly why: 'none' | 'out-of-range';
  };
  /**
   * A broker could not be asked, or not about some partitions; these look for their leaders again. `broker` is null if
   * there was none to ask.
   */
  'fetch:failed': {
    readonly broker: string | null;
    readonly error: ConnectorError;
    readonly retryInMs: number;
  };
  /** A partition stands still until `seek` or the next rebalance; its stream rejects with the same error. */
  'partition:failed': TopicPartition & { readonly error: ConnectorError };
  'connector:closed': { readonly error: ConnectorError | null };
}

type Listener = (payload: never) => void;

/** All of them; one that is missing does not compile. */
export const EVENT_NAMES = Object.keys({
  'session:connected': true,
  'session:suspended': true,
  'session:lost': true,
  'rebalance:started': true,
  'rebalance:step': true,
  'rebalance:finished': true,
  'rebalance:failed': true,
  'partitions:released': true,
  'partitions:lost': true,
  'offsets:committed': true,
  'offset:reset': true,
  'fetch:failed': true,
  'partition:failed': true,
  'connector:closed': true,
} satisfies Record<keyof ConnectorEvents, true>) as (keyof ConnectorEvents)[];

/** Hands typed events to listeners. A listener that throws, or rejects, is logged and breaks nothing. */
export class Events {
  /** Listeners by event name, in the order in which they were added. */
  readonly #listeners = new Map<keyof ConnectorEvents, Set<Listener>>();
  /** Where a listener's throw goes. */
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Adds a listener; the returned function takes it away again.
   *
   * @throws ConnectorError CONFIG_INVALID for an event that there is not, or a listener that is no function
   */
  on<E extends keyof ConnectorEvents>(event: E, listener: (payload: ConnectorEvents[E]) => void): () => void {
    assertListening(event, listener);
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  emit<E extends keyof ConnectorEvents>(event: E, payload: ConnectorEvents[E]): void {
    const failed = (error: unknown): void => this.#logger.error(`a listener of ${event} threw`, { error });
    // A copy: who is added meanwhile gets the next one.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        const result: unknown = (listener as (payload: ConnectorEvents[E]) => unknown)(payload);
        Promise.resolve(result).catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}

/** Of a misspelt event nobody would ever hear. */
function assertListening(event: unknown, listener: unknown): void {
  const faults: string[] = [];
  if (typeof event !== 'string' || !(EVENT_NAMES as readonly string[]).includes(event)) {
    const name = typeof event === 'string' ? event : '';
    faults.push(`${shownValue(event)} is none of the events${rightNames(name, EVENT_NAMES)}`);
  }
  if (typeof listener !== 'function') {
    faults.push(`the listener of an event must be a function, not ${shownValue(listener)}`);
  }
  if (faults.length > 0) throw wrongArguments(faults);
}
