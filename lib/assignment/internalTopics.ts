import type { ResolvedConfig } from '../config/configTable';

/** The topics that Kafka keeps for itself. */
export const internalTopics: readonly string[] = ['__consumer_offsets', '__transaction_state'];

/** Those that members up to 0.10 know as such; later ones, from 0.11 on, know all. */
const KNOWN_TO_OLD_MEMBERS: readonly string[] = ['__consumer_offsets'];

/**
 * The topics that no filter matches, neither one's own nor that of another member (`exclude.internal.topics`).
 *
 * In `roundrobin` a topic that only some members leave out shifts the turn of all partitions behind it, so that they never
 * agree: there it is left to `roundrobin.text.order`, which says of what age the JVM's members are.
 */
export function excludedTopics(config: ResolvedConfig): readonly string[] {
  if (!config['exclude.internal.topics']) return [];
  const isShared = config['partition.assignment.strategy'] === 'roundrobin';
  return isShared && config['roundrobin.text.order'] === '0.8' ? KNOWN_TO_OLD_MEMBERS : internalTopics;
}
