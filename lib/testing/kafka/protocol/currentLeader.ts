import { field, struct } from './struct';
import { int32, nullableString, string } from './types';

/** Who leads a partition, in answers that say that it is another broker than the one that was asked. */
export const leaderIdAndEpoch = struct({
  leaderId: field(int32, { fallback: -1 }),
  leaderEpoch: field(int32, { fallback: -1 }),
});

/** Where such a leader is reached. */
export const nodeEndpoint = struct({
  nodeId: field(int32),
  host: field(string),
  port: field(int32),
  rack: field(nullableString),
});
