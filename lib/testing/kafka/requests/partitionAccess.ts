import {
  FENCED_LEADER_EPOCH,
  NONE,
  NOT_LEADER_OR_FOLLOWER,
  UNKNOWN_LEADER_EPOCH,
  UNKNOWN_TOPIC_OR_PARTITION,
} from '../errorCodes';
import type { KafkaState, PartitionState } from '../KafkaState';
import type { RequestContext } from './Route';

export interface PartitionAccess {
  /** NONE, or why the broker does not answer for the partition. */
  readonly errorCode: number;
  readonly partition: PartitionState | null;
}

export interface AccessOptions {
  /** The epoch that the client knows; -1 or left out if it knows none. */
  readonly leaderEpoch?: number;
  /** True if any replica may answer. */
  readonly isFollowerEnough?: boolean;
}

/** The partition, if the broker that was asked can answer for it. */
export function accessPartition(
  topic: string,
  index: number,
  { cluster, brokerId, generation }: Pick<RequestContext, 'cluster' | 'brokerId' | 'generation'>,
  { leaderEpoch = -1, isFollowerEnough = false }: AccessOptions = {},
): PartitionAccess {
  const partition = cluster.topics.get(topic)?.partitions[index];
  if (partition === undefined) return { errorCode: UNKNOWN_TOPIC_OR_PARTITION, partition: null };
  const isReplica = partition.replicas.includes(brokerId);
  // Up to 1.1 a broker does not know the partitions of which it has no replica.
  if (!isReplica && generation !== '3.9') {
    return { errorCode: UNKNOWN_TOPIC_OR_PARTITION, partition };
  }
  if (leaderEpoch >= 0 && leaderEpoch !== partition.leaderEpoch) {
    const isOld = leaderEpoch < partition.leaderEpoch;
    return { errorCode: isOld ? FENCED_LEADER_EPOCH : UNKNOWN_LEADER_EPOCH, partition };
  }
  const isAble = partition.leader === brokerId || (isFollowerEnough && isReplica);
  return { errorCode: isAble ? NONE : NOT_LEADER_OR_FOLLOWER, partition };
}

/** Whom to ask instead, for answers that say that the broker is the wrong one. */
export function leaderOf({ leader, leaderEpoch }: PartitionState): { leaderId: number; leaderEpoch: number } {
  return { leaderId: leader, leaderEpoch };
}

/** Where those brokers are reached. */
export function endpointsOf(
  cluster: KafkaState,
  leaderIds: ReadonlySet<number>,
): readonly { nodeId: number; host: string; port: number }[] {
  return cluster.liveBrokers
    .filter(({ id }) => leaderIds.has(id))
    .map(({ id, host, port }) => ({ nodeId: id, host, port }));
}
