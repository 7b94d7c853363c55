import { startCluster } from '../support/cluster/startCluster';
import { brokerMutations } from '../support/mutating/brokerMutations';
import { clientIdOf } from '../support/mutating/fetchedParts';
import { byCorrelationId, byXid, MutatingProxy } from '../support/mutating/MutatingProxy';
import type { MemberSubjectOptions } from '../support/mutating/memberSubject';
import { SubjectProcess } from '../support/mutating/SubjectProcess';
import { zookeeperMutations } from '../support/mutating/zookeeperMutations';
import { PartitionLoads } from '../support/produce/PartitionLoads';
import { range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const SEED = 20_151_130;
/** At least so many arrive. Brokers are asked only by who has got its partitions in spite of the other mutations. */
const ANSWERS = { zookeeper: 250, broker: 150 };
const MIB = 1024 * 1024;
/** Members take frames of 128 MiB, so that much may be announced (and is not touched before it comes). */
const LIMITS = { largestBytes: 128 * MIB, growthBytes: 96 * MIB };
const LIMIT_MS = 40_000;
const STOP_LIMIT_MS = 15_000;
const GROUPS = 4;
const PARTITIONS = range(0, 4);
const TOPIC = 'mutated';
const CLIENT = 'member';

/** Timeouts that are over soon, since every fourth mutation is silence, or comes to that. */
const PROPERTIES = {
  'client.id': CLIENT,
  'zookeeper.session.timeout.ms': 1500,
  'zookeeper.connection.timeout.ms': 3000,
  'rebalance.backoff.ms': 100,
  'refresh.leader.backoff.ms': 50,
  'socket.timeout.ms': 600,
  'fetch.wait.max.ms': 50,
  'fetch.message.max.bytes': 65_536,
  'fetch.max.bytes': MIB,
  'auto.commit.interval.ms': 100,
} as const;

describe.each(['0.8.2.2', '3.9.1'])('connectors on Kafka %s', (kafka) => {
  it('survive mutated answers from ZooKeeper and from the broker at once, then read everything and end in time', async () => {
    const isOld = kafka === '0.8.2.2';
    const brokers: MutatingProxy[] = [];
    await using cluster = await startCluster({
      kafka,
      brokerProperties: async (broker): Promise<Record<string, string>> => {
        const proxy = await MutatingProxy.to({
          ...{ target: broker, seed: SEED },
          mutations: brokerMutations.filter(({ isPlausible }) => isPlausible !== true),
          share: ({ request }) => (clientIdOf(request) === CLIENT ? 0.4 : 0),
          isAnswer: byCorrelationId,
        });
        brokers.push(proxy);
        return isOld
          ? { 'advertised.host.name': proxy.host, 'advertised.port': String(proxy.port) }
          : { 'advertised.listeners': `PLAINTEXT://${proxy.address}` };
      },
    });
    // A start that failed for a port that was taken has left one, too.
    const brokerProxy = brokers.at(-1);
    const [target] = cluster.zookeeperServers;
    if (brokerProxy === undefined || target === undefined) throw new Error('no server');
    await using zookeeperProxy = await MutatingProxy.to({
      ...{ target, seed: SEED },
      mutations: zookeeperMutations().filter(({ isPlausible }) => isPlausible !== true),
      share: () => 0.15,
      isAnswer: byXid,
    });
    const proxies = [zookeeperProxy, brokerProxy];
    const mutate = (isMutating: boolean): void => proxies.forEach((proxy) => (proxy.isMutating = isMutating));
    try {
      await cluster.createTopic(TOPIC, { partitions: PARTITIONS.length });
      await using load = new PartitionLoads(cluster, TOPIC, PARTITIONS, { pauseMs: 30, paddingBytes: 50 });
      const options: MemberSubjectOptions = {
        ...{ zookeeperConnect: `${zookeeperProxy.address}/kafka`, topic: TOPIC, groups: GROUPS },
        properties: PROPERTIES,
      };
      const logs = proxies.map(({ log }) => log);
      await using subject = new SubjectProcess('memberSubject.ts', options, logs, LIMITS);
      await subject.command('start', LIMIT_MS);
      await waitFor(
        async () => ((await subject.command('counts', LIMIT_MS)) as number[]).every((n) => n > 50),
        {
          ...{ timeoutMs: LIMIT_MS, description: 'messages before the mutations' },
        },
      );
      subject.startCounting();
      await subject.command('heal', STOP_LIMIT_MS);
      mutate(true);
      await subject.until(
        () =>
          zookeeperProxy.log.deliveredCount >= ANSWERS.zookeeper &&
          brokerProxy.log.deliveredCount >= ANSWERS.broker,
        `${ANSWERS.zookeeper} mutated answers from ZooKeeper and ${ANSWERS.broker} from the broker`,
        LIMIT_MS,
      );
      mutate(false);
      const produced = await load.stop();
      await waitFor(
        async () =>
          ((await subject.command('counts', LIMIT_MS)) as number[]).every((n) => n >= produced.length),
        { timeoutMs: LIMIT_MS, description: `all of ${produced.length} messages`, intervalMs: 200 },
      );
      const handedOut = (await subject.command('messages', LIMIT_MS)) as (readonly [string, string])[][];
      for (const messages of handedOut) {
        const values = new Map(messages);
        const missing = produced.filter(
          ({ partition, offset, value }) => values.get(`${partition}@${offset}`) !== value,
        );
        expect(missing).toEqual([]);
      }
      await subject.command('stop', STOP_LIMIT_MS);
      await subject.end();
    } finally {
      await Promise.all(brokers.map((proxy) => proxy[Symbol.asyncDispose]()));
    }
  });
});
