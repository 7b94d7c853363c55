import type { Codec } from './releases';

/** What came of the messages of one codec. */
export interface CodecResult {
  /** Messages that the brokers have taken. */
  readonly produced: number;
  /** Different ones of them that the group was handed. */
  readonly delivered: number;
  /** Format of the messages, and version of the fetches that had any, as they came over the wire to the members of Node. */
  readonly format: string;
  readonly fetch: string;
}

/** Messages that were handed out more than once, by the reason that docs/delivery.md has for it. */
export interface RepeatedResult {
  readonly sessionLost: number;
  readonly memberKilled: number;
  readonly jvmMember: number;
}

/** What one run against one real cluster has shown. */
export interface MatrixCell {
  /** The folder of jars, in spec/support/cluster/jars. */
  readonly release: string;
  /** As the jars say. */
  readonly kafka: string;
  /** As the server says. */
  readonly zookeeper: string;
  /** As the producer says. */
  readonly producer: string;
  readonly codecs: Readonly<Partial<Record<Codec, CodecResult>>>;
  /** Messages that the JVM's member of the group was handed. */
  readonly jvmDelivered: number;
  readonly repeated: RepeatedResult;
  /** Rebalances of the members of Node that changed something. */
  readonly rebalances: number;
  readonly durationMs: number;
  readonly date: string;
  /** Of the code; with "+changes" if lib is not as it is there. */
  readonly commit: string;
  readonly node: string;
  /** What was not as it has to be. */
  readonly errors: readonly string[];
}

/** What a run finds by itself. */
export type CellFindings = Omit<MatrixCell, 'date' | 'commit' | 'node'>;

/** What is in results.json. */
export interface MatrixResults {
  readonly cells: readonly MatrixCell[];
}

/** With these cells in place of those of the same releases; in the order of the versions. */
export function withCells({ cells }: MatrixResults, newer: readonly MatrixCell[]): MatrixResults {
  const byRelease = new Map([...cells, ...newer].map((cell) => [cell.release, cell]));
  return { cells: [...byRelease.values()].sort(byVersion) };
}

function byVersion(a: MatrixCell, b: MatrixCell): number {
  return a.release.localeCompare(b.release, 'en', { numeric: true });
}
