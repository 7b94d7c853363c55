import { ERROR_NAMES, UNKNOWN_SERVER_ERROR } from '../../kafka/errorNames';

export { UNKNOWN_SERVER_ERROR } from '../../kafka/errorNames';

/** Name of an error in Kafka's protocol guide. */
export type KafkaErrorName = (typeof ERROR_NAMES)[number] | 'UNKNOWN_SERVER_ERROR';

export const NONE = 0;
export const OFFSET_OUT_OF_RANGE = 1;
export const UNKNOWN_TOPIC_OR_PARTITION = 3;
export const LEADER_NOT_AVAILABLE = 5;
export const NOT_LEADER_OR_FOLLOWER = 6;
export const REQUEST_TIMED_OUT = 7;
export const REPLICA_NOT_AVAILABLE = 9;
export const OFFSET_METADATA_TOO_LARGE = 12;
export const COORDINATOR_NOT_AVAILABLE = 15;
export const NOT_COORDINATOR = 16;
export const INVALID_TOPIC_EXCEPTION = 17;
export const NOT_ENOUGH_REPLICAS = 19;
export const INVALID_REQUIRED_ACKS = 21;
export const ILLEGAL_GENERATION = 22;
export const INCONSISTENT_GROUP_PROTOCOL = 23;
export const INVALID_GROUP_ID = 24;
export const UNKNOWN_MEMBER_ID = 25;
export const INVALID_SESSION_TIMEOUT = 26;
export const REBALANCE_IN_PROGRESS = 27;
export const UNSUPPORTED_VERSION = 35;
export const INVALID_REPLICATION_FACTOR = 38;
export const INVALID_REQUEST = 42;
export const UNSUPPORTED_COMPRESSION_TYPE = 76;
export const UNSUPPORTED_FOR_MESSAGE_FORMAT = 43;
export const TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53;
export const FETCH_SESSION_ID_NOT_FOUND = 70;
export const FENCED_LEADER_EPOCH = 74;
export const UNKNOWN_LEADER_EPOCH = 75;
export const MEMBER_ID_REQUIRED = 79;
export const FENCED_INSTANCE_ID = 82;
export const INVALID_RECORD = 87;
export const UNKNOWN_TOPIC_ID = 100;

/** @throws RangeError for a name that Kafka does not have */
export function errorCodeOf(name: KafkaErrorName): number {
  if (name === 'UNKNOWN_SERVER_ERROR') return UNKNOWN_SERVER_ERROR;
  const code = ERROR_NAMES.indexOf(name);
  if (code < 0) throw new RangeError(`Kafka has no error ${JSON.stringify(name)}`);
  return code;
}
