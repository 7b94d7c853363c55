import { offsetCommitRoute } from '../../../../../../lib/testing/kafka/groups/offsetCommitRoute';
import { offsetFetchRoute } from '../../../../../../lib/testing/kafka/groups/offsetFetchRoute';
import type { Asked, GroupCluster } from './GroupCluster';

export interface CommitOptions extends Asked {
  readonly topic?: string;
  readonly group?: string;
  readonly memberId?: string;
  readonly groupInstanceId?: string | null;
  readonly generationId?: number;
  readonly metadata?: string | null;
  readonly commitTimestamp?: number;
}

/**
 * Commits for the group "g", for the topic "t", in version 2, if nothing else is said.
 *
 * @param offsets - by partition
 * @returns error codes by partition
 */
export async function commit(
  cluster: GroupCluster,
  offsets: Readonly<Record<number, number>>,
  options: CommitOptions = {},
): Promise<Record<number, number | undefined>> {
  const { topic = 't', metadata = 'note', commitTimestamp = -1 } = options;
  const answer = await cluster.ask(
    offsetCommitRoute,
    {
      groupId: options.group ?? 'g',
      memberId: options.memberId ?? '',
      groupInstanceId: options.groupInstanceId ?? null,
      generationIdOrMemberEpoch: options.generationId ?? -1,
      retentionTimeMs: -1,
      topics: [
        {
          name: topic,
          partitions: Object.entries(offsets).map(([partition, committedOffset]) => ({
            partitionIndex: Number(partition),
            committedOffset,
            committedLeaderEpoch: 4,
            committedMetadata: metadata,
            commitTimestamp,
          })),
        },
      ],
    },
    { version: 2, ...options },
  );
  const { partitions = [] } = answer.topics?.[0] ?? {};
  return Object.fromEntries(
    partitions.map(({ partitionIndex = -1, errorCode }) => [partitionIndex, errorCode] as const),
  );
}

/** Offset, metadata and error code of each partition, of "g" and "t" in version 1 if nothing else is said. */
export async function fetchOffsets(
  cluster: GroupCluster,
  partitions: readonly number[],
  { topic = 't', group = 'g', ...asked }: Pick<CommitOptions, 'topic' | 'group' | keyof Asked> = {},
): Promise<unknown[]> {
  const answer = await cluster.ask(
    offsetFetchRoute,
    {
      groupId: group,
      topics: [{ name: topic, partitionIndexes: partitions }],
      groups: [],
      requireStable: false,
    },
    { version: 1, ...asked },
  );
  const fetched = answer.topics?.[0]?.partitions ?? [];
  return fetched.map(({ committedOffset, metadata, errorCode }) => [committedOffset, metadata, errorCode]);
}
