/** The closed list of things that can go wrong. Each code is documented in README. */
export type ConnectorErrorCode =
  | 'CONFIG_INVALID'
  | 'ZOOKEEPER_UNREACHABLE'
  | 'CHROOT_MISSING'
  | 'NO_AUTH'
  | 'CONSUMER_ID_IN_USE'
  | 'STREAMS_EXIST'
  | 'STREAM_BUSY'
  | 'CONNECTOR_CLOSED'
  | 'SESSION_LOST'
  | 'REGISTRATION_INVALID'
  | 'OFFSET_INVALID'
  | 'REBALANCE_FAILED'
  | 'NOT_OWNED'
  | 'CONSUMER_TIMEOUT'
  | 'MESSAGE_TOO_LARGE'
  | 'MESSAGE_CORRUPT'
  | 'CODEC_UNSUPPORTED'
  | 'FORMAT_UNSUPPORTED'
  | 'DECODE_FAILED'
  | 'COMMIT_FAILED'
  | 'BROKER_UNREACHABLE'
  | 'BROKER_ERROR';

/** Codes whose cause may pass by itself, so that the same call can succeed later. */
const RETRIABLE: ReadonlySet<ConnectorErrorCode> = new Set([
  'ZOOKEEPER_UNREACHABLE',
  'CONSUMER_ID_IN_USE',
  'SESSION_LOST',
  'REBALANCE_FAILED',
  'CONSUMER_TIMEOUT',
  'COMMIT_FAILED',
  'BROKER_UNREACHABLE',
]);

/** Where an error happened; only what is known is there. */
export interface ErrorContext {
  /** ZooKeeper path, relative to the chroot. */
  readonly path?: string;
  readonly topic?: string;
  readonly partition?: number;
  /** Offset of the message that could not be handed out. */
  readonly offset?: number;
  /** Pass this to `seek` to go on behind the message that could not be handed out. */
  readonly nextOffset?: number;
  /** `host:port` of the broker. */
  readonly broker?: string;
  /** Error code in the broker's answer, as in Kafka's protocol guide. */
  readonly brokerCode?: number;
  /** One line per fault, for CONFIG_INVALID. */
  readonly faults?: readonly string[];
}

const BRAND = Symbol.for('zookeeper-consumer-connector.ConnectorError');

/** The only error class that this package throws on purpose. Decide on `code`, never on `message`. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly code: ConnectorErrorCode;
  /** True if the same call can succeed later without a change of settings. */
  readonly retriable: boolean;
  readonly context: ErrorContext;
  /** @internal */
  readonly [BRAND] = true;

  constructor(
    code: ConnectorErrorCode,
    message: string,
    options: ErrorContext & { readonly cause?: unknown } = {},
  ) {
    const { cause, ...context } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retriable = RETRIABLE.has(code);
    this.context = context;
  }

  /** True for errors of this class; also across realms and copies of the package, where `instanceof` fails. */
  static is(error: unknown): error is ConnectorError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}
