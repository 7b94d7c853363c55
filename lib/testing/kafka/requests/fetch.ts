import {
  FETCH_SESSION_ID_NOT_FOUND,
  NONE,
  NOT_LEADER_OR_FOLLOWER,
  FENCED_LEADER_EPOCH,
  OFFSET_OUT_OF_RANGE,
  UNKNOWN_TOPIC_ID,
  UNKNOWN_TOPIC_OR_PARTITION,
  UNSUPPORTED_COMPRESSION_TYPE,
} from '../errorCodes';
import type { PartitionState } from '../KafkaState';
import type { MessageFormat, ReadLimits } from '../log/PartitionLog';
import { fetch } from '../protocol/fetch';
import { waitForData } from './fetchWait';
import { accessPartition, endpointsOf, leaderOf } from './partitionAccess';
import { route, type RequestContext } from './Route';
import { topicNamesById } from './topicNamesById';

type Request = ReturnType<typeof fetch.request.read>;
type WantedTopic = Request['topics'][number];
type Answer = Parameters<typeof fetch.answer.write>[1];
type TopicAnswer = NonNullable<Answer['responses']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];
type Answers = ReadonlyMap<Wanted, PartitionAnswer>;

interface Wanted {
  /** Null if the id is not that of a topic. */
  readonly topic: string | null;
  readonly topicId: string;
  readonly partition: WantedTopic['partitions'][number];
}

/** A partition that the broker answers for, or what it says instead. */
type Access =
  | { readonly partition: PartitionState; readonly refusal: null }
  | { readonly partition: null; readonly refusal: PartitionAnswer };

/** What is left of the answer's limit. */
interface Room {
  readonly leftBytes: number;
  readonly isFirst: boolean;
}

/* First versions with a limit for the whole answer; with ids in place of names; from which followers answer, too. */
const FIRST_WITH_LIMIT = 3;
const FIRST_BY_ID = 13;
const FIRST_FROM_FOLLOWERS = 11;
const FIRST_WITH_LEADERS = 16;
const CLOSE_SESSION = -1;
const READ_COMMITTED = 1;
const NOTHING = Buffer.alloc(0);

export const fetchRoute = route(fetch, async (request, context) => {
  // No sessions are given out: a client that asks for one learns so from the id 0, and goes on without.
  const { sessionId, sessionEpoch, maxWaitMs } = request;
  const isOfSession = sessionEpoch > 0 || (sessionId !== 0 && sessionEpoch !== CLOSE_SESSION);
  if (isOfSession) return { errorCode: FETCH_SESSION_ID_NOT_FOUND };
  const wanted = wantedPartitions(request, context);
  // Nothing is read while it waits: each append would have all of it copied again.
  const isEnough = (): boolean => hasEnough(wanted, request, context);
  if (wanted.length > 0 && maxWaitMs > 0 && !isEnough()) {
    const partitions = wanted.map((one) => partitionOf(one, context)).filter((one) => one !== undefined);
    await waitForData(partitions, maxWaitMs, context.signal, isEnough);
  }
  return answerOf(read(wanted, request, context), context);
});

/** The answer with an error for each partition. */
export function failedFetch({ topics }: Request, errorCode: number): Answer {
  return {
    responses: topics.map(({ topic, topicId, partitions }) => ({
      ...{ topic, topicId },
      partitions: partitions.map(({ partition }) => failed(partition, errorCode)),
    })),
  };
}

function failed(partitionIndex: number, errorCode: number): PartitionAnswer {
  return { partitionIndex, errorCode, highWatermark: -1, abortedTransactions: null, records: NOTHING };
}

/** A partition that is named twice is read once, from the later offset. */
function wantedPartitions({ topics }: Request, { header, cluster }: RequestContext): readonly Wanted[] {
  const names = header.version >= FIRST_BY_ID ? topicNamesById(cluster) : null;
  const wanted = new Map<string, Wanted>();
  for (const { topic, topicId, partitions } of topics) {
    const name = names === null ? topic : (names.get(topicId) ?? null);
    for (const partition of partitions) {
      wanted.set(`${name ?? topicId} ${partition.partition}`, { topic: name, topicId, partition });
    }
  }
  return [...wanted.values()];
}

function partitionOf({ topic, partition }: Wanted, { cluster }: RequestContext): PartitionState | undefined {
  return topic === null ? undefined : cluster.topics.get(topic)?.partitions[partition.partition];
}

/** True if the answer would have the bytes that are waited for, or an error. */
function hasEnough(wanted: readonly Wanted[], request: Request, context: RequestContext): boolean {
  let leftBytes = limitOf(request, context);
  let bytes = 0;
  for (const one of wanted) {
    const { partition } = access(one, context);
    if (partition === null) return true;
    const limits = limitsOf(one, context, { leftBytes, isFirst: bytes === 0 });
    const found = partition.log.measure(one.partition.fetchOffset, limits);
    if (found.errorCode !== NONE) return true;
    const sizeBytes = found.isFirstCut && hasLimit(context) ? 0 : found.sizeBytes;
    bytes += sizeBytes;
    leftBytes = Math.max(0, leftBytes - sizeBytes);
  }
  return bytes >= request.minBytes;
}

