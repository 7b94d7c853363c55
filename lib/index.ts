export { ZookeeperConsumerConnector } from './ZookeeperConsumerConnector';
export type { ConnectorConfig } from './config/ConnectorConfig';
export { loadConsumerProperties } from './config/loadConsumerProperties';
export type { ConnectorOptions } from './ConnectorOptions';
export type { ConsumerRebalanceListener, PartitionOwner } from './ConsumerRebalanceListener';
export { ConnectorError, type ConnectorErrorCode, type ErrorContext } from './errors';
export type { ConnectorEvents, RebalanceStep, RebalanceTrigger } from './events';
export type { CodecName, Codecs, Decompressor } from './kafka/compression/codecs';
export type { Logger } from './logger';
export { decoders } from './stream/decoders';
export { Blacklist, TopicFilter, Whitelist } from './TopicFilter';
export type {
  ConnectorState,
  DecodedField,
  Decoder,
  KafkaStream,
  Message,
  MessageBatch,
  NextOffset,
  OwnedPartition,
  StreamOptions,
  TopicPartition,
} from './types';
