import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { GroupHistory } from '../support/GroupHistory';
import { JvmMember } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';
import { report } from '../support/report';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
const GROUP = 'topics';
/** Number of partitions. */
const TOPICS = { left: 5, right: 4 } as const;
type Topic = keyof typeof TOPICS;
const NAMES: readonly Topic[] = ['left', 'right'];
const PARTITIONS = NAMES.flatMap((topic) =>
  Array.from({ length: TOPICS[topic] }, (_, partition) => ({ topic, partition })),
);

/** A member of either kind, with its streams per topic. */
interface Joined {
  readonly member: JvmMember | NodeMember;
  readonly streams: Readonly<Partial<Record<Topic, number>>>;
}

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])(
  'members of the JVM and of Node with several topics and threads on Kafka $kafka',
  ({ kafka }) => {
    let cluster: RealCluster;
    let zookeeper: ZookeeperAdmin;
    /** Everybody who was ever there. */
    const everyone: Joined[] = [];

    beforeAll(async () => {
      cluster = await RealCluster.start({ kafka, brokers: 2 });
      zookeeper = await cluster.zookeeper();
    });

    afterAll(async () => {
      for (const { member } of everyone) await member[Symbol.asyncDispose]();
      await zookeeper.close();
      await cluster.stop();
    });

    async function join(kind: 'jvm' | 'node', streams: Joined['streams']): Promise<Joined> {
      const options = { zookeeperConnect: cluster.zookeeperConnect, group: GROUP, topics: streams };
      const member =
        kind === 'jvm'
          ? await JvmMember.start(options)
          : await NodeMember.start({ ...options, properties: { 'auto.commit.interval.ms': 500 } });
      const joined = { member, streams };
      everyone.push(joined);
      return joined;
    }

    const logsOf = (joined: readonly Joined[]): string => joined.map(({ member }) => member.log).join('\n');

    /** Resolves when ZooKeeper, and each of them, says that they own what `range` gives to their threads. */
    async function share(joined: readonly Joined[]): Promise<void> {
      const wanted = new Map<string, string>();
      for (const topic of NAMES) {
        const threads = joined.flatMap(({ member: { consumerId }, streams }) =>
          Array.from({ length: streams[topic] ?? 0 }, (_, n) => `${consumerId}-${n}`),
        );
        for (const [partition, thread] of rangeOf(topic, TOPICS[topic], threads)) {
          wanted.set(partition, thread);
        }
      }
      await waitFor(
        async () => {
          if (asText(await ownersOf(zookeeper, GROUP, NAMES)) !== asText(wanted)) return false;
          return joined.every(({ member: { owned, consumerId } }) => {
            const own = [...wanted].filter(([, thread]) => thread.startsWith(`${consumerId}-`));
            return asText(owned) === asText(new Map(own));
          });
        },
        {
          timeoutMs: LIMIT_MS,
          description: `owners ${asText(wanted)}`,
          details: () => logsOf(joined),
        },
      );
    }

    /** Resolves when new messages of all partitions have come to these members. */
    async function progress(joined: readonly Joined[]): Promise<void> {
      await share(joined);
      const before = joined.map(({ member }) => member.messages.length);
      await waitFor(
        () => {
          const fresh = joined.flatMap(({ member }, n) => member.messages.slice(before[n]));
          return (
            new Set(fresh.map(({ topic, partition }) => `${topic}/${partition}`)).size === PARTITIONS.length
          );
        },
        { timeoutMs: LIMIT_MS, description: 'new messages of everything', details: () => logsOf(joined) },
      );
    }

    it('lose nothing while both kinds join, leave and are killed, and repeat only what JVM members read before they claim, or what was not committed at a kill', async () => {
      for (const topic of NAMES) await cluster.createTopic(topic, { partitions: TOPICS[topic] });
      await using history = new GroupHistory(cluster, GROUP, PARTITIONS);
      await using left = new SteadyLoad(cluster, 'left', TOPICS.left);
      await using right = new SteadyLoad(cluster, 'right', TOPICS.right);

      const jvm = await join('jvm', { left: 2, right: 1 });
      const node = await join('node', { left: 1, right: 2 });
      await progress([jvm, node]);
      const onlyLeft = await join('node', { left: 3 });
      await progress([jvm, node, onlyLeft]);
      const secondJvm = await join('jvm', { left: 1, right: 3 });
      await progress([jvm, node, onlyLeft, secondJvm]);
      await node.member.stop();
      await progress([jvm, onlyLeft, secondJvm]);
      await jvm.member.stop();
      await progress([onlyLeft, secondJvm]);
      const thirdNode = await join('node', { left: 2, right: 2 });
      await progress([onlyLeft, secondJvm, thirdNode]);

      await onlyLeft.member.kill();
      await progress([secondJvm, thirdNode]);
      const thirdJvm = await join('jvm', { left: 2, right: 2 });
      await progress([secondJvm, thirdNode, thirdJvm]);
      await secondJvm.member.kill();
      await progress([thirdNode, thirdJvm]);

      const produced = [...(await left.stop()), ...(await right.stop())];
      const members = everyone.map(({ member }) => member);
      await waitFor(() => compareDeliveries(produced, members).missing.length === 0, {
        timeoutMs: LIMIT_MS,
        description: `all of ${produced.length} messages`,
        details: () => compareDeliveries(produced, members).missing.slice(0, 20).join(' '),
      });
      await thirdNode.member.stop();
      await thirdJvm.member.stop();
      await history.stop();

      const { missing, repeated } = compareDeliveries(produced, members);
      expect(missing).toEqual([]);
      const jvms = new Set([jvm, secondJvm, thirdJvm].map(({ member }) => member.consumerId));
      const killed = new Set([onlyLeft, secondJvm].map(({ member }) => member.consumerId));
      const reasons = repeated.map((one) => ({ ...one, why: history.explain(one, jvms, killed) }));
      expect(reasons.filter(({ why }) => why === null)).toEqual([]);
      const count = (kind: string): number => reasons.filter(({ why }) => why?.kind === kind).length;
      report(
        `${repeated.length} of ${produced.length} messages were repeated: ` +
          `${count('read before the claim')} by JVM members that read offsets before they claim, ` +
          `${count('not committed at a crash')} after the two kills`,
      );
      // What was looked at has happened: each partition has changed hands several times.
      for (const at of PARTITIONS) expect(history.claimsOf(at).length).toBeGreaterThan(5);
      for (const { errors, messages } of members) {
        expect(errors).toEqual([]);
        expect(messages.length).toBeGreaterThan(0);
      }
      await expect(zookeeper.children(`/consumers/${GROUP}/ids`)).resolves.toEqual([]);
    });
  },
);
