import type { RandomNumbers } from '../network/RandomNumbers';
import { INVALID_REPLICATION_FACTOR, LEADER_NOT_AVAILABLE, UNKNOWN_SERVER_ERROR } from './errorCodes';
import type { KafkaState } from './KafkaState';
import { randomId } from './randomId';
import { assignReplicas } from './replicaAssignment';
import { isTopicName } from './topicNames';
import { readTopicNode, writeConfigNode, writeTopicNode } from './topicNodes';

type Assignment = readonly (readonly number[])[];
type AdministeredCluster = Pick<KafkaState, 'generation' | 'liveBrokers' | 'property' | 'zookeeper'> & {
  readonly brokers: readonly { readonly id: number }[];
};

const OFFSETS_TOPIC = '__consumer_offsets';
const OFFSETS_CONFIG = {
  'segment.bytes': '104857600',
  'compression.type': 'producer',
  'cleanup.policy': 'compact',
};

/** Asks the controller for topics in the way of Kafka's own tools: by ZooKeeper's nodes. */
export class TopicAdmin {
  readonly #cluster: AdministeredCluster;
  readonly #random: RandomNumbers;

  constructor(cluster: AdministeredCluster, random: RandomNumbers) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** @throws RangeError for what cannot be a topic, and for one that exists */
  create(name: string, assignment: Assignment, config: Readonly<Record<string, string>>): void {
    if (!isTopicName(name, this.#cluster.generation))
      throw new RangeError(`a topic cannot have the name ${JSON.stringify(name)}`);
    if (assignment.length === 0) throw new RangeError(`topic ${name} needs a partition`);
    this.#checkAssignment(assignment);
    if (this.#exists(name)) throw new RangeError(`there is a topic ${name} already`);
    this.#write(name, assignment, config);
  }

  /** @throws RangeError for a topic that there is not, and for brokers that there are not */
  addPartitions(name: string, added: Assignment): void {
    this.#checkAssignment(added);
    const { zookeeper, generation } = this.#cluster;
    const data = zookeeper.get(`/brokers/topics/${name}`)?.data;
    const node = data === undefined ? null : readTopicNode(data);
    if (node === null) throw new RangeError(`there is no topic ${name}`);
    const assignment = [...node.assignment, ...added];
    zookeeper.set(`/brokers/topics/${name}`, writeTopicNode(generation, { ...node, assignment }));
  }

  /** As KafkaState says it. */
  autoCreate(name: string): number {
    const { liveBrokers, generation } = this.#cluster;
    if (this.#exists(name)) return LEADER_NOT_AVAILABLE;
    const isForOffsets = name === OFFSETS_TOPIC;
    const partitions = Number(
      this.#cluster.property(isForOffsets ? 'offsets.topic.num.partitions' : 'num.partitions'),
    );
    const replicas = isForOffsets
      ? Math.min(liveBrokers.length, Number(this.#cluster.property('offsets.topic.replication.factor')))
      : Number(this.#cluster.property('default.replication.factor'));
    if (replicas > liveBrokers.length || liveBrokers.length === 0) {
      const hasCode = generation !== '0.8' && generation !== '0.9';
      return hasCode ? INVALID_REPLICATION_FACTOR : UNKNOWN_SERVER_ERROR;
    }
    const ids = liveBrokers.map(({ id }) => id);
    const assignment = assignReplicas(ids, partitions, replicas, this.#random);
    this.#write(name, assignment, isForOffsets ? OFFSETS_CONFIG : {});
    return LEADER_NOT_AVAILABLE;
  }

  #exists(name: string): boolean {
    return this.#cluster.zookeeper.get(`/brokers/topics/${name}`) !== null;
  }

  #write(name: string, assignment: Assignment, config: Readonly<Record<string, string>>): void {
    const { zookeeper, generation } = this.#cluster;
    const path = `/config/topics/${name}`;
    // One can be left over from a topic of that name which was deleted.
    if (zookeeper.get(path) === null) zookeeper.create(path, writeConfigNode(config));
    else zookeeper.set(path, writeConfigNode(config));
    const topicId = randomId(this.#random).toString('hex');
    zookeeper.create(`/brokers/topics/${name}`, writeTopicNode(generation, { assignment, topicId }));
  }

  #checkAssignment(assignment: Assignment): void {
    const known = this.#cluster.brokers.map(({ id }) => id);
    for (const replicas of assignment) {
      if (replicas.length === 0) throw new RangeError('a partition needs a replica');
      if (new Set(replicas).size < replicas.length) {
        throw new RangeError(`a partition cannot have two replicas on one broker: ${replicas.join(', ')}`);
      }
      const unknown = replicas.find((id) => !known.includes(id));
      if (unknown !== undefined)
        throw new RangeError(`there is no broker ${unknown}; there are ${known.join(', ')}`);
    }
  }
}
