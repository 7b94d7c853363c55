import { ConnectorError } from '../errors';
import { errorName } from './errorNames';
import { FETCH_API_KEY, type FetchVersion } from './fetch';
import { LIST_OFFSETS_API_KEY, type ListOffsetsVersion } from './listOffsets';
import { METADATA_API_KEY, type MetadataVersion } from './metadata';
import type { ApiVersionsAnswer } from './apiVersions';
import { OFFSET_COMMIT_API_KEY, type OffsetCommitVersion } from './offsetCommit';
import { OFFSET_FETCH_API_KEY, type OffsetFetchVersion } from './offsetFetch';
import { SASL_AUTHENTICATE_API_KEY, SASL_HANDSHAKE_API_KEY } from './sasl/saslRequests';

/** A broker's address, with what is known of it. */
export interface BrokerEndpoint {
  readonly id?: number;
  readonly host: string;
  readonly port: number;
  /** JSON version of its registration in ZooKeeper: 1 is inter-broker protocol 0.8, 2 is 0.9, 3 and more 0.10 or later. */
  readonly registrationVersion?: number;
}

/** The version of each request to use with one broker. */
export interface BrokerVersions {
  readonly fetch: FetchVersion;
  readonly listOffsets: ListOffsetsVersion;
  readonly metadata: MetadataVersion;
  /** Null if there is none in common, as of the next: not all have to keep offsets. */
  readonly offsetCommit: OffsetCommitVersion | null;
  readonly offsetFetch: OffsetFetchVersion | null;
}

/** How a login goes: by tokens alone, or by requests with tokens in them (KIP-152). */
export type SaslVersion = 0 | 1;

/** `host:port`, an IPv6 address in brackets. */
export function brokerAddress({ host, port }: BrokerEndpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Versions for a broker that does not answer ApiVersions. 0.8 would answer Fetch v1 and v2 in the layout of v0, and closes the
 * connection at OffsetCommit v2.
 */
export function versionsWithoutAnswer({ registrationVersion = 1 }: BrokerEndpoint): BrokerVersions {
  const is09 = registrationVersion >= 2;
  return {
    ...{ fetch: is09 ? 1 : 0, listOffsets: 0, metadata: 0 },
    ...{ offsetCommit: is09 ? 2 : 1, offsetFetch: 1 },
  };
}

/** True if the registration alone proves that the broker answers ApiVersions (0.10.0 and later). */
export function mustAnswer({ registrationVersion = 1 }: BrokerEndpoint): boolean {
  return registrationVersion >= 3;
}

/** True if the registration says 0.8 or 0.9: then silence to ApiVersions is what is to be expected. */
export function isOld({ registrationVersion }: BrokerEndpoint): boolean {
  return registrationVersion !== undefined && registrationVersion < 3;
}

/** The highest versions of ours that the broker takes. */
export function chooseVersions(endpoint: BrokerEndpoint, answer: ApiVersionsAnswer): BrokerVersions {
  const broker = brokerAddress(endpoint);
  if (answer.errorCode !== 0) {
    throw new ConnectorError(
      'BROKER_ERROR',
      `broker ${broker} answered ApiVersions v0 with ${errorName(answer.errorCode)}`,
      { broker, brokerCode: answer.errorCode },
    );
  }
  const rangeOf = (apiKey: number): ApiVersionsAnswer['apis'][number] | undefined =>
    answer.apis.find((api) => api.apiKey === apiKey);
  const best = <V extends number>(apiKey: number, ours: readonly V[]): V | null => {
    const range = rangeOf(apiKey);
    return ours.find((version) => range && version >= range.min && version <= range.max) ?? null;
  };
  const choose = <V extends number>(name: string, apiKey: number, ours: readonly V[]): V => {
    const chosen = best(apiKey, ours);
    if (chosen !== null) return chosen;
    const range = rangeOf(apiKey);
    const theirs = range ? `${range.min} to ${range.max}` : 'none';
    throw new ConnectorError(
      'BROKER_ERROR',
      `broker ${broker} has no version of ${name} in common with this client: it has ${theirs}, ` +
        `the client ${ours.join(', ')}; supported are Kafka 0.8.1 to 3.9`,
      { broker },
    );
  };
  return {
    fetch: choose<FetchVersion>('Fetch', FETCH_API_KEY, [10, 4, 3, 2, 1, 0]),
    listOffsets: choose<ListOffsetsVersion>('ListOffsets', LIST_OFFSETS_API_KEY, [2, 1, 0]),
    metadata: choose<MetadataVersion>('Metadata', METADATA_API_KEY, [4, 1, 0]),
    offsetCommit: best<OffsetCommitVersion>(OFFSET_COMMIT_API_KEY, [2, 1]),
    offsetFetch: best<OffsetFetchVersion>(OFFSET_FETCH_API_KEY, [2, 1]),
  };
}

/** How to log in at a broker that answered so; null if it has no login. */
export function saslVersion({ apis }: ApiVersionsAnswer): SaslVersion | null {
  const handshake = apis.find(({ apiKey }) => apiKey === SASL_HANDSHAKE_API_KEY);
  if (handshake === undefined || handshake.min > 1) return null;
  const byRequests = apis.some(({ apiKey, min }) => apiKey === SASL_AUTHENTICATE_API_KEY && min === 0);
  if (handshake.max >= 1 && byRequests) return 1;
  return handshake.min === 0 ? 0 : null;
}
