/** What a client has to read; handed over as its first argument, as JSON. */
export interface Job {
  /** With chroot. */
  readonly zookeeper: string;
  readonly broker: { readonly host: string; readonly port: number };
  readonly topic: string;
  readonly partitions: number;
  /** A new one for each run. */
  readonly group: string;
  /** As many as there are in the topic. */
  readonly messages: number;
  /** Batches, or message by message; for the clients that have both. */
  readonly delivery: 'batches' | 'messages';
  /** Version of Fetch, for the client that has to be told. */
  readonly fetchVersion: 2 | 10;
  /** Where to write a profile of the time from the first message to the last; null for none. */
  readonly profileFile: string | null;
}

/** What it prints as its last line, as JSON. */
export interface ClientReport {
  readonly messages: number;
  readonly checksum: number;
  /** From the first delivered message to the last. */
  readonly tookMs: number;
  /** Processor time of the process in that time, user and system. */
  readonly steadyCpuMs: number;
  /** Processor time of the process from its start. */
  readonly cpuMs: number;
  readonly maxRssBytes: number;
}

export function readJob(): Job {
  return JSON.parse(process.argv[2] ?? '{}') as Job;
}

/** Ends the process, whatever its client still has open. */
export function reportAndExit(report: ClientReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
}

export function failAndExit(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`, () =>
    process.exit(1),
  );
}
