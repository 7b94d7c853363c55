import { NO_CODEC } from './compression/codecs';
import { MAGIC_AT } from './entryLayout';
import { innerMessages } from './innerMessages';
import type { LoggedMessage } from './LoggedMessage';
import { readMessage } from './messageEntry';
import { readBatchHeader } from './recordBatch';
import { RecordCursor } from './RecordCursor';

/** The messages of one group, with what they have in common. */
export interface MessageGroup {
  readonly messages: readonly LoggedMessage[];
  readonly codec: number;
  /** The broker's time, if that is what all messages have. */
  readonly appendTimeMs: number | null;
}

/** What is in a stored entry. */
export function messagesOf(entry: Buffer): MessageGroup {
  if (entry.readInt8(MAGIC_AT) === 2) return recordsOf(entry);
  const message = readMessage(entry);
  const { codec, isAppendTime, timestampMs } = message;
  const messages = codec === NO_CODEC ? [message] : innerMessages(message);
  return { messages, codec, appendTimeMs: isAppendTime ? timestampMs : null };
}

function recordsOf(batch: Buffer): MessageGroup {
  const header = readBatchHeader(batch);
  const messages: LoggedMessage[] = [];
  const cursor = new RecordCursor(batch, header);
  while (cursor.next()) messages.push(cursor.message());
  const { codec, isAppendTime, maxTimestampMs } = header;
  return { messages, codec, appendTimeMs: isAppendTime ? maxTimestampMs : null };
}
