import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember, type JvmRelease } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import { offsetsIn, range, readOn } from '../support/readOn';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

let cluster: RealCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;

beforeAll(async () => {
  cluster = await RealCluster.start({ kafka: '1.1.1' });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

const until = (description: string, condition: () => unknown, details?: () => string): Promise<unknown> =>
  waitFor(condition, { timeoutMs: LIMIT_MS, description, ...(details === undefined ? {} : { details }) });

const offsetPath = (group: string, topic: string, partition: number): string =>
  `/consumers/${group}/offsets/${topic}/${partition}`;

async function store(group: string, topic: string, texts: readonly (string | null)[]): Promise<void> {
  await zookeeper.mkdirp(offsetPath(group, topic, 0).slice(0, -2));
  for (const [partition, text] of texts.entries()) {
    if (text !== null) await zookeeper.create(offsetPath(group, topic, partition), text);
  }
}

async function stored(group: string, topic: string, partitions: number): Promise<(string | null)[]> {
  const nodes = range(0, partitions).map((partition) => zookeeper.get(offsetPath(group, topic, partition)));
  return (await Promise.all(nodes)).map((node) => node?.data?.toString() ?? null);
}

describe('messages that are larger than fetch.message.max.bytes', () => {
  it('R6: single or in one batch stop a member of the JVM that asks by Fetch v0 (0.8.2.2), and none that asks by v3 (0.10.2.2); ours reads them', async () => {
    // Each message is a batch of its own in the one topic; the other one has all of them in one batch.
    const large = range(0, 5).map((n) => ({ value: String(n).repeat(1000) }));
    await Promise.all(['singly', 'batched'].map((topic) => cluster.createTopic(topic)));
    await producer.send('singly', 0, [{ value: 'small' }]);
    await producer.send('singly', 0, [{ value: 'x'.repeat(50_000) }]);
    await producer.send('singly', 0, [{ value: 'small' }]);
    await producer.send('batched', 0, large);
    const options = (group: string) => ({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { singly: 1, batched: 1 } },
      properties: { 'fetch.message.max.bytes': '1000', 'auto.offset.reset': 'smallest' } as const,
    });
    const jvm = (release: JvmRelease): Promise<JvmMember> =>
      JvmMember.start({ ...options(`large-${release}`), release });
    await using old = await jvm('0.8.2.2');
    await using newer = await jvm('0.10.2.2');
    await using ours = await LocalMember.start(options('large-ours'));
    const offsetsOf = ({ messages }: JvmMember | LocalMember): Record<string, number[]> =>
      Object.fromEntries(
        ['singly', 'batched'].map((topic) => [
          topic,
          offsetsIn(
            messages.filter((message) => message.topic === topic),
            0,
          ),
        ]),
      );
    await until(
      'both errors of 0.8.2.2',
      () => old.errors.length === 2,
      () => old.log,
    );
    expect(old.errors.map((error) => error.replace(/^.*?(?=kafka)/, '')).sort()).toEqual(
      ['batched', 'singly'].map(
        (topic) => expect.stringMatching(`MessageSizeTooLargeException.*${topic}`) as string,
      ),
    );
    expect(offsetsOf(old)).toEqual({ singly: [0], batched: [] });
    for (const member of [newer, ours]) {
      await until('all messages', () => member.messages.length === 8);
      expect(offsetsOf(member)).toEqual({ singly: [0, 1, 2], batched: [0, 1, 2, 3, 4] });
      expect(member.errors).toEqual([]);
    }
  });
});

describe('what is stored as an offset', () => {
  const topic = 'positions';

  beforeAll(async () => {
    await cluster.createTopic(topic, { partitions: 4 });
    for (const partition of range(0, 4)) {
      await producer.send(
        topic,
        partition,
        range(0, 10).map((n) => ({ value: String(n) })),
      );
    }
  });

  const optionsOf = (group: string) => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 } },
    properties: { 'auto.offset.reset': 'smallest' } as const,
  });

  it('R12: 10000, -1, 4 and nothing lead to the same messages and offsets with a member of the JVM and with ours', async () => {
    const groups = ['numbers-jvm', 'numbers-ours'] as const;
    for (const group of groups) await store(group, topic, ['10000', '-1', '4', null]);
    await using jvm = await JvmMember.start(optionsOf(groups[0]));
    await using ours = await LocalMember.start(optionsOf(groups[1]));
    for (const [n, member] of [jvm, ours].entries()) {
      await until('all messages', () => member.messages.length === 36);
      await member.stop();
      expect(range(0, 4).map((partition) => offsetsIn(member.messages, partition))).toEqual(
        [0, 0, 4, 0].map((first) => range(first, 10)),
      );
      await expect(stored(groups[n] ?? '', topic, 4)).resolves.toEqual(['10', '10', '10', '10']);
    }
  });

  it.each([
    { what: 'abc', group: 'abc', text: 'abc' },
    { what: '50 with a line end', group: 'line-end', text: '50\n' },
  ])(
    'R12: $what fails every rebalance of a member of the JVM; of ours only that partition stands still, with an error that names the node',
    async ({ group, text }) => {
      const [theirs, own] = [`${group}-jvm`, `${group}-ours`];
      for (const group of [theirs, own]) await store(group, topic, [null, text]);
      const { properties, ...options } = optionsOf(theirs);
      const starting = JvmMember.start({
        ...options,
        properties: { ...properties, 'rebalance.max.retries': '2', 'rebalance.backoff.ms': '200' },
      });
      await expect(starting).rejects.toThrow(/ConsumerRebalanceFailedException.* after 2 retries/);
      await expect(stored(theirs, topic, 4)).resolves.toEqual([null, text, null, null]);

      await using ours = await LocalMember.start({ ...optionsOf(own), consume: false });
      const read = readOn(ours);
      await until('what can be read', () => read.messages.length === 30 && read.errors.length === 1);
      await ours.stop();
      await read.ended;
      expect(read.errors).toMatchObject([
        { code: 'OFFSET_INVALID', context: { path: offsetPath(own, topic, 1) } },
      ]);
      await expect(stored(own, topic, 4)).resolves.toEqual(['10', text, '10', '10']);
    },
  );
});

describe('a compressed set that is entered in its middle', () => {
  it('R14: gives a member of the JVM and ours the same messages: from the stored offset on, once each', async () => {
    const topic = 'deep';
    const entries = [0, 5, 9, 10];
    await cluster.createTopic(topic, { partitions: entries.length });
    for (const partition of entries.keys()) {
      await producer.send(
        topic,
        partition,
        range(0, 10).map((n) => ({ value: String(n) })),
        { gzip: true },
      );
      await producer.send(topic, partition, [{ value: 'behind' }]);
    }
    const groups = ['deep-jvm', 'deep-ours'] as const;
    for (const group of groups) await store(group, topic, entries.map(String));
    const optionsOf = (group: string) => ({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 } },
    });
    await using jvm = await JvmMember.start(optionsOf(groups[0]));
    await using ours = await LocalMember.start(optionsOf(groups[1]));
    for (const [n, member] of [jvm, ours].entries()) {
      await until('all messages', () => member.messages.length === 11 + 6 + 2 + 1);
      await member.stop();
      expect(entries.map((_, partition) => offsetsIn(member.messages, partition))).toEqual(
        entries.map((first) => range(first, 11)),
      );
      await expect(stored(groups[n] ?? '', topic, entries.length)).resolves.toEqual(entries.map(() => '11'));
    }
  });
});
