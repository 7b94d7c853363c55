import fc from 'fast-check';

import { ConnectorError } from '../../../lib/errors';
import { DualOffsetStore } from '../../../lib/offsets/DualOffsetStore';
import { AGAIN, NO_END, ONCE, positions } from './support/kafkaStoreOf';
import { MemoryOffsetStore } from './support/MemoryOffsetStore';

const AT = { topic: 't', partition: 0 };
const FAILURE = new ConnectorError('BROKER_UNREACHABLE', 'no');

function parts(): { kafka: MemoryOffsetStore; zookeeper: MemoryOffsetStore; dual: DualOffsetStore } {
  const kafka = new MemoryOffsetStore();
  kafka.forgets = true;
  const zookeeper = new MemoryOffsetStore();
  return { kafka, zookeeper, dual: new DualOffsetStore(kafka, zookeeper) };
}

describe('reading offsets from both stores', () => {
  it('takes the larger one, whichever it is, and the one that there is', async () => {
    const stored = fc.option(fc.nat(20), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(stored, stored), { maxLength: 8 }), async (pairs) => {
        const { kafka, zookeeper, dual } = parts();
        for (const [partition, [inKafka, inZookeeper]] of pairs.entries()) {
          if (inKafka !== null) kafka.stored.set(`t/${partition}`, inKafka);
          if (inZookeeper !== null) zookeeper.stored.set(`t/${partition}`, inZookeeper);
        }
        const read = await dual.read(
          pairs.map((_, partition) => ({ topic: 't', partition })),
          NO_END,
        );
        expect([...read]).toEqual(
          pairs.map((pair, partition) => {
            const there = pair.filter((one) => one !== null);
            return [`t/${partition}`, there.length === 0 ? null : there.sort((a, b) => b - a)[0]];
          }),
        );
      }),
    );
  });

  it.each([
    ['Kafka', true],
    ['ZooKeeper', false],
  ])('has the error of a partition in %s, whatever the other store holds', async (_, isInKafka) => {
    const { kafka, zookeeper, dual } = parts();
    const [broken, other] = isInKafka ? [kafka, zookeeper] : [zookeeper, kafka];
    broken.stored.set('t/0', FAILURE);
    await expect(dual.read([AT], NO_END)).resolves.toEqual(new Map([['t/0', FAILURE]]));
    other.stored.set('t/0', 5);
    await expect(dual.read([AT], NO_END)).resolves.toEqual(new Map([['t/0', FAILURE]]));
  });

  it('rejects if one of them does', async () => {
    for (const which of ['kafka', 'zookeeper'] as const) {
      const both = parts();
      both[which].rejection = FAILURE;
      await expect(both.dual.read([AT], NO_END)).rejects.toBe(FAILURE);
    }
  });
});

describe('writing offsets to both stores', () => {
  it('is first to Kafka, then to ZooKeeper, and passes the options on', async () => {
    const { kafka, zookeeper, dual } = parts();
    const open = kafka.block();
    const writing = dual.write(positions(['t/0', 5], ['t/1', 6]), AGAIN);
    await new Promise((resolve) => setImmediate(resolve));
    expect([kafka.writes, zookeeper.writes]).toEqual([['t/0=5', 't/1=6'], []]);
    open();
    await expect(writing).resolves.toEqual(new Map());
    expect(zookeeper.writes).toEqual(['t/0=5', 't/1=6']);
    expect([kafka.calls, zookeeper.calls]).toEqual([[AGAIN], [AGAIN]]);
  });

  it('does not write to ZooKeeper what is there, as it was read or written', async () => {
    const { kafka, zookeeper, dual } = parts();
    zookeeper.stored.set('t/0', 5);
    kafka.stored.set('t/1', 6);
    await dual.read(
      [0, 1].map((partition) => ({ topic: 't', partition })),
      NO_END,
    );
    for (let times = 0; times < 2; times += 1) await dual.write(positions(['t/0', 5], ['t/1', 6]), ONCE);
    expect(kafka.writes).toEqual(['t/0=5', 't/1=6', 't/0=5', 't/1=6']);
    expect(zookeeper.writes).toEqual(['t/1=6']);
    await dual.write(positions(['t/0', 4]), ONCE);
    expect(zookeeper.writes).toEqual(['t/1=6', 't/0=4']);
  });

  it('writes to ZooKeeper again what is no longer there', async () => {
    const { zookeeper, dual } = parts();
    await dual.write(positions(['t/0', 5]), ONCE);
    zookeeper.stored.clear();
    await dual.read([AT], NO_END);
    await dual.write(positions(['t/0', 5]), ONCE);
    expect(zookeeper.writes).toEqual(['t/0=5', 't/0=5']);
  });

  it('leaves out of ZooKeeper what has failed in Kafka, and tells the errors of both', async () => {
    const { kafka, zookeeper, dual } = parts();
    const refusal = new ConnectorError('NO_AUTH', 'no');
    kafka.failing.set('t/0', FAILURE);
    zookeeper.failing.set('t/1', refusal);
    await expect(dual.write(positions(['t/0', 5], ['t/1', 6], ['t/2', 7]), ONCE)).resolves.toEqual(
      new Map([
        ['t/0', FAILURE],
        ['t/1', refusal],
      ]),
    );
    expect(zookeeper.writes).toEqual(['t/1=6', 't/2=7']);
    kafka.failing.clear();
    zookeeper.failing.clear();
    await dual.write(positions(['t/0', 5], ['t/1', 6], ['t/2', 7]), ONCE);
    expect(zookeeper.writes.slice(2)).toEqual(['t/0=5', 't/1=6']);
  });

  it('does not trust what ZooKeeper held before a write there failed', async () => {
    const { zookeeper, dual } = parts();
    await dual.write(positions(['t/0', 5]), ONCE);
    zookeeper.rejection = FAILURE;
    await expect(dual.write(positions(['t/0', 6]), ONCE)).rejects.toBe(FAILURE);
    zookeeper.rejection = null;
    // The failed write may have come through.
    await dual.write(positions(['t/0', 5]), ONCE);
    expect(zookeeper.writes).toEqual(['t/0=5', 't/0=6', 't/0=5']);
  });

  it('rejects if Kafka does, and asks ZooKeeper for nothing', async () => {
    const { kafka, zookeeper, dual } = parts();
    kafka.rejection = FAILURE;
    await expect(dual.write(positions(['t/0', 5]), ONCE)).rejects.toBe(FAILURE);
    expect(zookeeper.calls).toEqual([]);
  });
});

it('both stores forget if Kafka does, and both are closed', () => {
  const { kafka, zookeeper, dual } = parts();
  expect(dual.forgets).toBe(true);
  dual.close();
  expect([kafka.isClosed, zookeeper.isClosed]).toEqual([true, true]);
});
