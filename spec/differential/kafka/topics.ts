import { isTopicUnknown, whatTopicLacks, writeTopic } from '../../support/cluster/topics';
import { waitFor } from '../../support/waitFor';
import { readJson } from './readJson';
import type { Stage } from './Stage';

const LIMIT_MS = 15_000;
const NO_ID = '0'.repeat(32);

export interface NewTopic {
  /** Broker ids per partition, the leader first; default: one partition, on broker 1. */
  readonly assignment?: readonly number[][];
  readonly config?: Readonly<Record<string, string>>;
}

/** Resolves with its id when all brokers can be asked for all its partitions. */
export async function createTopic(
  stage: Stage,
  topic: string,
  { assignment = [[1]], config = {} }: NewTopic = {},
): Promise<string> {
  await writeTopic(stage.zookeeper, topic, assignment, config);
  await topicReady(stage, topic, assignment.length);
  return learnTopicId(stage, topic);
}

export async function topicReady({ side }: Stage, topic: string, partitions: number): Promise<void> {
  await waitFor(async () => (await whatTopicLacks(side.brokers, topic, partitions)) === null, {
    timeoutMs: LIMIT_MS,
    description: `topic ${topic}`,
  });
}

export async function deleteTopic({ side, zookeeper }: Stage, topic: string): Promise<void> {
  await zookeeper.create(`/admin/delete_topics/${topic}`);
  await waitFor(
    async () => {
      if (await zookeeper.exists(`/admin/delete_topics/${topic}`)) return false;
      const unknown = await Promise.all(side.brokers.map((broker) => isTopicUnknown(broker, topic)));
      return unknown.every(Boolean);
    },
    { timeoutMs: LIMIT_MS, description: `the end of topic ${topic}` },
  );
}

/** The id that brokers give to each topic since 2.8, as requests have it, or zeros. From now on it has a name. */
export async function learnTopicId({ zookeeper, names }: Stage, topic: string): Promise<string> {
  const { topic_id: id } = await readJson(zookeeper, `/brokers/topics/${topic}`);
  if (typeof id !== 'string') return NO_ID;
  const bytes = Buffer.from(id, 'base64url');
  names.add(`topic id of ${topic}`, bytes);
  names.add(`topic id of ${topic}`, id);
  return bytes.toString('hex');
}
