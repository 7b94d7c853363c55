import { ConnectorError } from '../errors';
import type { BrokerConnection } from '../kafka/BrokerConnection';
import { brokerAddress, type BrokerEndpoint, type BrokerVersions } from '../kafka/brokerVersions';
import { NONE } from '../kafka/errorCodes';
import { findCoordinatorRequest } from '../kafka/findCoordinator';
import { inRandomOrder, type Connect } from '../kafka/metadataFromAnyOf';
import type { KafkaRequest } from '../kafka/wire';
import { coordinatorFailure, isFinal } from './coordinatorErrors';
import { withinTime } from '../withinTime';

export interface GroupCoordinatorOptions {
  readonly group: string;
  /** The brokers that are registered. */
  readonly clusterBrokers: () => Promise<readonly BrokerEndpoint[]>;
  readonly connect: Connect;
}

/** What ends a question. */
export interface Ending {
  readonly signal: AbortSignal;
  /** By performance.now(), for the look-up, the connection and the request together. */
  readonly untilMs: number;
}

export interface CoordinatorAnswer<T> {
  readonly answer: T;
  /** `host:port` of the coordinator. */
  readonly broker: string;
}

/** With less time left nothing can be asked any more. Timers may be a little early. */
const LEAST_MS = 10;
/** A broker that says nothing may cost a look-up this part of its time, so that there is some left for others. */
const SHARES = 3;

/**
 * The broker that keeps the offsets of a group, and the one connection to it. It is looked up when it is needed, and again when
 * the connection is lost or it was dropped. One request at a time.
 */
export class GroupCoordinator {
  readonly #options: GroupCoordinatorOptions;
  /** Kept until it is lost; null as long as the coordinator is not known. */
  #connection: BrokerConnection | null = null;
  /** Ends what is being connected. */
  readonly #closing = new AbortController();

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options;
  }

  /**
   * Rejects with BROKER_UNREACHABLE (nobody names the coordinator, or it does not answer) or BROKER_ERROR; with what
   * `request` throws; with what the list of brokers rejects with; with the reason of the signal.
   *
   * @param request - called with the versions of the coordinator, right before it is sent
   */
  async ask<T>(
    request: (versions: BrokerVersions) => KafkaRequest<T>,
    ending: Ending,
  ): Promise<CoordinatorAnswer<T>> {
    const kept = this.#connection;
    if (kept !== null && !kept.closed) {
      try {
        return await this.#send(kept, request, ending);
      } catch (error) {
        // A connection that has died while nothing was sent shows it only now; one that says nothing has had its time.
        const isDead = isUnreachable(error) && performance.now() < ending.untilMs - LEAST_MS;
        if (!isDead || ending.signal.aborted) throw error;
      }
    }
    return this.#send(await this.#open(ending), request, ending);
  }

  /** The next request looks it up anew. */
  drop(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  /** Ends everything. */
  close(): void {
    this.#closing.abort();
    this.drop();
  }

  async #send<T>(
    connection: BrokerConnection,
    request: (versions: BrokerVersions) => KafkaRequest<T>,
    ending: Ending,
  ): Promise<CoordinatorAnswer<T>> {
    const timeoutMs = remainingMs(ending);
    const broker = brokerAddress(connection.broker);
    const asked = request(connection.versions);
    const late = `group coordinator ${broker} has not answered ${asked.name}`;
    const answer = await within(late, ending, (signal) => connection.request(asked, { timeoutMs, signal }));
    return { answer, broker };
  }

  async #open(ending: Ending): Promise<BrokerConnection> {
    this.drop();
    const unnamed = 'no broker has named the group coordinator';
    const coordinator = await within(unnamed, ending, (signal) => this.#lookUp({ ...ending, signal }));
    const late = `the group coordinator, ${brokerAddress(coordinator)}, cannot be connected to`;
    const connection = await within(late, ending, (signal) => this.#connect(coordinator, signal));
    this.#connection = connection;
    // Whoever has ended it meanwhile has found nothing to drop.
    if (ending.signal.aborted) this.drop();
    return connection;
  }

  /** Asks brokers in random order until one names it. */
  async #lookUp(ending: Ending): Promise<BrokerEndpoint> {
    const brokers = await this.#options.clusterBrokers();
    let failure: unknown = new ConnectorError(
      'BROKER_UNREACHABLE',
      'there is no broker to ask for the group coordinator',
    );
    for (const [index, broker] of inRandomOrder(brokers).entries()) {
      const shareMs = remainingMs(ending) / Math.min(SHARES, brokers.length - index);
      const share = { ...ending, untilMs: performance.now() + shareMs };
      try {
        const late = `broker ${brokerAddress(broker)} has not named the group coordinator`;
        return await within(late, share, (signal) => this.#nameOf(broker, brokers, { ...share, signal }));
      } catch (error) {
        // What one of them refuses to the group, all of them refuse.
        const isRefused = ConnectorError.is(error) && isFinal(error.context.brokerCode);
        if (ending.signal.aborted || isRefused) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** The coordinator as this broker names it, with what is registered of it. */
  async #nameOf(
    broker: BrokerEndpoint,
    registered: readonly BrokerEndpoint[],
    ending: Ending,
  ): Promise<BrokerEndpoint> {
    const { group } = this.#options;
    const { signal } = ending;
    const connection = await this.#connect(broker, signal);
    try {
      const { errorCode, coordinator } = await connection.request(findCoordinatorRequest(group), {
        ...{ timeoutMs: remainingMs(ending), signal },
      });
      if (errorCode !== NONE) {
        throw coordinatorFailure(errorCode, 'FindCoordinator', group, brokerAddress(broker));
      }
      return { ...registered.find(({ id }) => id === coordinator.id), ...coordinator };
    } catch (error) {
      const isOldest = connection.versions.offsetCommit === 1;
      throw isOldest && connection.closed && !signal.aborted && isUnreachable(error) ? tooOld(error) : error;
    } finally {
      connection.close();
    }
  }

  /**
   * It goes on when nobody waits for it any more, up to its own deadlines: brokers of 0.9 are known only by 2 s of silence, and
   * the next look-up shall not have to begin with these again.
   */
  async #connect(broker: BrokerEndpoint, signal: AbortSignal): Promise<BrokerConnection> {
    const connection = await this.#options.connect(broker, this.#closing.signal);
    if (signal.aborted) connection.close();
    return connection;
  }
}

/** @param what - what has not happened if the time runs out */
function within<T>(what: string, ending: Ending, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limitMs = remainingMs(ending);
  const late = (): ConnectorError =>
    new ConnectorError('BROKER_UNREACHABLE', `${what} within ${Math.round(limitMs)} ms`);
  return withinTime({ limitMs, late, signal: ending.signal }, work);
}

/** At least a moment: what takes no time goes on. */
function remainingMs({ untilMs }: Ending): number {
  return Math.max(1, untilMs - performance.now());
}

function isUnreachable(error: unknown): error is ConnectorError {
  return ConnectorError.is(error) && error.code === 'BROKER_UNREACHABLE';
}

/** 0.8.1 and 0.8.2 register alike. Neither has TLS, which else would be the first guess. */
function tooOld(cause: ConnectorError): ConnectorError {
  const { broker } = cause.context;
  const text =
    `broker ${broker} closed the connection when it was asked for the group coordinator; if this happens always, it is of ` +
    'Kafka 0.8.1, which has none: offsets.storage=kafka needs 0.8.2';
  return new ConnectorError('BROKER_UNREACHABLE', text, { ...cause.context, cause });
}
