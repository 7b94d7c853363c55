import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { waitFor } from '../waitFor';
import {
  HOST,
  writeBrokerFile,
  writeZookeeperFiles,
  type BrokerAddress,
  type QuorumRoute,
  type ServerAddress,
} from './clusterFiles';
import { ClusterProcess } from './ClusterProcess';
import { freePorts, startOnFreePorts } from './freePorts';
import { isTopicUnknown, roundRobin, whatTopicLacks, writeMorePartitions, writeTopic } from './topics';
import { ZookeeperAdmin } from './ZookeeperAdmin';

export type BrokerProperties = Readonly<Record<string, string>>;

export interface ClusterOptions {
  /** A release that has a folder in jars/. */
  readonly kafka: string;
  /** Default 1; with 0 there is only ZooKeeper. */
  readonly brokers?: number;
  /** Default 1; three make an ensemble. */
  readonly zookeepers?: number;
  /** Default "/kafka"; "" for none. */
  readonly chroot?: string;
  /** For all brokers, or what is asked for each one before it starts for the first time. */
  readonly brokerProperties?: BrokerProperties | ((broker: BrokerAddress) => Promise<BrokerProperties>);
  readonly zookeeperProperties?: Readonly<Record<string, string>>;
  /** Default: straight. */
  readonly quorumRoute?: QuorumRoute;
  /** What has to be in ZooKeeper, below the chroot, before brokers start for the first time. */
  readonly beforeBrokers?: (zookeeper: ZookeeperAdmin) => Promise<void>;
  /** More arguments of the JVM, such as "-Dname=value". */
  readonly jvmFlags?: readonly string[];
}

export interface TopicOptions {
  /** Default 1. */
  readonly partitions?: number;
  /** Default 1. */
  readonly replicas?: number;
  /** Broker ids per partition, the leader first; default: partition p is on broker (p % brokers) + 1. */
  readonly assignment?: readonly number[][];
  readonly config?: Readonly<Record<string, string>>;
}

export interface ZookeeperSession {
  /** As in the servers' log and in ZookeeperAdmin: "0x15c0ffee". */
  readonly id: string;
  readonly timeoutMs: number;
  /** Full paths, with the chroot. */
  readonly ephemerals: readonly string[];
}

const TOPIC_LIMIT_MS = 30_000;

/** A real cluster: ZooKeeper and brokers of any release, in one JVM of its own that ends with this process. */
export class Cluster implements AsyncDisposable {
  readonly kafka: string;
  /** "host:port[,host:port]/chroot", as in the property zookeeper.connect. */
  readonly zookeeperConnect: string;
  readonly zookeeperServers: readonly ServerAddress[];
  /** Ids count from 1; stopped ones are here, too. The same list for ever, with the addresses that they have now. */
  readonly brokers: readonly BrokerAddress[];
  /** Everything that the cluster stores; removed when it stops. */
  readonly directory: string;
  readonly #process: ClusterProcess;
  readonly #brokers: BrokerAddress[];
  readonly #stoppedBrokers = new Set<number>();

  private constructor(plan: ClusterPlan, process: ClusterProcess) {
    this.kafka = plan.kafka;
    this.zookeeperConnect = plan.zookeeperConnect;
    this.zookeeperServers = plan.zookeeperServers;
    this.brokers = this.#brokers = [...plan.brokers];
    this.directory = plan.directory;
    this.#process = process;
  }

  static start(options: ClusterOptions): Promise<Cluster> {
    return startOnFreePorts(() => startOnce(options, (plan, process) => new Cluster(plan, process)));
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

  /** A client at the chroot; close it. */
  zookeeper(): Promise<ZookeeperAdmin> {
    return ZookeeperAdmin.connect(this.zookeeperConnect);
  }

  /** Resolves when every running broker knows all leaders and these can be asked. */
  async createTopic(topic: string, options: TopicOptions = {}): Promise<void> {
    const { partitions = 1, replicas = 1, config = {} } = options;
    const assignment = options.assignment ?? roundRobin(partitions, this.brokers.length, replicas);
    await using zookeeper = await this.zookeeper();
    await writeTopic(zookeeper, topic, [...assignment], config);
    await this.#topicReady(topic, assignment.length);
  }

  /** Resolves as createTopic does. New partitions are on broker (p % brokers) + 1. */
  async addPartitions(topic: string, total: number): Promise<void> {
    await using zookeeper = await this.zookeeper();
    await writeMorePartitions(zookeeper, topic, total, this.brokers.length);
    await this.#topicReady(topic, total);
  }

  /** Resolves when neither ZooKeeper nor a running broker knows the topic any more. */
  async deleteTopic(topic: string): Promise<void> {
    await using zookeeper = await this.zookeeper();
    await zookeeper.create(`/admin/delete_topics/${topic}`);
    await this.#wait(`deletion of topic ${topic}`, async () => {
      if (await zookeeper.exists(`/admin/delete_topics/${topic}`)) return false;
      if (await zookeeper.exists(`/brokers/topics/${topic}`)) return false;
      const unknown = await Promise.all(this.#running().map((broker) => isTopicUnknown(broker, topic)));
      return unknown.every(Boolean);
    });
  }

  async stopBroker(id: number): Promise<void> {
    this.#stoppedBrokers.add(id);
    await this.#process.command(`stop ${id}`);
  }

  /** On the same data, and on the same port with the same properties. */
  async startBroker(id: number): Promise<void> {
    await this.#process.command(`start ${id}`);
    this.#stoppedBrokers.delete(id);
  }

  /** On the same data, but on another port, with these properties instead of those of the cluster. */
  async startBrokerOn(port: number, id: number, properties: BrokerProperties = {}): Promise<void> {
    const { kafka, zookeeperConnect, directory } = this;
    const moved = { id, host: HOST, port };
    await writeBrokerFile(directory, kafka, moved, zookeeperConnect, properties);
    this.#brokers[id - 1] = moved;
    await this.startBroker(id);
  }

  /** Servers count from 1. */
  async stopZookeeper(server = 1): Promise<void> {
    await this.#process.command(`zkstop ${server}`);
  }

  async startZookeeper(server = 1): Promise<void> {
    await this.#process.command(`zkstart ${server}`);
  }

  /** The sessions that have a connection at this moment. */
  async sessions(): Promise<ZookeeperSession[]> {
    const lines = await this.#process.command('sessions');
    return lines.map((line) => {
      const [id = '', timeoutMs, ...ephemerals] = line.split('\t');
      return { id, timeoutMs: Number(timeoutMs), ephemerals };
    });
  }

  /** Ends the session at once on the server, with its ephemeral nodes; the client learns it as an expiry. */
  async expireSession(id: string): Promise<void> {
    await this.#process.command(`expire ${normalizeSessionId(id)}`);
  }

  /** Closes the session's connection; the session lives on. */
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

  #running(): BrokerAddress[] {
    return this.brokers.filter(({ id }) => !this.#stoppedBrokers.has(id));
  }

  async #topicReady(topic: string, partitions: number): Promise<void> {
    let lack: string | null = null;
    await this.#wait(`topic ${topic} with ${partitions} partitions`, async () => {
      lack = await whatTopicLacks(this.#running(), topic, partitions);
      if (lack !== null) throw new Error(lack);
      return true;
    });
  }

  async #wait(description: string, condition: () => Promise<boolean>): Promise<void> {
    await waitFor(condition, { timeoutMs: TOPIC_LIMIT_MS, description, details: () => this.log });
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
  options: ClusterOptions,
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
