export interface Counts {
  passed: number;
  failed: number;
  /** Also what is still to be written. */
  skipped: number;
}

/** What one process, with one or more spec files, came to. */
export interface Outcome {
  readonly name: string;
  readonly counts: Counts;
  /** What is wrong with the process itself, each for people to read. */
  readonly faults: readonly string[];
  /** Of failed tests. */
  readonly messages: readonly string[];
  /** What specs have found, for people to read. */
  readonly reports: readonly string[];
  readonly durationMs: number;
}

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** Other programs read this line; it is the last one of the run. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

export function describeOutcome({ name, counts, faults, messages, reports, durationMs }: Outcome): string {
  const word = counts.failed > 0 ? 'FAIL' : counts.skipped > 0 ? 'SKIP' : 'ok  ';
  const { passed, failed, skipped } = counts;
  const tests = [
    passed > 0 && `${passed} passed`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
  ];
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const headline = [word, seconds.padStart(8), name, tests.filter(Boolean).join(', ')].join('  ').trimEnd();
  const said = reports.map((report) => `          ${report}`);
  return [headline, ...said, ...messages, ...faults.map((fault) => `  ${name}: ${fault}`)].join('\n');
}
