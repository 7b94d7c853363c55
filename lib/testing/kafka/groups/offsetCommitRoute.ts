import {
  COORDINATOR_NOT_AVAILABLE,
  NONE,
  NOT_COORDINATOR,
  OFFSET_METADATA_TOO_LARGE,
  UNKNOWN_SERVER_ERROR,
  UNKNOWN_TOPIC_OR_PARTITION,
} from '../errorCodes';
import { offsetCommit } from '../protocol/offsetCommit';
import { route, type RequestContext } from '../requests/Route';
import { coordinatorPartition } from './coordinatorPartition';
import { storeInZookeeper } from './zookeeperOffsets';

type Request = ReturnType<typeof offsetCommit.request.read>;
type Committed = Request['topics'][number]['partitions'][number];
/** The error code for a partition, which is stored if there is none. */
type Commit = (topic: string, partition: Committed) => number;

export const offsetCommitRoute = route(offsetCommit, (request, context) => {
  const commit = commitOf(request, context);
  return {
    topics: request.topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((partition) => ({
        partitionIndex: partition.partitionIndex,
        errorCode: commit(name, partition),
      })),
    })),
  };
});

function commitOf(request: Request, context: RequestContext): Commit {
  if (context.header.version === 0) return commitInZookeeper(request, context);
  return context.generation === '0.8' ? commitMessages(request, context) : commitInGroup(request, context);
}

function commitInZookeeper({ groupId }: Request, context: RequestContext): Commit {
  return (topic, partition) => {
    const refusal = refusalOfPartition(topic, partition, context) ?? refusalOfMetadata(partition, context);
    if (refusal !== null) return refusal;
    try {
      storeInZookeeper(context.cluster, groupId, topic, partition.partitionIndex, partition.committedOffset);
    } catch {
      // Brokers have no code for what ZooKeeper refuses.
      return UNKNOWN_SERVER_ERROR;
    }
    return NONE;
  };
}

/** In 0.8, a commit is a message for the offsets topic: it is refused as one, and topics are not looked up. */
function commitMessages({ groupId }: Request, context: RequestContext): Commit {
  const { brokerId, cluster } = context;
  const partitionOfGroup = coordinatorPartition(cluster, groupId);
  const isReplica = partitionOfGroup?.replicas.includes(brokerId) === true;
  const isLeader = partitionOfGroup?.leader === brokerId;
  return (topic, partition) => {
    // Metadata that is too long is refused, and yet what OffsetFetch finds from now on.
    if (isLeader) store(groupId, topic, partition, context);
    const refusal = refusalOfMetadata(partition, context);
    if (refusal !== null) return refusal;
    if (isLeader) return NONE;
    return isReplica ? NOT_COORDINATOR : COORDINATOR_NOT_AVAILABLE;
  };
}

function commitInGroup(request: Request, context: RequestContext): Commit {
  const { groupId, topics, generationIdOrMemberEpoch } = request;
  const isAnyKnown = topics.some(({ name, partitions }) =>
    partitions.some((partition) => refusalOfPartition(name, partition, context) === null),
  );
  const { brokerId, cluster } = context;
  // The group is not asked, and not created, if nothing is left to commit.
  const refusalOfGroup = isAnyKnown
    ? cluster.groups.refusalOfCommit(groupId, request, generationIdOrMemberEpoch, brokerId)
    : null;
  return (topic, partition) => {
    const refusal =
      refusalOfPartition(topic, partition, context) ??
      refusalOfGroup ??
      refusalOfMetadata(partition, context);
    if (refusal !== null) return refusal;
    store(groupId, topic, partition, context);
    return NONE;
  };
}

/** Only 3.9 looks for the partition, too. */
function refusalOfPartition(
  topic: string,
  { partitionIndex }: Committed,
  { generation, cluster }: RequestContext,
): number | null {
  const partitions = cluster.topics.get(topic)?.partitions;
  const isKnown =
    generation === '3.9' ? partitions?.[partitionIndex] !== undefined : partitions !== undefined;
  return isKnown ? null : UNKNOWN_TOPIC_OR_PARTITION;
}

function refusalOfMetadata({ committedMetadata }: Committed, { cluster }: RequestContext): number | null {
  const maxLength = Number(cluster.property('offset.metadata.max.bytes'));
  return committedMetadata !== null && committedMetadata.length > maxLength
    ? OFFSET_METADATA_TOO_LARGE
    : null;
}

function store(groupId: string, topic: string, partition: Committed, { cluster }: RequestContext): void {
  const { partitionIndex, committedOffset, committedLeaderEpoch, committedMetadata, commitTimestamp } =
    partition;
  const { groups } = cluster;
  groups.offsets.set(groupId, topic, partitionIndex, {
    offset: committedOffset,
    leaderEpoch: committedLeaderEpoch,
    metadata: groups.traits.keepsNullMetadata ? committedMetadata : (committedMetadata ?? ''),
    commitTimestamp: commitTimestamp === -1 ? Date.now() : commitTimestamp,
  });
}
