import type { KafkaState } from '../KafkaState';

/** Names of all topics by their ids. */
export function topicNamesById({ topics }: Pick<KafkaState, 'topics'>): ReadonlyMap<string, string> {
  return new Map([...topics.values()].map(({ topicId, name }) => [topicId, name]));
}
