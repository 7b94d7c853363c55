import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Cell } from './cells';
import { messagesFor, type Client } from './clientTable';
import { jobFor, loadTopics, runText, type Surroundings } from './measureCell';
import { runClient } from './runClient';
import { selfTimes, type CpuProfile } from './selfTimes';

const FUNCTIONS = 30;

/** Runs the client once to warm the broker up, then with Node's profiler; says where the time went between its messages. */
export async function profile(surroundings: Surroundings, cell: Cell, client: Client): Promise<string> {
  const { cluster, javaClasspath } = surroundings;
  const topics = await loadTopics(surroundings, cell, [client]);
  const loaded = topics.get(messagesFor(client, cell.messages));
  if (loaded === undefined) throw new Error('nothing was loaded');
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-profile-'));
  const file = path.join(folder, `${client.name}.cpuprofile`);
  const run = (profileFile: string | null) => {
    const job = { ...jobFor(cluster, cell, client, loaded), profileFile };
    return runClient({ client, job, loaded, javaClasspath, brokerPid: cluster.pid });
  };
  const figures = [await run(null), await run(file)];
  const lines = figures.map((run) => `${client.name}: ${runText(run)}`);
  const times = selfTimes(JSON.parse(await readFile(file, 'utf8')) as CpuProfile);
  for (const { name, share, ms } of times.slice(0, FUNCTIONS)) {
    lines.push(`${(share * 100).toFixed(1).padStart(6)}% ${ms.toFixed(0).padStart(6)} ms  ${name}`);
  }
  return [...lines, file].join('\n');
}
