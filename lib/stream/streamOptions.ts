import { shownValue } from '../config/shownValue';
import type { StreamOptions } from '../types';
import { wrongArguments } from '../wrongArguments';

/** Refuses what would only fail at the first message. */
export function assertStreamOptions(options: StreamOptions<unknown, unknown>): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw wrongArguments([`the options of the streams must be an object, not ${shownValue(given)}`]);
  }
  const faults: string[] = [];
  for (const name of ['keyDecoder', 'valueDecoder'] as const) {
    const decoder: unknown = options[name];
    if (decoder === undefined || typeof decoder === 'function') continue;
    faults.push(`${name} must be a function, such as decoders.utf8, not ${typeof decoder}`);
  }
  const signalFault = faultOfSignal(options.signal);
  if (signalFault !== null) faults.push(signalFault);
  if (faults.length > 0) throw wrongArguments(faults);
}

/** Refuses options of a loop that are no object, or have a signal that is none. */
export function assertLoopOptions(options: { readonly signal?: AbortSignal }): void {
  const given: unknown = options;
  const fault =
    typeof given !== 'object' || given === null
      ? `the options of a loop must be an object, not ${shownValue(given)}`
      : faultOfSignal(options.signal);
  if (fault !== null) throw wrongArguments([fault]);
}

/** What is wrong with a signal; by its method, since signals of another realm are right, too. */
export function faultOfSignal(signal: unknown): string | null {
  if (signal === undefined) return null;
  const { addEventListener } = (signal ?? {}) as { addEventListener?: unknown };
  return typeof addEventListener === 'function'
    ? null
    : `signal must be an AbortSignal, not ${typeof signal}`;
}
