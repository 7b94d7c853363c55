import { EmbeddedNetwork } from '../../../lib/testing/network/EmbeddedNetwork';
import { ZookeeperEnsemble } from '../../../lib/testing/zookeeper/ZookeeperEnsemble';
import { RealCluster } from '../../support/cluster/RealCluster';
import type { ScriptedServer } from './ScriptedServer';

/** A release of ZooKeeper that has been measured, and the one of Kafka that comes with it. */
export interface ScriptedRelease {
  readonly zookeeper: string;
  readonly kafka: string;
  readonly embedded: '3.4' | '3.8';
}

export const releases: readonly ScriptedRelease[] = [
  { zookeeper: '3.4.6', kafka: '0.8.2.2', embedded: '3.4' },
  { zookeeper: '3.8.4', kafka: '3.9.1', embedded: '3.8' },
];

/** Starts the real server, lets it be used, and stops it. */
export async function withRealServer<T>(
  { kafka }: ScriptedRelease,
  use: (server: ScriptedServer) => Promise<T>,
): Promise<T> {
  await using cluster = await RealCluster.start({ kafka, brokers: 0, chroot: '' });
  const [address] = cluster.zookeeperServers;
  if (address === undefined) throw new Error('there is no server');
  return await use({ ...address, expireSession: (id) => cluster.expireSession(id) });
}

/** The same with the embedded server, which has the same limits as the real one. */
export async function withEmbeddedServer<T>(
  { embedded }: ScriptedRelease,
  use: (server: ScriptedServer) => Promise<T>,
): Promise<T> {
  const ensemble = new ZookeeperEnsemble({
    network: new EmbeddedNetwork(1),
    servers: 1,
    release: embedded,
    tickTimeMs: 500,
    minSessionTimeoutMs: 1000,
    maxSessionTimeoutMs: 40_000,
  });
  await ensemble.start();
  try {
    const [address] = ensemble.servers;
    if (address === undefined) throw new Error('there is no server');
    const { host, port } = address;
    return await use({
      host,
      port,
      expireSession: (id) => {
        ensemble.expireSession(id);
        return Promise.resolve();
      },
    });
  } finally {
    await ensemble.stop();
  }
}
