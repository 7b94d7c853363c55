import type { KafkaState } from '../KafkaState';

/** No node can have such a name. */
const IMPOSSIBLE = ['', '.', '..'];

/** Where version 0 of the APIs for offsets, and the original connector, keep them. */
function pathOf(group: string, topic: string): string {
  if (group.split('/').some((name) => IMPOSSIBLE.includes(name))) throw new RangeError(`no path: ${group}`);
  return `/consumers/${group}/offsets/${topic}`;
}

/** @throws RangeError for a group that cannot be a path, and what the session throws */
export function storeInZookeeper(
  { zookeeper }: Pick<KafkaState, 'zookeeper'>,
  group: string,
  topic: string,
  partition: number,
  offset: number,
): void {
  const parent = pathOf(group, topic);
  const path = `${parent}/${partition}`;
  if (zookeeper.get(path) !== null) {
    zookeeper.set(path, String(offset));
    return;
  }
  zookeeper.mkdirp(parent);
  zookeeper.create(path, String(offset));
}

/**
 * Null if nothing is stored.
 *
 * @throws RangeError for a node that has no offset or a group that cannot be a path, and what the session throws
 */
export function readFromZookeeper(
  { zookeeper }: Pick<KafkaState, 'zookeeper'>,
  group: string,
  topic: string,
  partition: number,
): number | null {
  const node = zookeeper.get(`${pathOf(group, topic)}/${partition}`);
  if (node === null) return null;
  const text = node.data.toString('utf8');
  if (!/^[-+]?\d+$/.test(text)) throw new RangeError(`no offset: ${text}`);
  return Number(text);
}
