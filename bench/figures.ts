/** Of one measured run of one client. */
export interface RunFigures {
  readonly messagesPerSecond: number;
  /** User and system time of the process from its first message to its last. */
  readonly steadyCpuMicros: number;
  /** The same from its start to its last message. */
  readonly cpuMicros: number;
  readonly maxRssBytes: number;
  /** Of the process that ZooKeeper and the broker run in, per message. */
  readonly brokerCpuMicros: number;
  /** How many cores all other processes of the machine kept busy meanwhile. */
  readonly otherCores: number;
}

/** Why a client's figures count for nothing. */
export interface RedRun {
  readonly red: string;
}

export type Run = RunFigures | RedRun;

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function isRed(run: Run): run is RedRun {
  return 'red' in run;
}

/** The middle one, or the mean of the two in the middle; NaN of nothing. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? NaN : (low + high) / 2;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * How one client compares with another: the median over the rounds of what they reached in the same round, which other work
 * on the machine disturbs less than each alone. null if a run of one of them is red or missing.
 */
export function ratioOf(
  ours: readonly Run[] | undefined,
  theirs: readonly Run[] | undefined,
  figure: (run: RunFigures) => number,
): number | null {
  if (ours === undefined || theirs === undefined) return null;
  const rounds = Math.min(ours.length, theirs.length);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [own, other] = [ours[round], theirs[round]];
    if (own === undefined || other === undefined || isRed(own) || isRed(other)) return null;
    ratios.push(figure(own) / figure(other));
  }
  return ratios.length === 0 ? null : medianOf(ratios);
}

/** What was loaded into a topic, and what a client says that it read. */
export interface Contents {
  readonly messages: number;
  readonly checksum: number;
}

/** What is wrong with what a client read; null if nothing is. */
export function faultOf(read: Contents, loaded: Contents): string | null {
  if (read.messages !== loaded.messages) return `read ${read.messages} of ${loaded.messages} messages`;
  if (read.checksum !== loaded.checksum) return `the checksum of its ${read.messages} messages is wrong`;
  return null;
}
