import { PartitionLog } from '../../../../../lib/testing/kafka/log/PartitionLog';
import { splitEntries } from '../../../../../lib/testing/kafka/log/splitEntries';
import { capturedLogs, formatOf, messagesIn, type CapturedLog } from './support/captures';

/** Scenarios whose stored entries can be produced again. */
const SCENARIOS = ['codec', 'headers', 'old-producer'];
const PRODUCE_VERSION = { '0.8': 0, '0.9': 1, '0.10.2': 2, '1.1': 3, '3.9': 7 } as const;
const FORMAT = { '0.8': 0, '0.9': 0, '0.10.2': 1, '1.1': 2, '3.9': 2 } as const;

const logs = capturedLogs().filter(({ scenario }) => SCENARIOS.includes(scenario));

/** What the real broker stored, entry by entry, as it came from the producer. */
function asProduced({ reads }: CapturedLog): Buffer[] {
  const newest = Math.max(...reads.map(({ fetchVersion }) => fetchVersion));
  const whole = reads.find((one) => one.fetchVersion === newest && one.offset === 0);
  return splitEntries(whole?.records ?? Buffer.alloc(0)).map((entry) => {
    const produced = Buffer.from(entry);
    produced.writeBigInt64BE(0n, 0);
    return produced;
  });
}

function logOf(captured: CapturedLog): PartitionLog {
  const { generation } = captured;
  const log = new PartitionLog({
    ...{ generation, format: FORMAT[generation], timestampType: 'CreateTime', maxMessageBytes: 1_000_000 },
  });
  for (const entry of asProduced(captured)) {
    expect(log.append(entry, PRODUCE_VERSION[generation])).toMatchObject({ errorCode: 0 });
  }
  return log;
}

function named(list: readonly CapturedLog[]): [string, CapturedLog][] {
  return list.map((log) => [log.name, log]);
}

describe('a log that gets what a real broker got', () => {
  it('is compared for each generation', () => {
    expect(new Set(logs.map(({ generation }) => generation)).size).toBe(5);
  });

  it.each(named(logs.filter(({ codec }) => codec === 'none')))(
    'answers every fetch with the same bytes if nothing is compressed: %s',
    (_, captured) => {
      const log = logOf(captured);
      for (const { fetchVersion, offset, maxBytes, errorCode, records } of captured.reads) {
        const own = log.read(offset, { maxBytes, isFirstWhole: fetchVersion >= 3 }, formatOf(fetchVersion));
        expect({ ...own, fetchVersion, maxBytes }).toMatchObject({ errorCode, fetchVersion, maxBytes });
        expect(own.records.toString('hex')).toBe(records.toString('hex'));
      }
    },
  );

  it.each(named(logs.filter(({ codec, generation }) => codec !== 'none' && FORMAT[generation] > 0)))(
    'keeps compressed sets byte for byte: %s',
    (_, captured) => {
      const log = logOf(captured);
      for (const { fetchVersion, offset, maxBytes, records } of captured.reads) {
        const format = formatOf(fetchVersion);
        if (format < FORMAT[captured.generation]) continue;
        const own = log.read(offset, { maxBytes, isFirstWhole: fetchVersion >= 3 }, format);
        expect(own.records.toString('hex')).toBe(records.toString('hex'));
      }
    },
  );

  it.each(named(logs.filter(({ codec, generation }) => codec !== 'none' && FORMAT[generation] === 0)))(
    'gives compressed sets of old brokers the same messages: %s',
    (_, captured) => {
      const log = logOf(captured);
      for (const { fetchVersion, offset, maxBytes, records } of captured.reads) {
        if (maxBytes < 65_536) continue;
        const own = log.read(offset, { maxBytes, isFirstWhole: false }, formatOf(fetchVersion));
        expect(messagesIn(own.records)).toEqual(messagesIn(records));
      }
    },
  );
});
