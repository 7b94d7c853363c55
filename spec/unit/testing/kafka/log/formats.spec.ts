import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { encodeRecords, type OutgoingMessage } from '../../../../../lib/testing/kafka/log/encodeRecords';
import type { MessageFormat } from '../../../../../lib/testing/kafka/log/PartitionLog';
import { splitEntries } from '../../../../../lib/testing/kafka/log/splitEntries';
import { messagesIn, textOf } from './support/captures';
import { ALL, newLog, NOW_MS } from './support/logs';

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
const FORMATS = [0, 1, 2] as const;
const HEADERS = [
  { key: 'trace', value: Buffer.from('é') },
  { key: '', value: null },
];

/** Of all kinds. */
const outgoing: readonly OutgoingMessage[] = [
  { key: Buffer.from('k'), value: Buffer.from('again and again and again') },
  { key: null, value: Buffer.from('first'), timestampMs: NOW_MS + 7, headers: HEADERS },
  { key: Buffer.alloc(0), value: null, timestampMs: NOW_MS - 70_000 },
  { key: null, value: Buffer.from('last') },
];
/** The same with much to compress, and with something that cannot be: more than fits into a block. */
const large = [
  ...outgoing,
  { key: null, value: Buffer.from('again '.repeat(20_000)) },
  { key: null, value: noise(70_000) },
];

function noise(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let state = 1;
  for (let at = 0; at < sizeBytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    bytes.writeUInt8((state >>> 16) & 0xff, at);
  }
  return bytes;
}

/** What the specs' decoder makes of the messages in a format, if they were produced as `produced`. */
function expected(produced: MessageFormat, read: MessageFormat, sent = outgoing): string[] {
  return sent.map(({ key, value, timestampMs = NOW_MS, headers = [] }, offset) => {
    const time = read === 0 ? ' | ' : `${produced === 0 ? '' : timestampMs} | create`;
    const shown = produced === 2 && read === 2 ? headers : [];
    const texts = shown.map((header) => `${header.key}=${String(header.value)}`);
    return [offset, textOf(key), textOf(value), time, ...texts].join(' | ');
  });
}

const storing: readonly { generation: Generation; formats: readonly MessageFormat[] }[] = [
  { generation: '0.8', formats: [0] },
  { generation: '0.9', formats: [0] },
  { generation: '0.10.2', formats: [0, 1] },
  { generation: '1.1', formats: [0, 1, 2] },
  { generation: '3.9', formats: [2] },
];

const ways = storing.flatMap(({ generation, formats }) =>
  formats.flatMap((stored) =>
    FORMATS.filter((produced) => produced <= (formats.at(-1) ?? 0)).flatMap((produced) =>
      CODECS.filter((codec) => codec !== 'zstd').map((codec) => ({ generation, stored, produced, codec })),
    ),
  ),
);

describe('messages', () => {
  it.each(CODECS.flatMap((codec) => FORMATS.map((format) => ({ codec, format }))))(
    'are written as producers do, in format $format with $codec',
    ({ codec, format }) => {
      if (codec === 'zstd' && format < 2) return;
      const records = encodeRecords(large, { format, codec, timestampMs: NOW_MS });
      expect(messagesIn(records)).toEqual(expected(format, format, large));
      const isOne = codec !== 'none' || format === 2;
      expect(splitEntries(records)).toHaveLength(isOne ? 1 : large.length);
      const raw = encodeRecords(large, { format, codec: 'none', timestampMs: NOW_MS }).length;
      const isSmaller = records.length < raw - 90_000;
      expect(isSmaller).toBe(codec !== 'none' && codec !== 'zstd');
    },
  );

  it('make an empty set if there are none', () => {
    expect(encodeRecords([], { format: 2, codec: 'gzip', timestampMs: 0 })).toHaveLength(0);
  });

  it.each(ways)(
    'of format $produced with $codec that $generation stores in $stored are read in all older ones',
    ({ generation, stored, produced, codec }) => {
      const log = newLog(generation, { format: stored, maxMessageBytes: 1_000_000 });
      const records = encodeRecords(outgoing, { format: produced, codec, timestampMs: NOW_MS });
      expect(log.append(records, produced === 2 ? 3 : produced * 2)).toMatchObject({ errorCode: 0 });
      for (const read of FORMATS) {
        const as = Math.min(read, stored) as MessageFormat;
        const { records: bytes } = log.read(0, ALL, read);
        const seen = messagesIn(bytes);
        const all = expected(Math.min(produced, stored) as MessageFormat, as);
        // 3.9 keeps to the size of what is stored, and what is converted may be larger.
        const isCut = generation === '3.9' && read < stored;
        expect(seen).toEqual(isCut ? all.slice(0, seen.length) : all);
        expect(seen.length).toBeGreaterThanOrEqual(isCut ? 3 : all.length);
      }
    },
  );
});
