/** Whether all combinations of releases are wanted (INTEROP=full), and not only those that every run has. */
export function isFull(): boolean {
  return process.env['INTEROP'] === 'full';
}
