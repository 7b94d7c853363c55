import { ConnectorError } from '../errors';
import { apiVersionsRequest } from './apiVersions';
import { BrokerRequests, type RequestOptions } from './BrokerRequests';
import { PLAINTEXT, type BrokerSecurity, type SaslSettings } from './brokerSecurity';
import { openBrokerSocket } from './brokerSocket';
import {
  brokerAddress,
  chooseVersions,
  isOld,
  mustAnswer,
  saslVersion,
  versionsWithoutAnswer,
  type BrokerEndpoint,
  type BrokerVersions,
  type SaslVersion,
} from './brokerVersions';
import type { BrokerVersionsMemory } from './BrokerVersionsMemory';
import { logIn } from './sasl/logIn';
import type { KafkaRequest } from './wire';

export type { BrokerEndpoint, BrokerVersions } from './brokerVersions';

export interface BrokerConnectionOptions {
  readonly clientId: string;
  /** Deadline of each wait in `connect` (there are at most five), and of a request that brings none of its own. */
  readonly timeoutMs: number;
  /** Longer answers are refused. */
  readonly maxFrameBytes: number;
  /** Default: plain text, no login. */
  readonly security?: BrokerSecurity;
  /** Ends `connect`; afterwards it is without effect. */
  readonly signal?: AbortSignal;
  /** Where to look and to note which brokers do not answer ApiVersions. */
  readonly memory?: BrokerVersionsMemory;
}

/** 0.8 closes the connection when it is asked for its versions, 0.9 says nothing. */
const VERSIONS_TIMEOUT_MS = 2000;

/**
 * One connection to one broker, logged in, with the versions of its requests. It is open until the first thing that goes
 * wrong: nothing is tried again here, the owner makes another one.
 */
export class BrokerConnection {
  readonly broker: BrokerEndpoint;
  /** Versions to use with this broker. */
  readonly versions: BrokerVersions;
  readonly #requests: BrokerRequests;

  private constructor(broker: BrokerEndpoint, versions: BrokerVersions, requests: BrokerRequests) {
    this.broker = broker;
    this.versions = versions;
    this.#requests = requests;
  }

  /**
   * Connects, finds out the versions to use, and logs in. A broker that does not answer ApiVersions is connected to once more
   * and taken for 0.8 or 0.9, unless its registration proves that it is newer: then silence is a failure, not an age, since
   * the old versions would cost it a conversion of every message and the messages their timestamps.
   */
  static async connect(broker: BrokerEndpoint, options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const { memory, signal, timeoutMs, maxFrameBytes, security = PLAINTEXT } = options;
    // Without an answer there is no login.
    const strict = mustAnswer(broker) || security.sasl !== undefined;
    if (strict || !memory?.isMute(broker)) {
      const requests = await open(broker, options);
      let isAnswered = false;
      try {
        const answer = await requests.request(apiVersionsRequest(), {
          timeoutMs: strict ? timeoutMs : Math.min(timeoutMs, VERSIONS_TIMEOUT_MS),
          ...(signal && { signal }),
        });
        isAnswered = true;
        const versions = chooseVersions(broker, answer);
        if (security.sasl) await logInWith(requests, security.sasl, saslVersion(answer), signal);
        requests.open(maxFrameBytes);
        return new BrokerConnection(broker, versions, requests);
      } catch (error) {
        requests.close();
        const isSilent = !isAnswered && ConnectorError.is(error) && error.code === 'BROKER_UNREACHABLE';
        if (!isSilent || signal?.aborted) throw error;
        if (security.sasl && isOld(broker)) throw noLogin(requests.address, error);
        // Only 0.8 hangs up when it is asked, and it has no TLS.
        if (strict || (security.tls && requests.isHungUp)) throw error;
      }
    }
    const requests = await open(broker, options);
    memory?.rememberMute(broker);
    requests.open(maxFrameBytes);
    return new BrokerConnection(broker, versionsWithoutAnswer(broker), requests);
  }

  get closed(): boolean {
    return this.#requests.isClosed;
  }

  /** Rejects with BROKER_UNREACHABLE (network, deadline, abort, closed) or BROKER_ERROR (an answer without sense). */
  request<T>(request: KafkaRequest<T>, options?: RequestOptions): Promise<T> {
    return this.#requests.request(request, options);
  }

  /** At once; what is pending is rejected. */
  close(): void {
    this.#requests.close();
  }
}

async function open(broker: BrokerEndpoint, options: BrokerConnectionOptions): Promise<BrokerRequests> {
  const { clientId, timeoutMs, signal, memory, security = PLAINTEXT } = options;
  const { host, port } = broker;
  try {
    const socket = await openBrokerSocket({
      ...{ host, port, clientId, timeoutMs, tls: security.tls },
      ...(signal && { signal }),
    });
    return new BrokerRequests(socket, {
      ...{ address: brokerAddress(broker), clientId, timeoutMs, security },
      onFailure: () => memory?.forget(broker),
    });
  } catch (error) {
    if (!signal?.aborted) memory?.forget(broker);
    throw error;
  }
}

async function logInWith(
  requests: BrokerRequests,
  sasl: SaslSettings,
  version: SaslVersion | null,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (version !== null) return logIn(requests, sasl, version, signal && { signal });
  throw noLogin(requests.address);
}

function noLogin(broker: string, cause?: unknown): ConnectorError {
  const text =
    `broker ${broker} has no login that this package knows (SaslHandshake), as Kafka has from 0.10 on; ` +
    'look at security.protocol';
  return new ConnectorError('BROKER_ERROR', text, { broker, cause });
}
