import { ConnectorError } from '../errors';
import type { BrokerEndpoint } from './brokerVersions';
import { inRandomOrder, type Connect } from './metadataFromAnyOf';

/** Enough to tell settings that are wrong from a broker that is. */
const BROKERS_ASKED = 3;
/** Whoever has not answered by then counts as away. */
const LIMIT_MS = 5_000;

/**
 * Tries to connect, and to log in, at some of the brokers at once. None if one lets this client in, else why each did not: with
 * BROKER_ERROR for a refusal that stays (credentials, certificate, protocol), BROKER_UNREACHABLE for a broker that is away.
 */
export async function failuresToGetIn(
  brokers: readonly BrokerEndpoint[],
  connect: Connect,
  signal: AbortSignal,
): Promise<readonly ConnectorError[]> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(signal.reason);
  const timer = setTimeout(() => stopping.abort(new Error(`no answer within ${LIMIT_MS} ms`)), LIMIT_MS);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const tries = inRandomOrder(brokers)
    .slice(0, BROKERS_ASKED)
    .map((broker) => connect(broker, stopping.signal));
  for (const attempt of tries) void attempt.then((connection) => connection.close()).catch(() => undefined);
  try {
    await Promise.any(tries);
    return [];
  } catch (failure) {
    const { errors } = failure as { errors: readonly unknown[] };
    return errors.filter((error) => ConnectorError.is(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}
