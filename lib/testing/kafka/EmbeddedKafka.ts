import type { EmbeddedNetwork } from '../network/EmbeddedNetwork';
import { RandomNumbers } from '../network/RandomNumbers';
import type { PlannedFailure } from '../PlannedFailures';
import { stoppedError } from '../stoppedError';
import type { LocalSession } from '../zookeeper/LocalSession';
import type { ZookeeperEnsemble } from '../zookeeper/ZookeeperEnsemble';
import { Broker } from './Broker';
import { BrokerProperties } from './BrokerProperties';
import type { ControlledCluster } from './Controller';
import { ControllerOffice } from './ControllerOffice';
import { warnOfFault } from './warnOfFault';
import type { Generation } from './Generation';
import { GroupCoordinator } from './groups/GroupCoordinator';
import type { KafkaState, LiveBroker } from './KafkaState';
import { logOptionsOf } from './logOptions';
import type { Partition } from './Partition';
import { storeClusterId } from './persistentNodes';
import { randomId } from './randomId';
import { RequestFailures, type RequestFailure } from './RequestFailures';
import { Topic } from './Topic';
import { TopicAdmin } from './TopicAdmin';

export type { RequestFailure } from './RequestFailures';

export interface EmbeddedKafkaOptions {
  readonly generation: Generation;
  /** Number of brokers, with ids from 1. */
  readonly brokers: number;
  /** '' for none. */
  readonly chroot: string;
  readonly zookeeper: ZookeeperEnsemble;
  readonly network: EmbeddedNetwork;
  /** Lines of a broker's server.properties, asked for at each start. */
  readonly properties: (broker: LiveBroker) => Promise<Readonly<Record<string, string>>>;
  readonly seed: number;
  /** Told of what went wrong in here; the connection in question is closed. Default: a warning of the process. */
  readonly onFault?: (error: unknown) => void;
}

/** So many are taken at a time. */
const PRODUCER_IDS_OF_BLOCK = 1000;

/** All brokers of a cluster, with the controller among them. */
export class EmbeddedKafka implements KafkaState {
  readonly generation: Generation;
  readonly topics = new Map<string, Topic>();
  readonly groups: GroupCoordinator;
  readonly #options: EmbeddedKafkaOptions;
  readonly #random: RandomNumbers;
  readonly #brokers: readonly Broker[];
  readonly #failures = new RequestFailures();
  readonly #admin: TopicAdmin;
  readonly #office: ControllerOffice;
  readonly #onFault: (error: unknown) => void;
  #isOver = false;
  #clusterId: string;
  #liveBrokers: readonly LiveBroker[] = [];
  /** Of ids that a broker has taken. */
  #producerIdBlocks = 0;
  /** The next one of each broker that has been asked; a new block is taken when that is the first of one. */
  readonly #producerIds = new Map<number, number>();

