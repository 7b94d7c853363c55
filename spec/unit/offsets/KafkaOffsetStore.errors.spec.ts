import { ConnectorError } from '../../../lib/errors';
import { BrokerConnection } from '../../../lib/kafka/BrokerConnection';
import { failureOf } from '../kafka/support/failureOf';
import { AGAIN, kafkaStoreOf, NO_END, ONCE, positions } from './support/kafkaStoreOf';
import { ScriptedCoordinator } from './support/ScriptedCoordinator';

const AT = positions(['t/0', 5], ['t/1', 0], ['u/0', 7]);
const ALL = ' t/0=5 t/1=0 u/0=7';
const keyIs = (key: string) => (at: { topic: string; partition: number }) =>
  `${at.topic}/${at.partition}` === key;

const RETRIABLE = [
  ['UNKNOWN_SERVER_ERROR', -1],
  ['LEADER_NOT_AVAILABLE', 5],
  ['NOT_LEADER_OR_FOLLOWER', 6],
  ['REQUEST_TIMED_OUT', 7],
  ['COORDINATOR_LOAD_IN_PROGRESS', 14],
  ['COORDINATOR_NOT_AVAILABLE', 15],
  ['NOT_ENOUGH_REPLICAS', 19],
] as const;
/** Of a read only: who commits has read from the partition, so that it is one that has been deleted since. */
const UNKNOWN_PARTITION = [['UNKNOWN_TOPIC_OR_PARTITION', 3]] as const;
const FINAL_OF_PARTITION = [
  ['OFFSET_METADATA_TOO_LARGE', 12],
  ['INVALID_COMMIT_OFFSET_SIZE', 28],
  ['TOPIC_AUTHORIZATION_FAILED', 29],
] as const;
const FINAL_OF_GROUP = [
  ['ILLEGAL_GENERATION', 22, 'choose another group.id'],
  ['INVALID_GROUP_ID', 24, 'choose another group.id'],
  ['UNKNOWN_MEMBER_ID', 25, 'end them, or choose another group.id'],
  ['REBALANCE_IN_PROGRESS', 27, 'end them, or choose another group.id'],
  ['GROUP_AUTHORIZATION_FAILED', 30, 'needs the Read right for the group'],
] as const;

const commits = (broker: ScriptedCoordinator): string[] =>
  broker.asked.filter((one) => one.startsWith('OffsetCommit'));
const fetches = (broker: ScriptedCoordinator): string[] =>
  broker.asked.filter((one) => one.startsWith('OffsetFetch'));