/** What can be answered at the moment. */
function read(wanted: readonly Wanted[], request: Request, context: RequestContext): Answers {
  const answers = new Map<Wanted, PartitionAnswer>();
  let leftBytes = limitOf(request, context);
  let bytes = 0;
  for (const one of wanted) {
    const answer = readPartition(one, request, context, { leftBytes, isFirst: bytes === 0 });
    answers.set(one, answer);
    const sizeBytes = answer.records?.length ?? 0;
    bytes += sizeBytes;
    leftBytes = Math.max(0, leftBytes - sizeBytes);
  }
  return answers;
}

function limitOf({ maxBytes }: Request, { generation, cluster }: RequestContext): number {
  return generation === '3.9' ? Math.min(maxBytes, Number(cluster.property('fetch.max.bytes'))) : maxBytes;
}

function access({ topic, partition: wanted }: Wanted, context: RequestContext): Access {
  const { version } = context.header;
  const { partition: index, currentLeaderEpoch, lastFetchedEpoch } = wanted;
  const refuse = (refusal: PartitionAnswer): Access => ({ partition: null, refusal });
  if (topic === null) return refuse(unknown(index, UNKNOWN_TOPIC_ID, context));
  const { errorCode, partition } = accessPartition(topic, index, context, {
    leaderEpoch: currentLeaderEpoch,
    isFollowerEnough: context.generation === '3.9' && version >= FIRST_FROM_FOLLOWERS,
  });
  if (partition === null || errorCode === UNKNOWN_TOPIC_OR_PARTITION) {
    return refuse(unknown(index, errorCode, context));
  }
  if (errorCode !== NONE) return refuse(refused(index, errorCode, partition, version));
  // Messages of an epoch that has not come yet are none of this log's.
  if (lastFetchedEpoch > partition.leaderEpoch) return refuse(failed(index, OFFSET_OUT_OF_RANGE));
  return { partition, refusal: null };
}

function hasLimit({ header }: RequestContext): boolean {
  return header.version >= FIRST_WITH_LIMIT;
}

function limitsOf({ partition }: Wanted, context: RequestContext, { leftBytes, isFirst }: Room): ReadLimits {
  const maxBytes = Math.min(leftBytes, partition.partitionMaxBytes);
  return { maxBytes, isFirstWhole: hasLimit(context) && isFirst };
}

function readPartition(one: Wanted, request: Request, context: RequestContext, room: Room): PartitionAnswer {
  const { partition, refusal } = access(one, context);
  if (partition === null) return refusal;
  const { partition: index, fetchOffset } = one.partition;
  const { log } = partition;
  const found = log.read(fetchOffset, limitsOf(one, context, room), formatOf(context.header.version));
  if (found.errorCode === UNSUPPORTED_COMPRESSION_TYPE) {
    return { ...failed(index, found.errorCode), records: null };
  }
  if (found.errorCode !== NONE) return failed(index, found.errorCode);
  const isCommittedOnly = request.isolationLevel === READ_COMMITTED;
  return {
    partitionIndex: index,
    errorCode: NONE,
    highWatermark: log.endOffset,
    lastStableOffset: isCommittedOnly || context.generation === '3.9' ? log.endOffset : -1,
    logStartOffset: log.startOffset,
    abortedTransactions: isCommittedOnly ? [] : null,
    records: hasLimit(context) && found.isFirstCut ? NOTHING : found.records,
  };
}

/** The newest format that the version may have; what is stored in an older one stays as it is. */
function formatOf(version: number): MessageFormat {
  return version < 2 ? 0 : version < 4 ? 1 : 2;
}

/** Brokers of 3.9 find this out in another place, where aborted transactions are none instead of null. */
function unknown(partitionIndex: number, errorCode: number, { generation }: RequestContext): PartitionAnswer {
  const answer = failed(partitionIndex, errorCode);
  return generation === '3.9' ? { ...answer, abortedTransactions: [] } : answer;
}

function refused(
  index: number,
  errorCode: number,
  partition: PartitionState,
  version: number,
): PartitionAnswer {
  const isElsewhere = errorCode === NOT_LEADER_OR_FOLLOWER || errorCode === FENCED_LEADER_EPOCH;
  const tellsLeader = isElsewhere && version >= FIRST_WITH_LEADERS;
  return { ...failed(index, errorCode), ...(tellsLeader && { currentLeader: leaderOf(partition) }) };
}

function answerOf(answers: Answers, { generation, cluster }: RequestContext): Answer {
  const topics = new Map<string, { topic: string; topicId: string; partitions: PartitionAnswer[] }>();
  const leaders = new Set<number>();
  for (const [{ topic, topicId }, answer] of inOrder(answers, generation === '3.9')) {
    const key = topic ?? topicId;
    const known = topics.get(key) ?? { topic: topic ?? '', topicId, partitions: [] };
    known.partitions.push(answer);
    topics.set(key, known);
    if (answer.currentLeader?.leaderId !== undefined) leaders.add(answer.currentLeader.leaderId);
  }
  return { responses: [...topics.values()], nodeEndpoints: endpointsOf(cluster, leaders) };
}

/** Brokers of 3.9 put partitions that they do not know behind all others. */
function inOrder(answers: Answers, isModern: boolean): readonly [Wanted, PartitionAnswer][] {
  const entries = [...answers];
  if (!isModern) return entries;
  const isUnknown = ([, { errorCode }]: [Wanted, PartitionAnswer]): boolean =>
    errorCode === UNKNOWN_TOPIC_OR_PARTITION;
  return [...entries.filter((entry) => !isUnknown(entry)), ...entries.filter(isUnknown)];
}
