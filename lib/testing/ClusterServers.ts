import { ArgumentFaults } from './argumentFaults';
import { refuseWrongStart, type BrokerChanges } from './controlArguments';
import type {
  EmbeddedBrokerAddress,
  EmbeddedBrokerProperties,
  EmbeddedServerAddress,
  ResolvedClusterOptions,
} from './EmbeddedClusterOptions';
import { EmbeddedKafka } from './kafka/EmbeddedKafka';
import { EmbeddedNetwork } from './network/EmbeddedNetwork';
import { stoppedError } from './stoppedError';
import type { RecordedOperation } from './zookeeper/OperationLog';
import { ZookeeperEnsemble } from './zookeeper/ZookeeperEnsemble';

/** Other defaults than Kafka's: nobody waits for more members, and topics can be deleted in all generations. */
const FOR_TESTS: EmbeddedBrokerProperties = {
  'delete.topic.enable': 'true',
  'group.initial.rebalance.delay.ms': '0',
};

/** The brokers and the servers of ZooKeeper: they start and stop, one by one and all together. */
export class ClusterServers {
  readonly network: EmbeddedNetwork;
  readonly #options: ResolvedClusterOptions;
  readonly #zookeeper: ZookeeperEnsemble;
  readonly #kafka: EmbeddedKafka;
  /** Of brokers that were started again with others than those of the options. */
  readonly #changedProperties = new Map<number, EmbeddedBrokerProperties>();
  /** Of brokers that are being started, with the properties that they are to have. */
  readonly #starting = new Map<number, EmbeddedBrokerProperties | undefined>();
  /** Servers that are being started or stopped. */
  readonly #underWay = new Set<Promise<void>>();
  /** Rejects when the cluster is stopped. */
  readonly #over: Promise<never>;
  #declareOver: () => void = () => undefined;
  #stopped: Promise<void> | null = null;

  constructor(options: ResolvedClusterOptions) {
    const { kafka, seed, chroot, brokers, zookeepers } = options;
    const { tickTimeMs, minSessionTimeoutMs, maxSessionTimeoutMs } = options;
    this.#options = options;
    this.#over = new Promise((_, reject) => {
      this.#declareOver = () => reject(stoppedError());
    });
    this.#over.catch(() => undefined);
    this.network = new EmbeddedNetwork(seed, { broker: brokers, zookeeper: zookeepers });
    this.#zookeeper = new ZookeeperEnsemble({
      ...{ network: this.network, servers: zookeepers, release: kafka === '3.9' ? '3.8' : '3.4' },
      ...{ tickTimeMs, minSessionTimeoutMs, maxSessionTimeoutMs },
    });
    this.#kafka = new EmbeddedKafka({
      ...{ network: this.network, zookeeper: this.#zookeeper, generation: kafka },
      ...{ seed, chroot, brokers },
      properties: async (broker) => ({ ...FOR_TESTS, ...(await this.#propertiesOf(broker)) }),
    });
  }

  /** @throws Error once the cluster has been stopped */
  get kafka(): EmbeddedKafka {
    this.#mustRun();
    return this.#kafka;
  }

  /** @throws Error once the cluster has been stopped */
  get zookeeper(): ZookeeperEnsemble {
    this.#mustRun();
    return this.#zookeeper;
  }

  // What can be read at all times.

  get brokerAddresses(): readonly EmbeddedBrokerAddress[] {
    return this.#kafka.brokers;
  }

  get zookeeperAddresses(): readonly EmbeddedServerAddress[] {
    return this.#zookeeper.servers;
  }

  get operations(): readonly RecordedOperation[] {
    return this.#zookeeper.operations;
  }

  async start(): Promise<void> {
    await this.#zookeeper.start();
    this.#makeChroot();
    await this.#kafka.start();
  }

  /** Waits for what is under way, so that nothing starts behind it. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async stopBroker(id: number): Promise<void> {
    new ArgumentFaults('stopBroker').wholeNumber('id', id, 1).refuse();
    this.mustHaveBroker(id);
    await this.#during(this.kafka.stopBroker(id));
  }

  async startBroker(id: number, changes: BrokerChanges): Promise<void> {
    refuseWrongStart(id, changes, this.#options.kafka);
    this.mustHaveBroker(id);
    if (this.#starting.has(id)) throw new Error(`broker ${id} is being started`);
    const { port, properties } = changes;
    this.#starting.set(id, properties);
    try {
      await this.#during(this.kafka.startBroker(id, port));
      if (properties !== undefined) this.#changedProperties.set(id, properties);
    } finally {
      this.#starting.delete(id);
    }
  }

  async stopZookeeper(server: number): Promise<void> {
    new ArgumentFaults('stopZookeeper').wholeNumber('server', server, 1).refuse();
    await this.#during(this.zookeeper.stopServer(server));
  }

  async startZookeeper(server: number): Promise<void> {
    new ArgumentFaults('startZookeeper').wholeNumber('server', server, 1).refuse();
    await this.#during(this.zookeeper.startServer(server));
  }

  /** @throws RangeError for a broker that there is not */
  mustHaveBroker(id: number): void {
    const ids = this.kafka.brokers.map((broker) => broker.id);
    if (ids.includes(id)) return;
    throw new RangeError(`there is no broker ${id}; there are: ${ids.join(', ') || 'none'}`);
  }

  async #end(): Promise<void> {
    this.network.end();
    this.#declareOver();
    await Promise.allSettled(this.#underWay);
    try {
      await this.#kafka.stop();
    } finally {
      await this.#zookeeper.stop();
    }
  }

  async #during(work: Promise<void>): Promise<void> {
    this.#underWay.add(work);
    try {
      await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Brokers of 0.8.2 and later make it, too; without brokers nobody else does. */
  #makeChroot(): void {
    const session = this.#zookeeper.openSession('');
    if (this.#options.chroot !== '') session.mkdirp(this.#options.chroot);
    session.close();
  }

  /** An application may take its time to say them: if the cluster is stopped meanwhile, the broker does not start. */
  #propertiesOf(broker: EmbeddedBrokerAddress): Promise<EmbeddedBrokerProperties> {
    const given = this.#starting.get(broker.id) ?? this.#changedProperties.get(broker.id);
    const asked = given === undefined ? this.#options.brokerProperties(broker) : Promise.resolve(given);
    return Promise.race([this.#over, asked]);
  }

  #mustRun(): void {
    if (this.#stopped !== null) throw stoppedError();
  }
}
