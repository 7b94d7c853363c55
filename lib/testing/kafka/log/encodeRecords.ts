import { CODEC_NAMES, type LogCodec } from './compression/codecs';
import type { MessageFormat } from './entryLayout';
import type { MessageHeader } from './LoggedMessage';
import { writeEntries } from './writeEntries';

export interface OutgoingMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Dropped in formats 0 and 1. */
  readonly headers?: readonly MessageHeader[];
  /** Default: that of all. Dropped in format 0. */
  readonly timestampMs?: number;
}

export interface RecordsOptions {
  readonly format: MessageFormat;
  readonly codec: LogCodec;
  /** Of messages without one of their own. */
  readonly timestampMs: number;
}

/** A record set as producers send it, with offsets from 0 on; one batch in format 2. Empty without messages. */
export function encodeRecords(
  messages: readonly OutgoingMessage[],
  { format, codec, timestampMs }: RecordsOptions,
): Buffer {
  if (messages.length === 0) return Buffer.alloc(0);
  const logged = messages.map((message, offset) => ({ offset, timestampMs, headers: [], ...message }));
  const traits = { codec: CODEC_NAMES.indexOf(codec), appendTimeMs: null, leaderEpoch: -1 };
  return Buffer.concat(writeEntries(format, logged, traits));
}
