import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { ConnectorError } from '../../../../lib/errors';
import type { AbortedTransaction } from '../../../../lib/kafka/records/AbortedTransactions';
import { MessageCursor } from '../../../../lib/kafka/records/MessageCursor';
import { scanMessageSet } from '../../../../lib/kafka/records/messageSet';
import {
  BATCH_CRC_AT,
  controlBatch,
  encodeBatch,
  type SpecHeader,
} from '../../../support/records/encodeBatch';

const PRODUCERS = [1, 2, 2 ** 40];
const FAR_MS = 2 ** 48;

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const bytesOrNull = fc.option(bytes, { nil: null });
const gap = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(8) });
const header = fc.record({ key: fc.string({ unit: 'grapheme', maxLength: 6 }), value: bytesOrNull });
const record = fc.record({
  gap,
  key: bytesOrNull,
  value: bytesOrNull,
  headers: fc.array(header, { maxLength: 3 }),
  timestampDelta: fc.oneof(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -FAR_MS, max: FAR_MS })),
});
const batch = fc.record({
  kind: fc.constant('batch' as const),
  gap,
  records: fc.array(record, { maxLength: 5 }),
  /** Records at the end that compaction has taken away. */
  goneAtEnd: gap,
  codec: fc.nat(4),
  style: fc.nat(4),
  isAppendTime: fc.boolean(),
  baseTimestamp: fc.oneof(fc.constant(-1), fc.integer({ min: 0, max: FAR_MS })),
  producerId: fc.option(fc.constantFrom(...PRODUCERS), { nil: -1 }),
});
const marker = fc.record({
  kind: fc.constant('marker' as const),
  gap,
  producerId: fc.constantFrom(...PRODUCERS),
  type: fc.constantFrom('abort' as const, 'commit' as const),
});
const log = fc.record({
  first: fc.oneof(fc.nat(50), fc.constant(2 ** 32 - 3), fc.constant(2 ** 52)),
  items: fc.array(fc.oneof({ weight: 3, arbitrary: batch }, { weight: 1, arbitrary: marker }), {
    maxLength: 6,
  }),
});
type GeneratedLog = typeof log extends fc.Arbitrary<infer T> ? T : never;

interface Message {
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  readonly timestamp: number | null;
  readonly timestampType: 'create' | 'append' | null;
  readonly headers: readonly (readonly [string, string | null])[];
}

interface Written {
  readonly entries: readonly Buffer[];
  readonly set: Buffer;
  readonly messages: readonly (Message & { readonly producerId: number })[];
  readonly aborted: readonly AbortedTransaction[];
  /** The ones of `messages` that are in no aborted transaction. */
  readonly committed: readonly Message[];
  readonly nextOffset: number;
}

const latin = (value: Buffer | null): string | null => value?.toString('latin1') ?? null;
const pair = ({ key, value }: SpecHeader): readonly [string, string | null] => [key, latin(value)];

/** Writes a log, and keeps what is to be read of it. */
function write({ first, items }: GeneratedLog): Written {
  let offset = first;
  const entries: Buffer[] = [];
  const messages: Written['messages'][number][] = [];
  const aborted: AbortedTransaction[] = [];
  const gone = new Set<Message>();
  /** Where the transaction of each producer begins that has one. */
  const open = new Map<number, number>();
  for (const item of items) {
    offset += item.gap;
    if (item.kind === 'marker') {
      const { producerId, type } = item;
      const from = open.get(producerId);
      open.delete(producerId);
      entries.push(controlBatch(offset, producerId, type));
      if (type === 'abort' && from !== undefined) {
        aborted.push({ producerId, firstOffset: from });
        for (const one of messages) if (one.producerId === producerId && one.offset >= from) gone.add(one);
      }
      offset += 1;
      continue;
    }
    const { producerId, baseTimestamp, isAppendTime, codec, style } = item;
    const baseOffset = offset;
    if (producerId !== -1 && !open.has(producerId)) open.set(producerId, baseOffset);
    const maxTimestamp = baseTimestamp + 7;
    const records = item.records.map((one) => {
      const at = offset + one.gap;
      offset = at + 1;
      const time = isAppendTime ? maxTimestamp : baseTimestamp + one.timestampDelta;
      messages.push({
        ...{ producerId, offset: at, key: latin(one.key), value: latin(one.value) },
        timestamp: time === -1 ? null : time,
        timestampType: isAppendTime ? 'append' : 'create',
        headers: one.headers.map(pair),
      });
      return { ...one, offsetDelta: at - baseOffset };
    });
    offset = Math.max(offset, baseOffset + 1) + item.goneAtEnd;
    entries.push(
      encodeBatch({
        ...{ baseOffset, records, codec, style, baseTimestamp, maxTimestamp, isAppendTime, producerId },
        lastOffsetDelta: offset - 1 - baseOffset,
        isTransactional: producerId !== -1,
      }),
    );
  }
  const committed = messages.filter((one) => !gone.has(one));
  return { entries, set: Buffer.concat(entries), messages, aborted, committed, nextOffset: offset };
}

