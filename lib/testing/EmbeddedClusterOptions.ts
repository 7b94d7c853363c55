import { ArgumentFaults } from './argumentFaults';
import { areBrokerProperties, refuseWrongOptions, zookeeperTimes } from './clusterArguments';
import type { Generation } from './kafka/Generation';

/** Where a broker or a server of ZooKeeper listens; the host is always 127.0.0.1. */
export interface EmbeddedServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a broker listens. */
export interface EmbeddedBrokerAddress extends EmbeddedServerAddress {
  /** broker.id, from 1 on. */
  readonly id: number;
}

/** Lines of server.properties; a name that the embedded brokers do not know is refused. */
export type EmbeddedBrokerProperties = Readonly<Record<string, string>>;

/** For `EmbeddedCluster.start`. */
export interface EmbeddedClusterOptions {
  /**
   * Whose requests, znodes and message format the brokers have: those of Kafka 0.8.2.2, 0.9.0.1, 0.10.2.2, 1.1.1 or 3.9.1.
   * ZooKeeper is that of the release, 3.4.6 or (with Kafka 3.9) 3.8.4. Default '3.9'.
   */
  readonly kafka?: Generation;
  /** Number of brokers, with ids from 1. Default 1; with 0 there is only ZooKeeper. */
  readonly brokers?: number;
  /** Number of ZooKeeper servers. Default 1. A majority of them must run. */
  readonly zookeepers?: number;
  /** Where the brokers keep their nodes, such as "/kafka". Default '' for the root. */
  readonly chroot?: string;
  /** Topics that are there from the start, with their number of partitions or more. */
  readonly topics?: Readonly<Record<string, number | EmbeddedTopicOptions>>;
  /**
   * For all brokers, or asked for each one before it registers. Defaults are Kafka's, but for delete.topic.enable, which is
   * true, and group.initial.rebalance.delay.ms, which is 0.
   */
  readonly brokerProperties?:
    | EmbeddedBrokerProperties
    | ((broker: EmbeddedBrokerAddress) => EmbeddedBrokerProperties | Promise<EmbeddedBrokerProperties>);
  /** As in zoo.cfg, in milliseconds. */
  readonly zookeeperProperties?: EmbeddedZookeeperProperties;
  /** Of everything that is drawn: delays, member ids. Default 1; the same seed draws the same. */
  readonly seed?: number;
}

/** Times of ZooKeeper, in milliseconds. */
export interface EmbeddedZookeeperProperties {
  /** Sessions expire on ticks. Default 100, where ZooKeeper has 2000: so a test need not wait long for an expiry. */
  readonly tickTime?: number | string;
  /** The shortest session that a client may have. Default two ticks. */
  readonly minSessionTimeout?: number | string;
  /** The longest one. Default 40000, twenty ticks in ZooKeeper. */
  readonly maxSessionTimeout?: number | string;
}

/** For a topic that is made. */
export interface EmbeddedTopicOptions {
  /** Default 1. */
  readonly partitions?: number;
  /** Default 1. */
  readonly replicas?: number;
  /** Broker ids per partition, the preferred leader first. Default: partition p is led by broker (p % brokers) + 1. */
  readonly assignment?: readonly (readonly number[])[];
  /** As in /config/topics, such as `{ 'max.message.bytes': '2000' }`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** Options with their defaults, checked. */
export interface ResolvedClusterOptions {
  readonly kafka: Generation;
  readonly brokers: number;
  readonly zookeepers: number;
  readonly chroot: string;
  readonly topics: Readonly<Record<string, EmbeddedTopicOptions>>;
  readonly brokerProperties: (broker: EmbeddedBrokerAddress) => Promise<EmbeddedBrokerProperties>;
  readonly tickTimeMs: number;
  readonly minSessionTimeoutMs: number;
  readonly maxSessionTimeoutMs: number;
  readonly seed: number;
}

/** @throws TypeError with all that is wrong, and what would be right */
export function resolveClusterOptions(options: EmbeddedClusterOptions): ResolvedClusterOptions {
  refuseWrongOptions(options);
  const { kafka = '3.9', brokers = 1, zookeepers = 1, chroot = '', topics = {}, seed = 1 } = options;
  return {
    ...{ kafka, brokers, zookeepers, seed },
    ...zookeeperTimes(options.zookeeperProperties),
    chroot: chroot === '/' ? '' : chroot,
    topics: Object.fromEntries(
      Object.entries(topics).map(([name, topic]) => [
        name,
        typeof topic === 'number' ? { partitions: topic } : { ...topic },
      ]),
    ),
    brokerProperties: (broker) => propertiesOf(options.brokerProperties ?? {}, broker),
  };
}

async function propertiesOf(
  given: NonNullable<EmbeddedClusterOptions['brokerProperties']>,
  broker: EmbeddedBrokerAddress,
): Promise<EmbeddedBrokerProperties> {
  if (typeof given !== 'function') return given;
  const properties: unknown = await given(broker);
  const faults = new ArgumentFaults('EmbeddedCluster.start');
  if (areBrokerProperties(faults, `brokerProperties of broker ${broker.id}`, properties)) return properties;
  throw faults.asError();
}
