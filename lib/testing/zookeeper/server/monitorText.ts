import { FULL_VERSIONS } from '../ZookeeperRelease';
import type { EnsembleServer } from './EnsembleServer';

/** The answer to `mntr`; the newer release has hundreds of lines more. */
export function monitorText(server: EnsembleServer): string {
  const { database, traffic, watches, conversations, mode } = server;
  const { tree, release } = database;
  const lines: [name: string, value: string | number][] = [
    ['version', FULL_VERSIONS[release]],
    ['avg_latency', traffic.averageText(release)],
    ['max_latency', traffic.maxMs],
    ['min_latency', traffic.minMs],
    ['packets_received', traffic.received],
    ['packets_sent', traffic.sent],
    ['num_alive_connections', conversations.size],
    ['outstanding_requests', 0],
    ['server_state', mode],
    ['znode_count', tree.countedNodes],
    ['watch_count', watches.data.watchCount + watches.children.watchCount],
    ['ephemerals_count', tree.ephemeralCount],
    ['approximate_data_size', tree.approximateBytes],
  ];
  if (release === '3.8') lines.push(['global_sessions', database.sessions.all.length]);
  if (mode === 'leader') {
    const followers = server.followers;
    lines.push(['followers', followers], ['synced_followers', followers], ['pending_syncs', 0]);
  }
  return lines.map(([name, value]) => `zk_${name}\t${value}\n`).join('');
}
