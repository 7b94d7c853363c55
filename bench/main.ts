import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { RealCluster } from '../spec/support/cluster/RealCluster';
import { buildClients, installPeers, javaClasspath, ROOT } from './build';
import { cellName, cellsOf, type KafkaVersion } from './cells';
import { CLIENTS, type Client } from './clientTable';
import { isRed } from './figures';
import { currentCommit, machineFacts } from './machine';
import { resultsMarkdown } from './markdown';
import { measureCell, redCell, type Surroundings } from './measureCell';
import { HELP, readOptions, UsageError, type BenchOptions } from './options';
import { profile } from './profile';
import type { BenchResults, CellResult } from './results';

const RESULTS = path.join(__dirname, 'results');
/** More than specs need: compiled fully, and with room for the producer's load. */
const BROKER_FLAGS = ['-Xmx1g', '-XX:TieredStopAtLevel=4'];

const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function measure(options: BenchOptions, clients: readonly Client[]): Promise<number> {
  const [startedMs, loadBefore] = [performance.now(), os.loadavg()];
  const commit = await currentCommit(ROOT);
  const cells: CellResult[] = [];
  const soFar = async (): Promise<BenchResults> => ({
    date: new Date().toISOString().slice(0, 10),
    commit,
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
      ' ',
    ),
    rounds: options.rounds,
    tookMinutes: (performance.now() - startedMs) / 60_000,
    machine: await machineFacts(loadBefore),
    cells,
  });
  for (const kafka of options.kafkas) {
    await withCluster(kafka, async (surroundings) => {
      for (const cell of cellsOf({ ...options, kafkas: [kafka] })) {
        log(cellName(cell));
        cells.push(
          await measureCell(surroundings, cell, clients, options.rounds).catch((error: unknown) =>
            redCell(cell, clients, String(error)),
          ),
        );
        // It takes long, and whoever ends it keeps what there is.
        if (options.isSaved) await save(await soFar());
      }
    });
  }
  process.stdout.write(resultsMarkdown(await soFar()));
  const runs = cells.flatMap((cell) => cell.clients.flatMap((client) => client.runs));
  return runs.some(isRed) ? 1 : 0;
}

async function save(results: BenchResults): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const file = `${results.date}-${results.commit}.json`;
  await writeFile(path.join(RESULTS, file), `${JSON.stringify(results, null, 1)}\n`);
  await writeFile(
    path.join(RESULTS, 'latest.md'),
    `${resultsMarkdown(results)}\nEach single run: [${file}](${file}).\n`,
  );
}

async function profileOne(options: BenchOptions, client: Client): Promise<number> {
  const able = cellsOf(options).filter(({ codec }) => client.codecs.includes(codec));
  const [cell] = able;
  if (cell === undefined) throw new UsageError(`--profile: ${client.name} has no such codec`);
  if (client.program === 'java') throw new UsageError('--profile: only what runs in Node');
  await withCluster(cell.kafka, async (surroundings) => {
    log(cellName(cell));
    process.stdout.write(`${await profile(surroundings, cell, client)}\n`);
  });
  return 0;
}

async function withCluster(
  kafka: KafkaVersion,
  work: (surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const classpath = await javaClasspath(kafka);
  await using cluster = await RealCluster.start({ kafka, jvmFlags: BROKER_FLAGS });
  await work({ cluster, javaClasspath: classpath, log });
}

async function main(): Promise<number> {
  // By an exit, so that the client that is running is ended, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === 'help') {
      process.stdout.write(HELP);
      return 0;
    }
    await installPeers();
    if (!options.isBuilt) await buildClients();
    const clients = CLIENTS.filter(({ name }) => options.clients.includes(name));
    const profiled = CLIENTS.find(({ name }) => name === options.profile);
    return await (profiled === undefined ? measure(options, clients) : profileOne(options, profiled));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${HELP}`);
      return 2;
    }
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