  constructor(options: EmbeddedKafkaOptions) {
    this.#options = options;
    this.#onFault = options.onFault ?? warnOfFault;
    this.generation = options.generation;
    this.#random = new RandomNumbers(options.seed);
    this.#clusterId = randomId(this.#random).toString('base64url');
    this.groups = new GroupCoordinator(this, this.#random);
    this.#admin = new TopicAdmin(this, this.#random);
    this.#brokers = Array.from({ length: options.brokers }, (_, index) => this.#makeBroker(index + 1));
    this.#office = new ControllerOffice(this.#brokers, this.#makeControlled());
  }

  get clusterId(): string {
    return this.#clusterId;
  }

  get controllerId(): number {
    return this.#office.controllerId;
  }

  get liveBrokers(): readonly LiveBroker[] {
    return this.#liveBrokers;
  }

  /** All brokers with where they listen, also those that are stopped. */
  get brokers(): readonly LiveBroker[] {
    return this.#brokers.map(({ address }) => address);
  }

  get zookeeper(): LocalSession {
    for (const { session } of this.#brokers) if (session?.isOpen === true) return session;
    throw new Error('no broker runs');
  }

  property(name: string): string {
    return (this.#brokers[0]?.properties ?? new BrokerProperties(this.generation)).get(name);
  }

  /** Resolves when all brokers can be used. If one cannot start, all have to be stopped. */
  async start(): Promise<void> {
    const listening = await Promise.allSettled(this.#brokers.map((broker) => broker.listen()));
    for (const one of listening) if (one.status === 'rejected') throw one.reason;
    for (const broker of this.#brokers) broker.register();
    if (this.#brokers.length === 0) return;
    this.#clusterId = storeClusterId(this.zookeeper, this.generation, this.#clusterId);
    this.#office.settle();
  }

  /** Ends also what is being started. Nothing starts any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#office.retire();
    await Promise.all(this.#brokers.map((broker) => broker.stop()));
    this.groups.stop();
  }

  /**
   * Starts a stopped broker; its data are what they were. A broker that cannot start is what it was before.
   *
   * @param port - default the one that it had
   * @throws Error if it runs, is being started, or is stopped meanwhile, and once all are stopped
   */
  async startBroker(id: number, port?: number): Promise<void> {
    const broker = this.#broker(id);
    this.#mustNotBeOver();
    await broker.start(port);
    this.#mustNotBeOver();
    this.#office.settle();
  }

  /** Resolves when others lead what it has led; its connections are reset. */
  async stopBroker(id: number): Promise<void> {
    await this.#broker(id).stop();
    this.#office.settle();
  }

  /** Id of the session of a running broker in ZooKeeper, such as "0x15c0ffee". */
  sessionId(id: number): string {
    const { session } = this.#broker(id);
    if (session === null) throw new Error(`broker ${id} is stopped`);
    return session.id;
  }

  /**
   * @param assignment - broker ids per partition, the preferred leader first
   * @param config - as in /config/topics, such as max.message.bytes
   */
  createTopic(
    name: string,
    assignment: readonly (readonly number[])[],
    config: Readonly<Record<string, string>> = {},
  ): void {
    this.#admin.create(name, assignment, config);
    this.#office.settle();
  }

  /** @param assignment - broker ids of the new partitions */
  addPartitions(name: string, assignment: readonly (readonly number[])[]): void {
    this.#admin.addPartitions(name, assignment);
    this.#office.settle();
  }

  /** Whether or not delete.topic.enable allows it to others. */
  deleteTopic(name: string): void {
    this.#office.controller.deleteTopic(name);
  }

  /** @throws RangeError if that broker is no in-sync replica of the partition */
  moveLeader(topic: string, partition: number, brokerId: number): void {
    const { topic: found, partition: moved } = this.#partition(topic, partition);
    this.#office.controller.moveLeader(found, moved, brokerId);
  }

  /** The next requests of that kind get an error, and have no other effect. */
  failNext(failure: RequestFailure): PlannedFailure {
    return this.#failures.add(failure, this);
  }

  /** No request fails any more that was to fail. */
  clearFailures(): void {
    this.#failures.clear();
  }

  autoCreate(topic: string): number {
    return this.#admin.autoCreate(topic);
  }

  nextProducerId(brokerId: number): number {
    let next = this.#producerIds.get(brokerId) ?? 0;
    if (next % PRODUCER_IDS_OF_BLOCK === 0) next = PRODUCER_IDS_OF_BLOCK * this.#producerIdBlocks++;
    this.#producerIds.set(brokerId, next + 1);
    return next;
  }

  #mustNotBeOver(): void {
    if (this.#isOver) throw stoppedError();
  }

  #broker(id: number): Broker {
    const broker = this.#brokers[id - 1];
    if (broker === undefined) throw new RangeError(`there is no broker ${id}`);
    return broker;
  }

  #partition(name: string, index: number): { topic: Topic; partition: Partition } {
    const topic = this.topics.get(name);
    const partition = topic?.partitions[index];
    if (topic === undefined || partition === undefined) {
      throw new RangeError(`there is no partition ${index} of topic ${name}`);
    }
    return { topic, partition };
  }

  #makeBroker(id: number): Broker {
    const { network, zookeeper, chroot, properties } = this.#options;
    return new Broker(id, {
      ...{ network, cluster: this, failures: this.#failures },
      openSession: () => zookeeper.openSession(chroot),
      propertiesOf: properties,
      controllerMayBeGone: () => this.#office.settleSoon(),
      settle: () => this.#office.settle(),
      onFault: this.#onFault,
    });
  }

  #makeControlled(): ControlledCluster {
    const { generation, topics } = this;
    const property = (name: string): string => this.property(name);
    return {
      ...{ generation, topics, property, onFault: this.#onFault },
      makeTopic: (name, topicId, config) => {
        const id = topicId ?? randomId(this.#random).toString('hex');
        return new Topic(name, id, config, (changed) => logOptionsOf(generation, changed, property));
      },
      dropTopic: (name) => {
        const topic = topics.get(name);
        topics.delete(name);
        topic?.tell();
        this.groups.topicDeleted(name);
      },
      setLiveBrokers: (brokers) => {
        this.#liveBrokers = brokers;
      },
    };
  }
}
