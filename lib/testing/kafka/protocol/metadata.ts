import type { Api } from './Api';
import { UNKNOWN_OPERATIONS } from './operations';
import { field, struct } from './struct';
import { array, bool, int16, int32, nullableArray, nullableString, string, uuid } from './types';

const request = struct({
  topics: field(
    nullableArray(
      struct({
        topicId: field(uuid, { since: 10 }),
        name: field(nullableString, { nullableSince: 10, fallback: '' }),
      }),
    ),
    { nullableSince: 1, fallback: [] },
  ),
  allowAutoTopicCreation: field(bool, { since: 4, fallback: true }),
  includeClusterAuthorizedOperations: field(bool, { since: 8, until: 10 }),
  includeTopicAuthorizedOperations: field(bool, { since: 8 }),
});

const answer = struct({
  throttleTimeMs: field(int32, { since: 3 }),
  brokers: field(
    array(
      struct({
        nodeId: field(int32),
        host: field(string),
        port: field(int32),
        rack: field(nullableString, { since: 1 }),
      }),
    ),
  ),
  clusterId: field(nullableString, { since: 2 }),
  controllerId: field(int32, { since: 1, fallback: -1 }),
  topics: field(
    array(
      struct({
        errorCode: field(int16),
        name: field(nullableString, { nullableSince: 12, fallback: '' }),
        topicId: field(uuid, { since: 10 }),
        isInternal: field(bool, { since: 1 }),
        partitions: field(
          array(
            struct({
              errorCode: field(int16),
              partitionIndex: field(int32),
              leaderId: field(int32),
              leaderEpoch: field(int32, { since: 7, fallback: -1 }),
              replicaNodes: field(array(int32)),
              isrNodes: field(array(int32)),
              offlineReplicas: field(array(int32), { since: 5 }),
            }),
          ),
        ),
        topicAuthorizedOperations: field(int32, { since: 8, fallback: UNKNOWN_OPERATIONS }),
      }),
    ),
  ),
  clusterAuthorizedOperations: field(int32, { since: 8, until: 10, fallback: UNKNOWN_OPERATIONS }),
});

/** Which brokers there are, and who leads which partition. Version 0 has no null topics; there, none means all. */
export const metadata = { key: 3, name: 'Metadata', flexibleSince: 9, request, answer } satisfies Api<
  unknown,
  never
>;
