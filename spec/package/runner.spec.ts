import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { isRunning } from '../support/cluster/isRunning';
import { waitFor } from '../support/waitFor';
import { CommandRun } from '../runner/CommandRun';
import { inLanes, type Task } from '../runner/inLanes';
import { countsLine, describeOutcome, type Outcome } from '../runner/outcome';
import { plannedRuns } from '../runner/plannedRuns';
import { runJest } from '../runner/runJest';
import { readArguments } from '../runner/runnerArguments';

jest.setTimeout(60_000);

const ROOT = path.resolve(__dirname, '../..');

describe('the test runner', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'runner-'));
    await writeFile(path.join(folder, 'jest.config.js'), 'module.exports = { transform: {} };');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const runFile = async (text: string, limits: { overallMs?: number } = {}): Promise<Outcome> => {
    const file = path.join(folder, 'some.spec.js');
    await writeFile(file, text);
    const config = path.join(folder, 'jest.config.js');
    return runJest('some.spec.js', { files: [file] }, { config, endMs: 1_000, ...limits });
  };

  it('takes the numbers from jest', async () => {
    const outcome = await runFile(`
      it('is right', () => undefined);
      it('is wrong', () => expect(1).toBe(2));
      it.skip('is left out', () => undefined);
      it.todo('is still to be written');
    `);
    expect(countsLine(outcome.counts)).toBe('1 passed, 1 failed, 2 skipped');
    expect(outcome.faults).toEqual([]);
    expect(describeOutcome(outcome)).toMatch(/^FAIL .*✕ is wrong\n.*Expected: 2\s+Received: 1/s);
  });

  it('tells what specs have found, below the outcome', async () => {
    const outcome = await runFile(`it('finds', () => { process.stdout.write('# 7 of 9\\n'); });`);
    expect(outcome.reports).toEqual(['7 of 9']);
    expect(describeOutcome(outcome).split('\n').slice(1)).toEqual(['          7 of 9']);
  });

  it('counts a process that stays after its last test as failed, and ends all that it started', async () => {
    const pidFile = path.join(folder, 'pid');
    const outcome = await runFile(`
      it('leaves a process and a timer', () => {
        const child = require('node:child_process').spawn('sleep', ['100'], { stdio: 'ignore' });
        require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
        setInterval(() => undefined, 1000);
      });
    `);
    expect(outcome.counts).toEqual({ passed: 1, failed: 1, skipped: 0 });
    expect(outcome.faults).toEqual([expect.stringContaining('still there 1 s after its last test')]);
    expect(describeOutcome(outcome)).toContain('some.spec.js: the process was still there');
    const pid = Number(await readFile(pidFile, 'utf8'));
    await waitFor(() => Promise.resolve(!isRunning(pid)), {
      timeoutMs: 5_000,
      description: 'end of the child',
    });
  });

  it('ends a file that takes too long', async () => {
    const outcome = await runFile(`it('waits', () => new Promise(() => undefined), 60_000);`, {
      overallMs: 3_000,
    });
    expect(outcome.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(outcome.faults[0]).toBe('the process did not end within 3 s and was killed');
  });

  it.each([
    ['without a test', `describe('nothing', () => undefined);`, 'must contain at least one test'],
    ['that cannot be loaded', `require('./missing');`, "Cannot find module './missing'"],
    ['that ends its process', `it('ends', () => process.exit(0));`, 'left no results'],
    ['that kills its process', `it('ends', () => process.kill(process.pid, 'SIGKILL'));`, 'signal SIGKILL'],
  ])('counts a file %s as failed', async (_, text, message) => {
    const outcome = await runFile(text);
    expect(outcome.counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(describeOutcome(outcome)).toContain(message);
  });
});

