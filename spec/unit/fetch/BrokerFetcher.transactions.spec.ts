import { controlBatch, encodeBatch } from '../../support/records/encodeBatch';
import { waitFor } from '../../support/waitFor';
import { FetcherUnderTest, takeAll } from './support/parts';
import { ScriptedBroker } from './support/ScriptedBroker';

const ABORTED = 5;
const COMMITTED = 6;

function inTransaction(baseOffset: number, producerId: number, count: number): Buffer {
  const records = Array.from({ length: count }, (_, offsetDelta) => ({
    offsetDelta,
    value: Buffer.from(String(baseOffset + offsetDelta)),
  }));
  return encodeBatch({ baseOffset, producerId, records, isTransactional: true });
}

/** Offsets 0 to 1 are aborted, 2 is committed, 3 and 4 are markers, and 5 is of no transaction. */
function produceTransactions(broker: ScriptedBroker): void {
  const log = broker.log('orders', 0);
  log.appendRaw(1, inTransaction(0, ABORTED, 2));
  log.appendRaw(2, inTransaction(2, COMMITTED, 1));
  log.appendRaw(3, controlBatch(3, ABORTED, 'abort'));
  log.appendRaw(4, controlBatch(4, COMMITTED, 'commit'));
  log.aborted = [{ producerId: ABORTED, firstOffset: 0 }];
  broker.produce('orders', 0, 'of no transaction');
}

async function received(t: FetcherUnderTest, last: string): Promise<string[]> {
  const got: string[] = [];
  await waitFor(() => got.push(...takeAll(t.queue)) && got.includes(last), {
    ...{ timeoutMs: 3000, intervalMs: 1, description: last },
  });
  return got;
}

describe.each(['0.11', '2.1'] as const)('BrokerFetcher and transactions of Kafka %s', (kafka) => {
  it.each([
    ['read_uncommitted', 0, ['0@0', '0@1', '0@2', '0@5']],
    ['read_committed', 1, ['0@2', '0@5']],
  ] as const)('asks for %s, and queues what that leaves', async (level, code, expected) => {
    await using broker = await ScriptedBroker.start({ kafka });
    await using t = new FetcherUnderTest(broker, { 'isolation.level': level });
    produceTransactions(broker);
    t.add(0);
    t.run();
    expect(await received(t, '0@5')).toEqual(expected);
    expect(new Set(broker.fetches.map(({ isolationLevel }) => isolationLevel))).toEqual(new Set([code]));
  });

  it('moves on behind markers and aborted batches that come alone', async () => {
    await using broker = await ScriptedBroker.start({ kafka });
    // Each fetch brings one batch.
    await using t = new FetcherUnderTest(broker, {
      'isolation.level': 'read_committed',
      'fetch.message.max.bytes': 1,
    });
    produceTransactions(broker);
    const info = t.add(0);
    t.run();
    expect(await received(t, '0@5')).toEqual(['0@2', '0@5']);
    expect(info.fetchOffset).toBe(6);
    expect(broker.fetches.slice(0, 5).map(({ partitions: [at] }) => at?.offset)).toEqual([0, 2, 3, 4, 5]);
  });
});

describe('BrokerFetcher and brokers without transactions', () => {
  it('asks as ever, whatever isolation.level says', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '0.10.1' });
    await using t = new FetcherUnderTest(broker, { 'isolation.level': 'read_committed' });
    broker.produce('orders', 0, 'a');
    t.add(0);
    t.run();
    expect(await received(t, '0@0')).toEqual(['0@0']);
    expect(broker.fetches[0]).toMatchObject({ version: 3, isolationLevel: -1 });
  });
});

describe('BrokerFetcher, an error of the whole fetch', () => {
  it('gives all partitions back, and tells the code by its name', async () => {
    await using broker = await ScriptedBroker.start({ kafka: '2.1' });
    await using t = new FetcherUnderTest(broker);
    broker.fetchErrorCode = 70;
    broker.produce('orders', 0, 'a');
    broker.produce('orders', 1, 'b');
    const infos = [t.add(0), t.add(1)];
    t.run();
    await t.running;
    expect([t.givenBack, t.queue.size]).toEqual([infos, 0]);
    expect(t.told).toMatchObject([
      ['fetch:failed', { error: { code: 'BROKER_UNREACHABLE', context: { brokerCode: 70 } } }],
    ]);
    const [, failed] = t.told[0] ?? [];
    expect(String(failed && 'error' in failed && failed.error)).toMatch(
      /127\.0\.0\.1:\d+ answered a fetch with FETCH_SESSION_ID_NOT_FOUND/,
    );
  });
});
