import { availableParallelism } from 'node:os';

import { CommandRun } from './CommandRun';
import { inLanes, type Task } from './inLanes';
import { describeLeftOut } from './leftOut';
import { countsLine, describeOutcome, sum, type Outcome } from './outcome';
import { plannedRuns, type PlannedRun } from './plannedRuns';
import { whatLacks } from './requirements';
import { runJest } from './runJest';
import { readArguments, UsageError, type RunnerArguments } from './runnerArguments';

/**
 * `npm test [PATTERN...] [-- --clusters embedded|real|both]`: everything that has to be right. Without patterns: the
 * checks of the sources and of the package, the unit project in one jest process, then each spec file of the other
 * projects in a process of its own. With patterns: only the spec files whose path, such as
 * integration/ownership.spec.ts, contains one of them. Integration specs run on embedded clusters, which is the default,
 * on real ones, or on both. Where there are two cores, what needs Java runs beside what does not. What cannot run here is
 * left out, which is told, and counts as failed where CI=true.
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
  return {
    name: 'check',
    counts,
    faults,
    messages: [],
    reports: [],
    durationMs: performance.now() - startedAt,
  };
}

/** The outcomes in the order in which they came. */
async function runAll(runs: readonly PlannedRun[], withCheck: boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const taskOf = (run: () => Promise<Outcome>): Task => {
    return async () => {
      const outcome = await run();
      outcomes.push(outcome);
      console.log(describeOutcome(outcome));
    };
  };
  const tasksOf = (isForJava: boolean): Task[] =>
    runs
      .filter(({ needs }) => (needs === 'java') === isForJava)
      .map(({ name, selection, env }) => taskOf(() => runJest(name, selection, { env })));
  const withoutJava = [...(withCheck ? [taskOf(runCheck)] : []), ...tasksOf(false)];
  const withJava = tasksOf(true);
  await inLanes(availableParallelism() > 1 ? [withoutJava, withJava] : [[...withoutJava, ...withJava]]);
  return outcomes;
}

async function main(args: RunnerArguments): Promise<number> {
  const { patterns } = args;
  const runs = await plannedRuns(args);
  const leftOut = runs.flatMap(({ name, needs }) => {
    const lack = whatLacks(needs);
    return lack === null ? [] : [{ name, lack }];
  });
  const outcomes = await runAll(
    runs.filter(({ needs }) => whatLacks(needs) === null),
    patterns.length === 0,
  );

  const total = sum(outcomes.map(({ counts }) => counts));
  const failed = outcomes.filter(({ counts }) => counts.failed > 0);
  if (total.passed + total.failed + total.skipped === 0) {
    if (runs.length === 0) console.log(`No test was run: no spec file matches ${patterns.join(' or ')}`);
    total.failed = 1;
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.map(({ name }) => name).join(', ')}`);
  if (total.skipped > 0) console.log('\nA skipped test is no proof: the run counts as failed.');
  if (leftOut.length > 0) {
    console.log(describeLeftOut(leftOut));
    if (process.env['CI'] === 'true') total.failed += leftOut.length;
  }
  console.log(`\n${countsLine(total)}`);
  return total.failed === 0 && total.skipped === 0 ? 0 : 1;
}

async function start(args: readonly string[]): Promise<number> {
  try {
    return await main(readArguments(args));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.exit(1);
  });
}
process.on('exit', () => {
  CommandRun.killAll();
});
void start(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
