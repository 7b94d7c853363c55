export { EmbeddedCluster, type EmbeddedPartition, type EmbeddedSession } from './EmbeddedCluster';
export type {
  EmbeddedBrokerAddress,
  EmbeddedBrokerProperties,
  EmbeddedClusterOptions,
  EmbeddedServerAddress,
  EmbeddedTopicOptions,
  EmbeddedZookeeperProperties,
} from './EmbeddedClusterOptions';
export type { KafkaErrorName } from './kafka/errorCodes';
export type { RequestFailure } from './kafka/EmbeddedKafka';
export type { Generation } from './kafka/Generation';
export type { DescribedGroup, DescribedMember } from './kafka/groups/DescribedGroup';
export type { StoredOffset } from './kafka/groups/OffsetStore';
export type { EmbeddedConnection, EmbeddedNetwork } from './network/EmbeddedNetwork';
export type { LogCodec } from './kafka/log/compression/codecs';
export type {
  ConnectionFacts,
  ConnectionFilter,
  DelayRange,
  Direction,
  NetworkFault,
} from './network/FaultRule';
export type { EmbeddedMessage, EmbeddedMessagePlace, ProduceOptions } from './produceInto';
export type { OperationName, OperationFailure } from './zookeeper/FailurePlan';
export type { RecordedOperation, RecordedPart, WriteType } from './zookeeper/OperationLog';
export type { ZookeeperCode } from './zookeeper/ZookeeperFault';
