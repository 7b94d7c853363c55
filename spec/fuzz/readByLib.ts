import { ConnectorError } from '../../lib/errors';
import { fetchRequest, type FetchAnswer, type FetchedPartition } from '../../lib/kafka/fetch';
import { MessageCursor, type MessageCursorOptions } from '../../lib/kafka/records/MessageCursor';
import { ByteReader } from '../../lib/kafka/wire';
import type { SpecFetchVersion } from '../support/records/fetchAnswer';
import { must } from './FuzzFailure';

/** A message as the cursor gave it. */
export type LibMessage = Pick<
  MessageCursor,
  'offset' | 'key' | 'value' | 'timestamp' | 'timestampType' | 'headers'
>;

export interface LibResult {
  readonly messages: readonly LibMessage[];
  /** What ended the reading, unless it was the end. */
  readonly error: ConnectorError | null;
}

/** The answer as the connector reads it, or the error that it throws; anything else is thrown on. */
export function readAnswerByLib(version: SpecFetchVersion, body: Buffer): FetchAnswer | ConnectorError {
  const request = fetchRequest(version, {
    ...{ maxWaitMs: 0, minBytes: 0, maxBytes: 0, isolationLevel: 'read_uncommitted', partitions: [] },
  });
  const reader = new ByteReader(body, request.name, 'broker:9092');
  try {
    const answer = request.read(reader);
    reader.end();
    return answer;
  } catch (error) {
    if (ConnectorError.is(error)) return error;
    throw error;
  }
}

export interface HowToRead {
  readonly fromOffset: number;
  /** In front of which message what is left is copied out of its answer; -1 for none. */
  readonly unpinAt: number;
  /** More messages than these are wrong in any case. */
  readonly mostMessages: number;
}

/** Reads a set to its end or to its first fault, which must stay; anything but a ConnectorError is thrown on. */
export function readSetByLib(
  { records, topic, partition }: FetchedPartition,
  { fromOffset, unpinAt, mostMessages }: HowToRead,
  options: MessageCursorOptions,
): LibResult {
  const cursor = new MessageCursor(records, fromOffset, topic, partition, options);
  const messages: LibMessage[] = [];
  try {
    if (unpinAt === 0) cursor.unpin();
    while (cursor.advance()) {
      const { offset, key, value, timestamp, timestampType, headers } = cursor;
      messages.push({ offset, key, value, timestamp, timestampType, headers });
      if (messages.length > mostMessages) break; // there may be no end of them
      if (messages.length === unpinAt) cursor.unpin();
    }
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    mustStay(cursor, error);
    return { messages, error };
  }
  return { messages, error: null };
}

function mustStay(cursor: MessageCursor, error: ConnectorError): void {
  for (let times = 2; times > 0; times -= 1) {
    let again: unknown = 'nothing';
    try {
      cursor.advance();
    } catch (thrown) {
      again = thrown;
    }
    must(again === error, () => `after "${error.message}" advance() gave ${String(again)}`);
  }
}
