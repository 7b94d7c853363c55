// The Scala connector 0.8.2.2 in one group with ours, on the embedded cluster.
import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../lib/testing';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { JvmMember } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { untilRanges } from '../support/ownership';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
const PARTITIONS = 6;
const CELLS: readonly { kafka: NonNullable<EmbeddedClusterOptions['kafka']> }[] = [
  { kafka: '0.8' },
  { kafka: '0.9' },
  { kafka: '0.10.2' },
  { kafka: '1.1' },
  { kafka: '3.9' },
];

describe.each(CELLS)('a member of the JVM and one of Node on embedded brokers of $kafka', ({ kafka }) => {
  it('share the partitions, and take over from each other with nothing lost', async () => {
    await using cluster = await EmbeddedCluster.start({
      ...{ kafka, brokers: 2, chroot: '/kafka', topics: { both: PARTITIONS } },
    });
    await using zookeeper = await ZookeeperAdmin.connect(cluster.zookeeperConnect);
    const options = { zookeeperConnect: cluster.zookeeperConnect, group: 'both', topics: { both: 1 } };
    const place = { group: 'both', topic: 'both', partitions: PARTITIONS };
    await using load = new SteadyLoad(cluster, 'both', PARTITIONS);
    await using jvm = await JvmMember.start(options);
    await using node = await NodeMember.start(options);
    await untilRanges(zookeeper, place, [jvm, node], LIMIT_MS);
    const progress = (member: JvmMember | NodeMember): Promise<boolean> => {
      const before = member.messages.length;
      return waitFor(() => member.messages.length > before, { timeoutMs: LIMIT_MS, description: 'messages' });
    };
    await Promise.all([progress(jvm), progress(node)]);

    await jvm.stop();
    await untilRanges(zookeeper, place, [node], LIMIT_MS);
    await progress(node);
    await using second = await JvmMember.start(options);
    await untilRanges(zookeeper, place, [second, node], LIMIT_MS);
    await Promise.all([progress(second), progress(node)]);
    await node.stop();
    await untilRanges(zookeeper, place, [second], LIMIT_MS);

    const produced = await load.stop();
    const members = [jvm, node, second];
    await waitFor(() => compareDeliveries(produced, members).missing.length === 0, {
      ...{ timeoutMs: LIMIT_MS, description: `all of ${produced.length} messages` },
      details: () => compareDeliveries(produced, members).missing.slice(0, 20).join(' '),
    });
    await second.stop();
    for (const { errors } of members) expect(errors).toEqual([]);
    expect(compareDeliveries(produced, members).missing).toEqual([]);
  });
});
