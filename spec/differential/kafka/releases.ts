import type { Generation } from '../../../lib/testing/kafka/Generation';

/** Lowest and highest version of a request that a release answers. */
export type VersionPair = readonly [from: number, to: number];

export interface Release {
  readonly kafka: string;
  readonly generation: Generation;
  /** Highest format of messages. */
  readonly format: 0 | 1 | 2;
  /** By the name of the request, such as "Fetch". */
  readonly versions: Readonly<Record<string, VersionPair>>;
  /** So many answers are compared at least. */
  readonly leastAnswers: number;
}

export const RELEASES: readonly Release[] = [
  {
    kafka: '0.8.2.2',
    leastAnswers: 300,
    generation: '0.8',
    format: 0,
    versions: {
      Produce: [0, 0],
      Fetch: [0, 0],
      ListOffsets: [0, 0],
      Metadata: [0, 0],
      OffsetCommit: [0, 1],
      OffsetFetch: [0, 1],
      FindCoordinator: [0, 0],
    },
  },
  {
    kafka: '0.10.2.2',
    leastAnswers: 800,
    generation: '0.10.2',
    format: 1,
    versions: {
      Produce: [0, 2],
      Fetch: [0, 3],
      ListOffsets: [0, 1],
      Metadata: [0, 2],
      OffsetCommit: [0, 2],
      OffsetFetch: [0, 2],
      FindCoordinator: [0, 0],
      JoinGroup: [0, 1],
      Heartbeat: [0, 0],
      LeaveGroup: [0, 0],
      SyncGroup: [0, 0],
      DescribeGroups: [0, 0],
      ListGroups: [0, 0],
      ApiVersions: [0, 0],
    },
  },
  {
    kafka: '3.9.1',
    leastAnswers: 4000,
    generation: '3.9',
    format: 2,
    versions: {
      Produce: [0, 11],
      Fetch: [0, 17],
      ListOffsets: [0, 9],
      Metadata: [0, 12],
      OffsetCommit: [0, 9],
      OffsetFetch: [0, 9],
      FindCoordinator: [0, 6],
      JoinGroup: [0, 9],
      Heartbeat: [0, 4],
      LeaveGroup: [0, 5],
      SyncGroup: [0, 5],
      DescribeGroups: [0, 5],
      ListGroups: [0, 5],
      ApiVersions: [0, 4],
      InitProducerId: [0, 5],
    },
  },
];
