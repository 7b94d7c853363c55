import type { ByteReader, KafkaRequest } from './wire';

export type MetadataVersion = 0 | 1 | 4;

export interface BrokerAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

export interface PartitionMetadata {
  readonly id: number;
  readonly errorCode: number;
  /** Broker id; -1 while there is none. */
  readonly leader: number;
}

export interface TopicMetadata {
  readonly name: string;
  readonly errorCode: number;
  readonly partitions: readonly PartitionMetadata[];
}

export interface ClusterMetadata {
  readonly brokers: readonly BrokerAddress[];
  readonly topics: readonly TopicMetadata[];
}

export const METADATA_API_KEY = 3;

/** Each replica list has a count; a partition has two lists behind error, id and leader. */
const LEAST_PARTITION_BYTES = 18;
const LEAST_TOPIC_BYTES = 8;
const LEAST_BROKER_BYTES = 10;

/**
 * Asks who leads the partitions of `topics`, or of all that there are. Up to version 1 a broker that creates topics
 * automatically creates the ones it does not know; version 4 says no to that.
 */
export function metadataRequest(
  version: MetadataVersion,
  topics: readonly string[] | 'all',
): KafkaRequest<ClusterMetadata> {
  // In version 0 an empty list means all topics (KAFKA-1087).
  if (topics.length === 0) throw new RangeError('metadata of no topic at all was asked for');
  return {
    apiKey: METADATA_API_KEY,
    apiVersion: version,
    name: `Metadata v${version}`,
    write(writer) {
      if (topics === 'all') writer.int32(version === 0 ? 0 : -1);
      else {
        writer.int32(topics.length);
        for (const topic of topics) writer.string(topic);
      }
      if (version === 4) writer.int8(0);
    },
    read(reader) {
      if (version === 4) reader.int32(); // throttle time
      const brokers = reader.array(LEAST_BROKER_BYTES, () => {
        const broker = { id: reader.int32(), host: reader.string(), port: reader.int32() };
        if (version > 0) reader.nullableString(); // rack
        return broker;
      });
      if (version === 4) reader.nullableString(); // cluster id
      if (version > 0) reader.int32(); // controller
      return { brokers, topics: reader.array(LEAST_TOPIC_BYTES, () => readTopic(reader, version)) };
    },
  };
}

function readTopic(reader: ByteReader, version: MetadataVersion): TopicMetadata {
  const errorCode = reader.int16();
  const name = reader.string();
  if (version > 0) reader.int8(); // internal
  const partitions = reader.array(LEAST_PARTITION_BYTES, () => {
    const partition = { errorCode: reader.int16(), id: reader.int32(), leader: reader.int32() };
    reader.array(4, () => reader.int32()); // replicas
    reader.array(4, () => reader.int32()); // in-sync replicas
    return partition;
  });
  return { name, errorCode, partitions };
}
