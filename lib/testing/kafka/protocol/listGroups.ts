import type { Api } from './Api';
import { field, struct } from './struct';
import { array, int16, int32, string } from './types';

const request = struct({
  statesFilter: field(array(string), { since: 4 }),
  typesFilter: field(array(string), { since: 5 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16),
  groups: field(
    array(
      struct({
        groupId: field(string),
        protocolType: field(string),
        groupState: field(string, { since: 4 }),
        groupType: field(string, { since: 5 }),
      }),
    ),
  ),
});

/** The groups that the asked broker coordinates. */
export const listGroups = { key: 16, name: 'ListGroups', flexibleSince: 3, request, answer } satisfies Api<
  unknown,
  never
>;
