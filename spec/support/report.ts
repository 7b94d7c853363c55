/** How a line begins that is for whoever reads the outcome of a run: figures that a spec has found. */
export const REPORT_MARK = '# ';

/** Says what a spec has found; `npm test` prints it below the file's outcome. */
export function report(text: string): void {
  process.stdout.write(`${REPORT_MARK}${text}\n`);
}
