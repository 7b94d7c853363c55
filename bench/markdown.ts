import { cellName } from './cells';
import { CLIENTS, type ClientName } from './clientTable';
import { isRed, medianOf, ratioOf, spreadOf, type RunFigures } from './figures';
import { runsOf, type BenchResults, type CellResult, type ClientResult } from './results';

/** What the connector has to reach, as a share of the bare loop. */
const GOAL = 0.7;

/** With more than this kept busy by others, two cores are no longer enough for client and broker. */
const QUIET_CORES = 0.25;

interface Ratio {
  readonly heading: string;
  readonly ours: ClientName;
  readonly theirs: ClientName;
  readonly goal?: number;
}

const RATIOS: readonly Ratio[] = [
  { heading: 'batches / bare', ours: 'connector-batches', theirs: 'bare', goal: GOAL },
  { heading: 'for await / bare with one await', ours: 'connector-await', theirs: 'bare-await', goal: GOAL },
  { heading: 'batches / Java', ours: 'connector-batches', theirs: 'java' },
  { heading: 'batches / kafkajs', ours: 'connector-batches', theirs: 'kafkajs' },
  { heading: 'batches / kafka-node', ours: 'connector-batches', theirs: 'kafka-node' },
];

/** The results as a page to read. */
export function resultsMarkdown(results: BenchResults): string {
  const { machine, cells } = results;
  const lines = [
    '# Throughput',
    '',
    `Written by \`${results.command}\` on ${results.date} at commit ${results.commit}; it took ${results.tookMinutes.toFixed(0)} minutes.`,
    '',
    `- Machine: ${machine.cores} cores (${machine.processor}), ${machine.memoryGib} GiB, ${machine.system}; load average ${loads(machine.loadBefore)} before and ${loads(machine.loadAfter)} after.`,
    `- Node ${machine.node}, Java ${machine.java}.`,
    `- ZooKeeper and one broker in one JVM, beside the clients on the same cores. 12 partitions, null keys, JSON values, batches of 16 KiB made by the Java producer of the same jars.`,
    `- Each client in its own process, with its default settings, one after the other, ${results.rounds} rounds. Messages per second from the first delivered message to the last; processor time is user and system of the client's process.`,
    `- Every client reads all messages of its topic, proved by their count and a checksum; RED is one that did not. Slow clients have smaller topics, as the tables say.`,
    '- In favour of the peers: kafkajs and kafka-node compare no checksum, and decode a whole answer (12 MB at most) before they deliver its first message, which is when the clock starts.',
    `- ${othersText(cells)}`,
    '',
    '## Ratios',
    '',
    'Messages per second of the connector, divided by those of the other client in the same round: the median over the rounds. In brackets the same of processor time per message (the other client by the connector, so that more is better there, too).',
    '',
    ...ratioTable(cells),
    ...cells.flatMap((cell) => ['', `## ${cellName(cell)}`, '', ...cellTable(cell)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether the machine was quiet. */
function othersText(cells: readonly CellResult[]): string {
  const runs = cells.flatMap(({ clients }) => clients.flatMap((client) => client.runs));
  const cores = medianOf(runs.flatMap((run) => (isRed(run) ? [] : [run.otherCores])));
  const text = `In the median run other processes kept ${cores.toFixed(2)} cores busy`;
  return cores > QUIET_CORES ? `**${text}: compare processor times, not speeds.**` : `${text}.`;
}

function ratioTable(cells: readonly CellResult[]): string[] {
  const rows = cells.map((cell) => [cellName(cell), ...RATIOS.map((ratio) => ratioText(cell, ratio))]);
  return table(['', ...RATIOS.map(({ heading }) => heading)], rows);
}

/** Two digits; what is below its goal is marked. */
export function ratioText(cell: CellResult, { ours, theirs, goal = 0 }: Omit<Ratio, 'heading'>): string {
  const [own, other] = [runsOf(cell, ours), runsOf(cell, theirs)];
  const speed = ratioOf(own, other, (run) => run.messagesPerSecond);
  const cpu = ratioOf(other, own, (run) => run.steadyCpuMicros);
  if (speed === null || cpu === null) return '-';
  const text = `${speed.toFixed(2)} (${cpu.toFixed(2)})`;
  return speed < goal ? `**${text}, below ${goal}**` : text;
}

const CELL_HEADINGS = [
  'client',
  'messages',
  'msg/s, median',
  'min to max',
  'CPU µs/msg, steady',
  'min to max',
  'with start',
  'peak MiB',
  'broker µs/msg',
  'other cores',
];

function cellTable({ clients }: CellResult): string[] {
  return table(CELL_HEADINGS, clients.map(clientRow));
}

/** The line of one client: figures, or why there are none. */
export function clientRow(result: ClientResult): string[] {
  const title = CLIENTS.find(({ name }) => name === result.client)?.title ?? result.client;
  const { runs } = result;
  const words = (text: string): string[] => [
    title,
    count(result.messages),
    text,
    ...blanks(CELL_HEADINGS.length - 3),
  ];
  if (runs.length === 0) return words('no such codec');
  const red = runs.find(isRed);
  if (red !== undefined) return words(`**RED: ${red.red}**`);
  const good = runs as readonly RunFigures[];
  const spread = (figure: (run: RunFigures) => number) => spreadOf(good.map(figure));
  const speed = spread((run) => run.messagesPerSecond);
  const cpu = spread((run) => run.steadyCpuMicros);
  return [
    title,
    count(result.messages),
    rate(speed.median),
    `${rate(speed.min)} to ${rate(speed.max)}`,
    cpu.median.toFixed(2),
    `${cpu.min.toFixed(2)} to ${cpu.max.toFixed(2)}`,
    spread((run) => run.cpuMicros).median.toFixed(2),
    (spread((run) => run.maxRssBytes).median / 2 ** 20).toFixed(0),
    spread((run) => run.brokerCpuMicros).median.toFixed(2),
    spread((run) => run.otherCores).median.toFixed(1),
  ];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = headings.map((heading, at) =>
    Math.max(3, ...[heading, ...rows.map((row) => row[at] ?? '')].map((text) => text.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

const blanks = (howMany: number): string[] => new Array<string>(howMany).fill('');
const count = (value: number): string => value.toLocaleString('en-US');
const loads = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(', ');

/** Three digits: 3.87M, 412k. */
export function rate(perSecond: number): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toFixed(2)}M`;
  return `${(perSecond / 1e3).toFixed(perSecond < 1e5 ? 1 : 0)}k`;
}
