import { ConnectorError } from '../../../../lib/errors';
import { MessageCursor, type MessageCursorOptions } from '../../../../lib/kafka/records/MessageCursor';

export interface ReadMessage {
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly timestamp: number | null;
  readonly timestampType: 'create' | 'append' | null;
}

export interface ReadResult {
  readonly messages: readonly ReadMessage[];
  /** What ended the reading, unless it was the end. */
  readonly error: ConnectorError | null;
}

/** Reads a set to its end or to its first fault; anything but a ConnectorError is thrown on. */
export function readAll(records: Buffer, fromOffset = 0, options: MessageCursorOptions = {}): ReadResult {
  const cursor = new MessageCursor(records, fromOffset, 'orders', 3, options);
  const messages: ReadMessage[] = [];
  try {
    while (cursor.advance()) {
      messages.push({
        offset: cursor.offset,
        key: cursor.key?.toString('latin1') ?? null,
        value: cursor.value?.toString('latin1') ?? null,
        timestamp: cursor.timestamp,
        timestampType: cursor.timestampType,
      });
    }
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    return { messages, error };
  }
  return { messages, error: null };
}

export function offsetsOf({ messages }: ReadResult): readonly number[] {
  return messages.map((message) => message.offset);
}
