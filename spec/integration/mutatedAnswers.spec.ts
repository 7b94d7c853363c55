import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { brokerMutations, newerBrokerMutations } from '../support/mutating/brokerMutations';
import { apiOf } from '../support/mutating/fetchedParts';
import { framed, type Mutation } from '../support/mutating/mutation';
import { byCorrelationId, byXid, MutatingProxy } from '../support/mutating/MutatingProxy';
import type { BrokerSubjectOptions } from '../support/mutating/brokerSubject';
import type { SessionSubjectOptions } from '../support/mutating/sessionSubject';
import { SubjectProcess } from '../support/mutating/SubjectProcess';
import { zookeeperMutations } from '../support/mutating/zookeeperMutations';
import { Producer } from '../support/produce/Producer';
import { range } from '../support/readOn';

jest.setTimeout(120_000);

const SEED = 20_151_130;
const ANSWERS = 2000;
const MIB = 1024 * 1024;
const LIMITS = { largestBytes: MIB + 65_536, growthBytes: 64 * MIB };
const LIMIT_MS = 60_000;
/** How long it runs before the mutations, so that what it needs anyway is not taken for growth. */
const WARM_UP = 2000;
const STOP_LIMIT_MS = 15_000;
const SESSION_TIMEOUT_MS = 1000;

const API_VERSIONS = 18;
/** Of the mutated answers that arrive. */
const LEAST_OF_A_KIND = 10;

/** Kinds that came to the process too seldom. */
function rareKinds({ log }: MutatingProxy, mutations: readonly Mutation[]): string[] {
  return mutations.map(({ kind }) => kind).filter((kind) => (log.delivered.get(kind) ?? 0) < LEAST_OF_A_KIND);
}

/** In a comparison of objects. */
function atLeast(least: number): unknown {
  return {
    asymmetricMatch: (found: unknown) => typeof found === 'number' && found >= least,
    toString: () => `at least ${least}`,
  };
}

/** Runs the process until so many mutated answers have come to it, and lets it prove that it is sound then. */
async function throwAt(
  proxy: MutatingProxy,
  subject: SubjectProcess,
): Promise<{ readonly outcomes: Readonly<Record<string, number>>; readonly sound: unknown }> {
  await subject.command('start', LIMIT_MS);
  const before = proxy.passedCount;
  await subject.until(() => proxy.passedCount - before >= WARM_UP, 'answers as they are', LIMIT_MS);
  subject.startCounting();
  proxy.isMutating = true;
  await subject.until(() => proxy.log.deliveredCount >= ANSWERS, `${ANSWERS} mutated answers`, LIMIT_MS);
  const outcomes = (await subject.command('stop', STOP_LIMIT_MS)) as Readonly<Record<string, number>>;
  proxy.isMutating = false;
  const sound = await subject.command('sound', STOP_LIMIT_MS);
  await subject.end();
  return { outcomes, sound };
}

describe.each(['0.8.2.2', '3.9.1'])(
  `against the ZooKeeper and the broker of Kafka %s, ${ANSWERS} mutated answers`,
  (kafka) => {
    let cluster: TestCluster;

    beforeAll(async () => {
      cluster = await startCluster({ kafka });
    });

    afterAll(() => cluster.stop());

    it('to ZooKeeper sessions leave the process alive, every request settled, and the next session sound', async () => {
      const mutations = zookeeperMutations();
      const [target] = cluster.zookeeperServers;
      if (target === undefined) throw new Error('no server');
      await using proxy = await MutatingProxy.to({
        ...{ target, seed: SEED, mutations },
        // Few connections would get beyond their beginning otherwise.
        share: ({ previous }) => (previous === null ? 0.35 : 0.7),
        isAnswer: byXid,
      });
      const options: SessionSubjectOptions = {
        ...{ servers: proxy.address, chroot: '/kafka', sessionTimeoutMs: SESSION_TIMEOUT_MS, slots: 16 },
      };
      await using subject = new SubjectProcess('sessionSubject.ts', options, [proxy.log], LIMITS);
      const { outcomes, sound } = await throwAt(proxy, subject);
      expect(outcomes).toMatchObject({
        right: atLeast(500),
        SESSION_LOST: atLeast(50),
        ZOOKEEPER_UNREACHABLE: atLeast(50),
      });
      expect(sound).toEqual(['created', 'written', '2', true, true, 'removed', SESSION_TIMEOUT_MS]);
      expect(rareKinds(proxy, mutations)).toEqual([]);
      expect(proxy.log.deliveredCount).toBeGreaterThanOrEqual(ANSWERS);
    });

    it('to broker connections leave the process alive, every request settled, and the next connection sound', async () => {
      const [target] = cluster.brokers;
      if (target === undefined) throw new Error('no broker');
      const isOld = kafka === '0.8.2.2';
      const magic = isOld ? 0 : 1;
      const partitions = 3;
      await cluster.createTopic('mutated', { partitions });
      await using producer = new Producer({ brokers: cluster.brokers });
      const messages = range(0, 10).map((n) => ({
        key: n % 2 === 0 ? null : `key-${n}`,
        value: `value-${n}`,
      }));
      for (const partition of range(0, partitions)) {
        await producer.send('mutated', partition, messages, { magic, gzip: partition > 0 });
        await producer.send('mutated', partition, messages, { magic, gzip: partition > 1 });
      }
      const mutations = isOld ? brokerMutations : [...brokerMutations, ...newerBrokerMutations];
      await using proxy = await MutatingProxy.to({
        ...{ target, seed: SEED, mutations },
        share: ({ request }) => (apiOf(request) === API_VERSIONS ? 0.2 : 0.6),
        isAnswer: byCorrelationId,
        // 0.8 closes the connection when it is asked for its versions; the network may say anything then.
        instead: (request) => framed(request.subarray(8, 12)),
      });
      const broker = { host: proxy.host, port: proxy.port, registrationVersion: isOld ? 1 : 4 };
      const options: BrokerSubjectOptions = {
        broker,
        topic: 'mutated',
        partitions,
        maxFrameBytes: MIB,
        slots: 8,
      };
      await using subject = new SubjectProcess('brokerSubject.ts', options, [proxy.log], LIMITS);
      const { outcomes, sound } = await throwAt(proxy, subject);
      expect(outcomes).toMatchObject({
        right: atLeast(500),
        BROKER_ERROR: atLeast(500),
        MESSAGE_CORRUPT: atLeast(50),
      });
      expect(sound).toEqual([partitions, 2 * messages.length * partitions, [0, 0, 0]]);
      expect(rareKinds(proxy, mutations)).toEqual([]);
      expect(proxy.log.deliveredCount).toBeGreaterThanOrEqual(ANSWERS);
    });
  },
);
