import { waitFor } from '../../../support/waitFor';
import { isOpen } from '../network/support/isOpen';
import { TestBrokers } from './support/TestBrokers';

const NEVER = new Promise<never>(() => undefined);
const WAIT = { timeoutMs: 3000, intervalMs: 2, description: 'a port to be open' };
const STOPPED = 'broker 2 was stopped before it was started';

function portOf(brokers: TestBrokers, id: number): number {
  return brokers.kafka.brokers[id - 1]?.port ?? 0;
}

/** Two brokers, the second of which is stopped. */
async function withoutSecond(): Promise<TestBrokers> {
  const brokers = await TestBrokers.start({ brokers: 2 });
  await brokers.kafka.stopBroker(2);
  return brokers;
}

describe('a broker that is being started', () => {
  it('ends with the cluster, even if its properties never come', async () => {
    await using brokers = await withoutSecond();
    brokers.heldUp = NEVER;
    const starting = Promise.allSettled([brokers.kafka.startBroker(2)]);
    await waitFor(() => isOpen(portOf(brokers, 2)), WAIT);
    await brokers.kafka.stop();
    expect(await starting).toMatchObject([{ status: 'rejected', reason: { message: STOPPED } }]);
    expect(brokers.zookeeper.sessions()).toEqual([]);
    expect(await isOpen(portOf(brokers, 2))).toBe(false);
  });

  it('ends with the cluster that is stopped in the same moment', async () => {
    await using brokers = await withoutSecond();
    const [start] = await Promise.allSettled([brokers.kafka.startBroker(2), brokers.kafka.stop()]);
    expect(start).toMatchObject({ status: 'rejected', reason: { message: STOPPED } });
    expect(brokers.zookeeper.sessions()).toEqual([]);
    expect(await isOpen(portOf(brokers, 2))).toBe(false);
  });

  it('with all others ends with the cluster', async () => {
    await using brokers = new TestBrokers({ brokers: 2 });
    await brokers.zookeeper.start();
    brokers.heldUp = NEVER;
    const starting = Promise.allSettled([brokers.kafka.start()]);
    await waitFor(() => brokers.kafka.brokers.every(({ port }) => port > 0), WAIT);
    await brokers.kafka.stop();
    expect(await starting).toMatchObject([{ status: 'rejected' }]);
    expect(brokers.zookeeper.sessions()).toEqual([]);
  });

  it('is not registered if it is stopped meanwhile, and can be started again', async () => {
    await using brokers = await withoutSecond();
    let goOn: () => void = () => undefined;
    brokers.heldUp = new Promise((resolve) => (goOn = resolve));
    const starting = Promise.allSettled([brokers.kafka.startBroker(2)]);
    await brokers.kafka.stopBroker(2);
    goOn();
    expect(await starting).toMatchObject([{ status: 'rejected', reason: { message: STOPPED } }]);
    expect(brokers.node('/brokers/ids/2')).toBeNull();
    expect(await isOpen(portOf(brokers, 2))).toBe(false);
    await brokers.kafka.startBroker(2);
    expect(brokers.kafka.liveBrokers).toEqual(brokers.kafka.brokers);
  });

  it('cannot be started a second time, on whatever port', async () => {
    await using brokers = await withoutSecond();
    const starting = brokers.kafka.startBroker(2);
    await expect(brokers.kafka.startBroker(2)).rejects.toThrow('broker 2 is being started');
    await expect(brokers.kafka.startBroker(2, 1)).rejects.toThrow('broker 2 is being started');
    await starting;
    expect(brokers.kafka.liveBrokers).toEqual(brokers.kafka.brokers);
    expect(brokers.zookeeper.sessions().filter(({ ephemerals }) => ephemerals.length > 0)).toHaveLength(2);
  });

  it('fails for a cluster that is over', async () => {
    await using brokers = await withoutSecond();
    await brokers.kafka.stop();
    await expect(brokers.kafka.startBroker(2)).rejects.toThrow('the cluster has been stopped');
    expect(await isOpen(portOf(brokers, 2))).toBe(false);
  });
});

describe('a broker whose id is taken', () => {
  it('does not start, keeps its port, and starts when the id is free', async () => {
    await using brokers = await withoutSecond();
    const port = portOf(brokers, 2);
    brokers.session.create('/brokers/ids/2', '{}', { ephemeral: true });
    const sessions = brokers.zookeeper.sessions().length;
    const free = portOf(brokers, 1);
    await expect(brokers.kafka.startBroker(2)).rejects.toMatchObject({ code: 'NODE_EXISTS' });
    expect(await isOpen(port)).toBe(false);
    expect(brokers.zookeeper.sessions()).toHaveLength(sessions);
    await brokers.kafka.stopBroker(1);
    await expect(brokers.kafka.startBroker(2, free)).rejects.toMatchObject({ code: 'NODE_EXISTS' });
    expect(portOf(brokers, 2)).toBe(port);
    brokers.session.delete('/brokers/ids/2');
    await brokers.kafka.startBroker(2);
    expect(brokers.kafka.liveBrokers).toEqual([{ id: 2, host: '127.0.0.1', port }]);
  });
});
