import type { Api } from './Api';
import { UNKNOWN_OPERATIONS } from './operations';
import { field, struct } from './struct';
import { array, bool, bytes, int16, int32, nullableString, string } from './types';

const request = struct({
  groups: field(array(string)),
  includeAuthorizedOperations: field(bool, { since: 3 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  groups: field(
    array(
      struct({
        errorCode: field(int16),
        groupId: field(string),
        groupState: field(string),
        protocolType: field(string),
        protocolData: field(string),
        members: field(
          array(
            struct({
              memberId: field(string),
              groupInstanceId: field(nullableString, { since: 4 }),
              clientId: field(string),
              clientHost: field(string),
              memberMetadata: field(bytes),
              memberAssignment: field(bytes),
            }),
          ),
        ),
        authorizedOperations: field(int32, { since: 3, fallback: UNKNOWN_OPERATIONS }),
      }),
    ),
  ),
});

/** State and members of groups. */
export const describeGroups = {
  key: 15,
  name: 'DescribeGroups',
  flexibleSince: 5,
  request,
  answer,
} satisfies Api<unknown, never>;
