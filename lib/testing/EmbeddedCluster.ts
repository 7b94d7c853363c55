import { ArgumentFaults } from './argumentFaults';
import { ClusterServers } from './ClusterServers';
import type { EmbeddedPartition, EmbeddedSession } from './clusterState';
import { ClusterTopics } from './ClusterTopics';
import { refuseWrongPath, sessionOf, type BrokerChanges } from './controlArguments';
import {
  resolveClusterOptions,
  type EmbeddedBrokerAddress,
  type EmbeddedClusterOptions,
  type EmbeddedServerAddress,
  type EmbeddedTopicOptions,
  type ResolvedClusterOptions,
} from './EmbeddedClusterOptions';
import type { RequestFailure } from './kafka/EmbeddedKafka';
import type { Generation } from './kafka/Generation';
import type { DescribedGroup } from './kafka/groups/DescribedGroup';
import type { StoredOffset } from './kafka/groups/OffsetStore';
import type { EmbeddedNetwork } from './network/EmbeddedNetwork';
import type { PlannedFailure } from './PlannedFailures';
import type { EmbeddedMessage, ProduceOptions } from './produceArguments';
import type { EmbeddedMessagePlace } from './produceInto';
import type { OperationFailure } from './zookeeper/FailurePlan';
import type { RecordedOperation } from './zookeeper/OperationLog';

/** Only `start` has it: a cluster that was made in another way would not run. */
const BY_START = Symbol('start');

/**
 * ZooKeeper and Kafka brokers in this process, on free ports of 127.0.0.1, that speak the real protocols: any client can
 * connect. Nothing is stored on disk, and nothing but Node is needed.
 *
 * What is left out: TLS and SASL, transactions, quotas, compaction and retention. Replicas of a partition are one log, so
 * that they never differ.
 *
 * All controls refuse arguments that cannot be used, with all that is wrong with them. Once `stop` was called they throw Error;
 * what still can be read then are the addresses, `operations` and `network.connections()`.
 */
export class EmbeddedCluster implements AsyncDisposable {
  /** As asked for. */
  readonly kafka: Generation;
  /** The faults of the network. */
  readonly network: EmbeddedNetwork;
  readonly #options: ResolvedClusterOptions;
  readonly #servers: ClusterServers;
  readonly #topics: ClusterTopics;

  private constructor(options: ResolvedClusterOptions, by: symbol) {
    if (by !== BY_START) throw new TypeError('a cluster is started by: await EmbeddedCluster.start(options)');
    this.kafka = options.kafka;
    this.#options = options;
    this.#servers = new ClusterServers(options);
    this.#topics = new ClusterTopics(options, this.#servers);
    this.network = this.#servers.network;
  }

  /**
   * Resolves when all servers can be used and all topics have leaders; three brokers take some 10 ms the first time.
   *
   * @throws TypeError for options that cannot be used, RangeError for properties that a broker does not take
   */
  static async start(options: EmbeddedClusterOptions = {}): Promise<EmbeddedCluster> {
    const cluster = new EmbeddedCluster(resolveClusterOptions(options), BY_START);
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
    return this.#servers.zookeeperAddresses;
  }

  /** All brokers, with where they listen; stopped ones are here, too. */
  get brokers(): readonly EmbeddedBrokerAddress[] {
    return this.#servers.brokerAddresses;
  }

  /** "host:port[,host:port]", for clients that ask brokers for the cluster. */
  get bootstrapServers(): string {
    return this.brokers.map(({ host, port }) => `${host}:${port}`).join(',');
  }

  // Topics

  /**
   * The topic has leaders when this returns.
   *
   * @throws TypeError for a name or options that cannot be used, RangeError for a name that is taken
   */
  createTopic(name: string, options: EmbeddedTopicOptions = {}): void {
    this.#topics.create(name, options);
  }

  /**
   * Lets the topic have `total` partitions; it cannot have fewer than before.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a topic that there is not, and for a number
   * that adds nothing
   */
  addPartitions(name: string, total: number): void {
    this.#topics.addPartitions(name, total);
  }

  /**
   * The topic is gone when this returns, in ZooKeeper, too.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a topic that there is not
   */
  deleteTopic(name: string): void {
    this.#topics.delete(name);
  }

  /**
   * Leaders, replicas and ends of all partitions at this moment.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a topic that there is not
   */
  describeTopic(name: string): readonly EmbeddedPartition[] {
    return this.#topics.describe(name);
  }

  /**
   * Lets another broker lead a partition. Only an in-sync replica can.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a partition or a broker that there is not,
   * or that is no in-sync replica
   */
  moveLeader(topic: string, partition: number, brokerId: number): void {
    this.#topics.moveLeader(topic, partition, brokerId);
  }

  // Messages

  /**
   * Writes messages straight into the logs, without a request and whoever leads; consumers that wait are answered. Nothing is
   * written if one of them is refused.
   *
   * @returns where each message is
   * @throws TypeError for arguments that cannot be used, RangeError for a topic or partition that there is not, and
   * for messages that are too large for their log
   */
  produce(
    topic: string,
    messages: Iterable<string | EmbeddedMessage>,
    options: ProduceOptions = {},
  ): EmbeddedMessagePlace[] {
    return this.#topics.produce(topic, messages, options);
  }

