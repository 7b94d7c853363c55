import { ConnectorError } from '../../errors';

/** The result of the work, or BROKER_UNREACHABLE at once when the signal is aborted; the work then goes on unheard. */
export function unlessAborted<T>(
  work: Promise<T>,
  broker: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      const text = `broker ${broker}: the login was aborted`;
      reject(new ConnectorError('BROKER_UNREACHABLE', text, { broker, cause: signal.reason }));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const settle = (): void => signal.removeEventListener('abort', onAbort);
    void work.then(resolve, reject).finally(settle);
  });
}
