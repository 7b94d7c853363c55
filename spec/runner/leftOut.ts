const BAR = '='.repeat(110);

/** A spec file that cannot run here. */
export interface LeftOut {
  readonly name: string;
  /** What is missing for it. */
  readonly lack: string;
}

/** What was not run, and what would have to be there for it: a block that cannot be overlooked. */
export function describeLeftOut(leftOut: readonly LeftOut[]): string {
  const files = `${leftOut.length} spec ${leftOut.length === 1 ? 'file' : 'files'}`;
  const lacks = [...new Set(leftOut.map(({ lack }) => lack))];
  const lines = lacks.flatMap((lack) => [
    ...leftOut.filter((one) => one.lack === lack).map(({ name }) => `  ${name}`),
    lack,
  ]);
  return ['', BAR, `LEFT OUT, since something is missing here: ${files}`, ...lines, BAR].join('\n');
}
