import { RealCluster } from '../support/cluster/RealCluster';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { ownersOf } from '../support/ownership';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

it('a filter that only Java can evaluate does not let ours stand in the way of the JVM: these get their share, and ours is back when it goes', async () => {
  const [group, topic] = ['refused', 'letters'];
  await using cluster = await RealCluster.start({ kafka: '0.8.2.2', brokers: 1 });
  await using zookeeper = await cluster.zookeeper();
  await cluster.createTopic(topic, { partitions: 6 });
  const place = { zookeeperConnect: cluster.zookeeperConnect, group };
  await using ours = await LocalMember.start({
    ...place,
    topics: { [topic]: 1 },
    properties: { 'consumer.id': 'z' },
  });
  await waitFor(() => ours.owned.length === 6, { timeoutMs: LIMIT_MS, description: 'all partitions' });

  // With a back-reference: Java fails on a group that has not matched, JavaScript matches nothing.
  const filter = { whitelist: '(l)(?:\\1|.*)' };
  await using jvm = await JvmMember.start({ ...place, filter, properties: { 'consumer.id': 'a' } });
  await waitFor(() => jvm.owned.size === 3, {
    ...{ timeoutMs: LIMIT_MS, description: 'the share of the JVM', details: () => jvm.log },
  });
  expect(jvm.errors).toEqual([]);
  expect(ours.owned).toEqual([]);
  const owners = await ownersOf(zookeeper, group, [topic]);
  expect(new Set(owners.values())).toEqual(new Set([`${group}_a-0`]));
  expect(ours.eventsOf('rebalance:failed').at(-1)?.error).toMatchObject({
    code: 'REGISTRATION_INVALID',
    context: { path: `/consumers/${group}/ids/${group}_a` },
  });

  await jvm.stop();
  await waitFor(() => ours.owned.length === 6, { timeoutMs: LIMIT_MS, description: 'all partitions again' });
});
