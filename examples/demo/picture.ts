/** What one thread of the group has and has done. */
export interface ThreadState {
  readonly threadId: string;
  /** What it owns, by the owner nodes in ZooKeeper. */
  readonly partitions: readonly number[];
  /** Messages that are written but not committed yet, of all its partitions. */
  readonly lag: number;
  /** What it has got since it began. */
  readonly messages: number;
}

/** One moment of the group. */
export interface GroupState {
  readonly members: readonly {
    readonly name: string;
    readonly isRunning: boolean;
    readonly threads: readonly ThreadState[];
  }[];
  /** Partitions that nobody owns at this moment. */
  readonly unowned: readonly number[];
  readonly produced: number;
}

/** Each character of a bar stands for 5 % of all messages. */
const BAR_WIDTH = 20;

/** The group as a table, one line a thread. */
export function pictureOf({ members, unowned, produced }: GroupState): string[] {
  const rows = members.flatMap(({ name, isRunning, threads }) =>
    threads.map(({ threadId, partitions, lag, messages }) => [
      isRunning ? name : `${name} (dead)`,
      threadId,
      partitions.join(' ') || '-',
      partitions.length === 0 ? '-' : String(lag),
      String(messages),
      '#'.repeat(produced === 0 ? 0 : Math.min(BAR_WIDTH, Math.round((messages / produced) * BAR_WIDTH))),
    ]),
  );
  const table = [['MEMBER', 'THREAD', 'PARTITIONS', 'LAG', 'MESSAGES', 'SHARE'], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        column === 3 || column === 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const free = unowned.length === 0 ? '' : `, no owner yet: ${unowned.join(' ')}`;
  return [...lines, `${produced} messages produced (# is 5 % of them)${free}`];
}
