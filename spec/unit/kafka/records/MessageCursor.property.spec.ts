import fc from 'fast-check';
import { scanMessageSet } from '../../../../lib/kafka/records/messageSet';
import { entry, slowCrc32, wrapper, type SpecMessage } from '../support/encodeMessageSet';
import { readAll } from '../support/readAll';

const bytes = fc.option(
  fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
  { nil: null },
);
const content = fc.record({ key: bytes, value: bytes, timestamp: fc.integer({ min: -1, max: 2 ** 45 }) });
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }) },
);
const message = fc.record({ content, gap });
/** Messages that stand in the set by themselves, or in a compressed set. */
const group = fc.record({
  magic: fc.constantFrom<0 | 1>(0, 1),
  compressed: fc.boolean(),
  messages: fc.array(message, { minLength: 1, maxLength: 6 }),
});
const groups = fc.record({
  first: fc.oneof(fc.nat(50), fc.constant(2 ** 40)),
  groups: fc.array(group, { maxLength: 6 }),
});

interface Made {
  readonly set: Buffer;
  readonly expected: readonly {
    offset: number;
    key: string | null;
    value: string | null;
    timestamp: number | null;
    timestampType: 'create' | null;
  }[];
}

/** Writes the groups one after the other, with offsets that grow by the gaps. */
function make(generated: {
  first: number;
  groups: readonly {
    magic: 0 | 1;
    compressed: boolean;
    messages: readonly { content: Pick<Required<SpecMessage>, 'key' | 'value' | 'timestamp'>; gap: number }[];
  }[];
}): Made {
  let offset = generated.first;
  const parts: Buffer[] = [];
  const expected: Made['expected'][number][] = [];
  for (const { magic, compressed, messages } of generated.groups) {
    const base = magic === 1 && compressed ? offset + 1 : 0;
    const entries: Buffer[] = [];
    for (const { content, gap } of messages) {
      offset += gap;
      entries.push(entry({ ...content, magic, offset: offset - base }));
      expected.push({
        offset,
        key: content.key?.toString('latin1') ?? null,
        value: content.value?.toString('latin1') ?? null,
        timestamp: magic === 0 || content.timestamp === -1 ? null : content.timestamp,
        timestampType: magic === 0 ? null : 'create',
      });
    }
    const inner = Buffer.concat(entries);
    parts.push(compressed ? wrapper({ offset, magic }, inner) : inner);
  }
  return { set: Buffer.concat(parts), expected };
}

/** Gives each entry the checksum that its bytes have now, as far as sizes make sense. */
function mendChecksums(set: Buffer): void {
  let at = 0;
  while (set.length - at >= 26) {
    const size = set.readInt32BE(at + 8);
    if (size < 14 || size > set.length - at - 12) return;
    set.writeUInt32BE(slowCrc32(set.subarray(at + 16, at + 12 + size)), at + 12);
    at += 12 + size;
  }
}

describe('MessageCursor, by law', () => {
  it('gives back every list of messages, from every offset on', () => {
    fc.assert(
      fc.property(groups, fc.nat(120), (generated, skip) => {
        const { set, expected } = make(generated);
        const fromOffset = generated.first + skip;

        expect(readAll(set)).toEqual({ messages: expected, error: null });
        expect(readAll(set, fromOffset)).toEqual({
          messages: expected.filter((one) => one.offset >= fromOffset),
          error: null,
        });
        expect(scanMessageSet(set)).toMatchObject({ validBytes: set.length, partial: false, damaged: false });
      }),
    );
  });

  it('gives the beginning of every set that was cut', () => {
    fc.assert(
      fc.property(groups, fc.nat(), (generated, cut) => {
        const { set, expected } = make(generated);
        const records = set.subarray(0, set.length === 0 ? 0 : cut % set.length);
        const { messages, error } = readAll(records);

        expect(error).toBeNull();
        expect(messages).toEqual(expected.slice(0, messages.length));
        expect(scanMessageSet(records).nextOffset).toBe((messages.at(-1)?.offset ?? -2) + 1);
      }),
    );
  });

  it('ends, in order and with nothing but a ConnectorError, whatever bytes were changed', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(
        groups,
        fc.array(change, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (generated, changes, mend) => {
          const { set } = make(generated);
          for (const { at, byte } of set.length === 0 ? [] : changes) set.writeUInt8(byte, at % set.length);
          if (mend) mendChecksums(set);
          const from = generated.first;
          const { messages, error } = readAll(set, from, { maxInflatedBytes: 100_000 });
          let last = from - 1;
          for (const { offset } of messages) {
            expect(offset).toBeGreaterThan(last);
            last = offset;
          }
          // What the scan stops at, the cursor does not pass over.
          expect(scanMessageSet(set).damaged && error === null).toBe(false);
          if (error === null) return;

          expect([
            'MESSAGE_CORRUPT',
            'CODEC_UNSUPPORTED',
            'FORMAT_UNSUPPORTED',
            'MESSAGE_TOO_LARGE',
          ]).toContain(error.code);
          expect(error.context.offset).toBeGreaterThan(last);
          expect(error.context.nextOffset).toBeGreaterThan(error.context.offset ?? Infinity);
          expect(error.context.nextOffset).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('ends with nothing but a ConnectorError on any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (array, mend) => {
        const set = Buffer.from(array);
        if (mend) mendChecksums(set);
        readAll(set);

        expect(scanMessageSet(set).validBytes).toBeLessThanOrEqual(set.length);
      }),
      { numRuns: 1000 },
    );
  });
});
