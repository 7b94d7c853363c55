import { CommandRun } from './CommandRun';
import { countsLine, describeOutcome, sum, type Outcome } from './outcome';
import { runJest } from './runJest';
import { projectOf, specFiles } from './specFiles';

/**
 * `npm test [PATTERN...]`: everything that has to be right. Without patterns: the checks of the sources and of the
 * package, the unit project in one jest process, then each spec file of the other projects in a process of its own.
 * With patterns: only the spec files whose path, such as integration/rebalance.spec.ts, contains one of them.
 */
const CHECK_LIMIT_MS = 600_000;

async function runCheck(): Promise<Outcome> {
  const startedAt = performance.now();
  const run = new CommandRun('npm', ['run', '--silent', 'check'], 'inherit');
  const faults: string[] = [];
  const callOff = run.killAfter(CHECK_LIMIT_MS, () =>
    faults.push(`the checks did not end within ${CHECK_LIMIT_MS / 1000} s`),
  );
  const exit = await run.exited;
  callOff();
  if (exit.code !== 0) faults.push(`"npm run check" ended with ${exit.text}`);
  const counts = { passed: 0, failed: faults.length > 0 ? 1 : 0, skipped: 0 };
  return { name: 'check', counts, faults, messages: [], durationMs: performance.now() - startedAt };
}

async function main(patterns: readonly string[]): Promise<number> {
  const files = await specFiles(patterns);
  const unit = files.filter((file) => projectOf(file) === 'unit');
  const outcomes: Outcome[] = [];
  const add = (outcome: Outcome): void => {
    outcomes.push(outcome);
    console.log(describeOutcome(outcome));
  };

  if (patterns.length === 0) add(await runCheck());
  if (unit.length > 0)
    add(await runJest('unit', patterns.length === 0 ? { project: 'unit' } : { files: unit }));
  for (const file of files.filter((each) => !unit.includes(each)))
    add(await runJest(file, { files: [file] }));

  const total = sum(outcomes.map(({ counts }) => counts));
  if (total.passed + total.failed + total.skipped === 0) {
    console.log(`No test was run: no spec file matches ${patterns.join(' or ')}`);
    total.failed = 1;
  }
  const failed = outcomes.filter(({ counts }) => counts.failed > 0);
  if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  if (total.skipped > 0) console.log('\nA skipped test is no proof: the run counts as failed.');
  console.log(`\n${countsLine(total)}`);
  return total.failed === 0 && total.skipped === 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.exit(1);
  });
}
process.on('exit', () => {
  CommandRun.killAll();
});
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
