import type { Api } from './Api';
import { field, struct } from './struct';
import { int16, int32, nullableString, string } from './types';

const request = struct({
  groupId: field(string),
  generationId: field(int32),
  memberId: field(string),
  groupInstanceId: field(nullableString, { since: 3 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16),
});

/** Tells a group's coordinator that a member is alive. */
export const heartbeat = { key: 12, name: 'Heartbeat', flexibleSince: 4, request, answer } satisfies Api<
  unknown,
  never
>;
