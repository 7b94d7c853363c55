import zookeeperClient, { type ACL, type Client, type Exception, type Stat } from 'node-zookeeper-client';
import { once } from 'node:events';

import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin, ZookeeperNodeState } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries, type Receiver } from '../support/deliveries';
import { JvmMember, type JvmMemberOptions } from '../support/jvm/JvmMember';
import { NodeMember, type NodeMemberOptions } from '../support/NodeMember';
import { asText, ownersOf, rangeOf, untilRanges, type OwningMember } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { waitFor, withDeadline } from '../support/waitFor';
import { report } from '../support/report';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;

function start(
  kind: 'jvm' | 'node',
  options: JvmMemberOptions & NodeMemberOptions,
): Promise<JvmMember | NodeMember> {
  return kind === 'jvm' ? JvmMember.start(options) : NodeMember.start(options);
}

type Member = Receiver & { readonly log: string };

/** The types of the client know nothing of what is in an ACL. */
function textOf(acl: unknown): string {
  const { permission, id } = acl as { permission: number; id: { scheme: string; id: string } };
  return `${id.scheme}:${id.id}:${permission}`;
}

/** ACLs as texts, which the other client of the specs does not tell. */
async function aclsOf(connect: string, paths: readonly string[]): Promise<string[][]> {
  const client: Client = zookeeperClient.createClient(connect, { sessionTimeout: 10_000 });
  const connected = once(client, 'connected');
  client.connect();
  await withDeadline(connected, LIMIT_MS, 'connection to ZooKeeper');
  try {
    const answers = paths.map(
      (path) =>
        new Promise<string[]>((resolve, reject) => {
          client.getACL(path, (error: Error | Exception | null, acls: ACL[], stat: Stat) => {
            const failure: unknown = error;
            if (error) reject(failure);
            else resolve([...acls.map(textOf), `version ${stat.aversion}`]);
          });
        }),
    );
    return await withDeadline(Promise.all(answers), LIMIT_MS, `ACLs of ${paths.join(' ')}`);
  } finally {
    const gone = once(client, 'disconnected');
    client.close();
    await withDeadline(gone, LIMIT_MS, 'end of the session');
  }
}

