import { isDeepStrictEqual } from 'node:util';

import { ConnectorError } from '../../../../lib/errors';
import type { AbortedTransaction } from '../../../../lib/kafka/records/AbortedTransactions';
import {
  ANSWERS,
  decodeAll,
  expectedMessages,
  readAnswer,
  type CapturedAnswer,
  type DecodedMessage,
} from '../support/captures';
import { classOf, entriesOf, flipped, insideOf, mended, withInside, type Entry } from '../support/damage';
import { readPastDamage, type Fault, type Reading } from '../support/readPastDamage';

interface Subject {
  readonly name: string;
  readonly body: Buffer;
  readonly answer: CapturedAnswer;
  readonly records: Buffer;
  readonly entries: readonly Entry[];
  readonly aborted: readonly AbortedTransaction[];
  /** Its messages, without damage. */
  readonly right: readonly DecodedMessage[];
}

/** Every format, codec and peculiarity once. */
const CHOSEN: readonly (readonly [kafka: string, scenario: string, version: number])[] = [
  ['0.8.2.2', 'codec', 0],
  ['0.9.0.1', 'nested', 1],
  ['0.10.2.2', 'codec', 3],
  ['0.10.2.2', 'append-time', 2],
  ['0.10.2.2', 'compacted', 3],
  ['2.8.2', 'compacted', 10],
  ['3.9.1', 'codec', 10],
  ['3.9.1', 'codec', 2],
  ['3.9.1', 'headers', 10],
  ['3.9.1', 'emptied', 4],
  ['3.9.1', 'mixed-formats', 10],
  ['3.9.1', 'transactions', 10],
];

const MASKS = [0x01, 0x80];

const SUBJECTS = ANSWERS.filter(
  ({ topic, version, offset, maxBytes, errorCode, endsAt }) =>
    offset === 0 &&
    maxBytes > 1000 &&
    errorCode === 0 &&
    endsAt !== null &&
    CHOSEN.some((one) => isDeepStrictEqual(one, [topic.kafka, topic.scenario, version])),
).map((answer): Subject => {
  const body = Buffer.from(answer.body, 'base64');
  const partition = readAnswer(answer.version, body).partitions[0];
  if (partition === undefined) throw new Error('an answer without its partition');
  const { records, abortedTransactions } = partition;
  return {
    name: `${answer.topic.topic} of Kafka ${answer.topic.kafka} by ${answer.asked}`,
    body,
    answer,
    records,
    entries: entriesOf(records),
    aborted: abortedTransactions,
    right: expectedMessages(answer),
  };
});

/** Offsets of the messages that may be in an entry: from behind the one before it on. */
function offsetsOf(
  entries: readonly Entry[],
  index: number,
): { readonly first: number; readonly last: number } {
  return { first: (entries[index - 1]?.last ?? -1) + 1, last: entries[index]?.last ?? -1 };
}

/** Damages each byte of each entry; gives what is wrong about what comes of it. */
function wrongAfter(
  { records, entries }: Subject,
  damage: (entry: Entry, at: number, mask: number) => Buffer | null,
  whatIsWrong: (damaged: Buffer, entry: Entry, index: number, at: number) => string | null,
): string[] {
  const wrong: string[] = [];
  for (const [index, entry] of entries.entries()) {
    for (let at = entry.at; at < entry.end; at++) {
      for (const mask of MASKS) {
        const damaged = damage(entry, at, mask);
        if (damaged === null) continue;
        let fault: string | null;
        try {
          fault = whatIsWrong(damaged, entry, index, at);
        } catch (error) {
          fault = String(error);
        }
        if (fault !== null) wrong.push(`entry ${index}, byte ${at - entry.at}, mask ${mask}: ${fault}`);
      }
    }
  }
  expect(records.length).toBeGreaterThan(0);
  return wrong;
}

const show = (reading: Reading): string =>
  `offsets ${reading.messages.map(({ offset }) => offset).join(',')} ${JSON.stringify(reading.faults)}`;

/** Without the messages of one entry the reading must be right; null if it is. */
function othersWrong(
  reading: Reading,
  right: readonly DecodedMessage[],
  from: number,
  to: number,
): string | null {
  const outside = ({ offset }: DecodedMessage): boolean => offset < from || offset > to;
  if (isDeepStrictEqual(reading.messages.filter(outside), right.filter(outside))) return null;
  return `the other entries are read wrongly: ${show(reading)}`;
}

/** What the first fault must be if a checksum tells of it. */
function faultWrong(fault: Fault | undefined, first: number, last: number): string | null {
  if (fault === undefined) return 'nothing was found';
  if (fault.code !== 'MESSAGE_CORRUPT') return `it was found to be ${fault.code}`;
  return fault.offset >= first && fault.offset <= last && fault.nextOffset <= last + 1
    ? null
    : `messages ${fault.offset} to ${fault.nextOffset - 1} were said to be damaged`;
}

