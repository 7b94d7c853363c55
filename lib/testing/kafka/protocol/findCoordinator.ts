import type { Api } from './Api';
import { field, struct } from './struct';
import { array, int8, int16, int32, nullableString, string } from './types';

const request = struct({
  key: field(string, { until: 3 }),
  keyType: field(int8, { since: 1 }),
  coordinatorKeys: field(array(string), { since: 4 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 1 }),
  errorCode: field(int16, { until: 3 }),
  errorMessage: field(nullableString, { since: 1, until: 3, fallback: '' }),
  nodeId: field(int32, { until: 3 }),
  host: field(string, { until: 3 }),
  port: field(int32, { until: 3 }),
  coordinators: field(
    array(
      struct({
        key: field(string),
        nodeId: field(int32),
        host: field(string),
        port: field(int32),
        errorCode: field(int16),
        errorMessage: field(nullableString, { fallback: '' }),
      }),
    ),
    { since: 4 },
  ),
});

/** Which broker coordinates a group (key type 0) or a transactional id (1); from version 4 on for several keys. */
export const findCoordinator = {
  key: 10,
  name: 'FindCoordinator',
  flexibleSince: 3,
  request,
  answer,
} satisfies Api<unknown, never>;
