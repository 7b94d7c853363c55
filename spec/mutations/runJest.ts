import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** Longer than any test may take. */
const LIMIT_MS = 300_000;

interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export interface TestResult {
  readonly status: string;
  /** The first lines of the first failure; '' if there is none. */
  readonly failure: string;
}

/** Runs some tests of one spec file; the result of each by its full name. Empty if the file could not be loaded. */
export async function runJest(
  folder: string,
  file: string,
  tests: ReadonlySet<string>,
): Promise<Map<string, TestResult>> {
  const report = path.join(folder, 'report.json');
  await rm(report, { force: true });
  const pattern = `^(${[...tests].map((test) => test.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})$`;
  const child = spawn(
    process.execPath,
    [
      path.join(folder, 'node_modules/jest/bin/jest.js'),
      `--selectProjects=${file.split('/', 1)[0] ?? ''}`,
      ...['--runInBand', '--forceExit', '--json', `--outputFile=${report}`],
      `--testNamePattern=${pattern}`,
      ...['--runTestsByPath', path.join(folder, 'spec', file)],
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  const results = new Map<string, TestResult>();
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JestReport;
  for (const { fullName, status, failureMessages } of testResults.flatMap((file) => file.assertionResults)) {
    if (tests.has(fullName)) results.set(fullName, { status, failure: shortened(failureMessages[0] ?? '') });
  }
  return results;
}

/** Without the colours, and without the lines that say where. */
function shortened(message: string): string {
  // eslint-disable-next-line no-control-regex
  const plain = message.replace(/\u001b\[\d+m/g, '');
  const lines = plain.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
  return lines.slice(0, 12).join('\n');
}
