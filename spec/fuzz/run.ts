import { parseArgs } from 'node:util';

import { failureText } from './failureText';
import { Fuzzer } from './Fuzzer';

const DEFAULT_CASES = 300_000;

const HELP = `Spoils answers of all versions of Fetch and compares what is read of them with a slow reference decoder.

  npm run fuzz -- [--cases N] [--seconds N] [--seed N] [--case N]

  --cases N      how many answers (default ${DEFAULT_CASES}, or as many as --seconds allow)
  --seconds N    ends after so long
  --seed N       makes the same answers again; the seed of each run is printed
  --case N       only that one of them
  --patience N   seconds that one answer may take (default: some)
  --help         prints this text
`;

function number(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} must be a number of 0 or more, not ${text}`);
}

/** Spoils answers and reads them, until one is read wrongly. */
function run(): number {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      cases: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      case: { type: 'string' },
      patience: { type: 'string' },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
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
  if (failed === null) {
    process.stdout.write('each answer was read as the reference reads it\n');
    return 0;
  }
  process.stdout.write(failureText(failed, seed));
  return 1;
}

function main(): number {
  try {
    return run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
}

process.exitCode = main();