describe('a commit to Kafka', () => {
  it.each(RETRIABLE)('is tried again after %s, with those that have failed only', async (_, code) => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = (at, nth) => (nth < 3 && !keyIs('t/1')(at) ? code : 0);
    using store = kafkaStoreOf([broker.endpoint]);
    await expect(store.write(AT, AGAIN)).resolves.toEqual(new Map());
    expect(commits(broker)).toEqual([
      `OffsetCommit${ALL}`,
      'OffsetCommit t/0=5 u/0=7',
      'OffsetCommit t/0=5 u/0=7',
    ]);
  });

  it.each(RETRIABLE)('tells %s of each partition when it may not be tried again', async (name, code) => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = (at) => (keyIs('t/1')(at) ? 0 : code);
    using store = kafkaStoreOf([broker.endpoint]);
    const errors = await store.write(AT, ONCE);
    expect([...errors.keys()]).toEqual(['t/0', 'u/0']);
    for (const error of errors.values()) {
      expect(error).toMatchObject({
        code: 'BROKER_UNREACHABLE',
        retriable: true,
        context: { brokerCode: code },
      });
      expect(error.message).toContain(`${name} to OffsetCommit`);
    }
    expect(commits(broker)).toHaveLength(1);
  });

  it.each(
    [...UNKNOWN_PARTITION, ...FINAL_OF_PARTITION, ...FINAL_OF_GROUP].map(
      ([name, code]) => [name, code] as const,
    ),
  )('is not tried again after %s', async (name, code) => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = (at, nth) => (keyIs('t/0')(at) ? code : nth === 1 ? 7 : 0);
    using store = kafkaStoreOf([broker.endpoint]);
    const errors = await store.write(AT, AGAIN);
    expect([...errors]).toMatchObject([['t/0', { code: 'BROKER_ERROR', context: { brokerCode: code } }]]);
    expect(errors.get('t/0')?.message).toContain(`${name} to OffsetCommit`);
    expect(commits(broker)).toEqual([`OffsetCommit${ALL}`, 'OffsetCommit t/1=0 u/0=7']);
  });

  it('has 1 + offsets.commit.max.retries tries, with offsets.channel.backoff.ms between them', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = () => 7;
    using store = kafkaStoreOf([broker.endpoint], {
      'offsets.commit.max.retries': 2,
      'offsets.channel.backoff.ms': 40,
    });
    expect((await store.write(AT, AGAIN)).size).toBe(3);
    expect(commits(broker)).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = broker.askedMs.slice(1);
    // Timers may be a millisecond early.
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(39);
  });

  it('begins no try later than offsets.channel.socket.timeout.ms after the first', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = () => 7;
    using store = kafkaStoreOf([broker.endpoint], {
      'offsets.commit.max.retries': 1000,
      'offsets.channel.backoff.ms': 50,
      'offsets.channel.socket.timeout.ms': 1000,
    });
    expect((await store.write(AT, AGAIN)).size).toBe(3);
    expect(commits(broker).length).toBeGreaterThan(1);
    expect(commits(broker).length).toBeLessThanOrEqual(1 + 1000 / 50);
  });

  it('is not tried again at all if the pause would be too long', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.commitErrorCode = () => 7;
    using store = kafkaStoreOf([broker.endpoint], { 'offsets.channel.backoff.ms': 600_000 });
    expect((await store.write(AT, AGAIN)).size).toBe(3);
    expect(commits(broker)).toHaveLength(1);
  });

  it('waits for the one before it', async () => {
    await using broker = await ScriptedCoordinator.start();
    using store = kafkaStoreOf([broker.endpoint]);
    await Promise.all([store.write(AT.slice(0, 1), ONCE), store.write(AT.slice(1, 2), ONCE)]);
    expect(broker.asked).toEqual(['FindCoordinator', 'OffsetCommit t/0=5', 'OffsetCommit t/1=0']);
  });

  it('waits for an answer no longer than offsets.channel.socket.timeout.ms, and looks for the coordinator anew then', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.fate = (name, nth) => (name === 'OffsetCommit' && nth === 2 ? 'silence' : 'answer');
    using store = kafkaStoreOf([broker.endpoint], { 'offsets.channel.socket.timeout.ms': 500 });
    await store.write(AT, AGAIN);
    const errors = await store.write(AT, AGAIN);
    expect([...errors.values()]).toMatchObject(AT.map(() => ({ code: 'BROKER_UNREACHABLE' })));
    expect(errors.get('t/0')?.message).toMatch(/OffsetCommit v2 within \d+ ms/);
    await expect(store.write(AT, AGAIN)).resolves.toEqual(new Map());
    expect(broker.asked.filter((one) => one === 'FindCoordinator')).toHaveLength(2);
  });

  it('ends after that time in all, whatever the look-up and the connection take of it', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.fate = (name) => (name === 'OffsetCommit' ? 'silence' : 'answer');
    const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    using store = kafkaStoreOf(
      [broker.endpoint],
      { 'offsets.channel.socket.timeout.ms': 1000 },
      {
        clusterBrokers: async () => {
          await later(600);
          return [broker.endpoint];
        },
        connect: async (endpoint, signal) => {
          if (broker.asked.length > 0) await later(900); // but for the one that names the coordinator
          return BrokerConnection.connect(endpoint, {
            ...{ clientId: 'spec', timeoutMs: 5000, maxFrameBytes: 2 ** 20, signal },
          });
        },
      },
    );
    const startedMs = performance.now();
    const errors = await store.write(AT, AGAIN);
    // It would take 2.5 s if each had the time for itself.
    expect(performance.now() - startedMs).toBeLessThan(1900);
    expect(broker.asked).toEqual(['FindCoordinator']);
    expect([...errors.values()]).toMatchObject(AT.map(() => ({ code: 'BROKER_UNREACHABLE' })));
    expect(errors.get('t/0')?.message).toMatch(/cannot be connected to within \d+ ms/);
  });

  it('is not sent while the session of the claim is not proved alive: not even when it was before the look-up', async () => {
    await using broker = await ScriptedCoordinator.start();
    let isProved = false;
    using store = kafkaStoreOf([broker.endpoint], {}, { isProved: () => isProved });
    const lost = AT.map(() => ({ code: 'SESSION_LOST' }));
    expect([...(await store.write(AT, AGAIN)).values()]).toMatchObject(lost);
    expect(broker.asked).toEqual([]);
    isProved = true;
    broker.fate = () => {
      isProved = false;
      return 'answer';
    };
    expect([...(await store.write(AT, AGAIN)).values()]).toMatchObject(lost);
    expect(broker.asked).toEqual(['FindCoordinator']);
  });

  it('is not tried again once the session is no longer proved alive', async () => {
    await using broker = await ScriptedCoordinator.start();
    let isProved = true;
    broker.commitErrorCode = () => {
      isProved = false;
      return 7;
    };
    using store = kafkaStoreOf([broker.endpoint], {}, { isProved: () => isProved });
    expect([...(await store.write(AT, AGAIN)).values()]).toMatchObject(
      AT.map(() => ({ code: 'SESSION_LOST' })),
    );
    expect(commits(broker)).toHaveLength(1);
  });

  it('fails for a partition that the answer leaves out', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.answered = (asked) => asked.slice(1);
    using store = kafkaStoreOf([broker.endpoint]);
    const errors = await store.write(AT, AGAIN);
    expect([...errors]).toMatchObject([
      ['t/0', { code: 'BROKER_ERROR', context: { topic: 't', partition: 0 } }],
    ]);
  });

  it.each([
    ['names a foreign partition', { topic: 'v', partition: 0 }],
    ['names a partition twice', { topic: 't', partition: 0 }],
  ])('fails if the answer %s', async (_, more) => {
    await using broker = await ScriptedCoordinator.start();
    broker.answered = (asked) => [...asked, more];
    using store = kafkaStoreOf([broker.endpoint]);
    const errors = await store.write(AT, AGAIN);
    expect([...errors.values()]).toMatchObject(AT.map(() => ({ code: 'BROKER_ERROR' })));
    expect(commits(broker)).toHaveLength(1);
  });

  it('of nothing asks nobody', async () => {
    await using broker = await ScriptedCoordinator.start();
    using store = kafkaStoreOf([broker.endpoint]);
    await expect(store.write([], AGAIN)).resolves.toEqual(new Map());
    await expect(store.read([], NO_END)).resolves.toEqual(new Map());
    expect(broker.asked).toEqual([]);
  });
});

