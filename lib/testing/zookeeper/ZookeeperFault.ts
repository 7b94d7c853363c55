/** ZooKeeper's error codes by name, as they stand in the header of an answer. */
export const FAULT_NUMBERS = {
  SYSTEM_ERROR: -1,
  RUNTIME_INCONSISTENCY: -2,
  DATA_INCONSISTENCY: -3,
  CONNECTION_LOSS: -4,
  MARSHALLING_ERROR: -5,
  UNIMPLEMENTED: -6,
  OPERATION_TIMEOUT: -7,
  BAD_ARGUMENTS: -8,
  API_ERROR: -100,
  NO_NODE: -101,
  NO_AUTH: -102,
  BAD_VERSION: -103,
  NO_CHILDREN_FOR_EPHEMERALS: -108,
  NODE_EXISTS: -110,
  NOT_EMPTY: -111,
  SESSION_EXPIRED: -112,
  INVALID_CALLBACK: -113,
  INVALID_ACL: -114,
  AUTH_FAILED: -115,
  SESSION_MOVED: -118,
  NOT_READONLY: -119,
  NO_WATCHER: -121,
  RECONFIG_DISABLED: -123,
} as const;

/** Name of one of ZooKeeper's errors. */
export type ZookeeperCode = keyof typeof FAULT_NUMBERS;

/** A refusal of the embedded ZooKeeper. */
export class ZookeeperFault extends Error {
  override readonly name = 'ZookeeperFault';
  readonly code: ZookeeperCode;

  constructor(code: ZookeeperCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }

  /** The code on the wire. */
  get number(): number {
    return FAULT_NUMBERS[this.code];
  }
}
