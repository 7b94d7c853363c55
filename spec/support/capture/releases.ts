import type { Codec } from '../jvm/JvmProducer';
import type { FetchVersion } from './captured';

export interface Release {
  /** Of those that this package can ask with. */
  readonly fetchVersions: readonly FetchVersion[];
  /** What its own producers know. */
  readonly codecs: readonly Codec[];
  /** The newest one, in which it stores by default. */
  readonly format: 0 | 1 | 2;
}

const XERIAL: readonly Codec[] = ['none', 'gzip', 'snappy'];
const LZ4: readonly Codec[] = [...XERIAL, 'lz4'];
const ZSTD: readonly Codec[] = [...LZ4, 'zstd'];

const RELEASES: Readonly<Record<string, Release>> = {
  '0.8.1.1': { fetchVersions: [0], codecs: XERIAL, format: 0 },
  '0.8.2.2': { fetchVersions: [0], codecs: LZ4, format: 0 },
  '0.9.0.1': { fetchVersions: [0, 1], codecs: LZ4, format: 0 },
  '0.10.2.2': { fetchVersions: [0, 1, 2, 3], codecs: LZ4, format: 1 },
  '0.11.0.3': { fetchVersions: [0, 1, 2, 3, 4], codecs: LZ4, format: 2 },
  '1.1.1': { fetchVersions: [0, 1, 2, 3, 4], codecs: LZ4, format: 2 },
  '2.8.2': { fetchVersions: [0, 1, 2, 3, 4, 10], codecs: ZSTD, format: 2 },
  '3.9.1': { fetchVersions: [0, 1, 2, 3, 4, 10], codecs: ZSTD, format: 2 },
};

export const CAPTURED_RELEASES: readonly string[] = Object.keys(RELEASES);

export function releaseOf(kafka: string): Release {
  const release = RELEASES[kafka];
  if (release === undefined)
    throw new Error(`Kafka "${kafka}" is not one of ${CAPTURED_RELEASES.join(', ')}`);
  return release;
}
