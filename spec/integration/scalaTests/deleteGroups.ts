import type { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';

/** Whether the group has members, as Kafka's tools see it. */
async function isActive(zookeeper: ZookeeperAdmin, group: string): Promise<boolean> {
  return (await zookeeper.children(`/consumers/${group}/ids`)).length > 0;
}

/** Removes all that ZooKeeper knows of a group, as kafka.admin.AdminUtils does; false if it has members. */
export async function deleteGroup(zookeeper: ZookeeperAdmin, group: string): Promise<boolean> {
  if (await isActive(zookeeper, group)) return false;
  await zookeeper.removeRecursive(`/consumers/${group}`);
  return true;
}

/** The same for one topic of the group; with its last topic the group goes, too. */
export async function deleteGroupTopic(
  zookeeper: ZookeeperAdmin,
  group: string,
  topic: string,
): Promise<boolean> {
  const topics = await zookeeper.children(`/consumers/${group}/owners`);
  if (topics.length === 1 && topics[0] === topic) return deleteGroup(zookeeper, group);
  if (await isActive(zookeeper, group)) return false;
  for (const kind of ['owners', 'offsets']) {
    await zookeeper.removeRecursive(`/consumers/${group}/${kind}/${topic}`);
  }
  return true;
}

/** The same for one topic of every group that has it. */
export async function deleteTopicOfAllGroups(zookeeper: ZookeeperAdmin, topic: string): Promise<void> {
  for (const group of await zookeeper.children('/consumers')) {
    const topics = await zookeeper.children(`/consumers/${group}/owners`);
    if (topics.includes(topic)) await deleteGroupTopic(zookeeper, group, topic);
  }
}
