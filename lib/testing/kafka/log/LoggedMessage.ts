export interface MessageHeader {
  readonly key: string;
  readonly value: Buffer | null;
}

/** A message of a log, whatever format it is stored in. */
export interface LoggedMessage {
  readonly offset: number;
  /** -1 without one. */
  readonly timestampMs: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Only format 2 has them. */
  readonly headers: readonly MessageHeader[];
}
