import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { compress, GZIP, ZSTD } from '../../../../support/records/compress';
import { finishBatch } from '../../../../support/records/encodeBatch';
import { damaged, entry } from '../../../kafka/support/encodeMessageSet';
import { ALL, batch, messages, newLog } from './support/logs';

const CORRUPT = 2;
const TOO_LARGE = 10;
const INVALID_TIMESTAMP = 32;
const UNSUPPORTED_FOR_FORMAT = 43;
const INVALID_TXN_STATE = 48;
const UNSUPPORTED_CODEC = 76;
const INVALID_RECORD = 87;
const UNKNOWN = -1;

const LARGE = 'x'.repeat(4000);
const ALL_GENERATIONS: readonly Generation[] = ['0.8', '0.9', '0.10.2', '1.1', '3.9'];
const WITH_BATCHES: readonly Generation[] = ['1.1', '3.9'];

function wrapper(magic: 0 | 1, inner: Buffer, more = {}): Buffer {
  return entry({ magic, offset: 1, value: compress(GZIP, inner), attributes: GZIP, ...more });
}

function changed(bytes: Buffer, change: (bytes: Buffer) => void): Buffer {
  change(bytes);
  return finishBatch(bytes);
}

interface Refusal {
  readonly what: string;
  readonly records: Buffer;
  readonly version: number;
  readonly codes: Partial<Record<Generation, number>>;
}

function inAll(code: number, generations = ALL_GENERATIONS): Partial<Record<Generation, number>> {
  return Object.fromEntries(generations.map((generation) => [generation, code]));
}

