import { parseArgs } from 'node:util';

import { failureText } from './failureText';
import { Fuzzer } from './Fuzzer';

const DEFAULT_CASES = 300_000;

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} must be a number of 0 or more, not ${text}`);
}

/** Spoils answers and reads them, until one is read wrongly. */
function main(): number {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      case: { type: 'string' },
      patience: { type: 'string' },
    },
  });
  const seconds = number(values.seconds, 'seconds');
  const only = number(values.case, 'case');
  const cases = number(values.cases, 'cases') ?? (seconds === undefined ? DEFAULT_CASES : Infinity);
  // A seed of its own each time finds more in the long run; it is printed, so that each run can be had again.
  const seed = number(values.seed, 'seed') ?? Date.now() % 1_000_000;
  process.stdout.write(`seed ${seed}\n`);
  const patience = number(values.patience, 'patience');
  const fuzzer = new Fuzzer(seed, patience === undefined ? undefined : patience * 1000);
  const mostMs = seconds === undefined ? undefined : seconds * 1000;
  const failed = only === undefined ? fuzzer.run(0, cases, mostMs) : fuzzer.run(only, 1);
  process.stdout.write(fuzzer.report.toString());
  if (failed === null) return 0;
  process.stdout.write(failureText(failed, seed));
  return 1;
}

process.exitCode = main();
