import { CODECS, codecsOf, versionsIn } from './releases';
import type { MatrixCell, MatrixResults } from './results';
import { verdictsOf, type Verdict } from './verdict';

const HEAD = `# Compatibility

Each row is a run against a real cluster: one ZooKeeper and two brokers, a chroot, a topic of four partitions on both
brokers for each codec that the release's own JVM producer has, and that producer, which goes on writing until the end.
A group reads all of it: one member, then two; a broker is stopped and started again, so that leaders move; a session is
expired; the original Scala connector (0.8.2.2) joins and leaves; a member is killed. A row is green only if each message
was handed out, in the order of its partition and with its value, if nothing else was, if what came twice is explained by
a row of [delivery.md](delivery.md), if the brokers had to convert no format, and if the stored offsets were in the end
those of the logs. \`npm run matrix\` runs all, \`npm run matrix -- 2.8.2\` some, and writes this page from
\`spec/matrix/results.json\`.
`;

const GREEN = '✅';
const RED = '❌';
/** For what there is not. */
const NONE = '–';

const MESSAGES = `## Messages

Those that were produced and handed out, by codec. "Format" is that of the messages as the brokers gave them, "Fetch" the
version of the requests. A Kafka that is there twice has another ZooKeeper than the one of its own jars.
`;

const GROUP = `## The group

Rebalances are those of the members of Node that changed something. "Scala" is what the original connector was handed.
"Repeated" is the number of messages that came more than once, by what docs/delivery.md says of it.
`;

/** The text of docs/compatibility.md; `releases` are those that there are jars of. */
export function compatibilityMarkdown(results: MatrixResults, releases: readonly string[]): string {
  const { rows, lacks } = verdictsOf(results, releases);
  const parts = [HEAD];
  const wrong = [
    ...rows.flatMap(({ release, reasons }) => reasons.map((reason) => `${release}: ${reason}`)),
    ...lacks.map((lack) => `${lack}: no row has it`),
  ];
  if (wrong.length > 0) parts.push('## What is wrong\n', wrong.map((text) => `- ${RED} ${text}\n`).join(''));
  parts.push(
    MESSAGES,
    table([['', 'Kafka', 'ZooKeeper', ...CODECS, 'Format', 'Fetch'], ...rows.map(messagesRow)]),
  );
  const ran = rows.flatMap(({ cell }) => (cell === null ? [] : [groupRow(cell)]));
  parts.push(GROUP, table([GROUP_COLUMNS, ...ran]));
  return parts.join('\n');
}

function messagesRow({ release, cell, reasons }: Verdict): string[] {
  const named = versionsIn(release);
  const { kafka, zookeeper } = cell ?? named;
  const counts = CODECS.map((codec) => {
    if (!codecsOf(named.kafka).includes(codec)) return NONE;
    return count(cell?.codecs[codec]?.delivered ?? 0);
  });
  const results = Object.values(cell?.codecs ?? {});
  const all = (texts: readonly string[]): string => [...new Set(texts)].join(', ');
  return [
    ...[reasons.length === 0 ? GREEN : RED, kafka || named.kafka, zookeeper ?? NONE, ...counts],
    ...[all(results.map(({ format }) => format)), all(results.map(({ fetch }) => fetch))],
  ];
}

const GROUP_COLUMNS = [
  ...['Kafka', 'ZooKeeper', 'Rebalances', 'Scala'],
  ...['Repeated: session lost', 'member killed', 'Scala member', 'Seconds', 'Date', 'Commit', 'Node'],
];

function groupRow({ kafka, zookeeper, rebalances, jvmDelivered, repeated, ...cell }: MatrixCell): string[] {
  return [
    ...[kafka, zookeeper, count(rebalances), count(jvmDelivered)],
    ...[repeated.sessionLost, repeated.memberKilled, repeated.jvmMember].map(count),
    ...[String(Math.round(cell.durationMs / 1000)), cell.date, cell.commit, cell.node],
  ];
}

function count(number: number): string {
  return number.toLocaleString('en');
}

/** Columns as wide as their longest text, which is how Prettier wants them. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, at) => cell + fill.repeat((widths[at] ?? 0) - widthOf(cell))).join(' | ')} |\n`;
  const [head = [], ...body] = rows;
  return [
    line(head, ' '),
    line(
      Array.from({ length: columns }, () => ''),
      '-',
    ),
    ...body.map((row) => line(row, ' ')),
  ].join('');
}

/** The two marks are as wide as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(/[✅❌]/g)?.length ?? 0);
}
