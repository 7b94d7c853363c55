import type { KafkaStream, StreamOptions } from '../types';
import { faultsOfNames, wrongArguments } from '../wrongArguments';

/** The ways to read a stream that take options, and these. */
interface LoopOptions {
  readonly messages: NonNullable<Parameters<KafkaStream['messages']>[0]>;
  readonly batches: NonNullable<Parameters<KafkaStream['batches']>[0]>;
  readonly toReadable: NonNullable<Parameters<KafkaStream['toReadable']>[0]>;
}

const STREAM_OPTION_NAMES = Object.keys({
  keyDecoder: true,
  valueDecoder: true,
  signal: true,
} satisfies Record<keyof StreamOptions<unknown, unknown>, true>);

const LOOP_OPTIONS: { readonly [L in keyof LoopOptions]: Readonly<Record<keyof LoopOptions[L], true>> } = {
  messages: { signal: true },
  batches: { signal: true, maxMessages: true },
  toReadable: { signal: true, highWaterMark: true },
};

/** Refuses what would only fail at the first message, or quietly have no effect. */
export function assertStreamOptions(options: StreamOptions<unknown, unknown>): void {
  const faults = faultsOfNames(options, STREAM_OPTION_NAMES, 'the options of the streams');
  for (const name of ['keyDecoder', 'valueDecoder'] as const) {
    const decoder: unknown = options[name];
    if (decoder === undefined || typeof decoder === 'function') continue;
    faults.push(`${name} must be a function, such as decoders.utf8, not ${typeof decoder}`);
  }
  const signalFault = faultOfSignal(options.signal);
  if (signalFault !== null) faults.push(signalFault);
  if (faults.length > 0) throw wrongArguments(faults);
}

/** Refuses options of a loop that are no object, have a signal that is none, or a name that this loop does not know. */
export function assertLoopOptions<L extends keyof LoopOptions>(loop: L, options: LoopOptions[L]): void {
  const faults = faultsOfNames(options, Object.keys(LOOP_OPTIONS[loop]), `the options of ${loop}`);
  const signalFault = faultOfSignal(options.signal);
  if (signalFault !== null) faults.push(signalFault);
  if (faults.length > 0) throw wrongArguments(faults);
}

/** What is wrong with a signal; by its method, since signals of another realm are right, too. */
export function faultOfSignal(signal: unknown): string | null {
  if (signal === undefined) return null;
  const { addEventListener } = (signal ?? {}) as { addEventListener?: unknown };
  return typeof addEventListener === 'function'
    ? null
    : `signal must be an AbortSignal, not ${typeof signal}`;
}
