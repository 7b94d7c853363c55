import { ConnectorError } from '../../errors';
import type { SaslSettings } from '../brokerSecurity';
import type { SaslVersion } from '../brokerVersions';
import { ILLEGAL_SASL_STATE, NONE, UNSUPPORTED_SASL_MECHANISM } from '../errorCodes';
import { errorName } from '../errorNames';
import { errorText } from '../errorText';
import type { KafkaRequest } from '../wire';
import { SaslError } from './SaslError';
import { saslExchange } from './SaslExchange';
import { saslAuthenticateRequest, saslHandshakeRequest } from './saslRequests';
import { unlessAborted } from './unlessAborted';

const MAX_SHOWN_CHARACTERS = 300;

/** What a login needs of a connection. */
export interface LoginConnection {
  /** `host:port`, for messages. */
  readonly address: string;
  /** True once the broker has closed the connection. */
  readonly isHungUp: boolean;
  request<T>(request: KafkaRequest<T>, options?: LoginOptions): Promise<T>;
  /** Sends a token as it is, and gives the one that comes back. */
  exchangeToken(token: Buffer, options?: LoginOptions): Promise<Buffer>;
}

interface LoginOptions {
  /** Ends the login, and the connection with it. */
  readonly signal?: AbortSignal;
}

/**
 * Logs in on a connection that has only been asked for its versions. Rejects with BROKER_ERROR if the broker refuses for good,
 * with BROKER_UNREACHABLE if it is lost meanwhile.
 */
export async function logIn(
  connection: LoginConnection,
  sasl: SaslSettings,
  version: SaslVersion,
  options?: LoginOptions,
): Promise<void> {
  const { address } = connection;
  const handshake = await connection.request(saslHandshakeRequest(version, sasl.mechanism), options);
  if (handshake.errorCode !== NONE) throw handshakeRefused(address, sasl, handshake);
  const exchange = saslExchange(sasl);
  try {
    let challenge: Buffer | null = null;
    for (;;) {
      // Deriving a key may take a second.
      const token: Buffer | null = await unlessAborted(exchange.next(challenge), address, options?.signal);
      if (token === null) return;
      challenge = await (version === 0
        ? exchangeBare(connection, token, sasl, options)
        : authenticate(connection, token, sasl, options));
    }
  } catch (error) {
    if (!(error instanceof SaslError)) throw error;
    throw refused(address, sasl, errorText(error));
  }
}

/** KIP-152: the broker says why. */
async function authenticate(
  connection: LoginConnection,
  token: Buffer,
  sasl: SaslSettings,
  options?: LoginOptions,
): Promise<Buffer> {
  const answer = await connection.request(saslAuthenticateRequest(token), options);
  if (answer.errorCode === NONE) return answer.token;
  const why = `${errorName(answer.errorCode)}: ${shown(answer.errorMessage ?? 'no reason given')}`;
  throw refused(connection.address, sasl, why, answer.errorCode);
}

/** Before that, a broker that refuses a token closes the connection. */
async function exchangeBare(
  connection: LoginConnection,
  token: Buffer,
  sasl: SaslSettings,
  options?: LoginOptions,
): Promise<Buffer> {
  try {
    return await connection.exchangeToken(token, options);
  } catch (error) {
    if (!connection.isHungUp) throw error;
    throw refused(connection.address, sasl, 'it closed the connection', undefined, error);
  }
}

function handshakeRefused(
  broker: string,
  { mechanism }: SaslSettings,
  { errorCode, mechanisms }: { readonly errorCode: number; readonly mechanisms: readonly string[] },
): ConnectorError {
  const start = `broker ${broker} refuses the login by ${mechanism} (${errorName(errorCode)})`;
  const context = { broker, brokerCode: errorCode };
  if (errorCode === UNSUPPORTED_SASL_MECHANISM) {
    const theirs = mechanisms.length === 0 ? 'none' : shown(mechanisms.join(', '));
    return new ConnectorError(
      'BROKER_ERROR',
      `${start}: it takes ${theirs}; look at sasl.mechanism`,
      context,
    );
  }
  const advice =
    errorCode === ILLEGAL_SASL_STATE ? ': this listener has no login; look at security.protocol' : '';
  return new ConnectorError('BROKER_ERROR', `${start}${advice}`, context);
}

function refused(
  broker: string,
  { mechanism, username }: SaslSettings,
  why: string,
  brokerCode?: number,
  cause?: unknown,
): ConnectorError {
  const text =
    `broker ${broker} refuses the login of ${JSON.stringify(username)} by ${mechanism}: ${why}; ` +
    'look at the user name and password in sasl.jaas.config, and at sasl.mechanism';
  return new ConnectorError('BROKER_ERROR', text, {
    broker,
    ...(brokerCode !== undefined && { brokerCode }),
    cause,
  });
}

/** What comes from a broker before the login may come from anybody: not all of it, and nothing that is no text. */
function shown(text: string): string {
  return text.slice(0, MAX_SHOWN_CHARACTERS).replace(/\p{C}+/gu, ' ');
}
