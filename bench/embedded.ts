/**
 * What the embedded cluster costs, beside the real one, in one run: how long three brokers take to start, and how many messages a
 * second it serves. The clients run in processes of their own; the embedded cluster runs in this one. Needs a JDK and Maven.
 */
import { EmbeddedTestCluster } from '../spec/support/cluster/EmbeddedTestCluster';
import { RealCluster } from '../spec/support/cluster/RealCluster';
import type { TestCluster, TestClusterOptions } from '../spec/support/cluster/TestCluster';
import { buildClients, javaClasspath } from './build';
import { KAFKAS, type Cell, type KafkaVersion } from './cells';
import { CLIENTS, type Client } from './clientTable';
import { isRed, medianOf } from './figures';
import { loadTopic, type LoadedTopic } from './loadTopic';
import { jobFor } from './measureCell';
import { rate } from './markdown';
import { runClient } from './runClient';

const ROUNDS = 3;
const EMBEDDED_STARTS = 20;
const REAL_STARTS = 3;
const MESSAGES = 1_000_000;
const NAMES: readonly Client['name'][] = ['bare', 'connector-batches', 'java'];

const log = (line: string): void => void process.stdout.write(`${line}\n`);

async function startMs(
  start: (options: TestClusterOptions) => Promise<TestCluster>,
  kafka: KafkaVersion,
  times: number,
): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < times; round++) {
    const beginMs = performance.now();
    const cluster = await start({ kafka, brokers: 3 });
    took.push(performance.now() - beginMs);
    await cluster.stop();
  }
  return medianOf(took);
}

async function measureStarts(kafka: KafkaVersion): Promise<void> {
  // The first one also loads the code, and resolves the jars.
  await startMs((options) => RealCluster.start(options), kafka, 1);
  const embedded = await startMs((options) => EmbeddedTestCluster.start(options), kafka, EMBEDDED_STARTS);
  const real = await startMs((options) => RealCluster.start(options), kafka, REAL_STARTS);
  log(
    `Kafka ${kafka}, ZooKeeper and three brokers: embedded ready after ${embedded.toFixed(1)} ms, real after ` +
      `${Math.round(real)} ms: ${Math.round(real / embedded)} times`,
  );
}

interface Served {
  readonly cluster: TestCluster;
  /** Of the process that the brokers run in. */
  readonly pid: number;
  readonly loaded: LoadedTopic;
}

/** Messages per second, the median of all rounds. */
async function servedTo(client: Client, { cluster, pid, loaded }: Served, cell: Cell): Promise<number> {
  const classpath = await javaClasspath(cell.kafka);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const job = jobFor(cluster, cell, client, loaded);
    const run = await runClient({ client, job, loaded, brokerPid: pid, javaClasspath: classpath });
    if (isRed(run)) throw new Error(`${client.name}: ${run.red}`);
    rates.push(run.messagesPerSecond);
  }
  return medianOf(rates);
}

async function measureServed(kafka: KafkaVersion): Promise<void> {
  const cell: Cell = { kafka, sizeBytes: 100, codec: 'none', messages: MESSAGES };
  await using embedded = await EmbeddedTestCluster.start({ kafka });
  await using real = await RealCluster.start({ kafka, jvmFlags: ['-Xmx1g', '-XX:TieredStopAtLevel=4'] });
  const classpath = await javaClasspath(kafka);
  const [ofReal, ofEmbedded] = [
    { cluster: real, pid: real.pid, loaded: await loadTopic(real, classpath, cell, MESSAGES) },
    { cluster: embedded, pid: process.pid, loaded: await loadTopic(embedded, classpath, cell, MESSAGES) },
  ];
  for (const client of CLIENTS.filter(({ name }) => NAMES.includes(name))) {
    const fromReal = await servedTo(client, ofReal, cell);
    const fromEmbedded = await servedTo(client, ofEmbedded, cell);
    log(
      `Kafka ${kafka}, 100 B, ${client.name}: embedded serves ${rate(fromEmbedded)} msg/s, real ${rate(fromReal)}: ` +
        `ratio ${(fromEmbedded / fromReal).toFixed(2)}`,
    );
  }
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await buildClients();
  for (const kafka of KAFKAS) {
    await measureStarts(kafka);
    await measureServed(kafka);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
