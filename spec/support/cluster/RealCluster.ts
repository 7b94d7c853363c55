import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
  HOST,
  writeBrokerFile,
  writeZookeeperFiles,
  type BrokerAddress,
  type QuorumRoute,
  type ServerAddress,
} from './clusterFiles';
import { ClusterProcess } from './ClusterProcess';
import { ClusterTopics } from './ClusterTopics';
import { freePorts, startOnFreePorts } from './freePorts';
import type {
  BrokerProperties,
  TestCluster,
  TestClusterOptions,
  TopicOptions,
  ZookeeperSession,
} from './TestCluster';
import { ZookeeperAdmin } from './ZookeeperAdmin';

/** What real servers can be started with beside that. */
export interface RealClusterOptions extends TestClusterOptions {
  /** A release that has a folder in jars/. */
  readonly kafka: string;
  readonly zookeeperProperties?: Readonly<Record<string, string>>;
  /** Default: straight. */
  readonly quorumRoute?: QuorumRoute;
  /** What has to be in ZooKeeper, below the chroot, before brokers start for the first time. */
  readonly beforeBrokers?: (zookeeper: ZookeeperAdmin) => Promise<void>;
  /** More arguments of the JVM, such as "-Dname=value". */
  readonly jvmFlags?: readonly string[];
}

/** A real cluster: ZooKeeper and brokers of any release, in one JVM of its own that ends with this process. */
export class RealCluster implements TestCluster {
  readonly kafka: string;
  readonly zookeeperConnect: string;
  readonly zookeeperServers: readonly ServerAddress[];
  readonly brokers: readonly BrokerAddress[];
  /** Everything that the cluster stores; removed when it stops. */
  readonly directory: string;
  readonly #process: ClusterProcess;
  readonly #brokers: BrokerAddress[];
  readonly #stoppedBrokers = new Set<number>();
  readonly #topics = new ClusterTopics({
    cluster: this,
    runningBrokers: () => this.brokers.filter(({ id }) => !this.#stoppedBrokers.has(id)),
    log: () => this.log,
  });

  private constructor(plan: ClusterPlan, process: ClusterProcess) {
    this.kafka = plan.kafka;
    this.zookeeperConnect = plan.zookeeperConnect;
    this.zookeeperServers = plan.zookeeperServers;
    this.brokers = this.#brokers = [...plan.brokers];
    this.directory = plan.directory;
    this.#process = process;
  }

  static start(options: RealClusterOptions): Promise<RealCluster> {
    return startOnFreePorts(() => startOnce(options, (plan, process) => new RealCluster(plan, process)));
  }

  /** Process id of the JVM. */
  get pid(): number {
    return this.#process.pid;
  }

  /** Resolves with how the JVM ended, by `stop` or by itself. */
  get ended(): Promise<string> {
    return this.#process.ended;
  }

  /** The last lines of the JVM's log. */
  get log(): string {
    return this.#process.logTail();
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

  shortenLog(): Promise<void> {
    return Promise.resolve(); // retention does it
  }

  async stopBroker(id: number): Promise<void> {
    this.#stoppedBrokers.add(id);
    await this.#process.command(`stop ${id}`);
  }

  async startBroker(id: number): Promise<void> {
    await this.#process.command(`start ${id}`);
    this.#stoppedBrokers.delete(id);
  }

  async startBrokerOn(port: number, id: number, properties: BrokerProperties = {}): Promise<void> {
    const { kafka, zookeeperConnect, directory } = this;
    const moved = { id, host: HOST, port };
    await writeBrokerFile(directory, kafka, moved, zookeeperConnect, properties);
    this.#brokers[id - 1] = moved;
    await this.startBroker(id);
  }

  async stopZookeeper(server = 1): Promise<void> {
    await this.#process.command(`zkstop ${server}`);
  }

  async startZookeeper(server = 1): Promise<void> {
    await this.#process.command(`zkstart ${server}`);
  }

  async sessions(): Promise<ZookeeperSession[]> {
    const lines = await this.#process.command('sessions');
    return lines.map((line) => {
      const [id = '', timeoutMs, ...ephemerals] = line.split('\t');
      return { id, timeoutMs: Number(timeoutMs), ephemerals };
    });
  }

  async expireSession(id: string): Promise<void> {
    await this.#process.command(`expire ${normalizeSessionId(id)}`);
  }

  async dropConnection(id: string): Promise<void> {
    await this.#process.command(`drop ${normalizeSessionId(id)}`);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

interface ClusterPlan {
  readonly kafka: string;
  readonly zookeeperConnect: string;
  readonly zookeeperServers: readonly ServerAddress[];
  readonly brokers: readonly BrokerAddress[];
  readonly directory: string;
}

async function startOnce<T>(
  options: RealClusterOptions,
  make: (plan: ClusterPlan, process: ClusterProcess) => T,
): Promise<T> {
  const { kafka, chroot = '/kafka', brokers: brokerCount = 1, zookeepers = 1 } = options;
  const classpath = await ClusterProcess.prepare(kafka);
  const directory = await mkdtemp(path.join(tmpdir(), 'cluster-'));
  try {
    const ports = await freePorts(brokerCount + 3 * zookeepers);
    const take = (): number => ports.pop() ?? 0;
    const servers = Array.from({ length: zookeepers }, () => ({
      client: take(),
      quorum: take(),
      election: take(),
    }));
    const zookeeperServers = servers.map(({ client }) => ({ host: HOST, port: client }));
    const brokers = Array.from({ length: brokerCount }, (_, index) => ({
      id: index + 1,
      host: HOST,
      port: take(),
    }));
    const hosts = zookeeperServers.map(({ host, port }) => `${host}:${port}`).join(',');
    const zookeeperConnect = `${hosts}${chroot}`;
    await writeZookeeperFiles(directory, servers, options.zookeeperProperties ?? {}, options.quorumRoute);
    const { brokerProperties = {} } = options;
    for (const broker of brokers) {
      const properties =
        typeof brokerProperties === 'function' ? await brokerProperties(broker) : brokerProperties;
      await writeBrokerFile(directory, kafka, broker, zookeeperConnect, properties);
    }
    const process = await ClusterProcess.start(classpath, directory, options.jvmFlags);
    try {
      if (brokerCount === 0 || options.beforeBrokers !== undefined || !brokersMakeChroot(kafka))
        await createChroot(hosts, chroot);
      if (options.beforeBrokers !== undefined)
        await prepareZookeeper(zookeeperConnect, options.beforeBrokers);
      await process.startBrokers();
      return make({ kafka, zookeeperConnect, zookeeperServers, brokers, directory }, process);
    } catch (error) {
      await process.stop();
      throw error;
    }
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function brokersMakeChroot(kafka: string): boolean {
  return !kafka.startsWith('0.8.1.');
}

/** Brokers make the chroot at their start (from 0.8.2 on); before that, and without any, it is missing. */
async function createChroot(hosts: string, chroot: string): Promise<void> {
  if (chroot === '') return;
  await using zookeeper = await ZookeeperAdmin.connect(hosts);
  await zookeeper.mkdirp(chroot);
}

async function prepareZookeeper(
  zookeeperConnect: string,
  prepare: (zookeeper: ZookeeperAdmin) => Promise<void>,
): Promise<void> {
  await using zookeeper = await ZookeeperAdmin.connect(zookeeperConnect);
  await prepare(zookeeper);
}

/** The servers write ids without leading zeros. */
function normalizeSessionId(id: string): string {
  return `0x${id.replace(/^0x/i, '').replace(/^0+/, '').toLowerCase()}`;
}
