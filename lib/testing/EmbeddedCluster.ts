import {
  resolveClusterOptions,
  type EmbeddedBrokerAddress,
  type EmbeddedBrokerProperties,
  type EmbeddedClusterOptions,
  type EmbeddedServerAddress,
  type EmbeddedTopicOptions,
  type ResolvedClusterOptions,
} from './EmbeddedClusterOptions';
import { EmbeddedKafka, type RequestFailure } from './kafka/EmbeddedKafka';
import type { Generation } from './kafka/Generation';
import type { DescribedGroup } from './kafka/groups/DescribedGroup';
import type { StoredOffset } from './kafka/groups/OffsetStore';
import type { TopicState } from './kafka/KafkaState';
import { EmbeddedNetwork } from './network/EmbeddedNetwork';
import {
  produceInto,
  type EmbeddedMessage,
  type EmbeddedMessagePlace,
  type ProduceOptions,
} from './produceInto';
import type { OperationFailure } from './zookeeper/FailurePlan';
import type { RecordedOperation } from './zookeeper/OperationLog';
import { ZookeeperEnsemble } from './zookeeper/ZookeeperEnsemble';

/** Other defaults than Kafka's: nobody waits for more members, and topics can be deleted in all generations. */
const FOR_TESTS: EmbeddedBrokerProperties = {
  'delete.topic.enable': 'true',
  'group.initial.rebalance.delay.ms': '0',
};

/** A partition as all brokers know it. */
export interface EmbeddedPartition {
  /** From 0. */
  readonly partition: number;
  /** Id of a broker; -1 while no replica runs. */
  readonly leader: number;
  /** Ids of brokers, the preferred leader first. */
  readonly replicas: readonly number[];
  /** Those of them that run and could lead. */
  readonly isr: readonly number[];
  /** Offset of the first message. */
  readonly startOffset: number;
  /** Offset of the next message that comes; the high watermark, too. */
  readonly endOffset: number;
}

/** A session of ZooKeeper. */
export interface EmbeddedSession {
  /** Such as "0x15c0ffee". */
  readonly id: string;
  /** Infinity for those of the brokers, which do not expire by themselves. */
  readonly timeoutMs: number;
  /** Paths of its ephemeral nodes. */
  readonly ephemerals: readonly string[];
  /** True for those of the brokers. */
  readonly isConnected: boolean;
}

/**
 * ZooKeeper and Kafka brokers in this process, on free ports of 127.0.0.1, that speak the real protocols: any client can
 * connect. Nothing is stored on disk, and nothing but Node is needed.
 *
 * What is left out: TLS and SASL, transactions, quotas, compaction and retention. Replicas of a partition are one log, so
 * that they never differ.
 */
export class EmbeddedCluster implements AsyncDisposable {
  /** As asked for. */
  readonly kafka: Generation;
  /** The faults of the network. */
  readonly network: EmbeddedNetwork;
  readonly #options: ResolvedClusterOptions;
  readonly #zookeeper: ZookeeperEnsemble;
  readonly #kafka: EmbeddedKafka;
  /** Of brokers that were started again with others than those of the options. */
  readonly #changedProperties = new Map<number, EmbeddedBrokerProperties>();

