import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember, type JvmRelease } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';
import { isFull } from './support/isFull';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 30_000;

/** Where offsets are, as all members of a group have to say. */
const STORAGES = {
  zookeeper: { 'offsets.storage': 'zookeeper' },
  kafka: { 'offsets.storage': 'kafka', 'dual.commit.enabled': 'false' },
  both: { 'offsets.storage': 'kafka', 'dual.commit.enabled': 'true' },
} as const;
type Storage = keyof typeof STORAGES;

// Connectors from 0.10 on cannot read from brokers before 0.10.
const ALL_PLACES: readonly [string, readonly JvmRelease[]][] = [
  ['0.8.2.2', ['0.8.2.2']],
  ['1.1.1', ['0.8.2.2', '0.10.2.2', '1.1.1']],
  ['3.9.1', ['0.8.2.2', '0.10.2.2', '1.1.1']],
];
const PLACES = ALL_PLACES.filter(([kafka]) => isFull() || kafka !== '1.1.1');

describe.each(PLACES)(
  'offsets that members of the JVM and of Node leave to each other on Kafka %s',
  (kafka, releases) => {
    let cluster: RealCluster;
    let producer: Producer;
    let zookeeper: ZookeeperAdmin;

    beforeAll(async () => {
      cluster = await RealCluster.start({ kafka });
      producer = new Producer({ brokers: cluster.brokers });
      zookeeper = await cluster.zookeeper();
    });

    afterAll(async () => {
      producer.close();
      await zookeeper.close();
      await cluster.stop();
    });

    const cells = releases.flatMap((release) =>
      (Object.keys(STORAGES) as Storage[]).map((storage) => ({ release, storage })),
    );

    it.each(cells)(
      'R9, R9b: are where the next one goes on, 0 as any other, and there is none where nobody has read: connector $release, stored in $storage',
      async ({ release, storage }) => {
        const topic = `${storage}-${release}`;
        const place = { zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 } };
        /** By partition: the offset behind the last message. */
        const ends: number[] = [];
        const produce = async (partition: number, count: number): Promise<void> => {
          const messages = Array.from({ length: count }, (_, n) => ({ value: `${partition} ${n}` }));
          await producer.send(topic, partition, messages);
          ends[partition] = (ends[partition] ?? 0) + count;
        };

        /** A member reads, and leaves: all partitions from `starts` on; where that is null, only what comes after its own start. */
        const read = async (kind: 'jvm' | 'node', starts: readonly (number | null)[]): Promise<void> => {
          // Without a stored offset it would start at the end, and miss what is there.
          const reset = starts.length === 3 ? 'smallest' : 'largest';
          const properties = { ...STORAGES[storage], 'auto.offset.reset': reset } as const;
          await using member =
            kind === 'jvm'
              ? await JvmMember.start({ ...place, release, properties })
              : await NodeMember.start({ ...place, properties });
          const offsetsOf = (partition: number): number[] =>
            member.messages.filter((one) => one.partition === partition).map(({ offset }) => offset);
          const hasRead = async (partition: number): Promise<boolean> => {
            // Until one comes behind the place where it has started.
            if (starts[partition] === null && offsetsOf(partition).length === 0) await produce(partition, 1);
            return offsetsOf(partition).at(-1) === (ends[partition] ?? 0) - 1;
          };
          for (const [partition, start] of starts.entries()) {
            if (start === (ends[partition] ?? 0)) continue;
            await waitFor(() => hasRead(partition), {
              ...{ timeoutMs: LIMIT_MS, intervalMs: 100, description: `the end of partition ${partition}` },
              details: () => `${offsetsOf(partition).join(' ')} of ${ends.join(' ')}\n${member.log}`,
            });
          }
          const before = [...ends];
          await member.stop();
          expect(member.errors).toEqual([]);
          for (const [partition, start] of starts.entries()) {
            const read = offsetsOf(partition);
            const first = start ?? read[0] ?? -1;
            const end = before[partition] ?? 0;
            expect(read).toEqual(Array.from({ length: end - first }, (_, n) => first + n));
          }
        };

        await cluster.createTopic(topic, { partitions: 3 });
        await produce(0, 5);
        await produce(1, 4);
        await read('jvm', [0, 0, 0]);
        await produce(0, 2);
        await produce(2, 3); // where 0 is stored
        await cluster.addPartitions(topic, 4);
        await produce(3, 6); // where nothing is stored
        await read('node', [5, 4, 0, null]);
        await produce(1, 1);
        await produce(3, 2);
        const [, , , behindThird = 0] = ends;
        await read('jvm', [7, 4, 3, behindThird - 2]);
        await cluster.addPartitions(topic, 5);
        await produce(4, 6);
        await produce(0, 1);
        await read('jvm', [7, 5, 3, behindThird, null]);
        await produce(2, 2);
        const [, , , , behindFourth = 0] = ends;
        await produce(4, 1);
        await read('node', [8, 5, 3, behindThird, behindFourth]);

        const inZookeeper = await zookeeper.tree(`/consumers/${topic}/offsets/${topic}`);
        const positions = ends.map((_, partition) =>
          inZookeeper.get(`/consumers/${topic}/offsets/${topic}/${partition}`),
        );
        expect(positions).toEqual(storage === 'kafka' ? ends.map(() => undefined) : ends.map(String));
      },
    );
  },
);
