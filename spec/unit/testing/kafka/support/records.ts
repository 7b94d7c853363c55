import { encodeBatch } from '../../../../support/records/encodeBatch';
import { encodeMessageSet } from '../../../../support/produce/messageSet';

/** A batch of format 2, one record for each value; all have the same time. */
export function batchOf(values: readonly string[], timestampMs = 1_700_000_000_000): Buffer {
  return encodeBatch({
    baseOffset: 0,
    baseTimestamp: timestampMs,
    maxTimestamp: timestampMs,
    records: values.map((value, offsetDelta) => ({ offsetDelta, key: null, value: Buffer.from(value) })),
  });
}

/** Messages of format 0 or 1. */
export function setOf(values: readonly string[], magic: 0 | 1): Buffer {
  return encodeMessageSet(
    values.map((value) => ({ value, timestamp: 1_700_000_000_000 })),
    { magic },
  );
}

/** A request of one partition. */
export function produceOf(topic: string, records: Buffer | null, { acks = -1, partition = 0 } = {}) {
  return {
    ...{ acks, timeoutMs: 1000 },
    topicData: [{ name: topic, partitionData: [{ index: partition, records }] }],
  };
}

/** A request of one partition, for whatever there is. */
export function fetchOf(
  topic: string,
  fetchOffset: number,
  { partition = 0, maxWaitMs = 0, minBytes = 1, partitionMaxBytes = 1_000_000, maxBytes = 10_000_000 } = {},
) {
  return {
    ...{ maxWaitMs, minBytes, maxBytes },
    topics: [{ topic, partitions: [{ partition, fetchOffset, partitionMaxBytes }] }],
  };
}
