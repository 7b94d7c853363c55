import type { BrokerAddress } from '../../support/cluster/clusterFiles';

/** A cluster under comparison: the real one, or the embedded one. */
export interface Side {
  /** Ids count from 1; stopped ones are here, too. */
  readonly brokers: readonly BrokerAddress[];
  /** "host:port[,host:port]/chroot". */
  readonly zookeeperConnect: string;
  stopBroker(id: number): Promise<void>;
  startBroker(id: number): Promise<void>;
  stop(): Promise<void>;
}

/** Two brokers, of which one gets the partitions that the other does not lead. */
export const BROKERS = 2;

/** Of all brokers on both sides. */
export const BROKER_PROPERTIES: Readonly<Record<string, string>> = {
  'num.partitions': '2',
  'message.max.bytes': '10000',
  'offsets.topic.num.partitions': '3',
  'offsets.topic.replication.factor': '1',
  'group.initial.rebalance.delay.ms': '0',
  'delete.topic.enable': 'true',
};
