import type { Api } from './Api';
import { field, struct } from './struct';
import { array, int16, int32, nullableString, string } from './types';

const request = struct({
  groupId: field(string),
  memberId: field(string, { until: 2 }),
  members: field(
    array(
      struct({
        memberId: field(string),
        groupInstanceId: field(nullableString),
        reason: field(nullableString, { since: 5 }),
      }),
    ),
    { since: 3 },
  ),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16),
  members: field(
    array(
      struct({
        memberId: field(string),
        groupInstanceId: field(nullableString),
        errorCode: field(int16),
      }),
    ),
    { since: 3 },
  ),
});

/** Leaves a group: one member up to version 2, several from then on. */
export const leaveGroup = { key: 13, name: 'LeaveGroup', flexibleSince: 4, request, answer } satisfies Api<
  unknown,
  never
>;
