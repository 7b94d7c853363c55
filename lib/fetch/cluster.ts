import { ConnectorError } from '../errors';
import type { BrokerEndpoint } from '../kafka/brokerVersions';
import { errorName } from '../kafka/errorNames';
import type { IsolationLevel } from '../kafka/isolationLevel';
import { listOffsetsRequest } from '../kafka/listOffsets';
import { metadataFromAnyOf, type Connect } from '../kafka/metadataFromAnyOf';
import type { TopicPartition } from '../types';
import { keyOf } from './PartitionTopicInfo';

/** What the fetchers must know of the cluster. */
export interface Cluster {
  /** The brokers that can be asked. */
  brokers(): Promise<readonly BrokerEndpoint[]>;
  /** Those of the topics that exist. Brokers may create a topic that they are asked about, so others are not asked for. */
  existingTopics(topics: ReadonlySet<string>): Promise<readonly string[]>;
  readonly connect: Connect;
}

/** The leaders of all partitions of these topics that have one, by {@link keyOf}. */
export async function findLeaders(
  cluster: Cluster,
  topics: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, BrokerEndpoint>> {
  const leaders = new Map<string, BrokerEndpoint>();
  const existing = await cluster.existingTopics(topics);
  if (existing.length === 0) return leaders;
  const registered = await cluster.brokers();
  const metadata = await metadataFromAnyOf(registered, existing, cluster.connect, signal);
  for (const topic of metadata.topics) {
    for (const { id: partition, leader } of topic.partitions) {
      const address = metadata.brokers.find(({ id }) => id === leader);
      if (address === undefined) continue;
      const registration = registered.find(({ id }) => id === leader);
      leaders.set(keyOf({ topic: topic.name, partition }), { ...registration, ...address });
    }
  }
  return leaders;
}

/** The first or the next offset of a partition's log, from its leader. */
export async function lookUpOffset(
  cluster: Cluster,
  at: TopicPartition,
  {
    time,
    isolationLevel,
  }: { readonly time: 'smallest' | 'largest'; readonly isolationLevel: IsolationLevel },
  signal: AbortSignal,
): Promise<number> {
  const { topic, partition } = at;
  const leader = (await findLeaders(cluster, new Set([topic]), signal)).get(keyOf(at));
  if (leader === undefined) {
    const text = `${topic}/${partition} has no leader at the moment that could be asked for its ${time} offset`;
    throw new ConnectorError('BROKER_UNREACHABLE', text, { topic, partition });
  }
  const connection = await cluster.connect(leader, signal);
  try {
    const request = listOffsetsRequest(
      connection.versions.listOffsets,
      [{ topic, partition, time }],
      isolationLevel,
    );
    const [listed] = await connection.request(request, { signal });
    if (listed?.offset != null) return listed.offset;
    const answer = listed === undefined ? 'nothing' : errorName(listed.errorCode);
    const text = `the leader of ${topic}/${partition} answered ${answer} when asked for its ${time} offset`;
    throw new ConnectorError('BROKER_UNREACHABLE', text, { topic, partition });
  } finally {
    connection.close();
  }
}
