import { ConnectorError } from '../errors';
import type { StreamOptions } from '../types';

/** Refuses what would only fail at the first message. */
export function assertStreamOptions(options: StreamOptions<unknown, unknown>): void {
  const faults: string[] = [];
  for (const name of ['keyDecoder', 'valueDecoder'] as const) {
    const decoder: unknown = options[name];
    if (decoder === undefined || typeof decoder === 'function') continue;
    faults.push(`${name} must be a function, such as decoders.utf8, not ${typeof decoder}`);
  }
  const signalFault = faultOfSignal(options.signal);
  if (signalFault !== null) faults.push(signalFault);
  if (faults.length > 0) throw new ConnectorError('CONFIG_INVALID', faults.join('\n'), { faults });
}

/** What is wrong with a signal; by its method, since signals of another realm are right, too. */
export function faultOfSignal(signal: unknown): string | null {
  if (signal === undefined) return null;
  const { addEventListener } = (signal ?? {}) as { addEventListener?: unknown };
  return typeof addEventListener === 'function'
    ? null
    : `signal must be an AbortSignal, not ${typeof signal}`;
}
