import type { BrokerAddress, ServerAddress } from './clusterFiles';
import type { ZookeeperAdmin } from './ZookeeperAdmin';

export type BrokerProperties = Readonly<Record<string, string>>;

/** What clusters of both kinds can be started with. */
export interface TestClusterOptions {
  /** A release such as "0.8.2.2". */
  readonly kafka: string;
  /** Default 1; with 0 there is only ZooKeeper. */
  readonly brokers?: number;
  /** Default 1; three make an ensemble. */
  readonly zookeepers?: number;
  /** Default "/kafka"; "" for none. */
  readonly chroot?: string;
  /** For all brokers, or what is asked for each one before it starts for the first time. */
  readonly brokerProperties?: BrokerProperties | ((broker: BrokerAddress) => Promise<BrokerProperties>);
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

/** What specs do with a cluster, be its servers real or embedded. */
export interface TestCluster extends AsyncDisposable {
  /** The release that it was started with. */
  readonly kafka: string;
  /** "host:port[,host:port]/chroot", as in the property zookeeper.connect. */
  readonly zookeeperConnect: string;
  readonly zookeeperServers: readonly ServerAddress[];
  /** Ids count from 1; stopped ones are here, too. The same list for ever, with the addresses that they have now. */
  readonly brokers: readonly BrokerAddress[];

  /** A client at the chroot; close it. */
  zookeeper(): Promise<ZookeeperAdmin>;

  /** Resolves when every running broker knows all leaders and these can be asked. */
  createTopic(topic: string, options?: TopicOptions): Promise<void>;
  /** Resolves as createTopic does. New partitions are on broker (p % brokers) + 1. */
  addPartitions(topic: string, total: number): Promise<void>;
  /** Resolves when neither ZooKeeper nor a running broker knows the topic any more. */
  deleteTopic(topic: string): Promise<void>;
  /**
   * Lets a partition lose its old messages, all but about `kept`: an embedded log at once, a real one by itself and some
   * time later, if retention.bytes of the topic is set to that.
   */
  shortenLog(topic: string, partition: number, kept: number): Promise<void>;

  stopBroker(id: number): Promise<void>;
  /** On the same data, and on the same port with the same properties. */
  startBroker(id: number): Promise<void>;
  /** On the same data, but on another port, with these properties instead of those of the cluster. */
  startBrokerOn(port: number, id: number, properties?: BrokerProperties): Promise<void>;

  /** Servers count from 1, which is the default. */
  stopZookeeper(server?: number): Promise<void>;
  startZookeeper(server?: number): Promise<void>;

  /** The sessions that have a connection at this moment. */
  sessions(): Promise<ZookeeperSession[]>;
  /** Ends the session at once on the server, with its ephemeral nodes; the client learns it as an expiry. */
  expireSession(id: string): Promise<void>;
  /** Closes the session's connection, without which it rejects; the session lives on. */
  dropConnection(id: string): Promise<void>;

  /** Ends all servers and removes what they have stored. */
  stop(): Promise<void>;
}
