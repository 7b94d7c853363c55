import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries, type Receiver } from '../support/deliveries';
import { JvmMember } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { untilRanges, type OwningMember } from '../support/ownership';
import { SteadyLoad, type ProducedAt } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';
import { report } from '../support/report';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

interface GroupOptions {
  readonly zookeeperConnect: string;
  readonly group: string;
  readonly topics: Readonly<Record<string, number>>;
}

describe.each([
  { kafka: '0.8.2.2', brokers: 3 },
  { kafka: '3.9.1', brokers: 2 },
])('a group with members of the JVM and of Node on Kafka $kafka', ({ kafka, brokers }) => {
  let cluster: RealCluster;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka, brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    await zookeeper.close();
    await cluster.stop();
  });

  /** Of a group with one stream of a topic of the same name. */
  const options = (group: string): GroupOptions => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [group]: 1 } },
  });

  const ranges = (group: string, partitions: number, members: readonly OwningMember[]): Promise<void> =>
    untilRanges(zookeeper, { group, topic: group, partitions }, members, LIMIT_MS);

  /** Resolves when new messages of so many partitions have come, and to each of these members. */
  async function progress(partitions: number, members: readonly (Receiver & OwningMember)[]): Promise<void> {
    const before = members.map(({ messages }) => messages.length);
    await waitFor(
      () => {
        const fresh = members.map(({ messages }, index) => messages.slice(before[index]));
        const read = new Set(fresh.flat().map(({ partition }) => partition));
        return read.size >= partitions && fresh.every((messages) => messages.length > 0);
      },
      {
        timeoutMs: LIMIT_MS,
        description: `new messages of ${partitions} partitions on ${members.length} members`,
        details: () => members.map(({ log }) => log).join('\n'),
      },
    );
  }

  async function complete(produced: readonly ProducedAt[], members: readonly Receiver[]): Promise<void> {
    await waitFor(() => compareDeliveries(produced, members).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: `all of ${produced.length} messages`,
      details: () => compareDeliveries(produced, members).missing.slice(0, 20).join(' '),
    });
  }

  function reportRepeated(produced: readonly ProducedAt[], members: readonly Receiver[]): void {
    const { repeated } = compareDeliveries(produced, members);
    report(`${repeated.length} of ${produced.length} messages were repeated`);
  }

  it('R8: gives two members of each kind their ranges, also of partitions that are added', async () => {
    const group = 'four';
    await cluster.createTopic(group, { partitions: 10 });
    await using load = new SteadyLoad(cluster, group, 10);
    await using firstJvm = await JvmMember.start(options(group));
    await using firstNode = await NodeMember.start(options(group));
    await using secondJvm = await JvmMember.start(options(group));
    await using secondNode = await NodeMember.start(options(group));
    const members = [firstJvm, firstNode, secondJvm, secondNode];
    await ranges(group, 10, members);
    await progress(10, members);

    await cluster.addPartitions(group, 14);
    await using added = new SteadyLoad(cluster, group, 14);
    await ranges(group, 14, members);
    await progress(14, members);
    await firstNode.stop();
    await firstJvm.stop();
    await ranges(group, 14, [secondJvm, secondNode]);
    await progress(14, [secondJvm, secondNode]);

    const produced = [...(await load.stop()), ...(await added.stop())];
    await complete(produced, members);
    await secondNode.stop();
    await secondJvm.stop();
    const { missing, repeated } = compareDeliveries(produced, members);
    expect(missing).toEqual([]);
    expect(new Set(produced.map(({ partition }) => partition)).size).toBe(14);
    const nodes = new Set([firstNode.consumerId, secondNode.consumerId]);
    expect(repeated.filter(({ by }) => by.every((id) => nodes.has(id)))).toEqual([]);
    for (const { errors } of members) expect(errors).toEqual([]);
    reportRepeated(produced, members);
  });

  it('R7: takes over from a member of the JVM that stands still, and gives back when it goes on', async () => {
    const group = 'standstill';
    await cluster.createTopic(group, { partitions: 5 });
    await using load = new SteadyLoad(cluster, group, 5);
    await using jvm = await JvmMember.start(options(group));
    await using node = await NodeMember.start(options(group));
    await ranges(group, 5, [jvm, node]);
    await progress(5, [jvm, node]);
    jvm.pause();
    // Nobody else stores positions of its partitions while its owner nodes stand.
    const stored = new Map<number, number>();
    for (const partition of [0, 1, 2, 3, 4]) {
      const position = await zookeeper.get(`/consumers/${group}/offsets/${group}/${partition}`);
      if (jvm.owned.has(`${group}/${partition}`))
        stored.set(partition, Number(position?.data?.toString() ?? 0));
    }
    await ranges(group, 5, [node]);
    await progress(5, [node]);
    const readBefore = new Set(jvm.messages.map(({ partition, offset }) => `${partition}@${offset}`));
    jvm.resume();
    await ranges(group, 5, [jvm, node]);
    await progress(5, [jvm, node]);
    const produced = await load.stop();
    await complete(produced, [jvm, node]);
    await jvm.stop();
    await node.stop();
    const { missing, repeated } = compareDeliveries(produced, [jvm, node]);
    expect(missing).toEqual([]);
    expect(stored.size).toBeGreaterThan(0);
    // Ours begins at the stored position, and no sooner.
    const again = repeated.filter(({ partition, offset }) => readBefore.has(`${partition}@${offset}`));
    expect(again.filter(({ partition, offset }) => offset < (stored.get(partition) ?? 0))).toEqual([]);
    report(`${again.length} messages were repeated by the take-over`);
    // The JVM's member goes on with what it owned, until it learns that its session is over; ours repeats none of its own.
    expect(repeated.filter(({ by }) => by.filter((id) => id === node.consumerId).length > 1)).toEqual([]);
    expect(node.errors).toEqual([]);
    reportRepeated(produced, [jvm, node]);
  });

  it('R7: takes a member of Node back whose session the server has ended', async () => {
    const group = 'expiring';
    await cluster.createTopic(group, { partitions: 5 });
    await using load = new SteadyLoad(cluster, group, 5);
    await using jvm = await JvmMember.start(options(group));
    await using node = await NodeMember.start({
      ...options(group),
      properties: { 'auto.commit.interval.ms': 200 },
    });
    await ranges(group, 5, [jvm, node]);
    await progress(5, [jvm, node]);
    const [{ sessionId } = { sessionId: '' }] = node.eventsOf('session:connected');
    await cluster.expireSession(sessionId);
    await waitFor(() => node.eventsOf('session:connected').some((now) => now.sessionId !== sessionId), {
      timeoutMs: LIMIT_MS,
      description: 'a new session',
      details: () => node.log,
    });
    await ranges(group, 5, [jvm, node]);
    await progress(5, [jvm, node]);
    const produced = await load.stop();
    await complete(produced, [jvm, node]);
    await jvm.stop();
    await node.stop();
    expect(compareDeliveries(produced, [jvm, node]).missing).toEqual([]);
    expect(node.eventsOf('partitions:lost')).toHaveLength(1);
    expect(node.eventsOf('session:lost')).toEqual([{ sessionId }]);
    reportRepeated(produced, [jvm, node]);
  });
});
