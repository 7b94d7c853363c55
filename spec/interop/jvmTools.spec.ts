import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember, type JvmRelease } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { ownersOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';
import {
  checkOffsets,
  exportOffsets,
  importOffsets,
  resetOffsets,
  verifyRebalance,
} from './support/jvmTools';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 30_000;
const PARTITIONS = 5;

describe.each<{ kafka: string; connectors: readonly JvmRelease[] }>([
  { kafka: '0.8.2.2', connectors: ['0.8.2.2'] },
  { kafka: '3.9.1', connectors: ['0.8.2.2', '0.10.2.2', '1.1.1'] },
])('the tools of the JVM with groups of ours on Kafka $kafka', ({ kafka, connectors }) => {
  let cluster: RealCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;
  let directory: string;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
    directory = await mkdtemp(path.join(tmpdir(), 'jvm-tools-'));
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Options of a member with two streams of the topic that is named after its group. */
  const options = (group: string) => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [group]: 2 } },
  });

  const produce = async (topic: string, counts: readonly number[]): Promise<void> => {
    for (const [partition, count] of counts.entries()) {
      const messages = Array.from({ length: count }, (_, n) => ({ value: String(n) }));
      if (count > 0) await producer.send(topic, partition, messages);
    }
  };

  const until = (description: string, condition: () => boolean | Promise<boolean>): Promise<boolean> =>
    waitFor(condition, { timeoutMs: LIMIT_MS, description });

  /** Resolves when all partitions of the group's topic are owned, by all of these. */
  const shared = (group: string, ids: readonly string[]): Promise<boolean> =>
    until(`owners of ${group}`, async () => {
      const owners = await ownersOf(zookeeper, group, [group]);
      const names = new Set(
        Array.from(owners.values(), (thread) => thread.slice(0, thread.lastIndexOf('-'))),
      );
      return owners.size === PARTITIONS && ids.every((id) => names.has(id));
    });

  const positionsIn = (member: LocalMember): number[] =>
    member.connector
      .ownedPartitions()
      .toSorted((a, b) => a.partition - b.partition)
      .map(({ nextOffset }) => nextOffset);

  it('R16: VerifyConsumerRebalance calls a group of ours, and a mixed one, successful, and failed when an owner node is gone', async () => {
    const group = 'verified';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    await using first = await LocalMember.start(options(group));
    await using second = await LocalMember.start(options(group));
    await shared(group, [first.consumerId, second.consumerId]);
    await expect(verifyRebalance(cluster.zookeeperConnect, group)).resolves.toBe('successful');

    await using jvm = await JvmMember.start(options(group));
    await shared(
      group,
      [first, second, jvm].map(({ consumerId }) => consumerId),
    );
    await expect(verifyRebalance(cluster.zookeeperConnect, group)).resolves.toBe('successful');

    // Members of the JVM do not look whether their nodes are still there.
    const [[at = ''] = []] = jvm.owned;
    await zookeeper.remove(`/consumers/${group}/owners/${at}`);
    await expect(verifyRebalance(cluster.zookeeperConnect, group)).resolves.toBe('failed');
    await jvm.stop();
  });

  it.each([
    { storage: 'zookeeper', properties: {} },
    { storage: 'kafka', properties: { 'offsets.storage': 'kafka', 'dual.commit.enabled': false } },
  ] as const)(
    'R16: ConsumerOffsetChecker shows what ownedPartitions() and the committed offsets say, with offsets in $storage',
    async ({ storage, properties }) => {
      const group = `checked-in-${storage}`;
      await cluster.createTopic(group, { partitions: PARTITIONS });
      await produce(group, [7, 0, 12, 1, 3]);
      await using member = await LocalMember.start({ ...options(group), properties });
      await until('23 messages', () => member.messages.length === 23);
      await member.connector.commitOffsets();
      const committed = positionsIn(member);
      expect(committed).toEqual([7, 0, 12, 1, 3]);
      // These are read, but not committed.
      await produce(group, [0, 2, 3, 1, 0]);
      await until('29 messages', () => member.messages.length === 29);

      const shown = await checkOffsets(cluster.zookeeperConnect, group);
      const owned = member.connector.ownedPartitions().toSorted((a, b) => a.partition - b.partition);
      expect(shown).toEqual(
        owned.map(({ topic, partition, threadId, highWatermark }, index) => ({
          ...{ topic, partition, offset: committed[index], logSize: highWatermark, owner: threadId },
          lag: highWatermark - (committed[index] ?? 0),
        })),
      );
      expect(shown.map(({ lag }) => lag)).toEqual([0, 2, 3, 1, 0]);
      const inZookeeper = await zookeeper.children(`/consumers/${group}/offsets/${group}`);
      expect(inZookeeper).toHaveLength(storage === 'zookeeper' ? PARTITIONS : 0);
      expect(new Set(shown.map(({ owner }) => owner)).size).toBe(2);

      await member.connector.commitOffsets();
      const after = await checkOffsets(cluster.zookeeperConnect, group);
      expect(after.map(({ offset, lag }) => [offset, lag])).toEqual(
        owned.map(({ nextOffset }) => [nextOffset, 0]),
      );
    },
  );

  it('R16: ExportZkOffsets finds what ours has stored, and where ImportZkOffsets and UpdateOffsetsInZK set offsets, ours starts', async () => {
    const group = 'exported';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    await produce(group, [7, 5, 12, 1, 3]);
    const pathOf = (partition: number): string => `/consumers/${group}/offsets/${group}/${partition}`;
    const firstOffsets = async (count: number): Promise<(number | undefined)[]> => {
      await using member = await LocalMember.start({
        ...options(group),
        properties: { 'auto.offset.reset': 'largest' },
      });
      await until(`${count} messages`, () => member.messages.length === count);
      return Array.from(
        { length: PARTITIONS },
        (_, partition) => member.messages.find((one) => one.partition === partition)?.offset,
      );
    };
    await using member = await LocalMember.start(options(group));
    await until('28 messages', () => member.messages.length === 28);
    await member.stop();

    const file = path.join(directory, 'offsets.txt');
    await exportOffsets(cluster.zookeeperConnect, group, file);
    const exported = (await readFile(file, 'utf8')).trim().split('\n').sort();
    expect(exported).toEqual([7, 5, 12, 1, 3].map((offset, partition) => `${pathOf(partition)}:${offset}`));

    const wanted = [4, 0, 12, 0, 1];
    await writeFile(file, wanted.map((offset, partition) => `${pathOf(partition)}:${offset}\n`).join(''));
    await importOffsets(cluster.zookeeperConnect, file);
    await expect(firstOffsets(3 + 5 + 0 + 1 + 2)).resolves.toEqual([4, 0, undefined, 0, 1]);

    const properties = path.join(directory, 'consumer.properties');
    await writeFile(properties, `zookeeper.connect=${cluster.zookeeperConnect}\ngroup.id=${group}\n`);
    const said = await resetOffsets(properties, group);
    expect(said).toContain(`updated the offset for ${PARTITIONS} partitions`);
    await expect(firstOffsets(28)).resolves.toEqual([0, 0, 0, 0, 0]);
  });

  it('R17: OwnedPartitionsCount of members of the JVM and what ours own add up to all partitions', async () => {
    const group = 'counted';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    const jvms = await Promise.all(
      connectors.map((release) => JvmMember.start({ ...options(group), release, topics: { [group]: 1 } })),
    );
    try {
      await using member = await LocalMember.start(options(group));
      await shared(
        group,
        [member, ...jvms].map(({ consumerId }) => consumerId),
      );
      await until('counts that add up', async () => {
        const counts = await Promise.all(jvms.map((jvm) => jvm.ownedCount()));
        const sum = counts.reduce((total, count) => total + count, member.owned.length);
        return sum === PARTITIONS && counts.every((count, n) => count > 0 && count === jvms[n]?.owned.size);
      });
      expect(member.owned.length).toBeGreaterThan(0);
    } finally {
      await Promise.all(jvms.map((jvm) => jvm[Symbol.asyncDispose]()));
    }
  });
});
