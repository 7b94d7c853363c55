import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';

import { findJavaTool } from '../spec/support/cluster/javaTools';

export interface MachineFacts {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGib: number;
  readonly system: string;
  readonly node: string;
  readonly java: string;
  readonly loadBefore: readonly number[];
  readonly loadAfter: readonly number[];
}

const run = promisify(execFile);

export async function machineFacts(loadBefore: readonly number[]): Promise<MachineFacts> {
  const { stderr } = await run(findJavaTool('java'), ['-version']);
  return {
    cores: os.cpus().length,
    processor: os.cpus()[0]?.model.trim() ?? 'unknown',
    memoryGib: Math.round(os.totalmem() / 2 ** 30),
    system: os.type(),
    node: process.versions.node,
    java: /"(.*?)"/.exec(stderr)?.[1] ?? 'unknown',
    loadBefore,
    loadAfter: os.loadavg(),
  };
}

/** The commit that is checked out; "+" says that files of the package or the bench differ from it. */
export async function currentCommit(root: string): Promise<string> {
  const { stdout: commit } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: root });
  const paths = ['lib', 'bench', 'package.json', ':(exclude)bench/results'];
  const { stdout: changes } = await run('git', ['status', '--porcelain', '--', ...paths], { cwd: root });
  return `${commit.trim()}${changes.trim() === '' ? '' : '+'}`;
}

/** Processor time of all processes of the machine since its start. */
export function machineCpuMs(): number {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

const TICK_MS = 10;

/** Processor time of one process since its start; 0 where there is no /proc. */
export async function processCpuMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program stands in brackets and may have blanks; user and system time are the 12th and 13th behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}
