/** How messages can be compressed; in the order of their numbers on the wire. */
export const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

export type Codec = (typeof CODECS)[number];

/** What the matrix has to have a cell of. */
export const WANTED_KAFKAS: readonly string[] = [
  ...['0.8.1.1', '0.8.2.2', '0.9.0.1', '0.10.2.2', '0.11.0.3', '1.1.1', '2.8.2', '3.9.1'],
];

/** Versions of ZooKeeper, or series of them; one of each entry is enough. */
export const WANTED_ZOOKEEPERS: readonly (readonly string[])[] = [
  ...[['3.4.6'], ['3.5'], ['3.6', '3.7'], ['3.8'], ['3.9']],
];

/** The first release whose producer has the codec. */
const SINCE: Readonly<Record<Codec, string>> = {
  none: '0.8',
  gzip: '0.8',
  snappy: '0.8',
  lz4: '0.8.2',
  zstd: '2.1',
};

/** The versions that a folder of jars names: of Kafka, and of a ZooKeeper that is not the one of that Kafka's own jars. */
export function versionsIn(release: string): { readonly kafka: string; readonly zookeeper: string | null } {
  const [kafka = '', zookeeper = null] = release.split('-zookeeper-');
  return { kafka, zookeeper };
}

/** The codecs that the producer of this Kafka has. */
export function codecsOf(kafka: string): readonly Codec[] {
  return CODECS.filter((codec) => isSince(kafka, SINCE[codec]));
}

/** The format of messages that brokers of this Kafka store, and give a consumer that asks for them as they are. */
export function formatOf(kafka: string): 0 | 1 | 2 {
  if (isSince(kafka, '0.11')) return 2;
  return isSince(kafka, '0.10') ? 1 : 0;
}

/** Whether a version is that one or a later one. */
export function isSince(version: string, first: string): boolean {
  return version.localeCompare(first, 'en', { numeric: true }) >= 0;
}
