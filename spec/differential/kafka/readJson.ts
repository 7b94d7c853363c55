import type { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';

/** The fields of what is in a node; none if there is no such node. */
export async function readJson(zookeeper: ZookeeperAdmin, path: string): Promise<Record<string, unknown>> {
  const node = await zookeeper.get(path);
  return JSON.parse(node?.data?.toString('utf8') ?? '{}') as Record<string, unknown>;
}
