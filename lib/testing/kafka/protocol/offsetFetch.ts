import type { Api } from './Api';
import { byTopic } from './byTopic';
import { field, struct } from './struct';
import { array, bool, int16, int32, int64, nullableArray, nullableString, string } from './types';

const wantedTopic = struct({ name: field(string), partitionIndexes: field(array(int32)) });

const request = struct({
  groupId: field(string, { until: 7 }),
  topics: field(nullableArray(wantedTopic), { until: 7, nullableSince: 2, fallback: [] }),
  groups: field(
    array(
      struct({
        groupId: field(string),
        memberId: field(nullableString, { since: 9 }),
        memberEpoch: field(int32, { since: 9, fallback: -1 }),
        topics: field(nullableArray(wantedTopic), { fallback: [] }),
      }),
    ),
    { since: 8 },
  ),
  requireStable: field(bool, { since: 7 }),
});

const storedTopics = byTopic({
  partitionIndex: field(int32),
  committedOffset: field(int64),
  committedLeaderEpoch: field(int32, { since: 5, fallback: -1 }),
  metadata: field(nullableString, { fallback: '' }),
  errorCode: field(int16),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 3 }),
  topics: field(storedTopics, { until: 7 }),
  errorCode: field(int16, { since: 2, until: 7 }),
  groups: field(
    array(struct({ groupId: field(string), topics: field(storedTopics), errorCode: field(int16) })),
    { since: 8 },
  ),
});

/**
 * Reads stored offsets: version 0 from ZooKeeper, later ones from the group's coordinator. Topics of null ask for all
 * that are stored. From version 8 on there are several groups in one request.
 */
export const offsetFetch = { key: 9, name: 'OffsetFetch', flexibleSince: 6, request, answer } satisfies Api<
  unknown,
  never
>;
