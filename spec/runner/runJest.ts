import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { REPORT_MARK } from '../support/report';
import { CommandRun, type Exit } from './CommandRun';
import {
  failureMessages,
  jestCounts,
  lastTestEndedAt,
  readJestResults,
  type JestResults,
} from './jestResults';
import type { Outcome } from './outcome';

const ROOT = path.resolve(__dirname, '../..');
const POLL_MS = 50;
/** Lines of a process that ended without results. */
const OUTPUT_LINES = 60;

export interface JestOptions {
  /** For the whole process. */
  readonly overallMs: number;
  /** From the end of the last test to that of the process. */
  readonly endMs: number;
  /** jest's configuration file. */
  readonly config: string;
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
}

const DEFAULTS: JestOptions = {
  ...{ overallMs: 360_000, endMs: 5_000, env: {} },
  config: path.join(ROOT, 'jest.config.js'),
};

/** A project of the configuration, or files: below spec/ or with their whole path. */
export type Selection = { readonly project: string } | { readonly files: readonly string[] };

/**
 * Runs jest in one process. It has to end by itself: whatever is left open when the last test has ended (a socket, a
 * timer, a child process) would also keep an application alive, so it is a failure and not cut off by --forceExit.
 */
export async function runJest(
  name: string,
  selection: Selection,
  options: Partial<JestOptions> = {},
): Promise<Outcome> {
  const { overallMs, endMs, config, env } = { ...DEFAULTS, ...options };
  const startedAt = performance.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'jest-run-'));
  try {
    const resultsFile = path.join(folder, 'results.json');
    const run = new CommandRun(process.execPath, jestArguments(selection, config, resultsFile), 'keep', env);
    const faults: string[] = [];
    const exit = await untilEnd(run, resultsFile, { overallMs, endMs }, faults);
    const results = readJestResults(resultsFile);
    return { ...judge(name, results, exit, run.output, faults), durationMs: performance.now() - startedAt };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function jestArguments(selection: Selection, config: string, resultsFile: string): string[] {
  const selected =
    'project' in selection
      ? ['--selectProjects', selection.project]
      : ['--runTestsByPath', ...selection.files.map((file) => path.resolve(ROOT, 'spec', file))];
  return [
    ...[require.resolve('jest/bin/jest'), '--config', config, '--runInBand', '--ci', '--colors=false'],
    ...['--json', `--outputFile=${resultsFile}`, ...selected],
  ];
}

/** Jest writes its results when all tests and hooks have ended, then leaves the process to end by itself. */
async function untilEnd(
  run: CommandRun,
  resultsFile: string,
  { overallMs, endMs }: Pick<JestOptions, 'overallMs' | 'endMs'>,
  faults: string[],
): Promise<Exit> {
  let callOff = run.killAfter(overallMs, () => faults.push(tooLong(overallMs)));
  while (!run.hasEnded) {
    const results = readJestResults(resultsFile);
    if (results !== null) {
      callOff();
      const leftMs = Math.max(0, lastTestEndedAt(results) + endMs - Date.now());
      callOff = run.killAfter(leftMs, () => faults.push(keptAlive(endMs)));
      break;
    }
    await Promise.race([delay(POLL_MS), run.exited]);
  }
  const exit = await run.exited;
  callOff();
  return exit;
}

function tooLong(overallMs: number): string {
  return `the process did not end within ${overallMs / 1000} s and was killed`;
}

function keptAlive(endMs: number): string {
  return (
    `the process was still there ${endMs / 1000} s after its last test and was killed. Usually something is left ` +
    'open: a connector without shutdown(), a ZooKeeper client, a cluster or a JVM member without stop(), a socket, ' +
    'a server or an interval. "npx jest --detectOpenHandles" with the file may say which.'
  );
}

function reportsIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith(REPORT_MARK))
    .map((line) => line.slice(REPORT_MARK.length).trimEnd());
}

function judge(
  name: string,
  results: JestResults | null,
  exit: Exit,
  output: string,
  faults: readonly string[],
): Omit<Outcome, 'durationMs'> {
  const counts = results === null ? { passed: 0, failed: 0, skipped: 0 } : jestCounts(results);
  const messages = results === null ? [] : failureMessages(results);
  const all = [...faults];
  if (results === null) {
    const tail = output.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');
    all.push(`jest ended with ${exit.text} and left no results:\n${tail}`);
  } else if (counts.passed + counts.failed + counts.skipped === 0) {
    all.push('there is no test in it');
  } else if (counts.failed === 0 && all.length === 0 && exit.code !== 0) {
    all.push(`jest ended with ${exit.text} though no test failed:\n${output.slice(-4000)}`);
  }
  // A process that failed counts, even if all its tests passed.
  if (counts.failed === 0 && all.length > 0) counts.failed = 1;
  return { name, counts, faults: all, messages, reports: reportsIn(output) };
}