describe('the plan of the test runner', () => {
  const namesFor = async (...args: string[]): Promise<string[]> =>
    (await plannedRuns(readArguments(args))).map(({ name }) => name);

  it('has all unit specs in one process, and begins with what needs nothing but Node', async () => {
    const names = await namesFor('--clusters', 'both');
    const projects = names.map((name) => name.replace(/^(\w+)\/.*\.spec\.ts/, '$1'));
    expect([...new Set(projects)]).toEqual(
      expect.arrayContaining(['integration (embedded)', 'integration (real)', 'real', 'interop']),
    );
    expect([...new Set(projects)].slice(0, 5)).toEqual([
      ...['unit', 'package', 'integration (embedded)', 'clients', 'integration (real)'],
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    { args: [], kinds: ['embedded'] },
    { args: ['--clusters', 'embedded'], kinds: ['embedded'] },
    { args: ['--clusters=real'], kinds: ['real'] },
    { args: ['--clusters', 'both'], kinds: ['embedded', 'real'] },
  ])('has integration specs with $args on clusters that are $kinds', async ({ args, kinds }) => {
    const runs = await plannedRuns(readArguments(['integration/ownership', ...args]));
    expect(runs).toEqual(
      kinds.map((kind) => ({
        name: `integration/ownership.spec.ts (${kind})`,
        selection: { files: ['integration/ownership.spec.ts'] },
        env: { CLUSTERS: kind },
        needs: kind === 'real' ? 'java' : 'node',
      })),
    );
  });

  it.each([
    [['--clusters', 'some'], '--clusters must be one of embedded, real, both, not "some"'],
    [['--cluster'], "Unknown option '--cluster'"],
  ])('refuses the arguments %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });
});

describe('tasks in lanes', () => {
  it('begin one after the other, beside those of the other lane', async () => {
    const atWork = new Map<string, () => void>();
    const task = (name: string): Task => {
      return () => new Promise((resolve) => atWork.set(name, resolve));
    };
    /** What is at work when one of them has ended. */
    const afterEnd = async (name: string): Promise<string[]> => {
      atWork.get(name)?.();
      atWork.delete(name);
      await nextTurn();
      return [...atWork.keys()];
    };
    const all = inLanes([
      [task('a1'), task('a2'), task('a3')],
      [task('b1'), task('b2')],
    ]);
    expect([...atWork.keys()]).toEqual(['a1', 'b1']);
    expect(await afterEnd('b1')).toEqual(['a1', 'b2']);
    // The lane that is through takes what the other one has left, from its end on.
    expect(await afterEnd('b2')).toEqual(['a1', 'a3']);
    expect(await afterEnd('a3')).toEqual(['a1', 'a2']);
    expect(await afterEnd('a1')).toEqual(['a2']);
    expect(await afterEnd('a2')).toEqual([]);
    await all;
  });
});

describe('the test runner without Java and kcat', () => {
  const run = async (env: Record<string, string>, ...patterns: string[]): Promise<[number, string[]]> => {
    const main = path.join(ROOT, 'spec/runner/main.ts');
    const args = ['--import', 'tsx', main, ...patterns];
    const child = new CommandRun(process.execPath, args, 'keep', { PATH: '', JAVA_HOME: '', CI: '', ...env });
    const { code } = await child.exited;
    return [code ?? -1, child.output.trimEnd().split('\n')];
  };
  const BLOCK: unknown[] = [
    'LEFT OUT, since something is missing here: 3 spec files',
    '  clients/kcat.spec.ts',
    expect.stringMatching(/"kcat" is not in PATH.*apt-get install/),
    ...['  real/kraft.spec.ts', '  interop/jvmGroup.spec.ts'],
    expect.stringMatching(/"java" is not in PATH.*apt-get install/),
  ];
  const PATTERNS = ['unit/delay.spec', 'clients/kcat', 'real/kraft', 'jvmGroup'];

  it('runs the rest, and tells what it leaves out and what is missing', async () => {
    const [code, lines] = await run({}, ...PATTERNS);
    expect(lines[0]).toMatch(/^ok .* unit /);
    expect(lines.slice(-9, -3)).toEqual(BLOCK);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/);
    expect(code).toBe(0);
  });

  it('counts each file that it leaves out as failed in CI', async () => {
    const [code, lines] = await run({ CI: 'true' }, ...PATTERNS);
    expect(lines.slice(-9, -3)).toEqual(BLOCK);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 3 failed, 0 skipped$/);
    expect(code).toBe(1);
  });

  it('fails when nothing is left to run', async () => {
    const [code, lines] = await run({}, 'real/kraft');
    expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });
});
