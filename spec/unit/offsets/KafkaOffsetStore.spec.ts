import type { ConnectorConfig } from '../../../lib/config/ConnectorConfig';
import { EmbeddedCluster } from '../../../lib/testing/EmbeddedCluster';
import { GENERATIONS, type Generation } from '../../../lib/testing/kafka/Generation';
import { AGAIN, kafkaStoreOf, NO_END, ONCE, positions } from './support/kafkaStoreOf';

const AT = positions(['t/0', 5], ['t/1', 0], ['u/0', 7]);

/** The JSON version of what brokers register; without a number here they answer ApiVersions. */
const REGISTRATIONS: Partial<Record<Generation, number>> = { '0.8': 1, '0.9': 2 };

describe.each(GENERATIONS)('offsets with the coordinator of Kafka %s', (kafka) => {
  let cluster: EmbeddedCluster;

  beforeEach(async () => {
    cluster = await EmbeddedCluster.start({ kafka, brokers: 3, topics: { t: 2, u: 2 } });
  });

  afterEach(() => cluster.stop());

  function newStore(settings: Partial<ConnectorConfig> = {}): ReturnType<typeof kafkaStoreOf> {
    const registrationVersion = REGISTRATIONS[kafka] ?? 4;
    return kafkaStoreOf(
      cluster.brokers.map((broker) => ({ ...broker, registrationVersion })),
      settings,
    );
  }

  it('are stored there only, and read by whoever comes next; 0 is a position, and none is none', async () => {
    using store = newStore();
    await expect(store.write(AT, AGAIN)).resolves.toEqual(new Map());
    await expect(store.write(positions(['t/0', 4]), ONCE)).resolves.toEqual(new Map());
    using next = newStore();
    await expect(next.read([...AT, { topic: 'u', partition: 1 }], NO_END)).resolves.toEqual(
      new Map([
        ['t/0', 4],
        ['t/1', 0],
        ['u/0', 7],
        ['u/1', null],
      ]),
    );
    expect(cluster.committedOffsets('g').get('t')?.get(0)).toMatchObject({ offset: 4, metadata: '' });
    expect([...cluster.znodes('/consumers').keys()].join()).not.toContain('offsets');
  });

  it.each(['NOT_COORDINATOR', 'COORDINATOR_NOT_AVAILABLE', 'COORDINATOR_LOAD_IN_PROGRESS'] as const)(
    'are stored and read in spite of %s',
    async (errorCode) => {
      using store = newStore();
      const failures = (['OffsetCommit', 'OffsetFetch', 'FindCoordinator'] as const).map((api) =>
        cluster.failNextRequest({ api, errorCode, times: 2 }),
      );
      await expect(store.write(AT, AGAIN)).resolves.toEqual(new Map());
      await expect(store.read(AT.slice(0, 1), NO_END)).resolves.toEqual(new Map([['t/0', 5]]));
      expect(failures.map(({ timesLeft }) => timesLeft)).toEqual([0, 0, 0]);
    },
  );

  it('go to the next broker when the one that kept them is stopped', async () => {
    // Whether a broker that comes back is still 0.9 is found out by its silence.
    using store = newStore({ 'offsets.channel.socket.timeout.ms': 20_000 });
    await store.write(AT, AGAIN);
    // One of them is the coordinator, and the others have replicas.
    for (const [n, { id }] of cluster.brokers.entries()) {
      await cluster.stopBroker(id);
      await expect(store.write(positions(['t/0', 10 + n]), AGAIN)).resolves.toEqual(new Map());
      await cluster.startBroker(id);
    }
    await expect(store.read(AT.slice(0, 1), NO_END)).resolves.toEqual(new Map([['t/0', 12]]));
  });
});

it('a group of the coordinator with members cannot be committed for, and the error says what to do', async () => {
  await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
  using store = kafkaStoreOf(cluster.brokers);
  cluster.failNextRequest({ api: 'OffsetCommit', errorCode: 'UNKNOWN_MEMBER_ID' });
  const errors = await store.write(positions(['t/0', 5]), AGAIN);
  expect([...errors.values()]).toMatchObject([
    {
      code: 'BROKER_ERROR',
      message: expect.stringContaining('choose another group.id') as string,
      context: { brokerCode: 25 },
    },
  ]);
});
