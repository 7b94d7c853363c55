import { int16, int32, int64, string } from '../../unit/kafka/support/bytes';

/** The versions of Fetch that are asked for. */
export const FETCH_VERSIONS = [0, 1, 2, 3, 4, 10] as const;
export type SpecFetchVersion = (typeof FETCH_VERSIONS)[number];

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

export interface PartitionAnswer {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: bigint;
  readonly lastStableOffset: bigint;
  readonly logStartOffset: bigint;
  /** From version 4 on; null where a broker has no list. */
  readonly aborted: readonly AbortedTransaction[] | null;
  /** Null where a broker has none, with some errors. */
  readonly records: Buffer | null;
}

export interface TopicAnswer {
  readonly topic: string;
  readonly partitions: readonly PartitionAnswer[];
}

/** The body of an answer to a fetch, in the fields of all versions. */
export interface FetchAnswer {
  readonly version: SpecFetchVersion;
  readonly throttleMs: number;
  readonly errorCode: number;
  readonly sessionId: number;
  readonly topics: readonly TopicAnswer[];
}

/** What a field holds, which says what can go wrong with it. */
export type FieldKind = 'count' | 'length' | 'number' | 'name' | 'records';

export interface Field {
  readonly kind: FieldKind;
  readonly at: number;
  readonly sizeBytes: number;
}

export interface EncodedAnswer {
  readonly body: Buffer;
  readonly fields: readonly Field[];
}

/** Writes a body and says where each field is in it. */
export function encodeAnswer(answer: FetchAnswer): EncodedAnswer {
  const { version } = answer;
  const parts: Buffer[] = [];
  const fields: Field[] = [];
  let at = 0;
  const put = (kind: FieldKind, bytes: Buffer): void => {
    parts.push(bytes);
    fields.push({ kind, at, sizeBytes: bytes.length });
    at += bytes.length;
  };
  const putPartition = (one: PartitionAnswer): void => {
    put('number', int32(one.partition));
    put('number', int16(one.errorCode));
    put('number', int64(one.highWatermark));
    if (version >= 4) {
      put('number', int64(one.lastStableOffset));
      if (version >= 5) put('number', int64(one.logStartOffset));
      put('count', int32(one.aborted === null ? -1 : one.aborted.length));
      for (const { producerId, firstOffset } of one.aborted ?? []) {
        put('number', int64(producerId));
        put('number', int64(firstOffset));
      }
    }
    put('length', int32(one.records === null ? -1 : one.records.length));
    if (one.records !== null) put('records', one.records);
  };
  if (version >= 1) put('number', int32(answer.throttleMs));
  if (version >= 7) {
    put('number', int16(answer.errorCode));
    put('number', int32(answer.sessionId));
  }
  put('count', int32(answer.topics.length));
  for (const { topic, partitions } of answer.topics) {
    const name = string(topic);
    put('length', name.subarray(0, 2));
    put('name', name.subarray(2));
    put('count', int32(partitions.length));
    partitions.forEach(putPartition);
  }
  return { body: Buffer.concat(parts), fields };
}

/** The answer with other records in each partition. */
export function withRecords(
  answer: FetchAnswer,
  change: (records: Buffer, partition: PartitionAnswer) => Buffer,
): FetchAnswer {
  const topics = answer.topics.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((one) =>
      one.records === null ? one : { ...one, records: change(one.records, one) },
    ),
  }));
  return { ...answer, topics };
}