describe.each([
  { kafka: '0.8.2.2', brokers: 3 },
  { kafka: '3.9.1', brokers: 2 },
])('a member of the JVM (0.8.2.2) and one of Node in a group on Kafka $kafka', ({ kafka, brokers }) => {
  const PARTITIONS = 7;
  let cluster: RealCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka, brokers });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  /** Options of a member of either kind with one stream; the topic is named after the group. */
  const options = (group: string): JvmMemberOptions & NodeMemberOptions => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [group]: 1 } },
  });

  async function stateOf(path: string): Promise<ZookeeperNodeState> {
    const state = await zookeeper.get(path);
    if (state === null) throw new Error(`${path} has gone`);
    return state;
  }

  const rangesOf = (group: string, members: readonly OwningMember[]): Promise<void> =>
    untilRanges(zookeeper, { group, topic: group, partitions: PARTITIONS }, members);

  /** Resolves when new messages of each partition have come, and to each of these members. */
  async function progress(members: readonly Member[]): Promise<void> {
    const before = members.map(({ messages }) => messages.length);
    await waitFor(
      () => {
        const fresh = members.map(({ messages }, index) => messages.slice(before[index]));
        const read = new Set(fresh.flat().map(({ partition }) => partition));
        return read.size === PARTITIONS && fresh.every((messages) => messages.length > 0);
      },
      {
        timeoutMs: LIMIT_MS,
        description: `new messages of all partitions on ${members.length} members`,
        details: () => members.map(({ log }) => log).join('\n'),
      },
    );
  }

  it('share its partitions while each of them leaves, joins and crashes, and lose nothing', async () => {
    const group = 'mixed';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    await using load = new SteadyLoad(cluster, group, PARTITIONS);
    const everyone: (JvmMember | NodeMember)[] = [];
    const join = async <M extends JvmMember | NodeMember>(starting: Promise<M>): Promise<M> => {
      const member = await starting;
      everyone.push(member);
      return member;
    };

    await using jvm = await join(JvmMember.start(options(group)));
    await rangesOf(group, [jvm]);
    await using node = await join(NodeMember.start(options(group)));
    await rangesOf(group, [jvm, node]);
    await progress([jvm, node]);

    await node.stop();
    await rangesOf(group, [jvm]);
    await progress([jvm]);

    await using secondNode = await join(NodeMember.start(options(group)));
    await rangesOf(group, [jvm, secondNode]);
    await progress([jvm, secondNode]);

    await jvm.stop();
    await rangesOf(group, [secondNode]);
    await progress([secondNode]);

    await using secondJvm = await join(JvmMember.start(options(group)));
    await rangesOf(group, [secondJvm, secondNode]);
    await progress([secondJvm, secondNode]);
    const ownedByJvm = new Set(secondJvm.owned.keys());
    await secondJvm.kill();
    await rangesOf(group, [secondNode]);
    await progress([secondNode]);

    const produced = await load.stop();
    await waitFor(() => compareDeliveries(produced, everyone).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: 'everything that was produced',
      details: () => compareDeliveries(produced, everyone).missing.slice(0, 20).join(' '),
    });
    await secondNode.stop();

    const { missing, repeated, takenOver } = compareDeliveries(produced, everyone);
    expect(missing).toEqual([]);
    expect(produced.length).toBeGreaterThan(100);
    expect(takenOver.size).toBe(PARTITIONS);
    for (const { messages, errors } of everyone) {
      expect(messages.length).toBeGreaterThan(0);
      expect(errors).toEqual([]);
    }
    const jvms = new Set([jvm.consumerId, secondJvm.consumerId]);
    // Between two members of this package nothing may be repeated. The JVM's member reads offsets before it claims,
    // hands out what it has peeked at, and when it is killed what it had not committed comes again.
    const ownFault = repeated.filter(({ by }) => !by.some((id) => jvms.has(id)));
    expect(ownFault).toEqual([]);
    const afterKill = repeated.filter(
      ({ by, topic, partition }) =>
        by.join() === [secondJvm, secondNode].map(({ consumerId }) => consumerId).join() ||
        (by.includes(secondJvm.consumerId) &&
          by.includes(secondNode.consumerId) &&
          ownedByJvm.has(`${topic}/${partition}`)),
    );
    report(
      `${repeated.length} of ${produced.length} messages were repeated, ` +
        `${afterKill.length} of them by the crash; each of them once: ${repeated.every(({ by }) => by.length === 2)}`,
    );
    // The end of the log is stored, and nobody is left.
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      const stored = await zookeeper.get(`/consumers/${group}/offsets/${group}/${partition}`);
      expect(Number(stored?.data?.toString())).toBe(await producer.offset(group, partition));
    }
    await expect(zookeeper.children(`/consumers/${group}/ids`)).resolves.toEqual([]);
    await expect(ownersOf(zookeeper, group, [group])).resolves.toEqual(new Map());
  });

  it('share more than one stream each, in the order of the thread ids as texts', async () => {
    const group = 'threads';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    const twelve = { ...options(group), topics: { [group]: 4 } };
    await using jvm = await JvmMember.start({ ...twelve, properties: { 'consumer.id': 'm-10' } });
    await using node = await NodeMember.start({ ...twelve, properties: { 'consumer.id': 'm-2' } });
    const threads = [jvm, node].flatMap(({ consumerId }) => [0, 1, 2, 3].map((n) => `${consumerId}-${n}`));
    const wanted = rangeOf(group, PARTITIONS, threads);
    await waitFor(async () => asText(await ownersOf(zookeeper, group, [group])) === asText(wanted), {
      timeoutMs: LIMIT_MS,
      description: 'the owners',
      details: () => `${jvm.log}\n${node.log}`,
    });
    await waitFor(() => jvm.owned.size === 4, { timeoutMs: LIMIT_MS, description: 'its own word' });
    expect(node.owned.size).toBe(3);
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      await producer.send(group, partition, [{ key: 'k', value: String(partition) }]);
    }
    await waitFor(() => jvm.messages.length + node.messages.length >= PARTITIONS, {
      timeoutMs: LIMIT_MS,
      description: 'one message of each partition',
    });
    const byThread = [...jvm.messages, ...node.messages].map(
      ({ partition, threadId }) => [`${group}/${partition}`, threadId] as const,
    );
    expect(new Map(byThread)).toEqual(wanted);
    expect(byThread).toHaveLength(PARTITIONS);
    await node.stop();
    await jvm.stop();
  });

  it('R0: write the same nodes: registration, owners and offsets with their kinds and ACLs, and all parents', async () => {
    const group = 'bytes';
    // Each makes all nodes of a group of its own.
    const nodes = new Map<string, Map<string, object>>();
    for (const kind of ['jvm', 'node'] as const) {
      const own = `${group}-${kind}`;
      await cluster.createTopic(own, { partitions: 13 }); // the last one stays empty
      const settings = { ...options(own), topics: { [own]: 2 }, properties: { 'consumer.id': 'me' } };
      await using member = await start(kind, settings);
      for (let partition = 0; partition < 12; partition += 1) {
        await producer.send(own, partition, [{ value: 'a' }, { value: 'b' }]);
      }
      await waitFor(() => member.messages.length === 24, {
        timeoutMs: LIMIT_MS,
        description: '24 messages',
        details: () => member.log,
      });
      const described = new Map<string, object>();
      const sessions = new Set<string>();
      const collect = async (): Promise<void> => {
        const paths = [...(await zookeeper.tree(`/consumers/${own}`)).keys()];
        const acls = await aclsOf(cluster.zookeeperConnect, paths);
        for (const [index, path] of paths.entries()) {
          const { data, ephemeralOwner } = await stateOf(path);
          if (ephemeralOwner !== '0x0') sessions.add(ephemeralOwner);
          const text = (data?.toString('latin1') ?? '').replaceAll(own, 'GROUP');
          described.set(path.replaceAll(own, 'GROUP'), {
            data: text.replace(/"timestamp":"\d{13}"/, '"timestamp":"MASKED"'),
            kind: ephemeralOwner === '0x0' ? 'persistent' : 'ephemeral',
            acl: acls[index],
          });
        }
      };
      await collect();
      expect(sessions.size).toBe(1); // one session holds all that is ephemeral
      await member.stop();
      await collect(); // now with all offsets; what was ephemeral stays as it was described
      nodes.set(kind, described);
    }

    const ofJvm = nodes.get('jvm') ?? new Map<string, object>();
    const ofNode = nodes.get('node') ?? new Map<string, object>();
    const lines = (map: Map<string, object>): string[] =>
      Array.from(map, ([path, node]) => `${path} ${JSON.stringify(node)}`).sort();
    expect(lines(ofNode)).toEqual(lines(ofJvm));
    // The group, three folders, one member, and the topic's folders with owners and offsets.
    expect(ofNode.size).toBe(1 + 3 + 1 + 2 + 2 * 13);

    // What the comparison is about was there.
    expect(ofJvm.get('/consumers/GROUP/ids/GROUP_me')).toEqual({
      data: '{"version":1,"subscription":{"GROUP":2},"pattern":"static","timestamp":"MASKED"}',
      kind: 'ephemeral',
      acl: ['world:anyone:31', 'version 0'],
    });
    expect(ofJvm.get('/consumers/GROUP/owners/GROUP/11')).toMatchObject({
      data: 'GROUP_me-1',
      kind: 'ephemeral',
    });
    expect(ofJvm.get('/consumers/GROUP/offsets/GROUP/11')).toMatchObject({ data: '2', kind: 'persistent' });
    expect(ofJvm.get('/consumers/GROUP/offsets/GROUP/12')).toMatchObject({ data: '0' });
    expect(ofJvm.get('/consumers/GROUP/owners')).toMatchObject({ data: '', kind: 'persistent' });
  });

  it('go on from the offsets of each other', async () => {
    const group = 'handover';
    await cluster.createTopic(group, { partitions: PARTITIONS });
    const members: Receiver[] = [];
    let count = 0;
    for (const kind of ['node', 'jvm', 'node', 'jvm'] as const) {
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        const value = `${kind} ${count}`;
        await producer.send(group, partition, [{ value }, { value: null }]);
      }
      count += 1;
      await using member = await start(kind, options(group));
      members.push(member);
      await waitFor(() => member.messages.length === 2 * PARTITIONS, {
        timeoutMs: LIMIT_MS,
        description: `messages of the ${kind} member`,
        details: () => `${member.messages.length} messages\n${member.log}`,
      });
      await member.stop();
      expect(member.messages).toHaveLength(2 * PARTITIONS);
      expect(new Set(member.messages.map(({ offset }) => offset))).toEqual(
        new Set([2 * count - 2, 2 * count - 1]),
      );
    }
    expect(members).toHaveLength(4);
  });
});