/** Without the producer, which is nobody's business. */
const plain = (messages: readonly Message[]): Message[] =>
  messages.map(({ offset, key, value, timestamp, timestampType, headers }) => ({
    ...{ offset, key, value, timestamp, timestampType, headers },
  }));

function read(
  set: Buffer,
  fromOffset = 0,
  abortedTransactions: readonly AbortedTransaction[] = [],
): { readonly messages: readonly Message[]; readonly error: ConnectorError | null } {
  const cursor = new MessageCursor(set, fromOffset, 'orders', 3, { abortedTransactions });
  const messages: Message[] = [];
  try {
    while (cursor.advance()) {
      const { offset, timestamp, timestampType } = cursor;
      const [key, value] = [latin(cursor.key), latin(cursor.value)];
      messages.push({ offset, key, value, timestamp, timestampType, headers: cursor.headers.map(pair) });
    }
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    return { messages, error };
  }
  return { messages, error: null };
}

describe('record batches, by law', () => {
  it('are read back as they were written, from every offset on', () => {
    fc.assert(
      fc.property(log, fc.nat(60), (generated, skip) => {
        const { set, messages } = write(generated);
        const from = generated.first + skip;

        expect(read(set)).toEqual({ messages: plain(messages), error: null });
        expect(read(set, from)).toEqual({
          messages: plain(messages.filter(({ offset }) => offset >= from)),
          error: null,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('are read back without their aborted transactions, in whatever order these are listed', () => {
    fc.assert(
      fc.property(log, fc.boolean(), (generated, isReversed) => {
        const { set, aborted, committed } = write(generated);
        const list = isReversed ? aborted.toReversed() : aborted;

        expect(read(set, 0, list)).toEqual({ messages: plain(committed), error: null });
      }),
      { numRuns: 300 },
    );
  });

  it('are a prefix when they are cut, at every length', () => {
    fc.assert(
      fc.property(log, (generated) => {
        const { entries, set, messages, aborted, committed, nextOffset } = write(generated);
        const wrong: unknown[] = [];
        let whole = 0;
        let wholeBytes = 0;
        for (let length = 0; length <= set.length; length += 1) {
          for (let next = entries[whole]; next && wholeBytes + next.length <= length; next = entries[whole]) {
            wholeBytes += next.length;
            whole += 1;
          }
          // What is in front of the first entry that is not whole.
          const end = Number(entries[whole]?.readBigInt64BE(0) ?? nextOffset);
          const cut = set.subarray(0, length);
          const results = [read(cut), read(cut, 0, aborted), scanMessageSet(cut)] as const;
          const right = [plain(messages), plain(committed)].map((list) =>
            list.filter(({ offset }) => offset < end),
          );
          const isRight =
            isDeepStrictEqual(results[0], { messages: right[0], error: null }) &&
            isDeepStrictEqual(results[1], { messages: right[1], error: null }) &&
            results[2].validBytes === wholeBytes &&
            !results[2].damaged;
          // An expect at each length would take most of the time.
          if (!isRight) wrong.push({ length, results });
        }

        expect(wrong).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('are found damaged if one byte differs that the checksum covers, with all in front handed out', () => {
    fc.assert(
      fc.property(
        log,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (generated, which, where, mask) => {
          const { entries, messages } = write(generated);
          fc.pre(entries.length > 0);
          const index = which % entries.length;
          const entry = Buffer.from(entries[index] ?? []);
          const at = BATCH_CRC_AT + (where % (entry.length - BATCH_CRC_AT));
          entry.writeUInt8(entry.readUInt8(at) ^ mask, at);
          const firstOffset = Number(entry.readBigInt64BE(0));
          const result = read(Buffer.concat(entries.with(index, entry)));

          expect(result.messages).toEqual(plain(messages.filter(({ offset }) => offset < firstOffset)));
          expect(result.error).toMatchObject({
            code: 'MESSAGE_CORRUPT',
            context: { topic: 'orders', partition: 3, offset: firstOffset },
          });
          const next = entries[index + 1];
          const mostNext = next === undefined ? Infinity : Number(next.readBigInt64BE(0));

          expect(result.error?.context.nextOffset).toBeGreaterThan(firstOffset);
          expect(result.error?.context.nextOffset).toBeLessThanOrEqual(mostNext);
        },
      ),
      { numRuns: 500 },
    );
  });
});
