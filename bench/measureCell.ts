import type { RealCluster } from '../spec/support/cluster/RealCluster';
import type { TestCluster } from '../spec/support/cluster/TestCluster';
import type { Cell } from './cells';
import { messagesFor, type Client } from './clientTable';
import type { Job } from './clients/job';
import { isRed, type Run } from './figures';
import { loadTopic, PARTITIONS, type LoadedTopic } from './loadTopic';
import { rate } from './markdown';
import type { CellResult } from './results';
import { runClient } from './runClient';

export interface Surroundings {
  readonly cluster: RealCluster;
  readonly javaClasspath: string;
  readonly log: (line: string) => void;
}

/** What a client needs to read one of the cell's topics from its beginning. */
export function jobFor(
  cluster: TestCluster,
  cell: Cell,
  client: Client,
  { topic, messages }: LoadedTopic,
): Job {
  const [broker] = cluster.brokers;
  if (broker === undefined) throw new Error('the cluster has no broker');
  return {
    zookeeper: cluster.zookeeperConnect,
    broker: { host: broker.host, port: broker.port },
    topic,
    partitions: PARTITIONS,
    group: `bench-${client.name}-${Date.now().toString(36)}`,
    messages,
    delivery: client.delivery,
    fetchVersion: cell.kafka === '3.9.1' ? 10 : 2,
    profileFile: null,
  };
}

/** Loads the topics that these clients need, by their numbers of messages. */
export async function loadTopics(
  { cluster, javaClasspath, log }: Surroundings,
  cell: Cell,
  clients: readonly Client[],
): Promise<ReadonlyMap<number, LoadedTopic>> {
  const topics = new Map<number, LoadedTopic>();
  for (const messages of new Set(clients.map((client) => messagesFor(client, cell.messages)))) {
    log(`  loads ${messages} messages`);
    topics.set(messages, await loadTopic(cluster, javaClasspath, cell, messages));
  }
  return topics;
}

/** All clients, round after round: what disturbs one of them disturbs the others, too. Each round begins with another. */
export async function measureCell(
  surroundings: Surroundings,
  cell: Cell,
  clients: readonly Client[],
  rounds: number,
): Promise<CellResult> {
  const able = clients.filter(({ codecs }) => codecs.includes(cell.codec));
  const topics = await loadTopics(surroundings, cell, able);
  const runs = new Map<Client, Run[]>(able.map((client) => [client, []]));
  for (let round = 0; round < rounds; round++) {
    for (const client of rotated(able, round)) {
      const run = await measure(surroundings, cell, client, topics);
      runs.get(client)?.push(run);
      surroundings.log(`  round ${round + 1}, ${client.name}: ${runText(run)}`);
    }
  }
  return {
    ...cell,
    clients: clients.map((client) => ({
      client: client.name,
      messages: messagesFor(client, cell.messages),
      runs: runs.get(client) ?? [],
    })),
  };
}

/** A cell that could not be measured; the others are not lost with it. */
export function redCell(cell: Cell, clients: readonly Client[], red: string): CellResult {
  const { messages } = cell;
  return { ...cell, clients: clients.map(({ name }) => ({ client: name, messages, runs: [{ red }] })) };
}

async function measure(
  { cluster, javaClasspath }: Surroundings,
  cell: Cell,
  client: Client,
  topics: ReadonlyMap<number, LoadedTopic>,
): Promise<Run> {
  const loaded = topics.get(messagesFor(client, cell.messages));
  if (loaded === undefined) throw new Error(`nothing was loaded for ${client.name}`);
  const job = jobFor(cluster, cell, client, loaded);
  return runClient({ client, job, loaded, brokerPid: cluster.pid, javaClasspath });
}

/** The list, from another one on each time. */
export function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** One line about a run. */
export function runText(run: Run): string {
  if (isRed(run)) return `RED: ${run.red}`;
  const { messagesPerSecond, steadyCpuMicros, otherCores } = run;
  return `${rate(messagesPerSecond)} msg/s, ${steadyCpuMicros.toFixed(2)} µs (others ${otherCores.toFixed(1)} cores)`;
}
