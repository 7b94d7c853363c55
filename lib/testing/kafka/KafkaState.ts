import type { LocalSession } from '../zookeeper/LocalSession';
import type { Generation } from './Generation';
import type { GroupCoordinator } from './groups/GroupCoordinator';
import type { PartitionLog } from './log/PartitionLog';

/** A broker that is registered in ZooKeeper, with what it advertises. */
export interface LiveBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

export interface PartitionState {
  readonly partition: number;
  /** -1 while no replica is alive. */
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  /** All replicas share it: in one process they never differ. */
  readonly log: PartitionLog;
  /** When the log was made or last appended to. */
  readonly lastWriteMs: number;
  /** Calls the listener when the leader changes or the topic is deleted, until the returned function is called. */
  onLeaderChange(listener: () => void): () => void;
}

export interface TopicState {
  readonly name: string;
  /** 32 hexadecimal digits. */
  readonly topicId: string;
  readonly config: ReadonlyMap<string, string>;
  /** Partition n is at place n. */
  readonly partitions: readonly PartitionState[];
}

/** What all brokers of an embedded cluster know. */
export interface KafkaState {
  readonly generation: Generation;
  readonly clusterId: string;
  /** -1 while there is none. */
  readonly controllerId: number;
  readonly liveBrokers: readonly LiveBroker[];
  readonly topics: ReadonlyMap<string, TopicState>;
  /** A property of server.properties, such as "message.max.bytes", with the release's default if it was not given. */
  property(name: string): string;
  /**
   * Creates a topic as auto.create.topics.enable does: with num.partitions partitions, __consumer_offsets with
   * offsets.topic.num.partitions. Its leaders come a little later.
   * Returns LEADER_NOT_AVAILABLE, or the code of the error for which there will be no topic.
   */
  autoCreate(topic: string): number;
  /** A producer id that nobody has had yet, from the thousand that the broker has to give. */
  nextProducerId(brokerId: number): number;
  /** Members and stored offsets of all groups. */
  readonly groups: GroupCoordinator;
  /** Of the brokers' own session, below the chroot. */
  readonly zookeeper: LocalSession;
}
