import type { TestCluster } from './cluster/TestCluster';
import { connectionsOf, fourLetterWord } from './fourLetterWord';
import { waitFor } from './waitFor';

const LIMIT_MS = 30_000;

/** Numbers of the servers of an ensemble, which count from 1. */
export interface Roles {
  readonly leader: number;
  readonly followers: readonly number[];
}

/** Resolves when one of the servers leads and all others follow. */
export function rolesOf({ zookeeperServers }: TestCluster): Promise<Roles> {
  return waitFor(
    async () => {
      const answers = await Promise.all(zookeeperServers.map((server) => fourLetterWord(server, 'srvr')));
      const modes = answers.map((text) => /^Mode: (\w+)$/m.exec(text)?.[1]);
      const followers = modes.flatMap((mode, index) => (mode === 'follower' ? [index + 1] : []));
      const leader = modes.indexOf('leader') + 1;
      return leader > 0 && followers.length === modes.length - 1 && { leader, followers };
    },
    { timeoutMs: LIMIT_MS, description: 'a leader and its followers' },
  );
}

/** Numbers of the servers that have a connection of this session, each as often as it has one. */
export async function serversWith({ zookeeperServers }: TestCluster, sessionId: string): Promise<number[]> {
  const counts = await Promise.all(
    zookeeperServers.map(async (server) => (await connectionsOf(server, sessionId)).length),
  );
  return counts.flatMap((count, index) => new Array<number>(count).fill(index + 1));
}

/** `host:port` of the server with this number. */
export function addressOf({ zookeeperServers }: TestCluster, number: number): string {
  const server = zookeeperServers[number - 1];
  if (server === undefined) throw new Error(`there is no ZooKeeper server ${number}`);
  return `${server.host}:${server.port}`;
}
