/** What is known of one message. Readers fill it in anew for each, so that nothing is made but the views. */
export interface MessageFields {
  offset: number;
  /** A view into the fetched or inflated bytes; null and empty are different things. */
  key: Buffer | null;
  value: Buffer | null;
  /** Milliseconds; null in format 0 and if the producer gave none. */
  timestamp: number | null;
  /** Who gave the timestamp; null in format 0. */
  timestampType: TimestampType | null;
  /** Empty before format 2. */
  headers: readonly MessageHeader[];
}

export type TimestampType = 'create' | 'append';

export interface MessageHeader {
  readonly key: string;
  readonly value: Buffer | null;
}

/** One list serves all messages without headers. */
export const NO_HEADERS: readonly MessageHeader[] = Object.freeze([]);

/** Messages that stand together in one entry of a fetched set: a compressed set, or a record batch. */
export interface MessageRun {
  /**
   * Fills in the next message whose offset is `from` or more; false behind the last one.
   * Messages below `from` are passed over unchecked. Throws {@link MessageFault}.
   */
  next(into: MessageFields, from: number): boolean;
}

export function emptyFields(): MessageFields {
  return { offset: -1, key: null, value: null, timestamp: null, timestampType: null, headers: NO_HEADERS };
}
