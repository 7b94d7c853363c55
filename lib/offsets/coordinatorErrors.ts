import { ConnectorError } from '../errors';
import {
  COORDINATOR_LOAD_IN_PROGRESS,
  COORDINATOR_NOT_AVAILABLE,
  GROUP_AUTHORIZATION_FAILED,
  ILLEGAL_GENERATION,
  INVALID_COMMIT_OFFSET_SIZE,
  INVALID_GROUP_ID,
  NOT_COORDINATOR,
  OFFSET_METADATA_TOO_LARGE,
  REBALANCE_IN_PROGRESS,
  TOPIC_AUTHORIZATION_FAILED,
  UNKNOWN_MEMBER_ID,
  UNKNOWN_TOPIC_OR_PARTITION,
} from '../kafka/errorCodes';
import { errorName } from '../kafka/errorNames';
import type { TopicPartition } from '../types';

/** What a group's coordinator is asked, or for. */
export type GroupRequest = 'FindCoordinator' | 'OffsetCommit' | 'OffsetFetch';

const HAS_MEMBERS =
  'a group of that name has members whom the brokers themselves coordinate (clients since 0.9): end them, or choose another group.id';

/** What to do about the errors that stay. All others may pass. */
const FINAL: ReadonlyMap<number, string> = new Map([
  [OFFSET_METADATA_TOO_LARGE, 'there is no metadata: look at offset.metadata.max.bytes of the brokers'],
  [ILLEGAL_GENERATION, HAS_MEMBERS],
  [INVALID_GROUP_ID, 'choose another group.id'],
  [UNKNOWN_MEMBER_ID, HAS_MEMBERS],
  [REBALANCE_IN_PROGRESS, HAS_MEMBERS],
  [INVALID_COMMIT_OFFSET_SIZE, 'it does not fit into the offsets topic: look at its max.message.bytes'],
  [TOPIC_AUTHORIZATION_FAILED, 'the client needs the Read right for the topic'],
  [GROUP_AUTHORIZATION_FAILED, 'the client needs the Read right for the group'],
]);

/** Who commits has read from it, so it is not one that the coordinator does not know yet. */
const IS_DELETED = 'it has been deleted';

/** These are of the group, even if an answer has them in its partitions. */
const OF_GROUP: ReadonlySet<number> = new Set([
  COORDINATOR_LOAD_IN_PROGRESS,
  COORDINATOR_NOT_AVAILABLE,
  NOT_COORDINATOR,
  ILLEGAL_GENERATION,
  INVALID_GROUP_ID,
  UNKNOWN_MEMBER_ID,
  REBALANCE_IN_PROGRESS,
  GROUP_AUTHORIZATION_FAILED,
]);

/** Whether the next try cannot do better. */
export function isFinal(code: number | undefined): boolean {
  return code !== undefined && FINAL.has(code);
}

/**
 * What an error code of a coordinator means: BROKER_ERROR if it stays, BROKER_UNREACHABLE if it may pass. It names the
 * partition only if the error is not of the whole group.
 */
export function coordinatorFailure(
  code: number,
  request: GroupRequest,
  group: string,
  broker: string,
  at?: TopicPartition,
): ConnectorError {
  const isDeleted = request === 'OffsetCommit' && code === UNKNOWN_TOPIC_OR_PARTITION;
  const advice = isDeleted ? IS_DELETED : FINAL.get(code);
  const partition = at === undefined || OF_GROUP.has(code) ? undefined : at;
  const what = partition === undefined ? '' : `${partition.topic}/${partition.partition} of `;
  return new ConnectorError(
    advice === undefined ? 'BROKER_UNREACHABLE' : 'BROKER_ERROR',
    `broker ${broker} answered ${errorName(code)} to ${request} for ${what}group "${group}"` +
      (advice === undefined ? '' : `: ${advice}`),
    {
      ...{ broker, brokerCode: code },
      ...(partition && { topic: partition.topic, partition: partition.partition }),
    },
  );
}
