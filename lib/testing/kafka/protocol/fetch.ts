import type { Api } from './Api';
import { leaderIdAndEpoch, nodeEndpoint } from './currentLeader';
import { field, struct } from './struct';
import {
  array,
  int8,
  int16,
  int32,
  int64,
  nullableArray,
  nullableBytes,
  nullableString,
  string,
  uuid,
} from './types';

const request = struct({
  clusterId: field(nullableString, { since: 12, tag: 0 }),
  replicaId: field(int32, { until: 14, fallback: -1 }),
  replicaState: field(
    struct({ replicaId: field(int32, { fallback: -1 }), replicaEpoch: field(int64, { fallback: -1 }) }),
    { since: 15, tag: 1 },
  ),
  maxWaitMs: field(int32),
  minBytes: field(int32),
  maxBytes: field(int32, { since: 3, fallback: 0x7fff_ffff }),
  isolationLevel: field(int8, { since: 4 }),
  sessionId: field(int32, { since: 7 }),
  sessionEpoch: field(int32, { since: 7, fallback: -1 }),
  topics: field(
    array(
      struct({
        topic: field(string, { until: 12 }),
        topicId: field(uuid, { since: 13 }),
        partitions: field(
          array(
            struct({
              partition: field(int32),
              currentLeaderEpoch: field(int32, { since: 9, fallback: -1 }),
              fetchOffset: field(int64),
              lastFetchedEpoch: field(int32, { since: 12, fallback: -1 }),
              logStartOffset: field(int64, { since: 5, fallback: -1 }),
              partitionMaxBytes: field(int32),
              replicaDirectoryId: field(uuid, { since: 17, tag: 0 }),
            }),
          ),
        ),
      }),
    ),
  ),
  forgottenTopicsData: field(
    array(
      struct({
        topic: field(string, { until: 12 }),
        topicId: field(uuid, { since: 13 }),
        partitions: field(array(int32)),
      }),
    ),
    { since: 7 },
  ),
  rackId: field(string, { since: 11 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16, { since: 7 }),
  sessionId: field(int32, { since: 7 }),
  responses: field(
    array(
      struct({
        topic: field(string, { until: 12 }),
        topicId: field(uuid, { since: 13 }),
        partitions: field(
          array(
            struct({
              partitionIndex: field(int32),
              errorCode: field(int16),
              highWatermark: field(int64),
              lastStableOffset: field(int64, { since: 4, fallback: -1 }),
              logStartOffset: field(int64, { since: 5, fallback: -1 }),
              divergingEpoch: field(
                struct({ epoch: field(int32, { fallback: -1 }), endOffset: field(int64, { fallback: -1 }) }),
                { since: 12, tag: 0 },
              ),
              currentLeader: field(leaderIdAndEpoch, { since: 12, tag: 1 }),
              snapshotId: field(
                struct({ endOffset: field(int64, { fallback: -1 }), epoch: field(int32, { fallback: -1 }) }),
                { since: 12, tag: 2 },
              ),
              abortedTransactions: field(
                nullableArray(struct({ producerId: field(int64), firstOffset: field(int64) })),
                { since: 4, fallback: [] },
              ),
              preferredReadReplica: field(int32, { since: 11, fallback: -1 }),
              records: field(nullableBytes),
            }),
          ),
        ),
      }),
    ),
  ),
  nodeEndpoints: field(array(nodeEndpoint), { since: 16, tag: 0 }),
});

/** Reads from partitions, at once or when there is enough. Its record sets are copied once on their way out. */
export const fetch = { key: 1, name: 'Fetch', flexibleSince: 12, request, answer } satisfies Api<
  unknown,
  never
>;
