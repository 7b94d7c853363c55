import { ConnectorError } from '../errors';
import type { BrokerConnection } from './BrokerConnection';
import type { BrokerEndpoint } from './brokerVersions';
import { metadataRequest, type ClusterMetadata } from './metadata';

/** Opens a connection, logged in and ready for requests. */
export type Connect = (broker: BrokerEndpoint, signal: AbortSignal) => Promise<BrokerConnection>;

/** Asks the brokers in random order until one answers. */
export async function metadataFromAnyOf(
  brokers: readonly BrokerEndpoint[],
  topics: readonly string[] | 'all',
  connect: Connect,
  signal: AbortSignal,
): Promise<ClusterMetadata> {
  let failure: unknown = new ConnectorError('BROKER_UNREACHABLE', 'there is no broker to ask for metadata');
  for (const broker of inRandomOrder(brokers)) {
    if (signal.aborted) break;
    let connection: BrokerConnection | undefined;
    try {
      connection = await connect(broker, signal);
      return await connection.request(metadataRequest(connection.versions.metadata, topics), { signal });
    } catch (error) {
      failure = error;
    } finally {
      connection?.close();
    }
  }
  throw failure;
}

export function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
