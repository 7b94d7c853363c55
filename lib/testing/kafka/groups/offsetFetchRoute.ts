import { NONE, UNKNOWN_SERVER_ERROR, UNKNOWN_TOPIC_OR_PARTITION } from '../errorCodes';
import type { KafkaState } from '../KafkaState';
import { offsetFetch } from '../protocol/offsetFetch';
import { route, type RequestContext } from '../requests/Route';
import type { StoredOffset } from './OffsetStore';
import { readFromZookeeper } from './zookeeperOffsets';

type WantedTopics = ReturnType<typeof offsetFetch.request.read>['topics'];

interface FetchedPartition {
  readonly partitionIndex: number;
  readonly committedOffset: number;
  readonly committedLeaderEpoch: number;
  readonly metadata: string | null;
  readonly errorCode: number;
}

interface Fetched {
  readonly errorCode: number;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly FetchedPartition[] }[];
}

const FIRST_WITH_GROUPS = 8;
const FIRST_WITH_ERROR = 2;
const NOTHING: StoredOffset = { offset: -1, leaderEpoch: -1, metadata: '', commitTimestamp: -1 };

export const offsetFetchRoute = route(offsetFetch, (request, context) => {
  const { groupId, topics, groups } = request;
  const { version } = context.header;
  if (version >= FIRST_WITH_GROUPS) {
    // Brokers have forgotten that there may be none.
    if (groups.length === 0) return null;
    return {
      groups: groups.map((group) => ({
        groupId: group.groupId,
        ...fetch(group.groupId, group.topics, context),
      })),
    };
  }
  if (version === 0) return { topics: fetchFromZookeeper(groupId, topics ?? [], context) };
  return fetch(groupId, topics, context);
});

/** Null asks for all that is stored. */
function fetch(groupId: string, wanted: WantedTopics, context: RequestContext): Fetched {
  const { header, generation, brokerId, cluster } = context;
  const refusal = cluster.groups.refusal(groupId, brokerId);
  if (refusal !== null) {
    // The first version has no other place for the error than the partitions; 3.9 leaves it out.
    const isInPartitions = header.version < FIRST_WITH_ERROR && generation !== '3.9';
    const topics = isInPartitions ? refusedTopics(wanted ?? [], refusal, context) : [];
    return { errorCode: refusal, topics };
  }
  // In 0.9, a list without topics asks for all.
  if (wanted === null || (generation === '0.9' && wanted.length === 0)) {
    return { errorCode: NONE, topics: all(groupId, context) };
  }
  const topics = wanted.map(({ name, partitionIndexes }) => ({
    name,
    partitions: distinct(partitionIndexes).map((partition) => fetchOne(groupId, name, partition, context)),
  }));
  return { errorCode: NONE, topics };
}

function all(groupId: string, { cluster }: RequestContext): Fetched['topics'] {
  return [...cluster.groups.offsets.topicsOf(groupId)].map(([name, partitions]) => ({
    name,
    partitions: [...partitions].map(([partition, stored]) => fetched(partition, NONE, stored)),
  }));
}

/** In 0.8, a partition that there is not has an error; later releases only say that nothing is stored. */
function fetchOne(
  groupId: string,
  topic: string,
  partition: number,
  { generation, cluster }: RequestContext,
): FetchedPartition {
  const isRefused = generation === '0.8' && !isKnown(topic, partition, cluster);
  if (isRefused) return fetched(partition, UNKNOWN_TOPIC_OR_PARTITION);
  return fetched(partition, NONE, cluster.groups.offsets.get(groupId, topic, partition));
}

function refusedTopics(
  wanted: NonNullable<WantedTopics>,
  refusal: number,
  { generation, cluster }: RequestContext,
): Fetched['topics'] {
  return wanted.map(({ name, partitionIndexes }) => ({
    name,
    partitions: distinct(partitionIndexes).map((partition) => {
      const isUnknown = generation === '0.8' && !isKnown(name, partition, cluster);
      return fetched(partition, isUnknown ? UNKNOWN_TOPIC_OR_PARTITION : refusal);
    }),
  }));
}

function fetchFromZookeeper(
  groupId: string,
  wanted: NonNullable<WantedTopics>,
  context: RequestContext,
): Fetched['topics'] {
  return wanted.map(({ name, partitionIndexes }) => ({
    name,
    partitions: distinct(partitionIndexes).map((partition) =>
      fetchOneFromZookeeper(groupId, name, partition, context),
    ),
  }));
}

/** A partition without a node has an error in all releases. */
function fetchOneFromZookeeper(
  groupId: string,
  topic: string,
  partition: number,
  { generation, cluster }: RequestContext,
): FetchedPartition {
  const isThere = generation === '3.9' ? isKnown(topic, partition, cluster) : cluster.topics.has(topic);
  if (!isThere) return fetched(partition, UNKNOWN_TOPIC_OR_PARTITION);
  try {
    const offset = readFromZookeeper(cluster, groupId, topic, partition);
    if (offset === null) return fetched(partition, UNKNOWN_TOPIC_OR_PARTITION);
    return fetched(partition, NONE, { ...NOTHING, offset });
  } catch {
    // Brokers have no code for what ZooKeeper refuses, nor for a node without an offset.
    return fetched(partition, UNKNOWN_SERVER_ERROR);
  }
}

/** A partition that is named twice is answered for once. */
function distinct(partitions: readonly number[]): readonly number[] {
  return [...new Set(partitions)];
}

function isKnown(topic: string, partition: number, { topics }: KafkaState): boolean {
  return topics.get(topic)?.partitions[partition] !== undefined;
}

function fetched(
  partitionIndex: number,
  errorCode: number,
  stored: StoredOffset = NOTHING,
): FetchedPartition {
  const { offset, leaderEpoch, metadata } = stored;
  return { partitionIndex, committedOffset: offset, committedLeaderEpoch: leaderEpoch, metadata, errorCode };
}
