import type { Api } from './Api';
import { field, struct } from './struct';
import { array, bytes, int16, int32, nullableString, string } from './types';

const request = struct({
  groupId: field(string),
  generationId: field(int32),
  memberId: field(string),
  groupInstanceId: field(nullableString, { since: 3 }),
  protocolType: field(nullableString, { since: 5 }),
  protocolName: field(nullableString, { since: 5 }),
  assignments: field(array(struct({ memberId: field(string), assignment: field(bytes) }))),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16),
  protocolType: field(nullableString, { since: 5 }),
  protocolName: field(nullableString, { since: 5 }),
  assignment: field(bytes),
});

/** Gives each member what the group's leader has assigned to it. */
export const syncGroup = { key: 14, name: 'SyncGroup', flexibleSince: 4, request, answer } satisfies Api<
  unknown,
  never
>;
