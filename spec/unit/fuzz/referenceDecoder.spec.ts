import fc from 'fast-check';

import { zstdOfLib } from '../../fuzz/limits';
import type { Capture, CapturedMessage } from '../../support/capture/captured';
import { capturedAnswers, capturedTopics } from '../../support/records/capturedAnswers';
import { crc32, crc32c, xxHash32 } from '../../support/records/checksums';
import { CODECS, compress, LZ4 } from '../../support/records/compress';
import { encodeAnswer } from '../../support/records/fetchAnswer';
import { openCompressed } from '../../support/records/openCompressed';
import { readAnswer } from '../../support/records/readAnswer';
import { decodeByReference, type ReferenceMessage } from '../../support/records/referenceDecoder';
import { sampleAnswers } from '../../support/records/sampleAnswers';
import { lz4Frame } from '../../support/records/writeLz4';

const MAX_BYTES = 1_000_000;
const noZstd = (): never => {
  throw new Error('this frame needs entropy coding');
};

/** What of a message every version of Fetch tells. */
const inShort = ({ offset, key, value }: ReferenceMessage): unknown => [
  Number(offset),
  key?.toString() ?? null,
  value?.toString() ?? null,
];

/** What only record batches tell. */
const inFull = (one: ReferenceMessage): unknown => [
  inShort(one),
  one.timestamp === null ? null : Number(one.timestamp),
  one.timestampType,
  one.headers.map(({ key, value }) => [key, value?.toString() ?? null]),
];

/** Messages as their producers know them, as far as a fetch of them got. */
function producedFor(
  { isolation, offset, endsAt }: Capture,
  all: readonly CapturedMessage[],
): CapturedMessage[] {
  const gone = isolation === 'read_committed' ? ['aborted', 'compacted'] : ['compacted'];
  return all.filter(
    (one) => one.offset >= offset && one.offset < (endsAt ?? 0) && !gone.includes(one.fate ?? ''),
  );
}

describe('the reference decoder', () => {
  it('has the checksums that their authors publish', () => {
    const digits = Buffer.from('123456789');

    expect(crc32(digits)).toBe(0xcbf4_3926);
    expect(crc32c(digits)).toBe(0xe306_9283);
    expect(xxHash32(Buffer.alloc(0))).toBe(0x02cc_5d05);
    expect(xxHash32(Buffer.from('Nobody inspects the spammish repetition'))).toBe(0xe229_3b2f);
  });

  it('opens what is compressed, in each way in which the samples are', () => {
    const words = fc.array(fc.constantFrom('a', 'aaaaaaaa', 'order ', 'ordered again ', '\0'), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(words, fc.constantFrom(...CODECS), fc.nat(4), (list, codec, style) => {
        const bytes = Buffer.from(list.join(''));

        expect(openCompressed(codec, 1, compress(codec, bytes, style), MAX_BYTES, noZstd)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('takes the old checksum of an lz4 header in format 0 only', () => {
    const bytes = Buffer.from('order order order order');
    const frame = lz4Frame(bytes, { oldHeaderChecksum: true });

    expect(openCompressed(LZ4, 0, frame, MAX_BYTES, noZstd)).toEqual(bytes);
    expect(openCompressed(LZ4, 1, frame, MAX_BYTES, noZstd)).toMatchObject({ code: 'MESSAGE_CORRUPT' });
  });

  it('writes answers of real brokers as it has read them', () => {
    for (const { name, answer } of capturedAnswers()) {
      const { body } = encodeAnswer(answer);

      expect([name, readAnswer(answer.version, body)]).toEqual([name, answer]);
    }
  });

  it.each(capturedTopics().map((one) => ({ ...one, name: `Kafka ${one.kafka}, ${one.topic}` })))(
    'reads what producers have sent to $name',
    ({ captures, messages }) => {
      for (const capture of captures.filter(({ errorCode }) => errorCode === 0)) {
        for (const version of capture.fetchVersions) {
          const body = Buffer.from(capture.body, 'base64');
          const [partition] = readAnswer(version, body).topics.flatMap(({ partitions }) => partitions);
          const result = decodeByReference(partition?.records ?? Buffer.alloc(0), {
            ...{ fromOffset: BigInt(capture.offset), maxInflatedBytes: MAX_BYTES, zstd: zstdOfLib },
            aborted: partition?.aborted ?? [],
          });
          const produced = producedFor(capture, messages);

          expect(result.fault).toBeNull();
          expect(result.messages.map(inShort)).toEqual(
            produced.map(({ offset, key, value }) => [offset, key, value]),
          );

          const isNative = version >= 4 && produced.every(({ format }) => format === 2);
          expect(isNative ? result.messages.map(inFull) : []).toEqual(
            (isNative ? produced : []).map(({ offset, key, value, timestamp, timestampType, headers }) => [
              ...[[offset, key, value], timestamp, timestampType],
              (headers ?? []).map((header) => [header.key, header.value]),
            ]),
          );
        }
      }
    },
  );

  it('finds no fault in the samples', () => {
    for (const { name, answer } of sampleAnswers(1)) {
      for (const { records, aborted } of answer.topics.flatMap(({ partitions }) => partitions)) {
        const result = decodeByReference(records ?? Buffer.alloc(0), {
          ...{ fromOffset: 0n, maxInflatedBytes: MAX_BYTES, aborted: aborted ?? [], zstd: noZstd },
        });

        expect([name, result.fault]).toEqual([name, null]);
      }
    }
  });
});
