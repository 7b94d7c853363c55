import { errorName } from '../kafka/errorNames';
import type { PartitionState } from './kafka/KafkaState';
import type { LogCodec } from './kafka/log/compression/codecs';
import { encodeRecords, type OutgoingMessage } from './kafka/log/encodeRecords';

/** A message for `produce`; a text stands for `{ value: text }`. */
export interface EmbeddedMessage {
  /** Default null. It does not choose the partition. */
  readonly key?: Buffer | string | null;
  /** Null is a tombstone. */
  readonly value: Buffer | string | null;
  /** Default: message n of a call goes to partition n modulo their number. */
  readonly partition?: number;
  /** Milliseconds since 1970; default now. Kafka 0.8 and 0.9 keep none. */
  readonly timestampMs?: number;
  /** Kept from Kafka 1.1 on. */
  readonly headers?: readonly { readonly key: string; readonly value: Buffer | string | null }[];
}

/** For `produce`. */
export interface ProduceOptions {
  /** Messages of a partition become one compressed set. Default 'none'. */
  readonly compression?: LogCodec;
}

/** Where a message was written. */
export interface EmbeddedMessagePlace {
  readonly partition: number;
  readonly offset: number;
}

/** The version of Produce that brings each format of messages. */
const PRODUCE_VERSIONS = { 0: 0, 1: 2, 2: 7 } as const;

/** Writes messages into the logs of a topic's partitions. */
export function produceInto(
  topic: string,
  partitions: readonly PartitionState[],
  messages: Iterable<string | EmbeddedMessage>,
  { compression = 'none' }: ProduceOptions,
): EmbeddedMessagePlace[] {
  const places: EmbeddedMessagePlace[] = [];
  const byPartition = new Map<PartitionState, { readonly at: number; readonly message: OutgoingMessage }[]>();
  for (const [at, given] of [...messages].entries()) {
    const message = typeof given === 'string' ? { value: given } : given;
    const index = message.partition ?? at % partitions.length;
    const partition = partitions[index];
    if (partition === undefined) throw new RangeError(`topic ${topic} has no partition ${index}`);
    const queue = byPartition.get(partition) ?? [];
    byPartition.set(partition, queue);
    queue.push({ at, message: outgoing(message) });
  }
  for (const [{ partition, log }, queue] of byPartition) {
    const { format } = log.options;
    const options = { format, codec: compression, timestampMs: Date.now() };
    const records = encodeRecords(
      queue.map(({ message }) => message),
      options,
    );
    const { errorCode, baseOffset } = log.append(records, PRODUCE_VERSIONS[format]);
    if (errorCode !== 0) {
      throw new RangeError(`partition ${topic}/${partition} refuses the messages: ${errorName(errorCode)}`);
    }
    for (const [index, { at }] of queue.entries()) places[at] = { partition, offset: baseOffset + index };
  }
  return places;
}

function outgoing({ key = null, value, timestampMs, headers = [] }: EmbeddedMessage): OutgoingMessage {
  return {
    ...{ key: bytesOf(key), value: bytesOf(value) },
    headers: headers.map((header) => ({ key: header.key, value: bytesOf(header.value) })),
    ...(timestampMs === undefined ? {} : { timestampMs }),
  };
}

function bytesOf(value: Buffer | string | null): Buffer | null {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}
