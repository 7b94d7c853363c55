import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { encodeRecords } from '../../../../../lib/testing/kafka/log/encodeRecords';
import type { MessageFormat } from '../../../../../lib/testing/kafka/log/PartitionLog';
import { Chance } from '../../../../support/mutating/mutation';
import { crc32, crc32c } from '../../../../support/records/checksums';
import { newLog, NOW_MS } from './support/logs';

const SETS = 1500;
const GENERATIONS: readonly Generation[] = ['0.8', '0.9', '0.10.2', '1.1', '3.9'];
const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
const FORMATS = [0, 1, 2] as const;
/** Before version 3 nothing ends the connection. */
const PRODUCE_VERSION = 2;
const MAGIC_AT = 16;
const UNSUPPORTED_CODEC = 76;

const sent = [
  { key: null, value: Buffer.from('abc'), headers: [{ key: 'a', value: null }] },
  { key: Buffer.from('k'), value: Buffer.from('again and again and again') },
];

/** A right set with some wrong bytes, most often under right checksums. */
function brokenSet(format: MessageFormat, chance: Chance): Buffer {
  const set = encodeRecords(sent, { format, codec: chance.of(CODECS), timestampMs: NOW_MS });
  for (let left = 1 + chance.below(3); left > 0; left--) {
    set.writeUInt8(chance.of([0, 0x7f, 0x80, 0xff, chance.below(256)]), chance.below(set.length));
  }
  const end = Math.max(MAGIC_AT, Math.min(set.length, 12 + set.readInt32BE(8)));
  if (chance.isTrue(0.2)) return set;
  if (set.readInt8(MAGIC_AT) === 2) set.writeUInt32BE(crc32c(set.subarray(21, end)), 17);
  else set.writeUInt32BE(crc32(set.subarray(MAGIC_AT, end)), 12);
  return set;
}

describe.each(GENERATIONS)('a log of %s', (generation) => {
  it('takes or refuses whatever bytes come, and reads what it took in all formats', () => {
    const chance = new Chance(1);
    const codes = new Set<number>();
    for (let count = 0; count < SETS; count++) {
      const log = newLog(generation);
      const { errorCode } = log.append(brokenSet(chance.of(FORMATS), chance), PRODUCE_VERSION);
      codes.add(errorCode);
      log.offsetForTimestamp(NOW_MS);
      for (const format of FORMATS) {
        const read = log.read(0, { maxBytes: chance.below(200), isFirstWhole: true }, format);
        expect([0, UNSUPPORTED_CODEC]).toContain(read.errorCode);
        expect(read.records.length > 0).toBe(log.endOffset > 0 && read.errorCode === 0);
      }
    }
    expect(codes.size).toBeGreaterThan(2);
    expect(codes).toContain(0);
  });
});
