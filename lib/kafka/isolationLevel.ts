/** The levels by their names in settings, with their codes in requests (KIP-98). */
export const ISOLATION_LEVELS = { read_uncommitted: 0, read_committed: 1 } as const;

/** What is read of transactions that are not committed. */
export type IsolationLevel = keyof typeof ISOLATION_LEVELS;
