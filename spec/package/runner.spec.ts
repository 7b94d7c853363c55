import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { isRunning } from '../support/cluster/isRunning';
import { waitFor } from '../support/waitFor';
import { countsLine, describeOutcome, type Outcome } from '../runner/outcome';
import { runJest } from '../runner/runJest';

jest.setTimeout(60_000);

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
