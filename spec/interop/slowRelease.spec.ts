import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { JvmProducer } from '../support/jvm/JvmProducer';
import { report } from '../support/report';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
const PARTITIONS = 6;
/** What the connector of the JVM has by default: it gives up after some 8 s. */
const DEFAULT_RETRIES = { 'zookeeper.sync.time.ms': '2000', 'rebalance.max.retries': '4' };
const GIVEN_UP = /can't rebalance after 4 retries/;

describe('a member of Node whose application takes its time', () => {
  let cluster: RealCluster;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka: '0.8.2.2', brokers: 1 });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    await zookeeper.close();
    await cluster.stop();
  });

  /**
   * One member of the JVM ("a") and two of Node, of which "b" works on one message until it is told to stop; when "c" leaves,
   * the one of the JVM is to get a partition from "b".
   */
  async function play(
    topic: string,
    drainMs: number,
    whileItWorks: (jvm: JvmMember, slow: LocalMember, finish: () => void) => Promise<void>,
  ): Promise<void> {
    await cluster.createTopic(topic, { partitions: PARTITIONS });
    const { brokers } = cluster;
    await JvmProducer.fill({
      kafka: '0.8.2.2',
      brokers,
      topic,
      partitions: PARTITIONS,
      count: 60,
      valueBytes: 20,
    });
    const options = { zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 } };
    await using jvm = await JvmMember.start({
      ...options,
      properties: { 'consumer.id': 'a', ...DEFAULT_RETRIES },
    });
    await using slow = await LocalMember.start({
      ...{ ...options, consume: false },
      properties: { 'consumer.id': 'b', 'rebalance.drain.timeout.ms': drainMs },
    });
    await using leaving = await LocalMember.start({ ...options, properties: { 'consumer.id': 'c' } });
    await untilOwned(topic, [jvm, slow, leaving]);
    const loop = slow.stream().messages();
    const first = await loop.next();
    expect(first.done).toBe(false);
    await leaving.stop();
    await whileItWorks(jvm, slow, () => void loop.return?.());
    await slow.stop();
  }

  async function owners(topic: string): Promise<string> {
    return asText(await ownersOf(zookeeper, topic, [topic]));
  }

  async function untilOwned(
    topic: string,
    members: readonly { readonly consumerId: string }[],
  ): Promise<void> {
    const threads = members.map(({ consumerId }) => `${consumerId}-0`);
    const wanted = asText(rangeOf(topic, PARTITIONS, threads));
    await waitFor(async () => (await owners(topic)) === wanted, {
      ...{ timeoutMs: LIMIT_MS, description: `owners ${wanted}` },
    });
  }

  it('makes a member of the JVM give up, if rebalance.drain.timeout.ms lets it: that one owns nothing from then on', async () => {
    await play('slow', 60_000, async (jvm, slow, finish) => {
      const startedMs = performance.now();
      await waitFor(() => GIVEN_UP.test(jvm.log), {
        ...{ timeoutMs: LIMIT_MS, description: 'a member of the JVM that gives up', details: () => jvm.log },
      });
      report(`the member of the JVM gave up after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
      expect(slow.connector.state).toBe('rebalancing');
      finish();
      // What nobody reads is seen in the owner nodes: three partitions have none.
      const half = asText(
        new Map(
          [...rangeOf('slow', PARTITIONS, ['a', 'b'])].slice(3).map(([at]) => [at, `${slow.consumerId}-0`]),
        ),
      );
      await waitFor(async () => (await owners('slow')) === half && slow.connector.state === 'running', {
        ...{ timeoutMs: LIMIT_MS, description: `owners ${half}` },
      });
      expect(jvm.owned.size).toBe(0);
      // Any later change of the group brings it back.
      await using another = await LocalMember.start({
        ...{ zookeeperConnect: cluster.zookeeperConnect, group: 'slow', topics: { other: 1 } },
      });
      await untilOwned('slow', [jvm, slow]);
      expect(another.owned).toEqual([]);
    });
  });

  it('costs a member of the JVM a failed try or two with the default of rebalance.drain.timeout.ms, no more', async () => {
    await play('default', 2000, async (jvm, slow, finish) => {
      await untilOwned('default', [jvm, slow]);
      expect(jvm.log).not.toMatch(GIVEN_UP);
      finish();
    });
  });
});