  private constructor(options: ResolvedClusterOptions) {
    const { kafka, seed, chroot, tickTimeMs, minSessionTimeoutMs, maxSessionTimeoutMs } = options;
    this.kafka = kafka;
    this.#options = options;
    this.network = new EmbeddedNetwork(seed);
    this.#zookeeper = new ZookeeperEnsemble({
      ...{ network: this.network, servers: options.zookeepers, release: kafka === '3.9' ? '3.8' : '3.4' },
      ...{ tickTimeMs, minSessionTimeoutMs, maxSessionTimeoutMs },
    });
    this.#kafka = new EmbeddedKafka({
      ...{ network: this.network, zookeeper: this.#zookeeper, generation: kafka },
      ...{ seed, chroot, brokers: options.brokers },
      properties: async (broker) => ({
        ...FOR_TESTS,
        ...(this.#changedProperties.get(broker.id) ?? (await options.brokerProperties(broker))),
      }),
    });
  }

  /**
   * Resolves when all servers can be used and all topics have leaders; three brokers take some 50 ms.
   *
   * @throws TypeError or RangeError for options that cannot be used
   */
  static async start(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
    const cluster = new EmbeddedCluster(resolveClusterOptions(options));
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** "host:port[,host:port]/chroot", for the property zookeeper.connect. */
  get zookeeperConnect(): string {
    const servers = this.zookeeperServers.map(({ host, port }) => `${host}:${port}`).join(',');
    return `${servers}${this.#options.chroot}`;
  }

  /** Also those that are stopped. */
  get zookeeperServers(): readonly EmbeddedServerAddress[] {
    return this.#zookeeper.servers;
  }

  /** All brokers, with where they listen; stopped ones are here, too. */
  get brokers(): readonly EmbeddedBrokerAddress[] {
    return this.#kafka.brokers;
  }

  /** "host:port[,host:port]", for clients that ask brokers for the cluster. */
  get bootstrapServers(): string {
    return this.brokers.map(({ host, port }) => `${host}:${port}`).join(',');
  }

  // Topics

  /**
   * The topic has leaders when this returns.
   *
   * @throws RangeError for a name that is none or is taken, and for brokers that there are not
   */
  createTopic(name: string, options: EmbeddedTopicOptions = {}): void {
    const { partitions = 1, replicas = 1, config = {} } = options;
    const assignment = options.assignment ?? inTurn(0, partitions, this.brokers.length, replicas);
    this.#kafka.createTopic(name, assignment, config);
  }

  /**
   * Lets the topic have `total` partitions; it cannot have fewer than before.
   *
   * @throws RangeError for a topic that there is not, and for a number that adds nothing
   */
  addPartitions(name: string, total: number): void {
    const existing = this.#topic(name).partitions;
    if (!(Number.isInteger(total) && total > existing.length)) {
      throw new RangeError(`topic ${name} has ${existing.length} partitions; ${total} adds none`);
    }
    const replicas = existing[0]?.replicas.length ?? 1;
    this.#kafka.addPartitions(name, inTurn(existing.length, total, this.brokers.length, replicas));
  }

  /**
   * The topic is gone when this returns, in ZooKeeper, too.
   *
   * @throws RangeError for a topic that there is not
   */
  deleteTopic(name: string): void {
    this.#topic(name);
    this.#kafka.deleteTopic(name);
  }

  /**
   * Leaders, replicas and ends of all partitions at this moment.
   *
   * @throws RangeError for a topic that there is not
   */
  describeTopic(name: string): readonly EmbeddedPartition[] {
    return this.#topic(name).partitions.map(({ partition, leader, replicas, isr, log }) => ({
      ...{ partition, leader, replicas, isr },
      ...{ startOffset: log.startOffset, endOffset: log.endOffset },
    }));
  }

  /**
   * Lets another broker lead a partition. Only an in-sync replica can.
   *
   * @throws RangeError for a partition or a broker that there is not, or that is no in-sync replica
   */
  moveLeader(topic: string, partition: number, brokerId: number): void {
    this.#kafka.moveLeader(topic, partition, brokerId);
  }

  // Messages

  /**
   * Writes messages straight into the logs, without a request and whoever leads; consumers that wait are answered.
   *
   * @returns where each message is
   * @throws RangeError for a topic or partition that there is not, and for what its log refuses, such as a message that is too large
   */
  produce(
    topic: string,
    messages: Iterable<string | EmbeddedMessage>,
    options: ProduceOptions = {},
  ): EmbeddedMessagePlace[] {
    return produceInto(topic, this.#topic(topic).partitions, messages, options);
  }

  /** Deletes what is in front of an offset, as retention does. */
  deleteRecords(topic: string, partition: number, beforeOffset: number): void {
    const found = this.#topic(topic).partitions[partition];
    if (found === undefined) throw new RangeError(`topic ${topic} has no partition ${partition}`);
    found.log.deleteBefore(beforeOffset);
  }

  // Servers

  /** Its connections are reset and others lead what it has led; nothing happens if it is stopped. */
  stopBroker(id: number): Promise<void> {
    return this.#kafka.stopBroker(id);
  }

  /** Starts a broker that was stopped: on the port that it had, with the same properties, unless others are given. */
  async startBroker(
    id: number,
    changes: { readonly port?: number; readonly properties?: EmbeddedBrokerProperties } = {},
  ): Promise<void> {
    if (changes.properties !== undefined) this.#changedProperties.set(id, changes.properties);
    await this.#kafka.startBroker(id, changes.port);
  }

  /** Servers count from 1. Without a majority of running ones nobody is served. */
  stopZookeeper(server = 1): Promise<void> {
    return this.#zookeeper.stopServer(server);
  }

  /** Starts a server of ZooKeeper that was stopped, on the port that it had; sessions that have not expired go on. */
  startZookeeper(server = 1): Promise<void> {
    return this.#zookeeper.startServer(server);
  }

  // ZooKeeper; paths are always whole, with the chroot.

  /** All sessions, those of the brokers among them. */
  sessions(): readonly EmbeddedSession[] {
    return this.#zookeeper.sessions();
  }

  /**
   * Ends a session at once, with its ephemeral nodes; the client learns it as an expiry.
   *
   * @param id - as in `sessions()`, such as "0x15c0ffee"
   * @throws RangeError for a session that there is not
   */
  expireSession(id: string): void {
    this.#zookeeper.expireSession(id);
  }

  /** Resets the connection of a session; the session lives on, and its client comes back. */
  dropConnection(id: string): void {
    this.#zookeeper.dropConnection(id);
  }

  /** Text of the nodes at and below a path; there is none for a node that is missing. */
  znodes(path = '/'): ReadonlyMap<string, string> {
    return this.#zookeeper.tree(path);
  }

  /** Every writing operation that any session has asked for, in order, refused ones too. */
  get operations(): readonly RecordedOperation[] {
    return this.#zookeeper.operations;
  }

  // Groups of the coordinator (JoinGroup); those in ZooKeeper are in its nodes.

  /** An unknown group is "Dead". */
  describeGroup(group: string): DescribedGroup {
    return this.#kafka.groups.describeGroup(group);
  }

  /** What a group has stored with its coordinator, by topic and partition. */
  committedOffsets(group: string): ReadonlyMap<string, ReadonlyMap<number, StoredOffset>> {
    return this.#kafka.groups.committedOffsets(group);
  }

  // Faults; those of the network are in `network`.

  /** The next requests of that kind to brokers are answered with an error, and have no effect. */
  failNextRequest(failure: RequestFailure): void {
    this.#kafka.failNext(failure);
  }

  /** The next operations of that kind in ZooKeeper are answered with an error, and have no effect. */
  failNextOperation(failure: OperationFailure): void {
    this.#zookeeper.failNext(failure);
  }

  /** No request and no operation fails any more that was to fail. */
  clearFailures(): void {
    this.#kafka.clearFailures();
    this.#zookeeper.clearFailures();
  }

  /** Ends all servers and connections. May be called again. */
  async stop(): Promise<void> {
    await this.#kafka.stop();
    await this.#zookeeper.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #start(): Promise<void> {
    await this.#zookeeper.start();
    this.#makeChroot();
    await this.#kafka.start();
    for (const [name, topic] of Object.entries(this.#options.topics)) this.createTopic(name, topic);
  }

  /** Brokers of 0.8.2 and later make it, too; without brokers nobody else does. */
  #makeChroot(): void {
    const session = this.#zookeeper.openSession('');
    if (this.#options.chroot !== '') session.mkdirp(this.#options.chroot);
    session.close();
  }

  #topic(name: string): TopicState {
    const topic = this.#kafka.topics.get(name);
    if (topic !== undefined) return topic;
    const known = [...this.#kafka.topics.keys()].join(', ');
    throw new RangeError(`there is no topic ${JSON.stringify(name)}; there are: ${known || 'none'}`);
  }
}

/** Partition p is led by broker (p % brokers) + 1, and its other replicas are the next ones. */
function inTurn(from: number, to: number, brokers: number, replicas: number): number[][] {
  return Array.from({ length: to - from }, (_, index) =>
    Array.from({ length: replicas }, (_none, replica) => ((from + index + replica) % brokers) + 1),
  );
}
