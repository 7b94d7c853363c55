import type { Api } from './Api';
import { leaderIdAndEpoch, nodeEndpoint } from './currentLeader';
import { field, struct } from './struct';
import { array, int16, int32, int64, nullableBytes, nullableString, string } from './types';

const request = struct({
  transactionalId: field(nullableString, { since: 3 }),
  acks: field(int16),
  timeoutMs: field(int32),
  topicData: field(
    array(
      struct({
        name: field(string),
        partitionData: field(array(struct({ index: field(int32), records: field(nullableBytes) }))),
      }),
    ),
  ),
});

const answer = struct({
  responses: field(
    array(
      struct({
        name: field(string),
        partitionResponses: field(
          array(
            struct({
              index: field(int32),
              errorCode: field(int16),
              baseOffset: field(int64),
              logAppendTimeMs: field(int64, { since: 2, fallback: -1 }),
              logStartOffset: field(int64, { since: 5, fallback: -1 }),
              recordErrors: field(
                array(struct({ batchIndex: field(int32), batchIndexErrorMessage: field(nullableString) })),
                { since: 8 },
              ),
              errorMessage: field(nullableString, { since: 8 }),
              currentLeader: field(leaderIdAndEpoch, { since: 10, tag: 0 }),
            }),
          ),
        ),
      }),
    ),
  ),
  throttleTimeMs: field(int32, { since: 1 }),
  nodeEndpoints: field(array(nodeEndpoint), { since: 10, tag: 0 }),
});

/** Appends record sets to partitions. */
export const produce = { key: 0, name: 'Produce', flexibleSince: 9, request, answer } satisfies Api<
  unknown,
  never
>;
