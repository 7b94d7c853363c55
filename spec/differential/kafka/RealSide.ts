import { RealCluster } from '../../support/cluster/RealCluster';
import type { BrokerProperties } from '../../support/cluster/TestCluster';
import { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';
import { readJson } from './readJson';
import type { Release } from './releases';
import { BROKERS, BROKER_PROPERTIES, type Side } from './Side';

const MOST_STARTS = 12;

/** What embedded brokers do not have. */
const REAL_PROPERTIES: BrokerProperties = {
  'replica.fetch.max.bytes': '20000',
  // It would come at any time.
  'auto.leader.rebalance.enable': 'false',
  // Embedded brokers answer as one does that has no room for another fetch session.
  'max.incremental.fetch.session.cache.slots': '0',
};

/** Messages have fixed times that are years old; without times, a log is as old as its file. */
function keepMessages({ format }: Release): BrokerProperties {
  return format === 0 ? {} : { 'log.retention.ms': '-1' };
}

/** Starts a real cluster whose first broker is the controller: brokers start together, and the fastest gets it. */
export async function startReal(release: Release): Promise<Side> {
  for (let starts = 1; ; starts++) {
    const cluster = await RealCluster.start({
      kafka: release.kafka,
      brokers: BROKERS,
      brokerProperties: { ...BROKER_PROPERTIES, ...REAL_PROPERTIES, ...keepMessages(release) },
    });
    if ((await controllerOf(cluster)) === 1) return cluster;
    await cluster.stop();
    if (starts === MOST_STARTS) throw new Error(`broker 1 was not the controller in ${starts} starts`);
  }
}

async function controllerOf(cluster: RealCluster): Promise<number> {
  await using zookeeper = await ZookeeperAdmin.connect(cluster.zookeeperConnect);
  return Number((await readJson(zookeeper, '/controller'))['brokerid']);
}
