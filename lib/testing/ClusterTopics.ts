import { ArgumentFaults } from './argumentFaults';
import type { ClusterServers } from './ClusterServers';
import type { EmbeddedPartition } from './clusterState';
import type { EmbeddedTopicOptions, ResolvedClusterOptions } from './EmbeddedClusterOptions';
import type { TopicState } from './kafka/KafkaState';
import { checkedMessages, type EmbeddedMessage, type ProduceOptions } from './produceArguments';
import { partitionOf, produceInto, type EmbeddedMessagePlace } from './produceInto';
import { assignmentOf, inTurn, MOST_PARTITIONS, refuseWrongTopic } from './topicArguments';

/** The controls of topics and of what is in them; the cluster tells what each of them does. */
export class ClusterTopics {
  readonly #options: ResolvedClusterOptions;
  readonly #servers: ClusterServers;

  constructor(options: ResolvedClusterOptions, servers: ClusterServers) {
    this.#options = options;
    this.#servers = servers;
  }

  create(name: string, options: EmbeddedTopicOptions): void {
    refuseWrongTopic(name, options, this.#options);
    const { kafka } = this.#servers;
    kafka.createTopic(name, assignmentOf(options, this.#options.brokers), options.config);
  }

  addPartitions(name: string, total: number): void {
    const faults = new ArgumentFaults('addPartitions').text('name', name);
    faults.wholeNumber('total', total, 1, MOST_PARTITIONS).refuse();
    const existing = this.#topic(name).partitions;
    if (total <= existing.length) {
      throw new RangeError(`topic ${name} has ${existing.length} partitions; ${total} adds none`);
    }
    const replicas = existing[0]?.replicas.length ?? 1;
    const added = inTurn(existing.length, total, this.#options.brokers, replicas);
    this.#servers.kafka.addPartitions(name, added);
  }

  delete(name: string): void {
    new ArgumentFaults('deleteTopic').text('name', name).refuse();
    this.#servers.kafka.deleteTopic(this.#topic(name).name);
  }

  describe(name: string): readonly EmbeddedPartition[] {
    new ArgumentFaults('describeTopic').text('name', name).refuse();
    return this.#topic(name).partitions.map(({ partition, leader, replicas, isr, log }) => ({
      ...{ partition, leader, replicas, isr },
      ...{ startOffset: log.startOffset, endOffset: log.endOffset },
    }));
  }

  moveLeader(topic: string, partition: number, brokerId: number): void {
    const faults = new ArgumentFaults('moveLeader').text('topic', topic);
    faults.wholeNumber('partition', partition, 0).wholeNumber('brokerId', brokerId, 1).refuse();
    partitionOf(this.#topic(topic), partition);
    this.#servers.mustHaveBroker(brokerId);
    this.#servers.kafka.moveLeader(topic, partition, brokerId);
  }

  produce(
    topic: string,
    messages: Iterable<string | EmbeddedMessage>,
    options: ProduceOptions,
  ): EmbeddedMessagePlace[] {
    const checked = checkedMessages(topic, messages, options, this.#options.kafka);
    return produceInto(this.#topic(topic), checked, options.compression);
  }

  deleteRecords(topic: string, partition: number, beforeOffset: number): void {
    const faults = new ArgumentFaults('deleteRecords').text('topic', topic);
    faults.wholeNumber('partition', partition, 0).wholeNumber('beforeOffset', beforeOffset, 0).refuse();
    const { log } = partitionOf(this.#topic(topic), partition);
    if (beforeOffset > log.endOffset) {
      throw new RangeError(
        `partition ${topic}/${partition} ends at ${log.endOffset}, before ${beforeOffset}`,
      );
    }
    log.deleteBefore(beforeOffset);
  }

  #topic(name: string): TopicState {
    const { topics } = this.#servers.kafka;
    const topic = topics.get(name);
    if (topic !== undefined) return topic;
    const known = [...topics.keys()].join(', ');
    throw new RangeError(`there is no topic ${JSON.stringify(name)}; there are: ${known || 'none'}`);
  }
}
