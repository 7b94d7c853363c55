import type { Api } from './Api';
import { byTopic } from './byTopic';
import { field, struct } from './struct';
import { int16, int32, int64, nullableString, string } from './types';

const request = struct({
  groupId: field(string),
  generationIdOrMemberEpoch: field(int32, { since: 1, fallback: -1 }),
  memberId: field(string, { since: 1 }),
  groupInstanceId: field(nullableString, { since: 7 }),
  retentionTimeMs: field(int64, { since: 2, until: 4, fallback: -1 }),
  topics: field(
    byTopic({
      partitionIndex: field(int32),
      committedOffset: field(int64),
      committedLeaderEpoch: field(int32, { since: 6, fallback: -1 }),
      commitTimestamp: field(int64, { since: 1, until: 1, fallback: -1 }),
      committedMetadata: field(nullableString, { fallback: '' }),
    }),
  ),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 3 }),
  topics: field(byTopic({ partitionIndex: field(int32), errorCode: field(int16) })),
});

/** Stores offsets of a group: version 0 in ZooKeeper, later ones with the group's coordinator. */
export const offsetCommit = { key: 8, name: 'OffsetCommit', flexibleSince: 8, request, answer } satisfies Api<
  unknown,
  never
>;
