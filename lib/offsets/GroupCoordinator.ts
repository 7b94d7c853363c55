import { ConnectorError } from '../errors';
import type { BrokerConnection } from '../kafka/BrokerConnection';
import { brokerAddress, type BrokerEndpoint, type BrokerVersions } from '../kafka/brokerVersions';
import { NONE } from '../kafka/errorCodes';
import { findCoordinatorRequest } from '../kafka/findCoordinator';
import { inRandomOrder, type Connect } from '../kafka/metadataFromAnyOf';
import type { KafkaRequest } from '../kafka/wire';
import { coordinatorFailure, isFinal } from './coordinatorErrors';
import { withinTime } from './withinTime';

export interface GroupCoordinatorOptions {
  readonly group: string;
  /** The brokers that are registered. */
  readonly clusterBrokers: () => Promise<readonly BrokerEndpoint[]>;
  readonly connect: Connect;
  /** For each look-up, each connection and each request. */
  readonly timeoutMs: number;
}

export interface CoordinatorAnswer<T> {
  readonly answer: T;
  /** `host:port` of the coordinator. */
  readonly broker: string;
}

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
    signal: AbortSignal,
  ): Promise<CoordinatorAnswer<T>> {
    const kept = this.#connection;
    if (kept !== null && !kept.closed) {
      const sentMs = performance.now();
      try {
        return await this.#send(kept, request, signal);
      } catch (error) {
        // A connection that has died while nothing was sent shows it only now; one that says nothing has had its time.
        const isDead = isUnreachable(error) && performance.now() - sentMs < this.#options.timeoutMs;
        if (!isDead || signal.aborted) throw error;
      }
    }
    return this.#send(await this.#open(signal), request, signal);
  }

  /** The next request looks it up anew. */
  drop(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  async #send<T>(
    connection: BrokerConnection,
    request: (versions: BrokerVersions) => KafkaRequest<T>,
    signal: AbortSignal,
  ): Promise<CoordinatorAnswer<T>> {
    const { timeoutMs } = this.#options;
    const broker = brokerAddress(connection.broker);
    const asked = request(connection.versions);
    const late = `group coordinator ${broker} has not answered ${asked.name}`;
    const answer = await this.#within(late, signal, (ending) =>
      connection.request(asked, { timeoutMs, signal: ending }),
    );
    return { answer, broker };
  }

  async #open(signal: AbortSignal): Promise<BrokerConnection> {
    this.drop();
    const unnamed = 'no broker has named the group coordinator';
    const coordinator = await this.#within(unnamed, signal, (ending) => this.#lookUp(ending));
    const late = `the group coordinator, ${brokerAddress(coordinator)}, cannot be connected to`;
    const connection = await this.#within(late, signal, (ending) => this.#connect(coordinator, ending));
    this.#connection = connection;
    // Whoever has ended it meanwhile has found nothing to drop.
    if (signal.aborted) this.drop();
    return connection;
  }

  /** Asks brokers in random order until one names it. */
  async #lookUp(signal: AbortSignal): Promise<BrokerEndpoint> {
    const { clusterBrokers, timeoutMs } = this.#options;
    const untilMs = performance.now() + timeoutMs;
    const brokers = await clusterBrokers();
    let failure: unknown = new ConnectorError(
      'BROKER_UNREACHABLE',
      'there is no broker to ask for the group coordinator',
    );
    for (const [index, broker] of inRandomOrder(brokers).entries()) {
      const limitMs = (untilMs - performance.now()) / Math.min(SHARES, brokers.length - index);
      try {
        const late = `broker ${brokerAddress(broker)} has not named the group coordinator`;
        return await this.#within(late, signal, (ending) => this.#nameOf(broker, brokers, ending), limitMs);
      } catch (error) {
        // What one of them refuses to the group, all of them refuse.
        const isRefused = ConnectorError.is(error) && isFinal(error.context.brokerCode);
        if (signal.aborted || isRefused) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** The coordinator as this broker names it, with what is registered of it. */
  async #nameOf(
    broker: BrokerEndpoint,
    registered: readonly BrokerEndpoint[],
    signal: AbortSignal,
  ): Promise<BrokerEndpoint> {
    const { group, timeoutMs } = this.#options;
    const connection = await this.#connect(broker, signal);
    try {
      const { errorCode, coordinator } = await connection.request(findCoordinatorRequest(group), {
        ...{ timeoutMs, signal },
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

  async #connect(broker: BrokerEndpoint, signal: AbortSignal): Promise<BrokerConnection> {
    const connection = await this.#options.connect(broker, signal);
    // Nobody waits for it any more.
    if (signal.aborted) connection.close();
    return connection;
  }

  /** @param what - what has not happened if the time runs out */
  #within<T>(
    what: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
    limitMs = this.#options.timeoutMs,
  ): Promise<T> {
    const late = (): ConnectorError =>
      new ConnectorError('BROKER_UNREACHABLE', `${what} within ${Math.round(limitMs)} ms`);
    return withinTime({ limitMs, late, signal }, work);
  }
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
