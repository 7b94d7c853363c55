import {
  INVALID_REQUEST,
  INVALID_TOPIC_EXCEPTION,
  LEADER_NOT_AVAILABLE,
  NONE,
  REPLICA_NOT_AVAILABLE,
  UNKNOWN_SERVER_ERROR,
  UNKNOWN_TOPIC_ID,
  UNKNOWN_TOPIC_OR_PARTITION,
} from '../errorCodes';
import type { PartitionState, TopicState } from '../KafkaState';
import { metadata } from '../protocol/metadata';
import { isInternal, isTopicName } from '../topicNames';
import { route, type RequestContext } from './Route';

type Wanted = ReturnType<typeof metadata.request.read>;
type Answer = Parameters<typeof metadata.answer.write>[1];
type TopicAnswer = NonNullable<Answer['topics']>[number];
type PartitionAnswer = NonNullable<TopicAnswer['partitions']>[number];

const NO_TOPIC_ID = '0'.repeat(32);
const NO_LEADER = -1;
/* The first versions that have a place for topic ids, and in which one may ask by them. */
const FIRST_WITH_ID = 10;
const FIRST_BY_ID = 12;
/** A bit for each operation; without an authorizer a client may do all of them. */
const TOPIC_OPERATIONS = 0x0df8;
const CLUSTER_OPERATIONS = 0x1fa0;

export const metadataRoute = route(metadata, (request, context) => {
  const { header, generation, cluster } = context;
  const refusal = refusalOf(request, header.version);
  if (refusal !== NONE) return refused(request, refusal);
  const names = wantedNames(request, context);
  const known: TopicAnswer[] = [];
  const unknown: TopicAnswer[] = [];
  for (const name of names ?? cluster.topics.keys()) {
    const topic = cluster.topics.get(name);
    if (topic === undefined) unknown.push(withoutTopic(name, missing(name, request, context)));
    else known.push(topicAnswer(topic, request, context));
  }
  // One name that cannot be spoils the whole answer of 0.8.
  if (generation === '0.8' && unknown.some(({ errorCode }) => errorCode === INVALID_TOPIC_EXCEPTION)) {
    return { topics: [...(names ?? [])].map((name) => withoutTopic(name, INVALID_TOPIC_EXCEPTION)) };
  }
  const byId = header.version >= FIRST_BY_ID ? topicsById(request, context) : [];
  return clusterAnswer([...known, ...byId, ...unknown], request, context);
});

/** The answer with an error for each topic that was asked for, or for all if all were. */
export function failedMetadata(request: Wanted, errorCode: number, context: RequestContext): Answer {
  const names = wantedNames(request, context) ?? context.cluster.topics.keys();
  const topics = [...names].map((name) => withoutTopic(name, errorCode));
  return clusterAnswer(topics, request, context);
}

function clusterAnswer(topics: readonly TopicAnswer[], request: Wanted, { cluster }: RequestContext): Answer {
  return {
    brokers: cluster.liveBrokers.map(({ id, host, port }) => ({ nodeId: id, host, port })),
    clusterId: cluster.clusterId,
    controllerId: cluster.controllerId,
    topics,
    ...(request.includeClusterAuthorizedOperations && { clusterAuthorizedOperations: CLUSTER_OPERATIONS }),
  };
}

/** Null for all topics. */
function wantedNames({ topics }: Wanted, { header }: RequestContext): ReadonlySet<string> | null {
  if (topics === null || (header.version === 0 && topics.length === 0)) return null;
  const names = new Set<string>();
  for (const { name, topicId } of topics) {
    // An id counts for more than a name.
    if (name !== null && topicId === NO_TOPIC_ID) names.add(name);
  }
  return names;
}

