import { ConnectorError } from '../errors';
import { keyOf } from '../fetch/PartitionTopicInfo';
import {
  COORDINATOR_NOT_AVAILABLE,
  NONE,
  NOT_COORDINATOR,
  UNKNOWN_TOPIC_OR_PARTITION,
} from '../kafka/errorCodes';
import type { PartitionAnswer } from '../kafka/topicGroups';
import type { TopicPartition } from '../types';
import { coordinatorFailure, type GroupRequest } from './coordinatorErrors';

/** What it said of each, by {@link keyOf}, or the error. */
export type PartitionResults<A> = ReadonlyMap<string, A | ConnectorError>;

/**
 * The results of all partitions that were asked for.
 *
 * @throws ConnectorError BROKER_ERROR if the answer names another partition, or one of them twice
 */
export function resultsOf<A extends PartitionAnswer>(
  asked: readonly TopicPartition[],
  answers: readonly A[],
  {
    request,
    group,
    broker,
  }: { readonly request: GroupRequest; readonly group: string; readonly broker: string },
): PartitionResults<A> {
  const results = new Map<string, A | ConnectorError>();
  const missing = new Map(asked.map((at) => [keyOf(at), at]));
  const answered = `broker ${broker} answered ${request} for group "${group}"`;
  for (const answer of answers) {
    const key = keyOf(answer);
    if (!missing.delete(key)) {
      const text = `${answered} with ${key}, which was not asked for, or not twice`;
      throw new ConnectorError('BROKER_ERROR', text, { broker });
    }
    const { errorCode } = answer;
    const isRight = errorCode === NONE;
    results.set(key, isRight ? answer : coordinatorFailure(errorCode, request, group, broker, answer));
  }
  for (const [key, { topic, partition }] of missing) {
    const text = `${answered} without ${key}, which was asked for`;
    results.set(key, new ConnectorError('BROKER_ERROR', text, { broker, topic, partition }));
  }
  return results;
}

/** Whether the next try may do better. */
export function mayPass(result: unknown): boolean {
  return ConnectorError.is(result) && result.code === 'BROKER_UNREACHABLE';
}

/** Whether the coordinator does not know the topic or partition. */
export function isUnknown(result: unknown): boolean {
  return ConnectorError.is(result) && result.context.brokerCode === UNKNOWN_TOPIC_OR_PARTITION;
}

/** Whether another broker is the coordinator by now. */
export function hasMoved(result: unknown): boolean {
  return ConnectorError.is(result) && result.context.brokerCode === NOT_COORDINATOR;
}

/** Whether the broker that was asked is not, or no longer, the coordinator. */
export function isElsewhere(result: unknown): boolean {
  const isGone = ConnectorError.is(result) && result.context.brokerCode === COORDINATOR_NOT_AVAILABLE;
  return isGone || hasMoved(result);
}
