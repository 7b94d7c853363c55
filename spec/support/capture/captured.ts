/** What the files in spec/fixtures/fetch hold: one topic of one broker each, what was produced to it, and fetches of it. */
export interface CapturedTopic {
  /** Release of the broker. */
  readonly kafka: string;
  readonly scenario: string;
  /** What the producers compressed with. */
  readonly codec: string;
  readonly topic: string;
  /** Everything that was produced to partition 0, as the producers know it. */
  readonly messages: readonly CapturedMessage[];
  readonly captures: readonly Capture[];
}

export interface CapturedHeader {
  readonly key: string;
  readonly value: string | null;
}

export interface CapturedMessage {
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  /** As the producer gave it, or as the broker told the producer that it stored it; null without one. */
  readonly timestamp: number | null;
  /** Who gave the timestamp, if the message is stored in a format that has timestamps. */
  readonly timestampType: 'create' | 'append' | null;
  /** Only if there are any. */
  readonly headers?: readonly CapturedHeader[];
  /** The format that the broker stores it in. */
  readonly format: 0 | 1 | 2;
  /** Only of those that not every consumer gets. `open` means that its transaction had not ended when it was fetched. */
  readonly fate?: 'aborted' | 'open' | 'compacted';
}

export type FetchVersion = 0 | 1 | 2 | 3 | 4 | 10;

export interface FetchQuestion {
  /** Missing for read_uncommitted. */
  readonly isolation?: 'read_committed';
  readonly offset: number;
  readonly maxBytes: number;
}

export interface Capture extends FetchQuestion {
  /** Those that were answered with the same bytes. */
  readonly fetchVersions: readonly FetchVersion[];
  readonly errorCode: number;
  readonly highWatermark: number;
  /** Offset behind the last entry that is whole; null if there is none. Found by a walk over offsets and sizes alone. */
  readonly endsAt: number | null;
  /** True if more bytes follow behind the last whole entry. */
  readonly isCut: boolean;
  /** Body of the answer, in base64: all bytes behind the correlation id. */
  readonly body: string;
}