/** Answers of real brokers: measured. */
const refusals: readonly Refusal[] = [
  { what: 'a wrong checksum', records: damaged(messages(0, ['abc']), 27), version: 0, codes: inAll(CORRUPT) },
  {
    what: 'a wrong checksum behind a right message',
    records: Buffer.concat([messages(0, ['abc']), damaged(messages(0, ['abc']), 27)]),
    ...{ version: 0, codes: inAll(CORRUPT) },
  },
  { what: 'too large a message', records: messages(0, [LARGE]), version: 0, codes: inAll(TOO_LARGE) },
  {
    what: 'an entry of an impossible size',
    records: Buffer.concat([messages(0, ['a']), Buffer.alloc(12, 0)]),
    ...{ version: 0, codes: inAll(CORRUPT) },
  },
  {
    what: 'a set that is not compressed as it says',
    records: entry({ magic: 0, offset: 0, value: Buffer.from('plain'), attributes: GZIP }),
    ...{ version: 0, codes: inAll(UNKNOWN) },
  },
  {
    what: 'an unknown codec',
    records: messages(0, ['a'], { attributes: 7 }),
    version: 0,
    codes: inAll(UNKNOWN),
  },
  {
    what: 'a set without a value',
    records: entry({ magic: 0, offset: 0, value: null, attributes: GZIP }),
    version: 0,
    codes: { '0.8': UNKNOWN, '0.9': UNKNOWN, '1.1': CORRUPT, '3.9': INVALID_RECORD },
  },
  {
    what: 'a wrong checksum inside',
    records: wrapper(1, damaged(messages(1, ['abc', 'def']), 35)),
    version: 2,
    codes: inAll(CORRUPT, ['0.10.2', '1.1', '3.9']),
  },
  {
    what: 'another format inside',
    records: wrapper(1, messages(0, ['a', 'b'])),
    version: 2,
    codes: { '0.10.2': CORRUPT, '1.1': CORRUPT, '3.9': INVALID_RECORD },
  },
  {
    what: 'a set in a set',
    records: wrapper(1, wrapper(1, messages(1, ['a', 'b']))),
    version: 2,
    codes: { '0.10.2': CORRUPT, '1.1': CORRUPT, '3.9': INVALID_RECORD },
  },
  {
    what: 'two sets',
    records: Buffer.concat([wrapper(1, messages(1, ['a'])), wrapper(1, messages(1, ['b']))]),
    ...{ version: 2, codes: { '3.9': INVALID_RECORD } },
  },
  {
    what: 'two formats',
    records: Buffer.concat([messages(0, ['a']), messages(1, ['b'])]),
    ...{ version: 2, codes: { '3.9': INVALID_RECORD } },
  },
  {
    what: 'a time of the broker from a client',
    records: messages(1, ['a'], { attributes: 8 }),
    ...{ version: 2, codes: inAll(INVALID_TIMESTAMP, ['0.10.2', '1.1']) },
  },
  {
    what: 'format 2 where it is not known',
    records: batch(['a']),
    ...{ version: 2, codes: inAll(CORRUPT, ['0.10.2']) },
  },
  {
    what: 'a wrong checksum of a batch',
    records: damaged(batch(['a']), 62),
    ...{ version: 7, codes: inAll(CORRUPT, WITH_BATCHES) },
  },
  { what: 'too large a batch', records: batch([LARGE]), version: 7, codes: inAll(TOO_LARGE, WITH_BATCHES) },
  {
    what: 'a batch that does not begin at 0',
    records: batch(['a'], { baseOffset: 4 }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'fewer records than offsets',
    records: batch(['a'], { lastOffsetDelta: 1 }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'more records than are counted',
    records: changed(batch(['a', 'b']), (bytes) => {
      bytes.writeInt32BE(0, 23);
      bytes.writeInt32BE(1, 57);
    }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'fewer records than are counted',
    records: changed(batch(['a', 'b']), (bytes) => {
      bytes.writeInt32BE(2, 23);
      bytes.writeInt32BE(3, 57);
    }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'an empty batch',
    records: batch([], { lastOffsetDelta: 0 }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'a control batch',
    records: batch(['a'], { isControl: true }),
    ...{ version: 7, codes: { '1.1': CORRUPT, '3.9': INVALID_RECORD } },
  },
  {
    what: 'a transaction',
    records: batch(['a'], { isTransactional: true, producerId: 5 }),
    ...{ version: 7, codes: inAll(INVALID_TXN_STATE, WITH_BATCHES) },
  },
  {
    what: 'two batches',
    records: Buffer.concat([batch(['a']), batch(['b'])]),
    ...{ version: 7, codes: { '3.9': INVALID_RECORD } },
  },
  { what: 'no batch', records: Buffer.alloc(0), version: 3, codes: { '3.9': INVALID_RECORD } },
  { what: 'an old format', records: messages(1, ['a']), version: 3, codes: { '3.9': INVALID_RECORD } },
  {
    what: 'early zstd',
    records: batch(['a'], { codec: ZSTD }),
    version: 6,
    codes: { '3.9': UNSUPPORTED_CODEC },
  },
  {
    what: 'zstd where it is not known',
    records: batch(['a'], { codec: ZSTD }),
    ...{ version: 5, codes: { '1.1': UNKNOWN } },
  },
  {
    what: 'a compressed batch that does not count from 0',
    records: batch(['a', 'b'], {
      codec: GZIP,
      lastOffsetDelta: 1,
      records: [{ offsetDelta: 0 }, { offsetDelta: 3 }],
    }),
    ...{ version: 7, codes: { '3.9': UNKNOWN } },
  },
];

const cases = refusals.flatMap(({ what, records, version, codes }) =>
  Object.entries(codes).map(([generation, errorCode]) => ({
    ...{ what, generation: generation as Generation, errorCode, records, version },
  })),
);

describe('a produced set', () => {
  it.each(cases)('is refused whole for $what by $generation: $errorCode', (one) => {
    const { generation, records, version, errorCode } = one;
    const log = newLog(generation);
    expect(log.append(records, version)).toMatchObject({ errorCode, baseOffset: -1, logAppendTimeMs: -1 });
    expect(log.endOffset).toBe(0);
    expect(log.read(0, ALL, 2).records).toHaveLength(0);
  });

  it.each([
    ['two batches', Buffer.concat([batch(['a']), batch(['b'])])],
    ['no batch', Buffer.alloc(0)],
    ['an old format', messages(1, ['a'])],
    ['a broken second batch', Buffer.concat([batch(['a']), Buffer.alloc(30)])],
  ])('of a version from 3 on ends the connection to 1.1 with %s', (_, records) => {
    const log = newLog('1.1');
    expect(() => log.append(records, 3)).toThrow(RangeError);
    expect(log.endOffset).toBe(0);
  });

  it.each(ALL_GENERATIONS)('that is null ends the connection to %s', (generation) => {
    expect(() => newLog(generation).append(null, 0)).toThrow(RangeError);
  });

  it.each(ALL_GENERATIONS)('may be empty, or cut off, before version 3 in %s', (generation) => {
    const log = newLog(generation);
    for (const records of [Buffer.alloc(0), messages(0, ['abc']).subarray(0, 20)]) {
      expect(log.append(records, 0)).toMatchObject({ errorCode: 0, baseOffset: -1 });
    }
    expect(log.append(Buffer.concat([messages(0, ['a']), Buffer.alloc(5)]), 0)).toMatchObject({
      baseOffset: 0,
    });
    expect(log.endOffset).toBe(1);
  });

  it('may be too large only when it is compressed again', () => {
    const values = Array.from({ length: 20 }, (_, index) => `${index * 7919}`);
    const halves = [values.slice(0, 10), values.slice(10)].map((half) => wrapper(0, messages(0, half)));
    // The bytes of the compressor here may be a few more than those of the producer.
    const maxMessageBytes = Math.max(...halves.map(({ length }) => length)) + 10;
    const log = newLog('0.8', { maxMessageBytes });
    const codes = [...halves, Buffer.concat(halves)].map((records) => log.append(records, 0).errorCode);
    expect(codes).toEqual([0, 0, TOO_LARGE]);
  });

  it('tells where the log starts with some errors only', () => {
    const log = newLog('3.9');
    log.append(batch(['a', 'b']), 7);
    log.deleteBefore(1);
    const starts = [
      batch(['a'], { isControl: true }),
      damaged(batch(['a']), 62),
      batch([LARGE]),
      Buffer.concat([batch(['a']), batch(['b'])]),
    ].map((records) => log.append(records, 7).logStartOffset);
    expect(starts).toEqual([1, -1, -1, -1]);
  });

  it('of an idempotent producer needs format 2', () => {
    const log = newLog('1.1', { format: 1 });
    const records = changed(batch(['a'], { producerId: 5 }), () => undefined);
    expect(log.append(records, 3)).toMatchObject({ errorCode: UNSUPPORTED_FOR_FORMAT });
  });
});
