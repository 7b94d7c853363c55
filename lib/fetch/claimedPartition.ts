import { ConnectorError } from '../errors';
import type { BlockingQueue } from '../stream/BlockingQueue';
import type { TopicPartition } from '../types';
import { PartitionTopicInfo } from './PartitionTopicInfo';

/**
 * Where a partition goes on that has just been claimed.
 *
 * One that is claimed again goes on where it was, if what is stored is still what this member last wrote or read: nobody else
 * has moved it on. With another thread, or after a failure, it goes on behind what was processed: the old thread may still
 * have something in hand.
 */
export function claimedPartition(
  at: TopicPartition & { readonly threadId: string },
  queue: BlockingQueue,
  {
    stored,
    before,
    fetchSizeBytes,
  }: {
    /** The stored position; null if there is none, or why it cannot be told. */
    readonly stored: number | null | ConnectorError;
    /** What this member last had of the partition. */
    readonly before: PartitionTopicInfo | undefined;
    readonly fetchSizeBytes: number;
  },
): PartitionTopicInfo {
  const untouched = before?.storedOffset === stored ? before : undefined;
  if (untouched?.threadId === at.threadId && untouched.failure === null) return untouched;
  const position = ConnectorError.is(stored) ? null : stored;
  const info = new PartitionTopicInfo(at, at.threadId, queue, position, fetchSizeBytes);
  if (ConnectorError.is(stored)) info.failure = stored;
  else if (untouched !== undefined) info.continueFrom(untouched);
  return info;
}
