/** What came of the cases of a run. */
export class FuzzReport {
  cases = 0;
  /** Cases in which all checksums were made right behind the mutations. */
  mended = 0;
  /** Cases whose answer has the layout of its version. */
  rightLayout = 0;
  /** Those of them in which no checksum was found wrong. */
  pastChecksum = 0;
  /** Sets that were read. */
  sets = 0;
  messages = 0;
  /** By code; of the answers' layout, too. */
  readonly errors = new Map<string, number>();
  /** How often each mutation has taken part. */
  readonly kinds = new Map<string, number>();
  elapsedMs = 0;

  count(map: Map<string, number>, key: string): void {
    map.set(key, (map.get(key) ?? 0) + 1);
  }

  toString(): string {
    const share = (count: number): string =>
      `${count} (${Math.round((100 * count) / Math.max(1, this.cases))}%)`;
    const table = (map: ReadonlyMap<string, number>): string =>
      [...map]
        .sort(([, one], [, other]) => other - one)
        .map(([key, count]) => `  ${String(count).padStart(9)}  ${key}\n`)
        .join('');
    return (
      `${this.cases} cases in ${(this.elapsedMs / 1000).toFixed(1)} s\n` +
      `checksums mended:         ${share(this.mended)}\n` +
      `layout of the answer ok:  ${share(this.rightLayout)}\n` +
      `and checksums ok:         ${share(this.pastChecksum)}\n` +
      `sets read: ${this.sets}, messages handed out: ${this.messages}\n` +
      `errors by code:\n${table(this.errors)}` +
      `mutations:\n${table(this.kinds)}`
    );
  }
}
