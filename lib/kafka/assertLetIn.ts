import { ConnectorError } from '../errors';
import type { BrokerEndpoint } from './brokerVersions';
import { inRandomOrder, type Connect } from './metadataFromAnyOf';

/** Enough to tell settings that are wrong from a broker that is. */
const BROKERS_ASKED = 3;
/** Whoever has not answered by then counts as away. */
const LIMIT_MS = 5_000;

/**
 * Rejects with BROKER_ERROR if brokers refuse this client for good (credentials, certificate, protocol) and none lets it in.
 * Brokers that are away prove nothing: they may come back.
 */
export async function assertLetIn(
  brokers: readonly BrokerEndpoint[],
  connect: Connect,
  signal: AbortSignal,
): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(signal.reason);
  const timer = setTimeout(stop, LIMIT_MS);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const tries = inRandomOrder(brokers)
    .slice(0, BROKERS_ASKED)
    .map((broker) => connect(broker, stopping.signal));
  for (const attempt of tries) void attempt.then((connection) => connection.close()).catch(() => undefined);
  try {
    await Promise.any(tries);
  } catch (failure) {
    const { errors } = failure as { errors: readonly unknown[] };
    for (const error of errors) if (ConnectorError.is(error) && error.code === 'BROKER_ERROR') throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}
