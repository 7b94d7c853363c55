import { EmbeddedCluster } from '../../../lib/testing/EmbeddedCluster';
import type { Generation } from '../../../lib/testing/kafka/Generation';
import {
  BROKER_DEFAULTS,
  HOST,
  ZOOKEEPER_TIMES,
  type BrokerAddress,
  type ServerAddress,
} from './clusterFiles';
import { ClusterTopics } from './ClusterTopics';
import type {
  BrokerProperties,
  TestCluster,
  TestClusterOptions,
  TopicOptions,
  ZookeeperSession,
} from './TestCluster';
import { ZookeeperAdmin } from './ZookeeperAdmin';

/** The releases that the embedded cluster stands for. */
const GENERATIONS: ReadonlyMap<string, Generation> = new Map([
  ['0.8.2.2', '0.8'],
  ['0.9.0.1', '0.9'],
  ['0.10.2.2', '0.10.2'],
  ['1.1.1', '1.1'],
  ['3.9.1', '3.9'],
]);

/** The embedded cluster, with what specs do to a real one. */
export class EmbeddedTestCluster implements TestCluster {
  readonly kafka: string;
  readonly zookeeperConnect: string;
  readonly zookeeperServers: readonly ServerAddress[];
  readonly brokers: readonly BrokerAddress[];
  readonly #cluster: EmbeddedCluster;
  readonly #brokers: BrokerAddress[];
  readonly #stoppedBrokers = new Set<number>();
  readonly #topics = new ClusterTopics({
    cluster: this,
    runningBrokers: () => this.brokers.filter(({ id }) => !this.#stoppedBrokers.has(id)),
  });

  private constructor(kafka: string, cluster: EmbeddedCluster) {
    this.kafka = kafka;
    this.zookeeperConnect = cluster.zookeeperConnect;
    this.zookeeperServers = cluster.zookeeperServers;
    this.brokers = this.#brokers = [...cluster.brokers];
    this.#cluster = cluster;
  }

  /** Rejects for a release that the embedded cluster does not stand for. */
  static async start({
    kafka,
    chroot = '/kafka',
    brokerProperties = {},
    ...sizes
  }: TestClusterOptions): Promise<EmbeddedTestCluster> {
    const generation = GENERATIONS.get(kafka);
    if (generation === undefined) {
      const known = [...GENERATIONS.keys()].join(', ');
      throw new Error(`There is no embedded Kafka "${kafka}"; there are: ${known}`);
    }
    const cluster = await EmbeddedCluster.start({
      ...{ ...sizes, kafka: generation, chroot, zookeeperProperties: ZOOKEEPER_TIMES },
      brokerProperties: async (broker) => ({
        ...BROKER_DEFAULTS,
        ...(typeof brokerProperties === 'function' ? await brokerProperties(broker) : brokerProperties),
      }),
    });
    return new EmbeddedTestCluster(kafka, cluster);
  }

  zookeeper(): Promise<ZookeeperAdmin> {
    return ZookeeperAdmin.connect(this.zookeeperConnect);
  }

  createTopic(topic: string, options: TopicOptions = {}): Promise<void> {
    return this.#topics.create(topic, options);
  }

  addPartitions(topic: string, total: number): Promise<void> {
    return this.#topics.extend(topic, total);
  }

  deleteTopic(topic: string): Promise<void> {
    return this.#topics.remove(topic);
  }

  shortenLog(topic: string, partition: number, kept: number): Promise<void> {
    return promised(() => {
      const end = this.#cluster.describeTopic(topic)[partition]?.endOffset ?? 0;
      this.#cluster.deleteRecords(topic, partition, Math.max(0, end - kept));
    });
  }

  async stopBroker(id: number): Promise<void> {
    this.#stoppedBrokers.add(id);
    await this.#cluster.stopBroker(id);
  }

  async startBroker(id: number): Promise<void> {
    await this.#cluster.startBroker(id);
    this.#stoppedBrokers.delete(id);
  }

  async startBrokerOn(port: number, id: number, properties: BrokerProperties = {}): Promise<void> {
    await this.#cluster.startBroker(id, { port, properties: { ...BROKER_DEFAULTS, ...properties } });
    this.#brokers[id - 1] = { id, host: HOST, port };
    this.#stoppedBrokers.delete(id);
  }

  async stopZookeeper(server = 1): Promise<void> {
    await this.#cluster.stopZookeeper(server);
  }

  async startZookeeper(server = 1): Promise<void> {
    await this.#cluster.startZookeeper(server);
  }

  sessions(): Promise<ZookeeperSession[]> {
    const connected = this.#cluster.sessions().filter(({ isConnected }) => isConnected);
    return Promise.resolve(connected.map(({ id, timeoutMs, ephemerals }) => ({ id, timeoutMs, ephemerals })));
  }

  expireSession(id: string): Promise<void> {
    return promised(() => this.#cluster.expireSession(id));
  }

  dropConnection(id: string): Promise<void> {
    return promised(() => this.#cluster.dropConnection(id));
  }

  async stop(): Promise<void> {
    await this.#cluster.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The result of what has no need to wait; what throws rejects. */
function promised<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
