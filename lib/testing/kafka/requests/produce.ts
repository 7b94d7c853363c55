import { setTimeout as delay } from 'node:timers/promises';

import {
  INVALID_REQUIRED_ACKS,
  NONE,
  NOT_ENOUGH_REPLICAS,
  NOT_LEADER_OR_FOLLOWER,
  REQUEST_TIMED_OUT,
} from '../errorCodes';
import type { PartitionState } from '../KafkaState';
import { produce } from '../protocol/produce';
import { byTopic } from './byTopic';
import { accessPartition, endpointsOf, leaderOf } from './partitionAccess';
import { route, type RequestContext } from './Route';

type Answer = Parameters<typeof produce.answer.write>[1];
type PartitionAnswer = NonNullable<NonNullable<Answer['responses']>[number]['partitionResponses']>[number];

interface TopicAnswer {
  readonly name: string;
  readonly partitionResponses: readonly PartitionAnswer[];
}

const NO_ANSWER = 0;
/** The most that a timer takes, three weeks. */
const LONGEST_DELAY_MS = 0x7fff_ffff;
const LEADER_ONLY = 1;
const ALL_IN_SYNC = -1;
const MIN_IN_SYNC = 'min.insync.replicas';
/** The only way to tell a client of an error that does not want an answer is to hang up. */
const NO_PLACE_FOR_ERROR = 'an error, and no answer that could tell it';

export const produceRoute = route(produce, async ({ acks, timeoutMs, topicData }, context) => {
  const isAcksKnown = acks === NO_ANSWER || acks === LEADER_ONLY || acks === ALL_IN_SYNC;
  const isRefused = !isAcksKnown && context.generation !== '0.8';
  const leaders = new Set<number>();
  const wanted = byTopic(
    topicData.map(({ name, partitionData }) => [name, partitionData] as const),
    ({ index }) => index,
  );
  // A topic without partitions is in no answer.
  const named = [...wanted].filter(([, partitions]) => partitions.size > 0);
  const isNull = named.some(([, partitions]) => [...partitions.values()].some((one) => one.records === null));
  if (isNull && context.generation === '0.9') return null;
  if (isNull && context.generation === '3.9') {
    // The broker's handler dies of it, and with it all that comes on the connection.
    await passed(LONGEST_DELAY_MS, context.signal);
    return null;
  }
  const responses = named.map(([name, partitions]) => ({
    name,
    partitionResponses: [...partitions.values()].map(({ index, records }) => {
      if (records === null) throw new RangeError('null in place of records');
      if (isRefused) return failed(index, INVALID_REQUIRED_ACKS);
      const response = append(name, index, records, acks, context);
      if (response.currentLeader?.leaderId !== undefined) leaders.add(response.currentLeader.leaderId);
      return response;
    }),
  }));
  const codes = responses.flatMap((topic) => topic.partitionResponses.map(({ errorCode }) => errorCode));
  if (acks === NO_ANSWER) {
    if (codes.some((code) => code !== NONE)) throw new RangeError(NO_PLACE_FOR_ERROR);
    return null;
  }
  // Kafka 0.8 waits for as many replicas as it was asked to, and there are not as many.
  if (!isAcksKnown && !isRefused) {
    await passed(timeoutMs, context.signal);
    return { responses: responses.map(timedOut) };
  }
  return { responses, nodeEndpoints: endpointsOf(context.cluster, leaders) };
});

/** The answer with an error for each partition. */
export function failedProduce(
  { acks, topicData }: ReturnType<typeof produce.request.read>,
  errorCode: number,
): Answer {
  if (acks === NO_ANSWER) throw new RangeError(NO_PLACE_FOR_ERROR);
  return {
    responses: topicData.map(({ name, partitionData }) => ({
      name,
      partitionResponses: partitionData.map(({ index }) => failed(index, errorCode)),
    })),
  };
}

/** Resolves after that time, or when nobody waits for the answer any more. */
async function passed(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** What was appended stays so. */
function timedOut({ name, partitionResponses }: TopicAnswer): TopicAnswer {
  return {
    name,
    partitionResponses: partitionResponses.map((one) =>
      one.errorCode === NONE ? { ...one, errorCode: REQUEST_TIMED_OUT } : one,
    ),
  };
}

function failed(index: number, errorCode: number): PartitionAnswer {
  return { index, errorCode, baseOffset: -1 };
}

function append(
  topic: string,
  index: number,
  records: Buffer,
  acks: number,
  context: RequestContext,
): PartitionAnswer {
  const { header } = context;
  const { errorCode, partition } = accessPartition(topic, index, context);
  if (partition === null || errorCode !== NONE) {
    const isElsewhere = partition !== null && errorCode === NOT_LEADER_OR_FOLLOWER;
    return { ...failed(index, errorCode), ...(isElsewhere && { currentLeader: leaderOf(partition) }) };
  }
  const { log, isr } = partition;
  if (acks === ALL_IN_SYNC && isr.length < leastInSync(topic, partition, context)) {
    return { ...failed(index, NOT_ENOUGH_REPLICAS), logStartOffset: log.startOffset };
  }
  return { index, ...log.append(records, header.version) };
}

function leastInSync(topic: string, { replicas }: PartitionState, context: RequestContext): number {
  const { cluster, generation } = context;
  const ofTopic = cluster.topics.get(topic)?.config.get(MIN_IN_SYNC);
  // Brokers of 0.8 do not hand their own setting on to topics.
  const least = Number(ofTopic ?? (generation === '0.8' ? 1 : cluster.property(MIN_IN_SYNC)));
  return generation === '3.9' ? Math.min(least, replicas.length) : least;
}
