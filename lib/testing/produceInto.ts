import { errorName } from '../kafka/errorNames';
import type { PartitionState, TopicState } from './kafka/KafkaState';
import type { LogCodec } from './kafka/log/compression/codecs';
import { encodeRecords, type OutgoingMessage } from './kafka/log/encodeRecords';
import { splitEntries } from './kafka/log/splitEntries';
import type { EmbeddedMessage } from './produceArguments';

/** Where a message was written. */
export interface EmbeddedMessagePlace {
  readonly partition: number;
  readonly offset: number;
}

/** What one partition gets from a call at once. */
interface Load {
  readonly partition: PartitionState;
  /** Of each message its place in the call. */
  readonly indexes: readonly number[];
  readonly records: Buffer;
}

/** More than what is in front of a set, of a message and of its parts, in any format. */
const SET_BYTES = 100;
const MESSAGE_BYTES = 40;
const PART_BYTES = 5;

/** The version of Produce that brings each format of messages. */
const PRODUCE_VERSIONS = { 0: 0, 1: 2, 2: 7 } as const;

/**
 * Writes messages into the logs of a topic's partitions. Nothing is written if one of them is refused.
 *
 * @throws RangeError for a partition that there is not, and for messages that are too large
 */
export function produceInto(
  topic: TopicState,
  messages: readonly EmbeddedMessage[],
  codec: LogCodec = 'none',
): EmbeddedMessagePlace[] {
  const loads = loadsOf(topic, messages, codec);
  const refusals = loads.flatMap(({ partition, records }) => refusalOf(topic.name, partition, records));
  if (refusals.length > 0) throw new RangeError(refusals.join('\n'));
  const places: EmbeddedMessagePlace[] = [];
  for (const { partition, indexes, records } of loads) {
    const { errorCode, baseOffset } = partition.log.append(
      records,
      PRODUCE_VERSIONS[partition.log.options.format],
    );
    if (errorCode !== 0)
      throw new RangeError(lateRefusal(topic.name, partition.partition, errorCode, places));
    for (const [count, index] of indexes.entries()) {
      places[index] = { partition: partition.partition, offset: baseOffset + count };
    }
  }
  return places;
}

function loadsOf(topic: TopicState, messages: readonly EmbeddedMessage[], codec: LogCodec): readonly Load[] {
  const { partitions } = topic;
  const queues = new Map<number, number[]>();
  for (const [index, { partition = index % partitions.length }] of messages.entries()) {
    const queue = queues.get(partition) ?? [];
    if (queue.length === 0) queues.set(partition, queue);
    queue.push(index);
  }
  const timestampMs = Date.now();
  return [...queues].flatMap(([number, queue]) => {
    const partition = partitionOf(topic, number);
    const { format, maxMessageBytes } = partition.log.options;
    const outgoing = new Map(
      queue.map((index) => [index, outgoingMessage(messages[index] ?? { value: null })]),
    );
    return setsOf(outgoing, maxMessageBytes).map((set) => ({
      ...{ partition, indexes: [...set.keys()] },
      records: encodeRecords([...set.values()], { format, codec, timestampMs }),
    }));
  });
}

/** As producers do: messages go together as long as a partition takes what they come to. */
function setsOf(
  messages: ReadonlyMap<number, OutgoingMessage>,
  maxBytes: number,
): readonly ReadonlyMap<number, OutgoingMessage>[] {
  const sets: Map<number, OutgoingMessage>[] = [];
  let leftBytes = 0;
  for (const [index, message] of messages) {
    const sizeBytes = mostBytesOf(message);
    if (sets.length === 0 || sizeBytes > leftBytes) {
      sets.push(new Map());
      leftBytes = maxBytes - SET_BYTES;
    }
    sets.at(-1)?.set(index, message);
    leftBytes -= sizeBytes;
  }
  return sets;
}

function mostBytesOf({ key, value, headers = [] }: OutgoingMessage): number {
  const parts = [key, value, ...headers.map((header) => header.value)];
  const names = headers.reduce((sum, header) => sum + Buffer.byteLength(header.key) + PART_BYTES, 0);
  return parts.reduce((sum, part) => sum + (part?.length ?? 0) + PART_BYTES, names + MESSAGE_BYTES);
}

/** @throws RangeError for one that there is not, with those that there are */
export function partitionOf({ name, partitions }: TopicState, partition: number): PartitionState {
  const found = partitions[partition];
  if (found !== undefined) return found;
  throw new RangeError(
    `topic ${name} has no partition ${partition}; it has partitions 0 to ${partitions.length - 1}`,
  );
}

/** Why a log would not take a set as it is. */
function refusalOf(topic: string, { partition, log }: PartitionState, records: Buffer): readonly string[] {
  const { maxMessageBytes } = log.options;
  const largest = splitEntries(records).reduce((most, { length }) => Math.max(most, length), 0);
  if (largest <= maxMessageBytes) return [];
  return [
    `partition ${topic}/${partition} refuses the messages: MESSAGE_TOO_LARGE, ` +
      `${largest} bytes where max.message.bytes allows ${maxMessageBytes}`,
  ];
}

/**
 * Old formats write a compressed set again with its offsets inside, and only then look at its size: so much cannot be known
 * before.
 */
function lateRefusal(
  topic: string,
  partition: number,
  errorCode: number,
  written: readonly EmbeddedMessagePlace[],
): string {
  const others = [...new Set(Object.values(written).map((place) => place.partition))];
  const isWritten = others.length === 0 ? '' : `; written are those for partitions ${others.join(', ')}`;
  return `partition ${topic}/${partition} refuses the messages: ${errorName(errorCode)}${isWritten}`;
}

function outgoingMessage({ key = null, value, timestampMs, headers = [] }: EmbeddedMessage): OutgoingMessage {
  return {
    ...{ key: bytesOf(key), value: bytesOf(value) },
    headers: headers.map((header) => ({ key: header.key, value: bytesOf(header.value) })),
    ...(timestampMs === undefined ? {} : { timestampMs }),
  };
}

function bytesOf(value: Uint8Array | string | null): Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value;
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
