import { BrokerConnection } from '../produce/BrokerConnection';
import { listOffsetsRequest, metadataRequest } from '../produce/requests';
import type { BrokerAddress } from './clusterFiles';
import type { ZookeeperAdmin } from './ZookeeperAdmin';

const ASK_LIMIT_MS = 3000;

/** What is stored in /brokers/topics/T; later releases add more fields, which have to stay. */
interface TopicNode {
  readonly partitions: Record<string, number[]>;
}

/**
 * Replicas per partition: partition p is led by broker (p % brokers) + 1 and its replicas are the next ones. Unlike
 * Kafka's own choice it does not start at a random broker, so that specs can name the leader.
 */
export function roundRobin(partitions: number, brokers: number, replicas = 1): number[][] {
  return Array.from({ length: partitions }, (_, partition) =>
    Array.from({ length: replicas }, (_, replica) => ((partition + replica) % brokers) + 1),
  );
}

/** Asks for a topic in the way of Kafka's own tools before 2.2: the controller watches these nodes. */
export async function writeTopic(
  zookeeper: ZookeeperAdmin,
  topic: string,
  assignment: readonly number[][],
  config: Readonly<Record<string, string>>,
): Promise<void> {
  await zookeeper
    .create(`/config/topics/${topic}`, JSON.stringify({ version: 1, config }))
    .catch((error: unknown) => {
      // Left over by a topic of that name which was deleted.
      if (!(error instanceof Error) || error.name !== 'NODE_EXISTS') throw error;
      return zookeeper.set(`/config/topics/${topic}`, JSON.stringify({ version: 1, config }));
    });
  const partitions = Object.fromEntries(assignment.map((replicas, partition) => [partition, replicas]));
  await zookeeper.create(`/brokers/topics/${topic}`, JSON.stringify({ version: 1, partitions }));
}

/** Extends the topic's assignment and returns it; the partitions that exist keep theirs. */
export async function writeMorePartitions(
  zookeeper: ZookeeperAdmin,
  topic: string,
  total: number,
  brokers: number,
): Promise<number> {
  const path = `/brokers/topics/${topic}`;
  const node = await zookeeper.get(path);
  if (node?.data == null) throw new Error(`There is no topic ${topic}`);
  const stored = JSON.parse(node.data.toString('utf8')) as TopicNode;
  const before = Object.keys(stored.partitions).length;
  if (total <= before)
    throw new Error(`Topic ${topic} has ${before} partitions already, ${total} was asked for`);
  const wanted = roundRobin(total, brokers, stored.partitions['0']?.length);
  const added = Object.fromEntries(Object.entries(wanted).slice(before));
  const partitions = { ...stored.partitions, ...added };
  await zookeeper.set(path, JSON.stringify({ ...stored, partitions }), node.version);
  return total;
}

/**
 * What is still missing until a topic can be read and written, or null: every broker has to know the leader of every
 * partition, and the leaders have to answer for theirs. Topics are asked for all together, since a broker creates one
 * that is asked for by name.
 */
export async function whatTopicLacks(
  brokers: readonly BrokerAddress[],
  topic: string,
  partitions: number,
): Promise<string | null> {
  const lacks = await Promise.all(brokers.map((broker) => whatBrokerLacks(broker, topic, partitions)));
  return lacks.find((lack) => lack !== null) ?? null;
}

async function whatBrokerLacks(
  broker: BrokerAddress,
  topic: string,
  partitions: number,
): Promise<string | null> {
  return withConnection(broker, async (connection) => {
    const { topics } = await connection.ask(metadataRequest([]));
    const known = topics.find((entry) => entry.topic === topic)?.partitions ?? [];
    const led = known.filter(({ errorCode, leader }) => errorCode === 0 && leader >= 0);
    if (led.length < partitions) return `broker ${broker.id} knows ${led.length} of ${partitions} leaders`;
    const own = led.filter(({ leader }) => leader === broker.id).map(({ partition }) => partition);
    const offsets = await connection.ask(listOffsetsRequest(topic, own, -1));
    const failed = offsets.find(({ errorCode }) => errorCode !== 0);
    if (failed === undefined) return null;
    return `broker ${broker.id} answers for partition ${failed.partition} with error ${failed.errorCode}`;
  });
}

/** True if the broker has no trace of the topic. */
export async function isTopicUnknown(broker: BrokerAddress, topic: string): Promise<boolean> {
  return withConnection(broker, async (connection) => {
    const { topics } = await connection.ask(metadataRequest([]));
    return !topics.some((entry) => entry.topic === topic);
  });
}

async function withConnection<T>(
  broker: BrokerAddress,
  work: (connection: BrokerConnection) => Promise<T>,
): Promise<T> {
  const connection = new BrokerConnection(broker, { timeoutMs: ASK_LIMIT_MS });
  try {
    return await work(connection);
  } finally {
    connection.close();
  }
}
