import { RealCluster } from '../support/cluster/RealCluster';
import { ZookeeperAcls } from '../support/cluster/ZookeeperAcls';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { JvmMember } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { untilRanges } from '../support/ownership';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const CREDENTIALS = 'billing:secret:with colon';
const AUTH = { 'zookeeper.auth': `digest:${CREDENTIALS}` } as const;
const OPEN_ACL = ['world anyone: 31'];

describe.each(['0.8.2.2', '3.9.1'])('digest credentials, with the ZooKeeper of Kafka %s', (kafka) => {
  let cluster: RealCluster;
  let zookeeper: ZookeeperAdmin;
  let acls: ZookeeperAcls;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka });
    zookeeper = await cluster.zookeeper();
    acls = await ZookeeperAcls.connect(cluster.zookeeperConnect, CREDENTIALS);
  });

  afterAll(async () => {
    await acls[Symbol.asyncDispose]();
    await zookeeper.close();
    await cluster.stop();
  });

  it('without zookeeper.set.acl leave the group open: it is shared with a member of the JVM that has none', async () => {
    const topic = 'mixed';
    await cluster.createTopic(topic, { partitions: 4 });
    await using load = new SteadyLoad(cluster, topic, 4);
    const options = {
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 } },
    };
    // Whoever comes first makes the nodes of the group.
    await using node = await NodeMember.start({ ...options, properties: AUTH });
    await using jvm = await JvmMember.start(options);
    const place = { group: topic, topic, partitions: 4 };
    await untilRanges(zookeeper, place, [node, jvm]);
    await waitFor(() => jvm.messages.length > 20 && node.messages.length > 20, {
      ...{ timeoutMs: 20_000, description: 'messages of both', details: () => node.log + jvm.log },
    });
    const paths = [...(await zookeeper.tree(`/consumers/${topic}`)).keys()];
    const found = await Promise.all(paths.map((each) => acls.get(each)));
    expect(found).toEqual(paths.map(() => OPEN_ACL));
    await node.stop();
    await untilRanges(zookeeper, place, [jvm]);
    await using next = await NodeMember.start({ ...options, properties: AUTH });
    await untilRanges(zookeeper, place, [jvm, next]);
    const produced = await load.stop();
    const members = [node, jvm, next];
    await waitFor(() => compareDeliveries(produced, members).missing.length === 0, {
      ...{ timeoutMs: 20_000, description: 'everything', details: () => next.log + jvm.log },
    });
    expect(members.flatMap(({ errors }) => errors as unknown[])).toEqual([]);
    await jvm.stop();
    await next.stop();
  });
});
