import { AppendRefusal } from '../../../../../lib/testing/kafka/log/AppendRefusal';
import { codecOf } from '../../../../../lib/testing/kafka/log/checkEntries';
import { convertedSet } from '../../../../../lib/testing/kafka/log/convertSet';
import { splitEntries } from '../../../../../lib/testing/kafka/log/splitEntries';
import { capturedLogs, formatOf, messagesIn, type CapturedLog, type CapturedRead } from './support/captures';

const WHOLE_BYTES = 65_536;

/** A question that a real broker answered in the format in which it stores, and in an older one. */
interface Conversion {
  readonly log: CapturedLog;
  readonly stored: Buffer;
  readonly old: CapturedRead;
}

const conversions = capturedLogs()
  .filter(({ generation }) => generation !== '0.8' && generation !== '0.9')
  .flatMap((log) => {
    const whole = log.reads.filter(
      ({ maxBytes, isolation }) => maxBytes === WHOLE_BYTES && isolation === null,
    );
    const newest = Math.max(...whole.map(({ fetchVersion }) => fetchVersion));
    return whole.flatMap((old): Conversion[] => {
      const asStored = whole.find((one) => one.fetchVersion === newest && one.offset === old.offset);
      const isOlder = formatOf(old.fetchVersion) < formatOf(newest as 4);
      return asStored === undefined || !isOlder ? [] : [{ log, stored: asStored.records, old }];
    });
  });

function converted({ log: { generation }, stored, old }: Conversion): Buffer {
  return convertedSet(stored, { generation, format: formatOf(old.fetchVersion), fromOffset: old.offset });
}

function isCompressed({ stored }: Conversion): boolean {
  return codecOf(splitEntries(stored)) !== 0;
}

function named(list: readonly Conversion[]): [string, Conversion][] {
  return list.map((one) => [`${one.log.name}: v${one.old.fetchVersion} at ${one.old.offset}`, one]);
}

const answered = conversions.filter(({ old }) => old.errorCode === 0);
const plain = answered.filter((one) => !isCompressed(one));
const compressed = answered.filter(isCompressed);
const refused = conversions.filter(({ old }) => old.errorCode !== 0);

describe('a stored set for a client that reads older formats', () => {
  it('is compared in all three ways', () => {
    expect(plain.length).toBeGreaterThan(20);
    expect(compressed.length).toBeGreaterThan(30);
    expect(refused.length).toBeGreaterThan(3);
  });

  it.each(named(plain))("has the real broker's bytes without compression: %s", (_, one) => {
    expect(converted(one).toString('hex')).toBe(one.old.records.toString('hex'));
  });

  it.each(named(compressed))("has the real broker's messages with compression: %s", (_, one) => {
    const real = messagesIn(one.old.records);
    const own = messagesIn(converted(one));
    // Kafka from 2.0 on cuts where the stored set ended, and sizes differ from compressor to compressor.
    const count = one.log.generation === '3.9' ? Math.min(real.length, own.length) : real.length;
    expect(count).toBeGreaterThan(0);
    expect(own.slice(0, count)).toEqual(real.slice(0, count));
  });

  it.each(named(refused))('is refused if it is compressed with zstd: %s', (_, one) => {
    expect(one.old.errorCode).toBe(76);
    expect(() => converted(one)).toThrow(AppendRefusal);
  });
});
