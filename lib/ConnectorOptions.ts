import { faultsOfCodecs, type Codecs } from './kafka/compression/codecs';
import type { Logger } from './logger';
import { faultOfSignal } from './stream/streamOptions';
import { faultsOfNames, wrongArguments } from './wrongArguments';

/** What a connector is given beside its settings. */
export interface ConnectorOptions {
  /** Default: silent. */
  readonly logger?: Logger;
  /** Aborting it is `shutdown()`. */
  readonly signal?: AbortSignal;
  /**
   * Decompressors in place of the built-in ones, for this connector: native code is faster than what is written in JavaScript.
   * They are called in the event loop, once for each compressed batch (snappy: for each of its blocks), and what they throw
   * stops the partition with DECODE_FAILED.
   *
   * ```ts
   * // `snappy` is that of npm. It has no limit of its own, so what it gives is compared with `maxBytes` afterwards.
   * new ZookeeperConsumerConnector(config, { codecs: { snappy: (block) => Buffer.from(snappy.uncompressSync(block)) } });
   * ```
   */
  readonly codecs?: Partial<Codecs>;
}

const OPTION_NAMES = Object.keys({ logger: true, signal: true, codecs: true } satisfies Record<
  keyof ConnectorOptions,
  true
>);

/** Refuses what would only fail later, or quietly have no effect; the logger is checked where it is taken. */
export function assertConnectorOptions(options: ConnectorOptions): void {
  const faults = faultsOfNames(options, OPTION_NAMES, 'the options of the connector');
  const signalFault = faultOfSignal(options.signal);
  if (signalFault !== null) faults.push(signalFault);
  faults.push(...faultsOfCodecs(options.codecs));
  if (faults.length > 0) throw wrongArguments(faults);
}
