import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runJavaMain } from '../support/clients/javaMain';
import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { untilRanges, type OwningMember } from '../support/ownership';
import { NodeMember } from '../support/NodeMember';
import { Producer } from '../support/produce/Producer';
import { range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

interface Scene {
  readonly cluster: RealCluster;
  readonly zookeeper: ZookeeperAdmin;
  readonly producer: Producer;
}

/** A cluster for the specs of the describe. */
function useCluster(options: { readonly kafka: string; readonly brokers: number }): () => Scene {
  let scene: Scene | undefined;
  beforeAll(async () => {
    const cluster = await RealCluster.start(options);
    const producer = new Producer({ brokers: cluster.brokers });
    scene = { cluster, zookeeper: await cluster.zookeeper(), producer };
  });
  afterAll(async () => {
    scene?.producer.close();
    await scene?.zookeeper.close();
    await scene?.cluster.stop();
  });
  return () => {
    if (scene === undefined) throw new Error('The cluster has not started');
    return scene;
  };
}

describe('the console consumer of Kafka 0.8.2.2, and a member of ours', () => {
  const PARTITIONS = 12;
  const scene = useCluster({ kafka: '0.8.2.2', brokers: 3 });

  it('R0: leave the same nodes, and the same offsets of 1000 messages in 12 partitions', async () => {
    const { cluster, zookeeper, producer } = scene();
    const { zookeeperConnect } = cluster;
    const [topic, theirs, own] = ['console', 'r0-jvm', 'r0-ours'];
    await cluster.createTopic(topic, { partitions: PARTITIONS });
    for (const partition of range(0, PARTITIONS)) {
      const count = Math.ceil((1000 - partition) / PARTITIONS);
      await producer.send(
        topic,
        partition,
        range(0, count).map((n) => ({ value: String(n) })),
      );
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'console-'));
    try {
      const file = path.join(directory, 'consumer.properties');
      const config = { 'group.id': theirs, 'consumer.id': 'me', 'auto.commit.interval.ms': '200' };
      const lines = Object.entries(config).map(([name, value]) => `${name}=${value}`);
      await writeFile(file, lines.join('\n'));
      const flags = [
        '--topic',
        topic,
        '--from-beginning',
        '--max-messages',
        '1001',
        '--consumer.config',
        file,
      ];
      const running = runJavaMain('0.8.2.2', 'kafka.tools.ConsoleConsumer', [
        ...['--zookeeper', zookeeperConnect],
        ...flags,
      ]);
      running.catch(() => undefined); // waited for below
      await using member = await LocalMember.start({
        ...{ zookeeperConnect, group: own, filter: { whitelist: topic } },
        properties: { 'consumer.id': 'me', 'auto.commit.interval.ms': 200 },
      });
      /** All nodes of the group, as far as they do not tell the time. */
      const nodesOf = async (group: string): Promise<string[]> => {
        const nodes = [...(await zookeeper.tree(`/consumers/${group}`))];
        return nodes.map(([at, data]) =>
          `${at} ${data.replace(/"\d{13}"/, '"MILLISECONDS"')}`.replaceAll(group, 'GROUP'),
        );
      };
      const offsets = range(0, PARTITIONS).map((partition) => (partition < 4 ? '84' : '83'));
      const wanted = offsets.map((offset, n) => `/consumers/GROUP/offsets/${topic}/${n} ${offset}`);
      for (const group of [theirs, own]) {
        await waitFor(
          async () => {
            const nodes = await nodesOf(group);
            return wanted.every((node) => nodes.includes(node));
          },
          { timeoutMs: LIMIT_MS, description: `offsets of ${group}` },
        );
      }
      const nodes = await nodesOf(theirs);
      expect(nodes).toContain(
        '/consumers/GROUP/ids/GROUP_me {"version":1,"subscription":{"console":1},"pattern":"white_list","timestamp":"MILLISECONDS"}',
      );
      expect(nodes).toContain(`/consumers/GROUP/owners/${topic}/11 GROUP_me-0`);
      expect(await nodesOf(own)).toEqual(nodes);

      await producer.send(topic, 4, [{ value: 'last' }]);
      const { stdout, stderr } = await running;
      expect(stderr).toContain('Consumed 1001 messages');
      await waitFor(() => member.messages.length === 1001, { timeoutMs: LIMIT_MS, description: 'the last' });
      await member.stop();
      const valuesOf = (values: readonly (string | null)[]): string => [...values].sort().join(' ');
      expect(valuesOf(stdout.trim().split('\n'))).toBe(valuesOf(member.messages.map(({ value }) => value)));
      expect(await nodesOf(own)).toEqual(await nodesOf(theirs));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('members of the JVM of three releases and one of ours, on Kafka 3.9.1', () => {
  const scene = useCluster({ kafka: '3.9.1', brokers: 1 });

  /** Sends thirty more messages; resolves when all that were sent have come once, and the positions behind them are stored. */
  async function thirtyOnce(
    group: string,
    sent: string[],
    members: readonly (JvmMember | NodeMember)[],
  ): Promise<void> {
    const { zookeeper, producer } = scene();
    for (const n of range(sent.length, sent.length + 30)) {
      await producer.send(group, n % 4, [{ value: String(n) }]);
      sent.push(String(n));
    }
    const read = (): string[] =>
      members.flatMap(({ messages }) => messages.map(({ value }) => value ?? '')).sort();
    await waitFor(() => read().length >= sent.length, {
      timeoutMs: LIMIT_MS,
      description: `${sent.length} messages`,
      details: () => members.map(({ log }) => log).join('\n'),
    });
    expect(read()).toEqual([...sent].sort());
    for (const partition of range(0, 4)) {
      const end = String(await producer.offset(group, partition));
      await waitFor(
        async () => {
          const node = await zookeeper.get(`/consumers/${group}/offsets/${group}/${partition}`);
          return node?.data?.toString() === end;
        },
        { timeoutMs: LIMIT_MS, description: `offset ${end} of partition ${partition}` },
      );
    }
  }

  const optionsOf = (group: string) => ({
    ...{ zookeeperConnect: scene().cluster.zookeeperConnect, group, topics: { [group]: 1 } },
    properties: { 'auto.commit.interval.ms': '200', 'zookeeper.session.timeout.ms': '2000' } as const,
  });

  const untilShared = (group: string, members: readonly OwningMember[]): Promise<void> =>
    untilRanges(scene().zookeeper, { group, topic: group, partitions: 4 }, members, LIMIT_MS);

  it('R10: share a group: one partition each, and all messages once; whoever leaves, the others take over', async () => {
    const group = 'mixed';
    await scene().cluster.createTopic(group, { partitions: 4 });
    await using old = await JvmMember.start(optionsOf(group));
    await using middle = await JvmMember.start({ ...optionsOf(group), release: '0.10.2.2' });
    await using last = await JvmMember.start({ ...optionsOf(group), release: '1.1.1' });
    await using ours = await NodeMember.start(optionsOf(group));
    const everyone = [old, middle, last, ours];
    const sent: string[] = [];
    await untilShared(group, everyone);
    await thirtyOnce(group, sent, everyone);
    for (const { messages } of everyone) expect(messages.length).toBeGreaterThan(0);
    await middle.stop();
    await untilShared(group, [old, last, ours]);
    await thirtyOnce(group, sent, everyone);
    await old.stop();
    await untilShared(group, [last, ours]);
    await thirtyOnce(group, sent, everyone);
    await ours.stop();
    await untilShared(group, [last]);
    await thirtyOnce(group, sent, everyone);
    for (const { errors } of everyone) expect(errors).toEqual([]);
  });

  it.each(['0.8.2.2', '1.1.1'] as const)(
    'R7: one of the JVM (%s) takes over from ours, which stands still for longer than its session, and gives back: nothing comes twice',
    async (release) => {
      const group = `still-${release}`;
      await scene().cluster.createTopic(group, { partitions: 4 });
      await using jvm = await JvmMember.start({ ...optionsOf(group), release });
      await using ours = await NodeMember.start(optionsOf(group));
      const sent: string[] = [];
      await untilShared(group, [jvm, ours]);
      await thirtyOnce(group, sent, [jvm, ours]);
      ours.pause();
      await untilShared(group, [jvm]);
      await thirtyOnce(group, sent, [jvm, ours]);
      ours.resume();
      await untilShared(group, [jvm, ours]);
      await thirtyOnce(group, sent, [jvm, ours]);
      // With Scala it is the server that tells the end of the session; until then it would go on as an owner.
      const told = ours.events.map(({ event }) => event).filter((event) => event.startsWith('session:'));
      expect(told.filter((event) => event !== 'session:suspended')).toEqual([
        ...['session:connected', 'session:lost', 'session:connected'],
      ]);
      expect(ours.eventsOf('partitions:lost')).toHaveLength(1);
      await ours.stop();
      await jvm.stop();
      for (const { errors } of [jvm, ours]) expect(errors).toEqual([]);
    },
  );
});
