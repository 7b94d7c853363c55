import { RealCluster } from './RealCluster';
import { CLUSTER_KINDS } from './clusterKinds';
import { EmbeddedTestCluster } from './EmbeddedTestCluster';
import type { TestCluster, TestClusterOptions } from './TestCluster';

/** A cluster of the kind that CLUSTERS says: in this process (`embedded`, the default) or in a JVM (`real`). */
export function startCluster(options: TestClusterOptions): Promise<TestCluster> {
  const kind = process.env['CLUSTERS'] ?? 'embedded';
  if (kind === 'embedded') return EmbeddedTestCluster.start(options);
  if (kind === 'real') return RealCluster.start(options);
  throw new Error(`CLUSTERS is "${kind}", but has to be one of: ${CLUSTER_KINDS.join(', ')}`);
}
