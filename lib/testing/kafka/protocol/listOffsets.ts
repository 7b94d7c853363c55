import type { Api } from './Api';
import { byTopic } from './byTopic';
import { field, struct } from './struct';
import { array, int8, int16, int32, int64 } from './types';

const request = struct({
  replicaId: field(int32),
  isolationLevel: field(int8, { since: 2 }),
  topics: field(
    byTopic({
      partitionIndex: field(int32),
      currentLeaderEpoch: field(int32, { since: 4, fallback: -1 }),
      timestamp: field(int64),
      maxNumOffsets: field(int32, { until: 0, fallback: 1 }),
    }),
  ),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 2 }),
  topics: field(
    byTopic({
      partitionIndex: field(int32),
      errorCode: field(int16),
      oldStyleOffsets: field(array(int64), { until: 0 }),
      timestamp: field(int64, { since: 1, fallback: -1 }),
      offset: field(int64, { since: 1, fallback: -1 }),
      leaderEpoch: field(int32, { since: 4, fallback: -1 }),
    }),
  ),
});

/** Which offset a partition has at a time. Version 0 answers with a list of offsets of segments. */
export const listOffsets = { key: 2, name: 'ListOffsets', flexibleSince: 6, request, answer } satisfies Api<
  unknown,
  never
>;
