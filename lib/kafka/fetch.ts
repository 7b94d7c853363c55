import { ISOLATION_LEVELS, type IsolationLevel } from './isolationLevel';
import type { AbortedTransaction } from './records/AbortedTransactions';
import { writeByTopic } from './topicGroups';
import type { ByteReader, ByteWriter, KafkaRequest } from './wire';

/**
 * 0 and 1 are for brokers from 0.8 and 0.9, which store format 0; 2 and 3 for those from 0.10.0 and 0.10.1, with format 1.
 * From 4 on (0.11) record batches are given as they lie in the log; with 10 (2.1) those in zstd, too.
 */
export type FetchVersion = 0 | 1 | 2 | 3 | 4 | 10;

export interface FetchPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** At most so many bytes of this partition (from version 3 on: more if its first entry is larger and it comes first). */
  readonly maxBytes: number;
}

export interface FetchArguments {
  readonly maxWaitMs: number;
  readonly minBytes: number;
  /** At most so many bytes in all; only version 3 and later can say it, and their brokers serve partitions in their order. */
  readonly maxBytes: number;
  /** Only version 4 and later can say it; older brokers have no transactions. */
  readonly isolationLevel: IsolationLevel;
  readonly partitions: readonly FetchPosition[];
}

export interface FetchedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  /** -1 with an error. */
  readonly highWatermark: number;
  /** Those that overlap `records`, in no certain order; only with `read_committed`. */
  readonly abortedTransactions: readonly AbortedTransaction[];
  /** A view into the answer, which it keeps alive; empty if there is nothing. */
  readonly records: Buffer;
}

export interface FetchAnswer {
  /** An error of the whole fetch, which then has no partitions. Always 0 before version 7. */
  readonly errorCode: number;
  /** True if the answer was too long for the connection: the records of its last partition are but the beginning. */
  readonly isCut: boolean;
  readonly partitions: readonly FetchedPartition[];
}

export const FETCH_API_KEY = 1;

/** Says that the asker is a consumer, not a replica. */
const CONSUMER = -1;
/** With epoch -1 a fetch stands alone: the broker keeps no list of its partitions (KIP-227). */
const NO_SESSION = { id: 0, epoch: -1 } as const;
/** The leader epoch is not checked (KIP-320). */
const ANY_LEADER_EPOCH = -1;
/** Where the log begins is what replicas tell their leader. */
const NO_LOG_START = -1;
const LEAST_TOPIC_BYTES = 6;
/** Room for what stands in front of the first records: some 80,000 partitions without any. */
const HEAD_BYTES = 4 * 1024 * 1024;
const ABORTED_TRANSACTION_BYTES = 16;

/**
 * Version 1 and later answer with a throttle time in front, version 2 and later with timestamps in the messages.
 *
 * From version 3 on the first partition that has anything gives a whole message or batch at least, whatever `maxBytes` says
 * (KIP-74), so an answer may be of any length. One that is too long for the connection is read as far as its first records,
 * for they tell whose batch it is and where it ends: asked again the broker would answer the same, again and again.
 */
export function fetchRequest(version: FetchVersion, asked: FetchArguments): KafkaRequest<FetchAnswer> {
  return {
    apiKey: FETCH_API_KEY,
    apiVersion: version,
    name: `Fetch v${version}`,
    headBytes: HEAD_BYTES,
    write(writer) {
      writer.int32(CONSUMER);
      writer.int32(asked.maxWaitMs);
      writer.int32(asked.minBytes);
      if (version >= 3) writer.int32(asked.maxBytes);
      if (version >= 4) writer.int8(ISOLATION_LEVELS[asked.isolationLevel]);
      if (version >= 7) {
        writer.int32(NO_SESSION.id);
        writer.int32(NO_SESSION.epoch);
      }
      writeByTopic(writer, asked.partitions, (position) => writePosition(writer, version, position));
      if (version >= 7) writer.int32(0); // partitions that a session shall forget
    },
    read(reader) {
      if (version >= 1) reader.int32(); // throttle time: the broker has waited already
      const errorCode = version >= 7 ? reader.int16() : 0;
      if (version >= 7) reader.int32(); // session id
      const partitions: FetchedPartition[] = [];
      reader.array(LEAST_TOPIC_BYTES, () => {
        const topic = reader.string();
        reader.array(leastPartitionBytes(version), () => {
          partitions.push(readPartition(reader, version, topic));
        });
      });
      return { errorCode, isCut: reader.isCut, partitions };
    },
  };
}

function writePosition(writer: ByteWriter, version: FetchVersion, position: FetchPosition): void {
  writer.int32(position.partition);
  if (version >= 9) writer.int32(ANY_LEADER_EPOCH);
  writer.int64(position.offset);
  if (version >= 5) writer.int64(NO_LOG_START);
  writer.int32(position.maxBytes);
}

/** Partition, error, high watermark and the length of the records; then last stable offset and a count; then the log's start. */
function leastPartitionBytes(version: FetchVersion): number {
  return 18 + (version >= 4 ? 12 : 0) + (version >= 5 ? 8 : 0);
}

function readPartition(reader: ByteReader, version: FetchVersion, topic: string): FetchedPartition {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const highWatermark = reader.int64();
  if (version >= 4) reader.int64(); // last stable offset: what a read_committed fetch ends at
  if (version >= 5) reader.int64(); // log start
  const abortedTransactions = version >= 4 ? readAbortedTransactions(reader) : [];
  return { topic, partition, errorCode, highWatermark, abortedTransactions, records: reader.bytes() };
}

function readAbortedTransactions(reader: ByteReader): AbortedTransaction[] {
  return reader.nullableArray(ABORTED_TRANSACTION_BYTES, () => ({
    producerId: reader.int64(),
    firstOffset: reader.int64(),
  }));
}
