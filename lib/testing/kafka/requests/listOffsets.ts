import {
  INVALID_REQUEST,
  NONE,
  REPLICA_NOT_AVAILABLE,
  UNKNOWN_SERVER_ERROR,
  UNSUPPORTED_FOR_MESSAGE_FORMAT,
  UNSUPPORTED_VERSION,
} from '../errorCodes';
import type { PartitionState } from '../KafkaState';
import { listOffsets } from '../protocol/listOffsets';
import { byTopic } from './byTopic';
import { accessPartition } from './partitionAccess';
import { route, type RequestContext } from './Route';

type Request = ReturnType<typeof listOffsets.request.read>;
type WantedPartition = Request['topics'][number]['partitions'][number];
type Answer = Parameters<typeof listOffsets.answer.write>[1];
type PartitionAnswer = NonNullable<NonNullable<Answer['topics']>[number]['partitions']>[number];

/* Times that have a meaning of their own. */
const LATEST = -1;
const EARLIEST = -2;
const MAX_TIMESTAMP = -3;
const EARLIEST_LOCAL = -4;
const LATEST_TIERED = -5;
/** In place of a replica's id: whoever asks takes any replica's answer. */
const DEBUGGING_CONSUMER = -2;

/** Since which version brokers of 3.9 understand them. Older brokers take other negative times for a time. */
const SINCE: ReadonlyMap<number, number> = new Map([
  [LATEST, 0],
  [EARLIEST, 0],
  [MAX_TIMESTAMP, 7],
  [EARLIEST_LOCAL, 8],
  [LATEST_TIERED, 9],
]);

export const listOffsetsRoute = route(listOffsets, ({ replicaId, topics }, context) => {
  const twice = context.header.version === 0 ? new Set<string>() : askedTwice(topics);
  return {
    topics: inPlaces(topics, context).map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((wanted) =>
        twice.has(`${name} ${wanted.partitionIndex}`)
          ? failed(wanted, INVALID_REQUEST)
          : partitionAnswer(name, wanted, replicaId, context),
      ),
    })),
  };
});

/** Brokers of 3.9 answer for each place in which a partition is named, older ones once. */
function inPlaces(topics: Request['topics'], { generation }: RequestContext): Request['topics'] {
  if (generation === '3.9') return topics;
  const wanted = byTopic(
    topics.map(({ name, partitions }) => [name, partitions] as const),
    ({ partitionIndex }) => partitionIndex,
  );
  return [...wanted].map(([name, partitions]) => ({ name, partitions: [...partitions.values()] }));
}

/** The answer with an error for each partition. */
export function failedListOffsets({ topics }: Request, errorCode: number): Answer {
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map((wanted) => failed(wanted, errorCode)),
    })),
  };
}

function askedTwice(topics: Request['topics']): ReadonlySet<string> {
  const asked = topics.flatMap(({ name, partitions }) =>
    partitions.map(({ partitionIndex }) => `${name} ${partitionIndex}`),
  );
  const seen = new Set<string>();
  return new Set(asked.filter((one) => seen.size === seen.add(one).size));
}

function failed({ partitionIndex }: WantedPartition, errorCode: number): PartitionAnswer {
  return { partitionIndex, errorCode };
}

function partitionAnswer(
  topic: string,
  wanted: WantedPartition,
  replicaId: number,
  context: RequestContext,
): PartitionAnswer {
  const { partitionIndex, timestamp } = wanted;
  const { header, generation } = context;
  const isModern = generation === '3.9';
  if (isModern && timestamp < 0 && !((SINCE.get(timestamp) ?? Infinity) <= header.version)) {
    return failed(wanted, UNSUPPORTED_VERSION);
  }
  const leaderEpoch = wanted.currentLeaderEpoch;
  const isFollowerEnough = !isModern && replicaId === DEBUGGING_CONSUMER;
  const { errorCode, partition } = accessPartition(topic, partitionIndex, context, {
    ...{ leaderEpoch, isFollowerEnough },
  });
  if (partition === null || errorCode !== NONE) {
    return failed(wanted, isFollowerEnough ? REPLICA_NOT_AVAILABLE : errorCode);
  }
  if (header.version === 0) {
    const { maxNumOffsets } = wanted;
    if (maxNumOffsets < 0) return failed(wanted, UNKNOWN_SERVER_ERROR);
    const oldStyleOffsets = segmentOffsets(partition, timestamp).slice(0, maxNumOffsets);
    return { partitionIndex, errorCode: NONE, oldStyleOffsets };
  }
  if (timestamp !== LATEST && timestamp !== EARLIEST && partition.log.options.format === 0) {
    return failed(wanted, UNSUPPORTED_FOR_MESSAGE_FORMAT);
  }
  return { partitionIndex, errorCode: NONE, ...offsetAt(partition, timestamp, isModern) };
}

/** The newest first. A log is one segment here, and an empty segment does not show its end. */
function segmentOffsets({ log, lastWriteMs }: PartitionState, timestamp: number): number[] {
  const isEmpty = log.endOffset === log.startOffset;
  if (timestamp === EARLIEST) return [log.startOffset];
  if (timestamp === LATEST) return isEmpty ? [log.endOffset] : [log.endOffset, log.startOffset];
  // Segments count by when they were last written to, not by the times of their messages.
  if (timestamp >= Date.now() && !isEmpty) return [log.endOffset, log.startOffset];
  return timestamp >= lastWriteMs ? [log.startOffset] : [];
}

function offsetAt(
  { log, leaderEpoch }: PartitionState,
  timestamp: number,
  isModern: boolean,
): Pick<PartitionAnswer, 'timestamp' | 'offset' | 'leaderEpoch'> {
  if (timestamp === LATEST) return { offset: log.endOffset, leaderEpoch };
  if (timestamp === EARLIEST || (isModern && timestamp === EARLIEST_LOCAL)) {
    return { offset: log.startOffset, leaderEpoch };
  }
  if (isModern && timestamp === LATEST_TIERED) return {};
  const found =
    isModern && timestamp === MAX_TIMESTAMP ? log.newestMessage() : log.offsetForTimestamp(timestamp);
  if (found === null) return {};
  return { timestamp: found.timestampMs, offset: found.offset, leaderEpoch: found.leaderEpoch };
}
