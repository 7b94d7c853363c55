import type { ResolvedConfig } from '../config/configTable';
import type { Cluster } from '../fetch/cluster';
import type { Logger } from '../logger';
import type { GroupPaths } from '../zookeeper/paths';
import type { ZookeeperSession } from '../zookeeper/ZookeeperSession';
import { DualOffsetStore } from './DualOffsetStore';
import { KafkaOffsetStore } from './KafkaOffsetStore';
import type { OffsetStore } from './OffsetStore';
import { ZookeeperOffsetStore } from './ZookeeperOffsetStore';

/** The store that `offsets.storage` and `dual.commit.enabled` name, for the claims of one session. */
export function offsetStoreOf(parts: {
  readonly config: ResolvedConfig;
  readonly session: ZookeeperSession;
  readonly paths: GroupPaths;
  readonly cluster: Cluster;
  readonly logger: Logger;
}): OffsetStore {
  const { config, session, paths, cluster, logger } = parts;
  const inZookeeper = new ZookeeperOffsetStore(session, paths);
  if (config['offsets.storage'] === 'zookeeper') return inZookeeper;
  const inKafka = new KafkaOffsetStore({
    ...{ group: config['group.id'], config, logger },
    clusterBrokers: () => cluster.brokers(),
    connect: cluster.connect,
    existingTopics: (topics) => cluster.existingTopics(topics),
    isProved: () => session.isProved,
  });
  return config['dual.commit.enabled'] ? new DualOffsetStore(inKafka, inZookeeper) : inKafka;
}
