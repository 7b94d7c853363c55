import { MessageCursor, type MessageCursorOptions } from '../../../../lib/kafka/records/MessageCursor';
import { fetchRequest, type FetchAnswer } from '../../../../lib/kafka/fetch';
import { ByteReader } from '../../../../lib/kafka/wire';
import type {
  Capture,
  CapturedHeader,
  CapturedMessage,
  CapturedTopic,
  FetchVersion,
} from '../../../support/capture/captured';
import { capturedTopics } from '../../../support/records/capturedAnswers';

/** One answer of a broker, with the version that was asked with. */
export interface CapturedAnswer extends Capture {
  readonly topic: CapturedTopic;
  readonly version: FetchVersion;
  /** For the name of a test. */
  readonly asked: string;
}

export interface DecodedMessage extends Omit<CapturedMessage, 'format' | 'fate'> {
  readonly headers: readonly CapturedHeader[];
}

export const TOPICS: readonly CapturedTopic[] = capturedTopics();

export function answersOf(topic: CapturedTopic): CapturedAnswer[] {
  return topic.captures.flatMap((capture) =>
    capture.fetchVersions.map((version) => {
      const { isolation = 'read_uncommitted', offset, maxBytes } = capture;
      const asked = `Fetch v${version} from ${offset}, at most ${maxBytes} bytes, ${isolation}`;
      return { ...capture, topic, version, asked };
    }),
  );
}

export const ANSWERS: readonly CapturedAnswer[] = TOPICS.flatMap(answersOf);

/** Reads the body to its last byte. */
export function readAnswer(version: FetchVersion, body: Buffer): FetchAnswer {
  const reader = new ByteReader(body, `Fetch v${version}`);
  const answer = fetchRequest(version, NOTHING_ASKED).read(reader);
  reader.end();
  return answer;
}

/** What the request was does not matter for reading. */
const NOTHING_ASKED = {
  maxWaitMs: 0,
  minBytes: 0,
  maxBytes: 0,
  isolationLevel: 'read_uncommitted',
  partitions: [],
} as const;

/** The records of the answer's only partition. */
export function recordsOf({ version, body }: CapturedAnswer): Buffer {
  return readAnswer(version, Buffer.from(body, 'base64')).partitions[0]?.records ?? Buffer.alloc(0);
}

/** The newest format that an answer of that version may have; brokers convert what they store in a newer one. */
function newestFormat(version: FetchVersion): 0 | 1 | 2 {
  if (version >= 4) return 2;
  return version >= 2 ? 1 : 0;
}

/** What was produced from the asked offset on, as far as the answer reaches, in the way in which that version tells it. */
export function expectedMessages(answer: CapturedAnswer): DecodedMessage[] {
  const { topic, version, offset, endsAt, isolation } = answer;
  return topic.messages
    .filter((message) => message.offset >= offset && message.offset < (endsAt ?? 0))
    .filter(({ fate }) => isHandedOut(fate, isolation === 'read_committed'))
    .map(({ offset: at, key, value, timestamp, timestampType, headers = [], format: stored }) => {
      const format = Math.min(stored, newestFormat(version));
      return {
        offset: at,
        key,
        value,
        timestamp: format >= 1 ? timestamp : null,
        timestampType: format >= 1 ? timestampType : null,
        headers: format >= 2 ? headers : [],
      };
    });
}

function isHandedOut(fate: CapturedMessage['fate'], onlyCommitted: boolean): boolean {
  return fate === undefined || (fate !== 'compacted' && !onlyCommitted);
}

/** Decodes to the end; what it throws is thrown on. */
export function decodeAll(
  records: Buffer,
  fromOffset: number,
  options: MessageCursorOptions = {},
): DecodedMessage[] {
  const cursor = new MessageCursor(records, fromOffset, 'orders', 3, options);
  const messages: DecodedMessage[] = [];
  while (cursor.advance()) messages.push(messageAt(cursor));
  return messages;
}

/** What the cursor stands at, as text. */
export function messageAt(cursor: MessageCursor): DecodedMessage {
  const text = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null;
  return {
    offset: cursor.offset,
    key: text(cursor.key),
    value: text(cursor.value),
    timestamp: cursor.timestamp,
    timestampType: cursor.timestampType,
    headers: cursor.headers.map(({ key, value }) => ({ key, value: text(value) })),
  };
}
