import type { ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { digestOf, ZookeeperAcls } from '../support/cluster/ZookeeperAcls';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { GroupUnderLoad, rebalancesOf, sessionOf, unexplained } from '../support/GroupUnderLoad';
import { LocalMember } from '../support/LocalMember';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { TracedGroup } from '../support/TracedGroup';
import { waitFor } from '../support/waitFor';

jest.setTimeout(90_000);

const CREDENTIALS = 'billing:secret:with colon';
const AUTH = { 'zookeeper.auth': `digest:${CREDENTIALS}` } as const;
const SECURED = { ...AUTH, 'zookeeper.set.acl': true } as const;
/** What "all for the creator, read for the world" comes to. */
const SECURED_ACL = [`digest ${digestOf(CREDENTIALS)}: 31`, 'world anyone: 1'];
const OPEN_ACL = ['world anyone: 31'];
/** Number of the request that brings credentials. */
const AUTH_OP = 'op 100';
const NO_AUTH = -102;
/** Of a refusal: no retries, no waits for a timeout. */
const SOON_MS = 3000;

describe.each(['0.8.2.2', '3.9.1'])('digest credentials, with the ZooKeeper of Kafka %s', (kafka) => {
  let cluster: TestCluster;
  let zookeeper: ZookeeperAdmin;
  let acls: ZookeeperAcls;

  beforeAll(async () => {
    cluster = await startCluster({ kafka });
    zookeeper = await cluster.zookeeper();
    acls = await ZookeeperAcls.connect(cluster.zookeeperConnect, CREDENTIALS);
  });

  afterAll(async () => {
    await acls[Symbol.asyncDispose]();
    await zookeeper.close();
    await cluster.stop();
  });

  /** Path to ACL of the node and all below it. */
  async function aclsBelow(path: string): Promise<Map<string, string[]>> {
    const paths = [...(await zookeeper.tree(path)).keys()];
    return new Map(await Promise.all(paths.map(async (one) => [one, await acls.get(one)] as const)));
  }

  /** Starts a member that must be refused soon, and resolves with the error. */
  async function refused(
    group: string,
    topic: string,
    properties: Partial<ConnectorConfig>,
  ): Promise<unknown> {
    await using member = new LocalMember({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 }, properties },
    });
    const startMs = performance.now();
    const error = await member.connector.createMessageStreams(member.topics).then(
      () => 'no error',
      (cause: unknown) => cause,
    );
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
    expect(member.owned).toEqual([]);
    return error;
  }

  it('make all nodes of a group theirs, and let the world read: members share it, take over, and keep others out', async () => {
    await using group = await GroupUnderLoad.begin(cluster);
    const properties = { ...SECURED, 'auto.commit.interval.ms': 300 };
    const { member: first } = await group.join(properties);
    const { member: second } = await group.join(properties);
    const root = `/consumers/${group.name}`;
    await group.until('commits of both', () =>
      [first, second].every((member) => member.eventsOf('offsets:committed').length > 0),
    );
    const found = await aclsBelow(root);
    for (const path of [
      ...[root, `${root}/ids`, `${root}/ids/${first.consumerId}`, `${root}/owners`, `${root}/offsets`],
      ...[0, 1, 2, 3].flatMap((n) => [
        `${root}/owners/${group.name}/${n}`,
        `${root}/offsets/${group.name}/${n}`,
      ]),
    ]) {
      expect([path, found.get(path)]).toEqual([path, SECURED_ACL]);
    }
    expect([...found].filter(([, acl]) => String(acl) !== String(SECURED_ACL))).toEqual([]);
    expect(await acls.get('/consumers')).toEqual(OPEN_ACL);

    const before = [first, second].map(rebalancesOf);
    for (const wrong of [{}, { 'zookeeper.auth': 'digest:billing:wrong' }]) {
      const properties = { 'consumer.id': 'stranger', ...wrong };
      const path = `${root}/ids/${group.name}_stranger`;
      const error = await refused(group.name, group.name, properties);
      expect(error).toMatchObject({ code: 'NO_AUTH', context: { path } });
      expect(String(error)).toContain(path);
      expect(String(error)).toContain('zookeeper.auth');
      expect(String(error)).not.toContain('wrong');
    }
    expect([first, second].map(rebalancesOf)).toEqual(before);
    await group.owned();

    // The first one's session ends: the other takes over with the same credentials, and the first one comes back.
    const session = sessionOf(first);
    await cluster.expireSession(session);
    await group.until('a new session', () => sessionOf(first) !== session);
    await group.owned();
    await group.progress();
    expect(second.eventsOf('session:lost')).toEqual([]);
    await first.stop();
    await group.owned([second]);
    await group.progress();
    expect([...(await aclsBelow(root))].filter(([, acl]) => String(acl) !== String(SECURED_ACL))).toEqual([]);
    expect(unexplained(await group.end(), first)).toEqual([]);
    await group.untilStored();
  });

  it('are shown at each connection before anything is asked', async () => {
    await using group = await TracedGroup.create(cluster, { partitions: 2 });
    const member = await group.member('a', { properties: SECURED });
    await member.start();
    await group.untilOwned(member, [0, 1]);
    const { zookeeper: door } = member;
    const topic = group.topic;
    for (let round = 1; round <= 5; round += 1) {
      door.dropConnections();
      // Behind the cut, before the next connection: to be sent there.
      const committing = member.connector.commitOffsets([{ topic, partition: 0, nextOffset: round }]);
      await group.until(
        `connection ${round}`,
        () => member.eventsOf('session:connected').length === round + 1,
      );
      await expect(committing).resolves.toBeUndefined();
    }
    const stored = await zookeeper.get(group.offset(0));
    expect(stored?.data?.toString()).toBe('5');
    const ops = door.records.map(({ op }) => op);
    const connects = ops.flatMap((op, index) => (op === 'connect' ? [index] : []));
    expect(connects.length).toBeGreaterThan(5);
    expect(connects.map((index) => ops[index + 1])).toEqual(connects.map(() => AUTH_OP));
    expect(door.records.filter(({ error }) => error === NO_AUTH)).toEqual([]);
    expect(member.eventsOf('session:lost')).toEqual([]);
    expect(await acls.get(group.offset(0))).toEqual(SECURED_ACL);
  });

  it('that a topic asks for, and a member has not: createMessageStreams rejects at once and names the topic’s node', async () => {
    const topic = 'closed';
    await cluster.createTopic(topic, { partitions: 2 });
    await acls.close(`/brokers/topics/${topic}`, CREDENTIALS);
    for (const properties of [{}, { 'zookeeper.auth': 'digest:billing:wrong' }]) {
      const error = await refused('outside', topic, properties);
      expect(error).toMatchObject({ code: 'NO_AUTH', context: { path: `/brokers/topics/${topic}` } });
      expect(String(error)).toContain(`/brokers/topics/${topic}`);
      expect(String(error)).toContain('zookeeper.auth');
    }
    // It leaves nothing behind that others would wait for.
    expect(await zookeeper.children('/consumers/outside/ids')).toEqual([]);
    await using load = new SteadyLoad(cluster, topic, 2);
    await using member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: 'inside', topics: { [topic]: 1 } },
      properties: AUTH,
    });
    await waitFor(() => new Set(member.messages.map(({ partition }) => partition)).size === 2, {
      ...{ timeoutMs: 20_000, description: 'messages of both partitions' },
    });
    await load.stop();
  });
});