/** Why the request as a whole cannot be answered. */
function refusalOf({ topics }: Wanted, version: number): number {
  if (topics === null || version < FIRST_WITH_ID) return NONE;
  if (version >= FIRST_BY_ID) {
    const isUnnamed = topics.some(({ name, topicId }) => name === null && topicId === NO_TOPIC_ID);
    return isUnnamed ? UNKNOWN_SERVER_ERROR : NONE;
  }
  const isById = topics.some(({ name, topicId }) => name === null || topicId !== NO_TOPIC_ID);
  return isById ? INVALID_REQUEST : NONE;
}

/** Such an answer says nothing of the cluster. */
function refused({ topics }: Wanted, errorCode: number): Answer {
  const told = (topics ?? []).map(({ name, topicId }) => ({ errorCode, name: name ?? '', topicId }));
  return { brokers: [], clusterId: null, controllerId: -1, topics: told };
}

function topicsById(request: Wanted, context: RequestContext): readonly TopicAnswer[] {
  const ids = (request.topics ?? []).map(({ topicId }) => topicId).filter((id) => id !== NO_TOPIC_ID);
  const topics = [...context.cluster.topics.values()];
  return ids.map((topicId) => {
    const topic = topics.find((one) => one.topicId === topicId);
    if (topic === undefined) return { errorCode: UNKNOWN_TOPIC_ID, name: null, topicId };
    return topicAnswer(topic, request, context);
  });
}

/** Why there is no such topic, after it was perhaps created. */
function missing(name: string, request: Wanted, { cluster, generation }: RequestContext): number {
  const isWelcome =
    cluster.property('auto.create.topics.enable') === 'true' && request.allowAutoTopicCreation;
  // Brokers of 1.1 look at the name only when they create the topic.
  if (generation === '1.1' && !isWelcome && !isInternal(name)) return UNKNOWN_TOPIC_OR_PARTITION;
  if (!isTopicName(name, generation)) return INVALID_TOPIC_EXCEPTION;
  return isWelcome || isInternal(name) ? cluster.autoCreate(name) : UNKNOWN_TOPIC_OR_PARTITION;
}

function withoutTopic(name: string, errorCode: number): TopicAnswer {
  return { errorCode, name, isInternal: isInternal(name) };
}

function topicAnswer(topic: TopicState, request: Wanted, context: RequestContext): TopicAnswer {
  const live = new Set(context.cluster.liveBrokers.map(({ id }) => id));
  return {
    errorCode: NONE,
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternal(topic.name),
    partitions: topic.partitions.map((partition) => partitionAnswer(partition, live, context)),
    ...(request.includeTopicAuthorizedOperations && { topicAuthorizedOperations: TOPIC_OPERATIONS }),
  };
}

function partitionAnswer(
  { partition: partitionIndex, leader, leaderEpoch, replicas, isr }: PartitionState,
  live: ReadonlySet<number>,
  { header, generation }: RequestContext,
): PartitionAnswer {
  const offlineReplicas = replicas.filter((id) => !live.has(id));
  const isLed = live.has(leader);
  // Those of 0.10.2 have lost the order of the replicas on the way from the controller.
  const told = generation === '0.10.2' ? [...replicas].sort((a, b) => a - b) : replicas;
  const toldIsr = isLed || generation === '3.9' ? isr : [];
  const common = { partitionIndex, leaderId: isLed ? leader : NO_LEADER, leaderEpoch, offlineReplicas };
  if (header.version > 0) {
    const errorCode = isLed ? NONE : LEADER_NOT_AVAILABLE;
    return { ...common, errorCode, replicaNodes: told, isrNodes: toldIsr };
  }
  // The first version leaves dead brokers out, and calls that an error.
  const isWhole = offlineReplicas.length === 0 && isr.every((id) => live.has(id));
  return {
    ...common,
    errorCode: !isLed ? LEADER_NOT_AVAILABLE : isWhole ? NONE : REPLICA_NOT_AVAILABLE,
    replicaNodes: told.filter((id) => live.has(id)),
    isrNodes: toldIsr.filter((id) => live.has(id)),
  };
}
