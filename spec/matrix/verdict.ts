import { codecsOf, formatOf, versionsIn, WANTED_KAFKAS, WANTED_ZOOKEEPERS } from './releases';
import type { CellFindings, MatrixCell, MatrixResults } from './results';

/** Why a cell is red; empty if it is green. */
export function redReasons(cell: CellFindings): string[] {
  return [...cell.errors, ...wrongVersions(cell), ...wrongCounts(cell)];
}

/** One row of the matrix; `cell` is null if the release was not run. */
export interface Verdict {
  readonly release: string;
  readonly cell: MatrixCell | null;
  readonly reasons: readonly string[];
}

/** All that have to be there, and all that were run; then what no row shows at all. */
export function verdictsOf(
  { cells }: MatrixResults,
  releases: readonly string[],
): { readonly rows: readonly Verdict[]; readonly lacks: readonly string[] } {
  const known = cells.map(({ release }) => release);
  const all = [...new Set([...releases, ...known])].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  const rows = all.map((release) => {
    const cell = cells.find((one) => one.release === release) ?? null;
    const reasons = cell === null ? ['it was not run'] : redReasons(cell);
    // A result without its jars cannot be had again.
    if (!releases.includes(release)) reasons.push('there are no jars of it');
    return { release, cell, reasons };
  });
  return { rows, lacks: lacksOf(cells) };
}

function wrongVersions({ release, kafka, zookeeper, producer }: CellFindings): string[] {
  const named = versionsIn(release);
  const reasons: string[] = [];
  if (kafka !== named.kafka) reasons.push(`the brokers are of Kafka ${kafka || 'unknown'}`);
  if (zookeeper === '' || (named.zookeeper !== null && zookeeper !== named.zookeeper))
    reasons.push(`the server is ZooKeeper ${zookeeper || 'unknown'}`);
  if (producer !== named.kafka) reasons.push(`the producer is that of Kafka ${producer || 'unknown'}`);
  return reasons;
}

function wrongCounts({ release, codecs, rebalances, jvmDelivered }: CellFindings): string[] {
  const { kafka } = versionsIn(release);
  const format = String(formatOf(kafka));
  const reasons: string[] = [];
  for (const codec of codecsOf(kafka)) {
    const result = codecs[codec];
    if (result === undefined || result.delivered === 0) {
      reasons.push(`no message with the codec ${codec}`);
      continue;
    }
    const { produced, delivered } = result;
    if (produced !== delivered) reasons.push(`${delivered} of ${produced} messages with the codec ${codec}`);
    if (result.format !== format)
      reasons.push(`the codec ${codec} came in format ${result.format || 'unknown'} instead of ${format}`);
  }
  if (rebalances === 0) reasons.push('no rebalance');
  if (jvmDelivered === 0) reasons.push('no message for the JVM’s member');
  return reasons;
}

function lacksOf(cells: readonly MatrixCell[]): string[] {
  const kafkas = new Set(cells.map(({ kafka }) => kafka));
  const has = (wanted: string): boolean =>
    cells.some(({ zookeeper }) => `${zookeeper}.`.startsWith(`${wanted}.`));
  return [
    ...WANTED_KAFKAS.filter((kafka) => !kafkas.has(kafka)).map((kafka) => `Kafka ${kafka}`),
    ...WANTED_ZOOKEEPERS.filter((oneOf) => !oneOf.some(has)).map(
      (oneOf) => `ZooKeeper ${oneOf.join(' or ')}`,
    ),
  ];
}