  /**
   * Deletes what is in front of an offset, as retention does.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a topic or partition that there is not, and
   * for an offset beyond its end
   */
  deleteRecords(topic: string, partition: number, beforeOffset: number): void {
    this.#topics.deleteRecords(topic, partition, beforeOffset);
  }

  // Servers

  /**
   * Its connections are reset and others lead what it has led; nothing happens if it is stopped.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a broker that there is not
   */
  stopBroker(id: number): Promise<void> {
    return this.#servers.stopBroker(id);
  }

  /**
   * Starts a broker that was stopped: on the port that it had, with the same properties, unless others are given. If it cannot
   * start, it keeps those that it had.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a broker that there is not and for
   * properties that it does not take, Error for one that runs
   */
  startBroker(id: number, changes: BrokerChanges = {}): Promise<void> {
    return this.#servers.startBroker(id, changes);
  }

  /**
   * Servers count from 1. Without a majority of running ones nobody is served. Nothing happens if it is stopped.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a server that there is not
   */
  stopZookeeper(server = 1): Promise<void> {
    return this.#servers.stopZookeeper(server);
  }

  /**
   * Starts a server of ZooKeeper that was stopped, on the port that it had; sessions that have not expired go on. Nothing
   * happens if it runs.
   *
   * @throws TypeError for arguments that cannot be used, RangeError for a server that there is not
   */
  startZookeeper(server = 1): Promise<void> {
    return this.#servers.startZookeeper(server);
  }

  // ZooKeeper; paths are always whole, with the chroot.

  /** All sessions, those of the brokers among them. */
  sessions(): readonly EmbeddedSession[] {
    return this.#servers.zookeeper.sessions();
  }

  /**
   * Ends a session at once, with its ephemeral nodes; the client learns it as an expiry.
   *
   * @param id - as in `sessions()`, such as "0x15c0ffee"
   * @throws TypeError for arguments that cannot be used, RangeError for a session that there is not
   */
  expireSession(id: string): void {
    this.#servers.zookeeper.expireSession(sessionOf('expireSession', id, this.sessions()));
  }

  /**
   * Resets the connection of a session; the session lives on, and its client comes back.
   *
   * @param id - as in `sessions()`, such as "0x15c0ffee"
   * @throws TypeError for arguments that cannot be used, RangeError for a session that there is not, Error for one
   * without a connection
   */
  dropConnection(id: string): void {
    this.#servers.zookeeper.dropConnection(sessionOf('dropConnection', id, this.sessions()));
  }

  /**
   * Text of the nodes at and below a path; there is none for a node that is missing.
   *
   * @throws TypeError for what is no path
   */
  znodes(path = '/'): ReadonlyMap<string, string> {
    refuseWrongPath('znodes', path);
    return this.#servers.zookeeper.tree(path);
  }

  /**
   * The writing operations that sessions have asked for, in order, refused ones too: the last 100,000 at least, unless their
   * data come to more than 64 million characters.
   */
  get operations(): readonly RecordedOperation[] {
    return this.#servers.operations;
  }

  // Groups of the coordinator (JoinGroup); those in ZooKeeper are in its nodes.

  /**
   * An unknown group is "Dead".
   *
   * @throws TypeError for what is no text
   */
  describeGroup(group: string): DescribedGroup {
    new ArgumentFaults('describeGroup').text('group', group).refuse();
    return this.#servers.kafka.groups.describeGroup(group);
  }

  /**
   * What a group has stored with its coordinator, by topic and partition.
   *
   * @throws TypeError for what is no text
   */
  committedOffsets(group: string): ReadonlyMap<string, ReadonlyMap<number, StoredOffset>> {
    new ArgumentFaults('committedOffsets').text('group', group).refuse();
    return this.#servers.kafka.groups.committedOffsets(group);
  }

  // Faults; those of the network are in `network`.

  /**
   * The next requests of that kind to brokers are answered with an error, and have no effect.
   *
   * @returns how many are still to fail; the failure can be called off there
   * @throws TypeError for arguments that cannot be used, RangeError for a broker that there is not
   */
  failNextRequest(failure: RequestFailure): PlannedFailure {
    return this.#servers.kafka.failNext(failure);
  }

  /**
   * The next operations of that kind in ZooKeeper are answered with an error, and have no effect.
   *
   * @returns how many are still to fail; the failure can be called off there
   * @throws TypeError for what is no failure
   */
  failNextOperation(failure: OperationFailure): PlannedFailure {
    return this.#servers.zookeeper.failNext(failure);
  }

  /** No request and no operation fails any more that was to fail. */
  clearFailures(): void {
    this.#servers.kafka.clearFailures();
    this.#servers.zookeeper.clearFailures();
  }

  /** Ends all servers and connections, also those that are being started. May be called again. */
  stop(): Promise<void> {
    return this.#servers.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #start(): Promise<void> {
    await this.#servers.start();
    for (const [name, topic] of Object.entries(this.#options.topics)) this.createTopic(name, topic);
  }
}
