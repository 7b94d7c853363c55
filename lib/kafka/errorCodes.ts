/** Codes that the consumer decides on. */
export const NONE = 0;
export const OFFSET_OUT_OF_RANGE = 1;
export const CORRUPT_MESSAGE = 2;
export const UNKNOWN_TOPIC_OR_PARTITION = 3;
export const INVALID_FETCH_SIZE = 4;
export const LEADER_NOT_AVAILABLE = 5;
export const NOT_LEADER_OR_FOLLOWER = 6;
export const REPLICA_NOT_AVAILABLE = 9;
export const TOPIC_AUTHORIZATION_FAILED = 29;
export const UNSUPPORTED_SASL_MECHANISM = 33;
export const ILLEGAL_SASL_STATE = 34;
export const UNSUPPORTED_VERSION = 35;
export const KAFKA_STORAGE_ERROR = 56;
export const SASL_AUTHENTICATION_FAILED = 58;
export const UNSUPPORTED_COMPRESSION_TYPE = 76;
