import type { LocalSession } from '../zookeeper/LocalSession';
import { GENERATIONS, type Generation } from './Generation';
import { readObject } from './topicNodes';

/** Which nodes brokers make at their start, and since when. */
const PATHS: readonly (readonly [path: string, since: Generation])[] = [
  ['/consumers', '0.8'],
  ['/brokers/ids', '0.8'],
  ['/brokers/topics', '0.8'],
  ['/config/changes', '0.8'],
  ['/config/topics', '0.8'],
  ['/config/clients', '0.9'],
  ['/config/users', '1.1'],
  ['/config/brokers', '1.1'],
  ['/config/ips', '3.9'],
  ['/admin/delete_topics', '0.8'],
  ['/brokers/seqid', '0.9'],
  ['/isr_change_notification', '0.9'],
  ['/latest_producer_id_block', '1.1'],
  ['/log_dir_event_notification', '1.1'],
];

const CLUSTER_ID_PATH = '/cluster/id';
const PRODUCER_IDS_PATH = '/latest_producer_id_block';
const PRODUCER_ID_BLOCK = 1000;

/** Makes the nodes that a fresh broker of the generation finds or makes. Those that exist are left as they are. */
export function makePersistentNodes(session: LocalSession, generation: Generation): void {
  for (const [path, since] of PATHS) if (isSince(generation, since)) session.mkdirp(path);
}

/** The stored id of the cluster, which is this one if none was stored. Before 0.10.2 there is nothing stored. */
export function storeClusterId(session: LocalSession, generation: Generation, clusterId: string): string {
  if (!isSince(generation, '0.10.2')) return clusterId;
  const node = session.get(CLUSTER_ID_PATH);
  if (node !== null) return String(readObject(node.data)?.['id']);
  session.mkdirp('/cluster');
  session.create(CLUSTER_ID_PATH, JSON.stringify({ version: '1', id: clusterId }));
  return clusterId;
}

/** Brokers of 1.1 reserve producer ids at their start. */
export function reserveProducerIds(session: LocalSession, generation: Generation, brokerId: number): void {
  if (generation !== '1.1') return;
  const data = session.get(PRODUCER_IDS_PATH)?.data;
  const last = data === undefined ? null : readObject(data);
  const start = last === null ? 0 : Number(last['block_end']) + 1;
  const block = { block_start: String(start), block_end: String(start + PRODUCER_ID_BLOCK - 1) };
  session.set(PRODUCER_IDS_PATH, JSON.stringify({ version: 1, broker: brokerId, ...block }));
}

/** Counts the controllers that there have been; a new one adds itself. */
export function nextControllerEpoch(session: LocalSession, generation: Generation): number {
  const path = '/controller_epoch';
  const node = session.get(path);
  const epoch = node === null ? 1 : Number(node.data.toString('utf8')) + 1;
  if (node === null) session.create(path, generation === '3.9' ? '0' : String(epoch));
  if (node !== null || generation === '3.9') session.set(path, String(epoch));
  return epoch;
}

/** A controller of 3.9 says that there are no features to be agreed on. */
export function storeFeatures(session: LocalSession, generation: Generation): void {
  if (generation !== '3.9' || session.get('/feature') !== null) return;
  session.create('/feature', JSON.stringify({ features: {}, version: 2, status: 1 }));
}

function isSince(generation: Generation, since: Generation): boolean {
  return GENERATIONS.indexOf(generation) >= GENERATIONS.indexOf(since);
}
