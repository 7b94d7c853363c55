import type { Generation } from './Generation';
import type { Leadership } from './Partition';

/** What is stored in /brokers/topics/T. */
export interface TopicNode {
  /** Replicas per partition. */
  readonly assignment: readonly (readonly number[])[];
  /** 32 hexadecimal digits; null where the node has none, as before Kafka 2.8 and from older tools. */
  readonly topicId: string | null;
}

/** Null for data that is no topic's. Partitions behind a missing number are left out. */
export function readTopicNode(data: Buffer): TopicNode | null {
  const node = readObject(data);
  const partitions = asObject(node?.['partitions']);
  if (node === null || partitions === null) return null;
  const assignment: number[][] = [];
  for (let replicas = partitions['0']; Array.isArray(replicas); replicas = partitions[assignment.length]) {
    assignment.push(replicas.map(Number));
  }
  const topicId = node['topic_id'];
  return {
    assignment,
    topicId: typeof topicId === 'string' ? Buffer.from(topicId, 'base64url').toString('hex') : null,
  };
}

/** The fields in the order in which the generation writes them. */
export function writeTopicNode(generation: Generation, { assignment, topicId }: TopicNode): string {
  const partitions = Object.fromEntries(assignment.entries());
  if (generation !== '3.9' || topicId === null) return JSON.stringify({ version: 1, partitions });
  const topic_id = Buffer.from(topicId, 'hex').toString('base64url');
  return JSON.stringify({ partitions, topic_id, adding_replicas: {}, removing_replicas: {}, version: 3 });
}

/** What is stored in /brokers/topics/T/partitions/P/state. */
export function readStateNode(data: Buffer): Leadership | null {
  const node = readObject(data);
  if (node === null || !Array.isArray(node['isr'])) return null;
  const [leader, leaderEpoch] = [Number(node['leader']), Number(node['leader_epoch'])];
  return { leader, leaderEpoch, isr: node['isr'].map(Number) };
}

export function writeStateNode(controllerEpoch: number, { leader, leaderEpoch, isr }: Leadership): string {
  return JSON.stringify({
    controller_epoch: controllerEpoch,
    leader,
    version: 1,
    leader_epoch: leaderEpoch,
    isr,
  });
}

/** What is stored in /config/topics/T; nothing for data that is no configuration. */
export function readConfigNode(data: Buffer | undefined): ReadonlyMap<string, string> {
  const config = asObject(data === undefined ? null : readObject(data)?.['config']);
  return new Map(Object.entries(config ?? {}).map(([name, value]) => [name, String(value)]));
}

export function writeConfigNode(config: Readonly<Record<string, string>>): string {
  return JSON.stringify({ version: 1, config });
}

/** What is stored in /admin/preferred_replica_election. */
export function readPartitionList(data: Buffer): readonly { topic: string; partition: number }[] {
  const list = readObject(data)?.['partitions'];
  if (!Array.isArray(list)) return [];
  return list.map((one: unknown) => {
    const named = asObject(one);
    return { topic: String(named?.['topic']), partition: Number(named?.['partition']) };
  });
}

/** Null for data that is no JSON object. */
export function readObject(data: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return asObject(JSON.parse(data.toString('utf8')));
  } catch {
    return null;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
