import type { Api } from './Api';
import { field, struct } from './struct';
import { array, bool, bytes, int16, int32, nullableString, string } from './types';

const request = struct({
  groupId: field(string),
  sessionTimeoutMs: field(int32),
  rebalanceTimeoutMs: field(int32, { since: 1, fallback: -1 }),
  memberId: field(string),
  groupInstanceId: field(nullableString, { since: 5 }),
  protocolType: field(string),
  protocols: field(array(struct({ name: field(string), metadata: field(bytes) }))),
  reason: field(nullableString, { since: 8 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 2 }),
  errorCode: field(int16),
  generationId: field(int32, { fallback: -1 }),
  protocolType: field(nullableString, { since: 7 }),
  protocolName: field(nullableString, { nullableSince: 7, fallback: '' }),
  leader: field(string),
  skipAssignment: field(bool, { since: 9 }),
  memberId: field(string),
  members: field(
    array(
      struct({
        memberId: field(string),
        groupInstanceId: field(nullableString, { since: 5 }),
        metadata: field(bytes),
      }),
    ),
  ),
});

/** Enters a group; answered when all members have joined. */
export const joinGroup = { key: 11, name: 'JoinGroup', flexibleSince: 6, request, answer } satisfies Api<
  unknown,
  never
>;
