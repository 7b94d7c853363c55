import { ByteReader, ByteWriter } from './bytes';

/** The few requests of Kafka's protocol that specs send, in versions that 0.8.2 to 3.9 answer. */
export interface Request<T> {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly body: Buffer;
  readonly read: (answer: ByteReader) => T;
}

export interface PartitionMetadata {
  readonly partition: number;
  readonly errorCode: number;
  /** Broker id, -1 while there is no leader. */
  readonly leader: number;
}

export interface TopicMetadata {
  readonly topic: string;
  readonly errorCode: number;
  readonly partitions: PartitionMetadata[];
}

export interface Metadata {
  readonly brokers: { readonly id: number; readonly host: string; readonly port: number }[];
  readonly topics: TopicMetadata[];
}

export interface ProduceResult {
  readonly errorCode: number;
  readonly baseOffset: number;
}

/** No topics means all; only a topic that is named is created automatically. */
export function metadataRequest(topics: readonly string[]): Request<Metadata> {
  const body = new ByteWriter();
  body.array(topics, (topic) => body.string(topic));
  return { apiKey: 3, apiVersion: 0, body: body.toBuffer(), read: readMetadata };
}

function readMetadata(answer: ByteReader): Metadata {
  const brokers = answer.array(() => ({ id: answer.int32(), host: answer.string(), port: answer.int32() }));
  const topics = answer.array(() => ({
    errorCode: answer.int16(),
    topic: answer.string(),
    partitions: answer.array(() => {
      const partition = { errorCode: answer.int16(), partition: answer.int32(), leader: answer.int32() };
      answer.array(() => answer.int32()); // replicas
      answer.array(() => answer.int32()); // in-sync replicas
      return partition;
    }),
  }));
  return { brokers, topics };
}

/** Version 0 takes messages of format 0, version 2 those of format 1; waits for all in-sync replicas. */
export function produceRequest(
  version: 0 | 2,
  topic: string,
  partition: number,
  messageSet: Buffer,
  timeoutMs: number,
): Request<ProduceResult> {
  const body = new ByteWriter().int16(-1).int32(timeoutMs);
  body.int32(1).string(topic).int32(1).int32(partition).bytes(messageSet);
  return {
    apiKey: 0,
    apiVersion: version,
    body: body.toBuffer(),
    read: (answer) => {
      answer.int32(); // one topic
      answer.string();
      answer.int32(); // one partition
      answer.int32();
      return { errorCode: answer.int16(), baseOffset: answer.int64() };
    },
  };
}

export interface PartitionOffsets {
  readonly partition: number;
  readonly errorCode: number;
  readonly offsets: number[];
}

/** First (-2) or next (-1) offsets of a topic's partitions; a broker answers only for those that it leads. */
export function listOffsetsRequest(
  topic: string,
  partitions: readonly number[],
  time: -1 | -2,
): Request<PartitionOffsets[]> {
  const body = new ByteWriter().int32(-1).int32(1).string(topic);
  body.array(partitions, (partition) => body.int32(partition).int64(time).int32(1));
  return {
    apiKey: 2,
    apiVersion: 0,
    body: body.toBuffer(),
    read: (answer) => {
      const topics = answer.array(() => {
        answer.string();
        return answer.array(() => ({
          partition: answer.int32(),
          errorCode: answer.int16(),
          offsets: answer.array(() => answer.int64()),
        }));
      });
      return topics.flat();
    },
  };
}