describe.each(SUBJECTS)('$name', (subject) => {
  const { records, entries, aborted, right, body, answer } = subject;

  it('loses nothing but the last entries when it is cut, at any length', () => {
    const wrong: number[] = [];
    for (let length = 0; length <= records.length; length++) {
      const behind = entries.filter(({ end }) => end <= length).at(-1)?.last ?? -1;
      const messages = decodeAll(records.subarray(0, length), 0, { abortedTransactions: aborted });
      const whole = right.filter(({ offset }) => offset <= behind);
      if (!isDeepStrictEqual(messages, whole)) wrong.push(length);
    }

    expect(wrong).toEqual([]);
  });

  it('is refused as an answer when its body is cut, at any length', () => {
    const wrong: number[] = [];
    for (let length = 0; length < body.length; length++) {
      try {
        readAnswer(answer.version, body.subarray(0, length));
        wrong.push(length);
      } catch (error) {
        if (!ConnectorError.is(error) || error.code !== 'BROKER_ERROR') wrong.push(length);
      }
    }

    expect(wrong).toEqual([]);
  });

  it('is found to be damaged by its checksums, entry by entry', () => {
    const wrong = wrongAfter(
      subject,
      (entry, at, mask) =>
        ['checksum', 'checked', 'last'].includes(classOf(entry, at - entry.at))
          ? flipped(records, at, mask)
          : null,
      (damaged, _entry, index) => {
        const { first, last } = offsetsOf(entries, index);
        const reading = readPastDamage(damaged, entries, aborted);
        if (reading.messages.some(({ offset }) => offset >= first && offset <= last)) return show(reading);
        return faultWrong(reading.faults[0], first, last) ?? othersWrong(reading, right, first, last);
      },
    );

    expect(wrong).toEqual([]);
  });

  it('brings no wrong message when what no checksum covers is damaged', () => {
    const contents = answer.topic.messages.map(({ key, value }) => JSON.stringify([key, value]));
    const wrong = wrongAfter(
      subject,
      (entry, at, mask) =>
        ['offset', 'size', 'magic', 'loose'].includes(classOf(entry, at - entry.at))
          ? flipped(records, at, mask)
          : null,
      (damaged, entry, index, at) => {
        const reading = readPastDamage(damaged, entries, aborted);
        const kind = classOf(entry, at - entry.at);
        if (kind === 'loose')
          return isDeepStrictEqual(reading, { messages: right, faults: [] }) ? null : show(reading);
        // An offset has no checksum: its message may come at another place, which nobody can see.
        if (kind === 'offset') {
          const strange = reading.messages.filter(
            ({ key, value }) => !contents.includes(JSON.stringify([key, value])),
          );
          return strange.length === 0 ? null : JSON.stringify(strange);
        }
        const strange = reading.messages.filter(
          (message) => !right.some((one) => isDeepStrictEqual(one, message)),
        );
        if (strange.length > 0) return JSON.stringify(strange);
        const { first, last } = offsetsOf(entries, index);
        const before = right.filter(({ offset }) => offset < first);
        if (!isDeepStrictEqual(reading.messages.slice(0, before.length), before)) return show(reading);
        return kind === 'magic' ? othersWrong(reading, right, first, last) : null;
      },
    );

    expect(wrong).toEqual([]);
  });

  it('keeps the damage within its entry when the checksum is mended', () => {
    const isTransactional = answer.topic.scenario === 'transactions';
    const wrong = wrongAfter(
      subject,
      (entry, at, mask) =>
        classOf(entry, at - entry.at) === 'checked' ? mended(flipped(records, at, mask), entry) : null,
      (damaged, _entry, index) => {
        const reading = readPastDamage(damaged, entries, aborted);
        const { first, last } = offsetsOf(entries, index);
        // A marker tells of other batches, too.
        return isTransactional ? null : othersWrong(reading, right, first, last);
      },
    );

    expect(wrong).toEqual([]);
  });
});

const COMPRESSED = SUBJECTS.filter(({ entries }) => entries.some(({ codec }) => codec === 1));

describe.each(COMPRESSED)('what is compressed in $name', ({ records, entries, aborted, right }) => {
  it.each(entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.codec === 1))(
    'keeps its damage to itself in entry $index',
    ({ entry, index }) => {
      const inside = insideOf(records, entry) ?? Buffer.alloc(0);
      const { first, last } = offsetsOf(entries, index);
      const wrong: string[] = [];
      for (let at = 0; at < inside.length; at++) {
        for (const mask of MASKS) {
          const damaged = withInside(records, entry, flipped(inside, at, mask));
          // The broker finds entries by what they were.
          const moved = entriesOf(damaged);
          const reading = readPastDamage(damaged, moved, aborted);
          const fault = othersWrong(reading, right, first, last);
          if (fault !== null) wrong.push(`byte ${at}, mask ${mask}: ${fault}`);
          else if (entry.format < 2 && !hasOwnChecksum(inside, at, reading, right))
            wrong.push(`byte ${at}: ${show(reading)}`);
        }
      }

      expect(inside.length).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
  );

  it.each(entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.codec === 1))(
    'is refused when it ends too early in entry $index',
    ({ entry, index }) => {
      const inside = insideOf(records, entry) ?? Buffer.alloc(0);
      const { first, last } = offsetsOf(entries, index);
      const wrong: string[] = [];
      // Without its last messages a set of format 0 or 1 is as right as one that was compacted.
      const ends = entry.format < 2 ? entriesOf(inside).map(({ end }) => end) : [];
      for (let length = 0; length < inside.length; length++) {
        if (ends.includes(length)) continue;
        const damaged = withInside(records, entry, inside.subarray(0, length));
        const reading = readPastDamage(damaged, entriesOf(damaged), aborted);
        const fault = faultWrong(reading.faults[0], first, last) ?? othersWrong(reading, right, first, last);
        if (fault !== null) wrong.push(`length ${length}: ${fault}`);
      }

      expect(wrong).toEqual([]);
    },
  );
});

/** In formats 0 and 1 each message inside has a checksum, which covers all of it but its offset and its size. */
function hasOwnChecksum(
  inside: Buffer,
  at: number,
  reading: Reading,
  right: readonly DecodedMessage[],
): boolean {
  const entry = entriesOf(inside).find(({ end }) => at < end);
  if (entry === undefined || at - entry.at < 12) return true;
  return (
    reading.faults[0]?.code === 'MESSAGE_CORRUPT' &&
    reading.messages.every((message) => right.some((one) => isDeepStrictEqual(one, message)))
  );
}
