import { waitFor } from '../waitFor';
import type { BrokerAddress } from './clusterFiles';
import type { TestCluster, TopicOptions } from './TestCluster';
import { isTopicUnknown, roundRobin, whatTopicLacks, writeMorePartitions, writeTopic } from './topics';

const LIMIT_MS = 30_000;

/** Where the topics are. */
interface TopicPlace {
  readonly cluster: Pick<TestCluster, 'brokers' | 'zookeeper'>;
  /** Those that can be asked at this moment. */
  readonly runningBrokers: () => readonly BrokerAddress[];
  /** What is told beside the failure of a wait. */
  readonly log?: () => string;
}

/** Makes and removes topics by ZooKeeper's nodes, as Kafka's own tools did before 2.2, and waits for the brokers. */
export class ClusterTopics {
  readonly #place: TopicPlace;

  constructor(place: TopicPlace) {
    this.#place = place;
  }

  /** As TestCluster.createTopic. */
  async create(topic: string, options: TopicOptions): Promise<void> {
    const { cluster } = this.#place;
    const { partitions = 1, replicas = 1, config = {} } = options;
    const assignment = options.assignment ?? roundRobin(partitions, cluster.brokers.length, replicas);
    await using zookeeper = await cluster.zookeeper();
    await writeTopic(zookeeper, topic, [...assignment], config);
    await this.#untilReady(topic, assignment.length);
  }

  /** As TestCluster.addPartitions. */
  async extend(topic: string, total: number): Promise<void> {
    const { cluster } = this.#place;
    await using zookeeper = await cluster.zookeeper();
    await writeMorePartitions(zookeeper, topic, total, cluster.brokers.length);
    await this.#untilReady(topic, total);
  }

  /** As TestCluster.deleteTopic. */
  async remove(topic: string): Promise<void> {
    await using zookeeper = await this.#place.cluster.zookeeper();
    await zookeeper.create(`/admin/delete_topics/${topic}`);
    await this.#wait(`deletion of topic ${topic}`, async () => {
      if (await zookeeper.exists(`/admin/delete_topics/${topic}`)) return false;
      if (await zookeeper.exists(`/brokers/topics/${topic}`)) return false;
      const brokers = this.#place.runningBrokers();
      const unknown = await Promise.all(brokers.map((broker) => isTopicUnknown(broker, topic)));
      return unknown.every(Boolean);
    });
  }

  async #untilReady(topic: string, partitions: number): Promise<void> {
    await this.#wait(`topic ${topic} with ${partitions} partitions`, async () => {
      const lack = await whatTopicLacks(this.#place.runningBrokers(), topic, partitions);
      if (lack !== null) throw new Error(lack);
      return true;
    });
  }

  async #wait(description: string, condition: () => Promise<boolean>): Promise<void> {
    await waitFor(condition, { timeoutMs: LIMIT_MS, description, details: () => this.#place.log?.() ?? '' });
  }
}
