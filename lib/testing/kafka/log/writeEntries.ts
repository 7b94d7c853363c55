import { compressed, NO_CODEC } from './compression/codecs';
import { type MessageFormat, NO_TIMESTAMP } from './entryLayout';
import type { LoggedMessage } from './LoggedMessage';
import { writeMessage } from './messageEntry';
import type { ProducerOfBatch } from './recordBatch';
import { writeRecordBatch } from './writeRecordBatch';

/** How messages are written that go together. */
export interface EntryTraits {
  /** Number of the codec. */
  readonly codec: number;
  /** The broker's time, which takes the place of the producers' own; null to keep those. */
  readonly appendTimeMs: number | null;
  /** Only format 2 tells it; -1 if unknown. */
  readonly leaderEpoch: number;
  /** True if messages inside a compressed one keep their own times even so. */
  readonly keepsTimesInside?: boolean;
}

/**
 * Messages, of which there is one at least, as entries of a format: in format 2 one batch; in formats 0 and 1 one that wraps all of
 * them, or one for each if they are not compressed. Headers are only kept by format 2, timestamps from format 1 on.
 */
export function writeEntries(
  format: MessageFormat,
  messages: readonly LoggedMessage[],
  traits: EntryTraits,
  producer?: ProducerOfBatch,
): Buffer[] {
  if (format === 2) return [writeRecordBatch(messages, traits, producer)];
  const { codec, appendTimeMs, keepsTimesInside = false } = traits;
  const isAppendTime = appendTimeMs !== null;
  const messageTimeMs = codec !== NO_CODEC && keepsTimesInside ? null : appendTimeMs;
  // Inside a compressed set format 1 counts from 0.
  const base = format === 1 && codec !== NO_CODEC ? (messages[0]?.offset ?? 0) : 0;
  let maxTimestampMs = NO_TIMESTAMP;
  const entries = messages.map(({ offset, timestampMs, key, value }) => {
    maxTimestampMs = Math.max(maxTimestampMs, timestampMs);
    return writeMessage(format, {
      ...{ offset: offset - base, codec: NO_CODEC, key, value },
      ...{ isAppendTime: messageTimeMs !== null, timestampMs: messageTimeMs ?? timestampMs },
    });
  });
  if (codec === NO_CODEC) return entries;
  const wrapper = writeMessage(format, {
    ...{
      offset: messages.at(-1)?.offset ?? 0,
      codec,
      isAppendTime,
      timestampMs: appendTimeMs ?? maxTimestampMs,
    },
    ...{ key: null, value: compressed(codec, format, Buffer.concat(entries)) },
  });
  return [wrapper];
}
