export type { EmbeddedPartition, EmbeddedSession } from './clusterState';
export type { BrokerChanges } from './controlArguments';
export { EmbeddedCluster } from './EmbeddedCluster';
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
  CountedFault,
  DelayRange,
  Direction,
  NetworkFault,
} from './network/FaultRule';
export type { PlannedFailure } from './PlannedFailures';
export type { EmbeddedMessage, EmbeddedMessageHeader, ProduceOptions } from './produceArguments';
export type { EmbeddedMessagePlace } from './produceInto';
export type { OperationName, OperationFailure } from './zookeeper/FailurePlan';
export type { RecordedOperation, RecordedPart, WriteType } from './zookeeper/OperationLog';
export type { ZookeeperCode } from './zookeeper/ZookeeperFault';
