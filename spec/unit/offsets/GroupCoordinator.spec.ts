import { createServer, type AddressInfo } from 'node:net';

import { ConnectorError } from '../../../lib/errors';
import { delay } from '../../../lib/delay';
import { BrokerConnection } from '../../../lib/kafka/BrokerConnection';
import type { Connect } from '../../../lib/kafka/metadataFromAnyOf';
import type { BrokerEndpoint } from '../../../lib/kafka/brokerVersions';
import { RawServer } from '../kafka/support/RawServer';
import { leavesNothing } from '../kafka/support/leavesNothing';
import { waitFor } from '../../support/waitFor';
import { AGAIN, kafkaStoreOf, ONCE, positions } from './support/kafkaStoreOf';
import { ScriptedCoordinator } from './support/ScriptedCoordinator';

const AT = positions(['t/0', 5]);
const RUNS = 5;

/** Where nobody listens. */
async function nowhere(id: number): Promise<BrokerEndpoint> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { id, host: '127.0.0.1', port };
}

const lookUps = (...brokers: readonly ScriptedCoordinator[]): number =>
  brokers.flatMap(({ asked }) => asked).filter((one) => one === 'FindCoordinator').length;

describe('the group coordinator', () => {
  it('is whom any broker names, and each of them is asked at times', async () => {
    await using one = await ScriptedCoordinator.start({ id: 1 });
    await using two = await ScriptedCoordinator.start({ id: 2 });
    one.coordinator = () => two;
    for (let run = 0; run < 40; run += 1) {
      using store = kafkaStoreOf([one.endpoint, two.endpoint]);
      await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
    }
    expect(one.asked.filter((asked) => asked !== 'FindCoordinator')).toEqual([]);
    expect(Math.min(lookUps(one), lookUps(two))).toBeGreaterThan(0);
    expect(lookUps(one, two)).toBe(40);
  });

  it('is connected to as it is registered', async () => {
    await using broker = await ScriptedCoordinator.start();
    const connected: BrokerEndpoint[] = [];
    using store = kafkaStoreOf(
      [],
      {},
      {
        clusterBrokers: () => Promise.resolve([{ ...broker.endpoint, registrationVersion: 4 }]),
        connect: (endpoint, signal) => {
          connected.push(endpoint);
          return BrokerConnection.connect(endpoint, {
            ...{ clientId: 'spec', timeoutMs: 2000, maxFrameBytes: 1000, signal },
          });
        },
      },
    );
    await store.write(AT, ONCE);
    expect(connected).toEqual([
      { ...broker.endpoint, registrationVersion: 4 },
      { ...broker.endpoint, registrationVersion: 4 },
    ]);
  });

  it('is named by the others if one is away, silent, hangs up or knows none', async () => {
    await using silent = await RawServer.start(() => undefined);
    await using right = await ScriptedCoordinator.start({ id: 1 });
    await using wrong = await ScriptedCoordinator.start({ id: 2 });
    wrong.findErrorCode = 15;
    await using rude = await ScriptedCoordinator.start({ id: 3 });
    rude.fate = () => 'hang up';
    const brokers = [
      right.endpoint,
      wrong.endpoint,
      rude.endpoint,
      { id: 4, registrationVersion: 4, ...silent.endpoint },
      await nowhere(5),
    ];
    for (let run = 0; run < RUNS; run += 1) {
      using store = kafkaStoreOf(brokers, { 'offsets.channel.socket.timeout.ms': 1500 });
      await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
    }
  });

  it('that nobody names is an error that says why, and the next try asks again', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.findErrorCode = 15;
    using store = kafkaStoreOf([broker.endpoint], { 'offsets.commit.max.retries': 2 });
    const errors = await store.write(AT, AGAIN);
    expect(errors.get('t/0')).toMatchObject({
      code: 'BROKER_UNREACHABLE',
      message: expect.stringContaining('COORDINATOR_NOT_AVAILABLE to FindCoordinator') as string,
      context: { brokerCode: 15 },
    });
    expect(lookUps(broker)).toBe(3);
    broker.findErrorCode = 0;
    await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
  });

  it.each([
    [24, 'INVALID_GROUP_ID'],
    [30, 'GROUP_AUTHORIZATION_FAILED'],
  ])('that may not be known (%d) is not asked for again', async (code, name) => {
    await using one = await ScriptedCoordinator.start({ id: 1 });
    await using two = await ScriptedCoordinator.start({ id: 2 });
    one.findErrorCode = two.findErrorCode = code;
    using store = kafkaStoreOf([one.endpoint, two.endpoint]);
    const errors = await store.write(AT, AGAIN);
    expect(errors.get('t/0')).toMatchObject({
      code: 'BROKER_ERROR',
      message: expect.stringContaining(name) as string,
    });
    expect(lookUps(one, two)).toBe(1);
  });

  it('cannot be found without brokers', async () => {
    using store = kafkaStoreOf([]);
    const errors = await store.write(AT, ONCE);
    expect(errors.get('t/0')).toMatchObject({ code: 'BROKER_UNREACHABLE' });
  });

  it('cannot be found while the list of brokers cannot be read; that error is told as it is', async () => {
    const failure = new ConnectorError('SESSION_LOST', 'gone');
    using store = kafkaStoreOf([], {}, { clusterBrokers: () => Promise.reject(failure) });
    await expect(store.write(AT, AGAIN)).resolves.toEqual(new Map([['t/0', failure]]));
  });

  it.each(['the list of brokers', 'a broker'])(
    'is looked for no longer than offsets.channel.socket.timeout.ms if %s does not come',
    async (what) => {
      await leavesNothing(async () => {
        await using silent = await RawServer.start(() => undefined);
        const brokers = [{ id: 1, registrationVersion: 4, ...silent.endpoint }];
        const clusterBrokers = (): Promise<BrokerEndpoint[]> =>
          what === 'a broker' ? Promise.resolve(brokers) : new Promise(() => undefined);
        using store = kafkaStoreOf([], { 'offsets.channel.socket.timeout.ms': 100 }, { clusterBrokers });
        const startMs = performance.now();
        const errors = await store.write(AT, AGAIN);
        expect(errors.get('t/0')).toMatchObject({
          code: 'BROKER_UNREACHABLE',
          message: expect.stringMatching(/within \d+ ms/) as string,
        });
        expect(performance.now() - startMs).toBeLessThan(4000);
      });
    },
  );

  it('is looked up again, at once and within the same try, when it says that it is another', async () => {
    await using one = await ScriptedCoordinator.start({ id: 1 });
    await using two = await ScriptedCoordinator.start({ id: 2 });
    one.commitErrorCode = ({ partition }, nth) => (nth > 1 && partition > 0 ? 16 : 0);
    using store = kafkaStoreOf([one.endpoint], { 'offsets.channel.backoff.ms': 60_000 });
    const both = positions(['t/0', 5], ['t/1', 6]);
    await store.write(both, ONCE);
    one.coordinator = () => two;
    await expect(store.write(both, ONCE)).resolves.toEqual(new Map());
    // Only what is not stored is sent to the other.
    expect(two.asked).toEqual(['OffsetCommit t/1=6']);
    expect([lookUps(one), one.openConnections]).toEqual([2, 0]);
  });

  it('is looked up twice at most in one try', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = () => 16;
    using store = kafkaStoreOf([broker.endpoint]);
    expect((await store.write(AT, ONCE)).get('t/0')).toMatchObject({
      code: 'BROKER_UNREACHABLE',
      context: { brokerCode: 16 },
    });
    expect(lookUps(broker)).toBe(2);
  });

  it('that is not available any more is looked up again with the next try', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = (_, nth) => (nth === 1 ? 15 : 0);
    using store = kafkaStoreOf([broker.endpoint]);
    await expect(store.write(AT, ONCE)).resolves.toMatchObject(new Map([['t/0', {}]]));
    await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
    expect(lookUps(broker)).toBe(2);
  });

  it.each(['has died idle', 'dies when it is used'])(
    'is looked up again, at once and within the same try, when its connection %s',
    async (how) => {
      await using broker = await ScriptedCoordinator.start();
      broker.fate = (name, nth) =>
        name === 'OffsetCommit' && nth === 2 && how === 'dies when it is used' ? 'hang up' : 'answer';
      using store = kafkaStoreOf([broker.endpoint], { 'offsets.channel.backoff.ms': 60_000 });
      await store.write(AT, ONCE);
      if (how === 'has died idle') {
        broker.hangUp();
        await waitFor(() => broker.openConnections === 0, { timeoutMs: 2000, description: 'the end' });
      }
      await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
      expect(lookUps(broker)).toBe(2);
    },
  );

  it('whose new connection is lost costs a try', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.fate = (name, nth) => (name === 'OffsetCommit' && nth === 1 ? 'hang up' : 'answer');
    using store = kafkaStoreOf([broker.endpoint]);
    await expect(store.write(AT, ONCE)).resolves.toMatchObject(
      new Map([['t/0', { code: 'BROKER_UNREACHABLE' }]]),
    );
    await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
  });

  it('of a version without these requests cannot be used', async () => {
    await using broker = await ScriptedCoordinator.start({
      apis: [
        [1, 0, 3],
        [2, 0, 1],
        [3, 0, 2],
        [8, 3, 9],
        [10, 0, 0],
      ],
    });
    using store = kafkaStoreOf([broker.endpoint]);
    const errors = await store.write(AT, AGAIN);
    expect(errors.get('t/0')).toMatchObject({
      code: 'BROKER_ERROR',
      message: expect.stringContaining('OffsetCommit in common') as string,
    });
    await expect(store.read(AT, new AbortController().signal)).rejects.toMatchObject({
      message: expect.stringContaining('OffsetFetch in common') as string,
    });
  });

  it('does not exist in 0.8.1: the error says what is needed', async () => {
    await using broker = await ScriptedCoordinator.start({ apis: null });
    broker.fate = () => 'hang up';
    using store = kafkaStoreOf([{ ...broker.endpoint, registrationVersion: 1 }]);
    const errors = await store.write(AT, ONCE);
    expect(errors.get('t/0')).toMatchObject({
      code: 'BROKER_UNREACHABLE',
      message: expect.stringContaining('offsets.storage=kafka needs 0.8.2') as string,
    });
  });

  it('keeps no connection that comes when nobody waits for it any more', async () => {
    await using broker = await ScriptedCoordinator.start();
    let comeLate = (): void => undefined;
    const late = new Promise<void>((resolve) => (comeLate = resolve));
    let connections = 0;
    using store = kafkaStoreOf(
      [broker.endpoint],
      { 'offsets.channel.socket.timeout.ms': 500 },
      {
        connect: async (endpoint) => {
          const connection = await BrokerConnection.connect(endpoint, {
            ...{ clientId: 'spec', timeoutMs: 2000, maxFrameBytes: 1000 },
          });
          connections += 1;
          // The first one is that of the look-up.
          if (connections === 2) await late;
          return connection;
        },
      },
    );
    const errors = await store.write(AT, ONCE);
    expect(errors.get('t/0')?.message).toMatch(/cannot be connected to within \d+ ms/);
    expect(broker.openConnections).toBe(1);
    comeLate();
    await waitFor(() => broker.openConnections === 0, { timeoutMs: 2000, description: 'its end' });
  });

  it('is found by a later try though a broker of 0.9 takes longer to connect to than a try may take', async () => {
    await using broker = await ScriptedCoordinator.start();
    let isKnown = false;
    const connect: Connect = async (endpoint, signal) => {
      // By its silence, which the connections after that need not wait for.
      if (!isKnown) await delay(400, signal);
      signal.throwIfAborted();
      isKnown = true;
      return BrokerConnection.connect(endpoint, {
        ...{ clientId: 'spec', timeoutMs: 2000, maxFrameBytes: 1000, signal },
      });
    };
    using store = kafkaStoreOf([broker.endpoint], { 'offsets.channel.socket.timeout.ms': 100 }, { connect });
    expect((await store.write(AT, ONCE)).size).toBe(AT.length);
    await waitFor(() => isKnown, { timeoutMs: 2000, description: 'the first connection' });
    await expect(store.write(AT, ONCE)).resolves.toEqual(new Map());
  });
});