describe('reading offsets from Kafka', () => {
  it.each(RETRIABLE)('is tried again after %s, which is not "none"', async (_, errorCode) => {
    await using broker = await ScriptedCoordinator.start();
    broker.stored = (at, nth) =>
      nth < 3 && !keyIs('t/1')(at) ? { offset: -1n, errorCode } : { offset: 9n, errorCode: 0 };
    using store = kafkaStoreOf([broker.endpoint]);
    expect([...(await store.read(AT, NO_END)).values()].sort()).toEqual([9, 9, 9]);
    expect(fetches(broker)).toEqual([
      'OffsetFetch t/0 t/1 u/0',
      'OffsetFetch t/0 u/0',
      'OffsetFetch t/0 u/0',
    ]);
  });

  it.each(RETRIABLE)('rejects when it stays at %s', async (name, errorCode) => {
    await using broker = await ScriptedCoordinator.start();
    broker.stored = (at) => ({ offset: -1n, errorCode: keyIs('t/1')(at) ? errorCode : 0 });
    using store = kafkaStoreOf([broker.endpoint], { 'offsets.commit.max.retries': 2 });
    const error = await failureOf(store.read(AT, NO_END));
    expect(error).toMatchObject({ code: 'BROKER_UNREACHABLE', context: { brokerCode: errorCode } });
    expect(error.message).toContain(`${name} to OffsetFetch`);
    expect(fetches(broker)).toHaveLength(3);
  });

  it.each(FINAL_OF_PARTITION)('tells %s of its partition, and reads the others', async (_, errorCode) => {
    await using broker = await ScriptedCoordinator.start();
    broker.stored = (at) => (keyIs('t/1')(at) ? { offset: -1n, errorCode } : { offset: 9n, errorCode: 0 });
    using store = kafkaStoreOf([broker.endpoint]);
    const read = await store.read(AT, NO_END);
    expect([...read]).toMatchObject([
      ['t/0', 9],
      ['t/1', { code: 'BROKER_ERROR', context: { topic: 't', partition: 1, brokerCode: errorCode } }],
      ['u/0', 9],
    ]);
    expect(fetches(broker)).toHaveLength(1);
  });

  it.each(FINAL_OF_GROUP)(
    'rejects at once for %s, in the partitions or as a whole',
    async (_, code, advice) => {
      for (const isInPartitions of [true, false]) {
        await using broker = await ScriptedCoordinator.start();
        if (isInPartitions) broker.stored = () => ({ offset: -1n, errorCode: code });
        else broker.groupErrorCode = code;
        using store = kafkaStoreOf([broker.endpoint]);
        const error = await failureOf(store.read(AT, NO_END));
        expect(error).toMatchObject({ code: 'BROKER_ERROR', context: { brokerCode: code } });
        expect(error.message).toContain(advice);
        expect(fetches(broker)).toHaveLength(1);
      }
    },
  );

  it('takes what it does not know for none if its topic is about to be deleted, and goes on with the others', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.stored = ({ topic }, nth) =>
      topic === 'u' || nth === 1 ? { offset: -1n, errorCode: 3 } : { offset: 4n, errorCode: 0 };
    const existingTopics = (topics: ReadonlySet<string>) =>
      Promise.resolve([...topics].filter((topic) => topic !== 'u'));
    using store = kafkaStoreOf([broker.endpoint], {}, { existingTopics });
    await expect(store.read(AT, NO_END)).resolves.toEqual(
      new Map([
        ['t/0', 4],
        ['t/1', 4],
        ['u/0', null],
      ]),
    );
    expect(fetches(broker)).toEqual(['OffsetFetch t/0 t/1 u/0', 'OffsetFetch t/0 t/1']);
  });

  it('takes -1 for none, 0 for a position, and what no number holds for an error of its partition', async () => {
    await using broker = await ScriptedCoordinator.start();
    const offsets = [-1n, 0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
    broker.stored = ({ partition }) => ({ offset: offsets[partition] ?? 0n, errorCode: 0 });
    using store = kafkaStoreOf([broker.endpoint]);
    const read = await store.read(
      offsets.map((_, partition) => ({ topic: 't', partition })),
      NO_END,
    );
    const invalid = { code: 'OFFSET_INVALID' };
    expect([...read.values()]).toMatchObject([null, 0, 2 ** 53 - 1, invalid, invalid, null]);
    expect(read.get('t/3')).toMatchObject({
      message: expect.stringContaining('9007199254740992') as string,
      context: { topic: 't', partition: 3 },
    });
  });

  it('has the error of a partition that the answer leaves out, and rejects if it names a foreign one', async () => {
    await using broker = await ScriptedCoordinator.start();
    broker.answered = (asked) => asked.slice(1);
    using store = kafkaStoreOf([broker.endpoint]);
    const read = await store.read(AT, NO_END);
    expect([...read]).toMatchObject([
      ['t/1', null],
      ['u/0', null],
      ['t/0', { code: 'BROKER_ERROR' }],
    ]);
    broker.answered = (asked) => [...asked, { topic: 'v', partition: 0 }];
    await expect(store.read(AT, NO_END)).rejects.toMatchObject({ code: 'BROKER_ERROR' });
  });

  it('goes on while the session of the claim is not proved alive: what is not written can be read', async () => {
    await using broker = await ScriptedCoordinator.start();
    using store = kafkaStoreOf([broker.endpoint], {}, { isProved: () => false });
    await expect(store.read(AT.slice(0, 1), NO_END)).resolves.toEqual(new Map([['t/0', null]]));
  });
});

it('what is no error of Kafka is not hidden', async () => {
  const failure = new TypeError('unexpected');
  using store = kafkaStoreOf([], {}, { clusterBrokers: () => Promise.reject(failure) });
  await expect(store.write(AT, AGAIN)).rejects.toBe(failure);
  expect(ConnectorError.is(failure)).toBe(false);
});
