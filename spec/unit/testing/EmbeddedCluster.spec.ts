import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../../lib/testing';
import { LocalMember, type LocalMemberOptions } from '../../support/LocalMember';
import { waitFor } from '../../support/waitFor';

// Brokers of 0.9 leave a question about versions unanswered; a member waits 2 s for each.
jest.setTimeout(20_000);

const LIMIT_MS = 8000;
const GENERATIONS = ['0.8', '0.9', '0.10.2', '1.1', '3.9'] as const;

/** Of a member alone in its group, which reads topic t. */
function memberOf(
  { zookeeperConnect }: EmbeddedCluster,
  properties: LocalMemberOptions<Buffer, Buffer>['properties'] = {},
): Promise<LocalMember> {
  const quick = { 'refresh.leader.backoff.ms': 50, 'rebalance.backoff.ms': 50, ...properties };
  return LocalMember.start({ zookeeperConnect, group: 'g', topics: { t: 1 }, properties: quick });
}

async function received(member: LocalMember, count: number): Promise<(string | null)[]> {
  await waitFor(() => member.messages.length >= count, {
    ...{ timeoutMs: LIMIT_MS, description: `${count} messages` },
    details: () => JSON.stringify([member.messages.length, member.events.slice(-10)]),
  });
  return member.messages.map(({ value }) => value).sort();
}

const values = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => String(from + index).padStart(3, '0'));

describe.each(GENERATIONS)('an embedded cluster of Kafka %s', (kafka) => {
  it('serves a member all that is produced, before and while it reads', async () => {
    await using cluster = await EmbeddedCluster.start({
      kafka,
      brokers: 3,
      chroot: '/kafka',
      topics: { t: 6 },
    });
    const places = cluster.produce('t', values(0, 12));
    expect(places.slice(5, 7)).toEqual([
      { partition: 5, offset: 0 },
      { partition: 0, offset: 1 },
    ]);
    await using member = await memberOf(cluster);
    await expect(received(member, 12)).resolves.toEqual(values(0, 12));
    cluster.produce('t', values(12, 24), { compression: 'gzip' });
    await expect(received(member, 24)).resolves.toEqual(values(0, 24));
    expect(member.errors).toEqual([]);
  });
});

describe.each(['0.8', '1.1', '3.9'] as const)('the controls of an embedded cluster of Kafka %s', (kafka) => {
  it('expire a session: its nodes go, and the member comes back with another one', async () => {
    await using cluster = await EmbeddedCluster.start({ kafka, topics: { t: 2 } });
    await using member = await memberOf(cluster);
    const id = `/consumers/g/ids/${member.consumerId}`;
    const sessionOf = (path: string): string | undefined =>
      cluster.sessions().find(({ ephemerals }) => ephemerals.includes(path))?.id;
    const before = sessionOf(id) ?? '';
    cluster.expireSession(before);
    expect(cluster.sessions().some((session) => session.id === before)).toBe(false);
    expect(cluster.znodes(id).size).toBe(0);
    await waitFor(() => sessionOf(`/consumers/g/owners/t/1`) !== undefined, {
      ...{ timeoutMs: LIMIT_MS, description: 'a new claim' },
    });
    expect(member.eventsOf('partitions:lost')).toHaveLength(1);
    expect(sessionOf(id)).not.toBe(before);
  });

  it('let a broker stop and start, with its data', async () => {
    await using cluster = await EmbeddedCluster.start({ kafka, brokers: 2, topics: { t: 2 } });
    await using member = await memberOf(cluster);
    cluster.produce('t', values(0, 4));
    await received(member, 4);
    await cluster.stopBroker(2);
    expect(cluster.describeTopic('t').map(({ leader }) => leader)).toEqual([1, -1]);
    expect(cluster.znodes('/brokers/ids').has('/brokers/ids/2')).toBe(false);
    cluster.produce('t', values(4, 8));
    await waitFor(() => member.messages.filter(({ partition }) => partition === 0).length === 4, {
      ...{ timeoutMs: LIMIT_MS, description: 'what broker 1 leads' },
    });
    const { port } = cluster.brokers[1] ?? {};
    await cluster.startBroker(2);
    expect(cluster.brokers[1]?.port).toBe(port);
    await expect(received(member, 8)).resolves.toEqual(values(0, 8));
  });

  it('move leaders, and the member follows', async () => {
    const topics = { t: { partitions: 1, replicas: 2 } };
    await using cluster = await EmbeddedCluster.start({ kafka, brokers: 2, topics });
    await using member = await memberOf(cluster);
    cluster.produce('t', values(0, 2));
    await received(member, 2);
    cluster.moveLeader('t', 0, 2);
    expect(cluster.describeTopic('t')).toEqual([
      { partition: 0, leader: 2, replicas: [1, 2], isr: [1, 2], startOffset: 0, endOffset: 2 },
    ]);
    cluster.produce('t', values(2, 4));
    await expect(received(member, 4)).resolves.toEqual(values(0, 4));
  });

  it('fail the next requests with a code, and then no more', async () => {
    await using cluster = await EmbeddedCluster.start({ kafka, topics: { t: 1 } });
    await using member = await memberOf(cluster);
    cluster.produce('t', values(0, 1));
    await received(member, 1);
    cluster.failNextRequest({ api: 'Fetch', errorCode: 'NOT_LEADER_OR_FOLLOWER', topic: 't', times: 2 });
    cluster.produce('t', values(1, 3));
    await expect(received(member, 3)).resolves.toEqual(values(0, 3));
    expect(member.messages.map(({ offset }) => offset)).toEqual([0, 1, 2]);
  });

  it('record what is written to the registry, refused operations too', async () => {
    await using cluster = await EmbeddedCluster.start({ kafka, topics: { t: 1 } });
    cluster.failNextOperation({ operation: 'create', path: '/consumers/g/owners/t/0', code: 'NODE_EXISTS' });
    await using member = await memberOf(cluster);
    const claims = cluster.operations.filter(({ path }) => path === '/consumers/g/owners/t/0');
    expect(claims.map(({ type, result, data }) => [type, result, data])).toEqual([
      ['create', 'NODE_EXISTS', `${member.consumerId}-0`],
      // The folder of the owners is made when it is missed.
      ['create', 'NO_NODE', `${member.consumerId}-0`],
      ['create', 'ok', `${member.consumerId}-0`],
    ]);
  });
});

describe('failures that are called off', () => {
  it('do not happen', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    cluster.failNextRequest({ api: 'Metadata', errorCode: 'UNKNOWN_SERVER_ERROR', times: 1000 });
    cluster.failNextOperation({ code: 'NO_AUTH', times: 1000 });
    await expect(memberOf(cluster)).rejects.toMatchObject({ code: 'NO_AUTH' });
    cluster.clearFailures();
    cluster.produce('t', ['a']);
    await using member = await memberOf(cluster);
    await expect(received(member, 1)).resolves.toEqual(['a']);
  });
});

describe('connections to an embedded cluster', () => {
  it('are dropped, cut, delayed and silenced for a broker, and nothing is lost or read twice', async () => {
    await using cluster = await EmbeddedCluster.start({
      kafka: '1.1',
      brokers: 2,
      topics: { t: 4 },
      seed: 5,
    });
    await using member = await memberOf(cluster, { 'socket.timeout.ms': 500, 'fetch.wait.max.ms': 50 });
    const brokers = { server: 'broker' } as const;
    const faults = [
      () => cluster.network.drop(brokers),
      () => cluster.network.cutNextAnswer(20, brokers, 2),
      () => cluster.network.delay({ minMs: 1, maxMs: 30 }, brokers),
      () => cluster.network.blackHole({ ...brokers, number: 1 }, 'answers'),
      () => cluster.network.heal(),
    ];
    for (const [index, fault] of faults.entries()) {
      fault();
      cluster.produce('t', values(8 * index, 8 * index + 8));
      const least = index === 3 ? 8 * index + 4 : 8 * index + 8;
      await received(member, least);
    }
    await expect(received(member, 40)).resolves.toEqual(values(0, 40));
  });

  it('are known with their clients', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    await using member = await memberOf(cluster, { 'client.id': 'my-client' });
    cluster.produce('t', ['a']);
    await received(member, 1);
    const sessions = cluster.sessions().filter(({ timeoutMs }) => timeoutMs === 6000);
    const toZookeeper = cluster.network.connections({ server: 'zookeeper' });
    expect(toZookeeper.map(({ client }) => client)).toEqual(sessions.map(({ id }) => id));
    expect(cluster.network.connections({ client: 'my-client' }).length).toBeGreaterThan(0);
  });

  it('go to another server of ZooKeeper when theirs stops, with the same session', async () => {
    await using cluster = await EmbeddedCluster.start({ zookeepers: 3, topics: { t: 1 } });
    await using member = await memberOf(cluster);
    const [connection] = cluster.network.connections({ server: 'zookeeper' });
    const number = connection?.number ?? 0;
    await cluster.stopZookeeper(number);
    await waitFor(
      () => cluster.network.connections({ server: 'zookeeper' })[0]?.client === connection?.client,
      {
        ...{ timeoutMs: LIMIT_MS, description: 'the session elsewhere' },
      },
    );
    expect(cluster.network.connections({ server: 'zookeeper' })[0]?.number).not.toBe(number);
    cluster.produce('t', ['a']);
    await received(member, 1);
    expect(member.eventsOf('session:lost')).toEqual([]);
  });
});

describe('an embedded cluster', () => {
  it('starts three brokers and stops them again and again, and leaves no connection open', async () => {
    for (let round = 0; round < 5; round++) {
      const cluster = await EmbeddedCluster.start({ brokers: 3, zookeepers: 3, topics: { t: 3 } });
      expect(cluster.describeTopic('t').map(({ leader }) => leader)).toEqual([1, 2, 3]);
      await cluster.stop();
      await cluster.stop();
      expect(cluster.network.connections()).toEqual([]);
    }
  });

  it('without brokers is ZooKeeper alone, with the chroot', async () => {
    await using cluster = await EmbeddedCluster.start({ brokers: 0, chroot: '/a/b' });
    expect([...cluster.znodes('/a').keys()]).toEqual(['/a', '/a/b']);
    expect(cluster.znodes('/brokers').size).toBe(0);
    expect(cluster.zookeeperConnect).toMatch(/^127\.0\.0\.1:\d+\/a\/b$/);
  });

  it('adds partitions and deletes topics and messages', async () => {
    await using cluster = await EmbeddedCluster.start({ brokers: 2, topics: { t: 1 } });
    cluster.addPartitions('t', 3);
    expect(cluster.describeTopic('t').map(({ leader }) => leader)).toEqual([1, 2, 1]);
    cluster.produce('t', values(0, 9));
    cluster.deleteRecords('t', 1, 2);
    expect(cluster.describeTopic('t')[1]).toMatchObject({ startOffset: 2, endOffset: 3 });
    await using member = await memberOf(cluster);
    await expect(received(member, 7)).resolves.not.toContain('001');
    cluster.deleteTopic('t');
    expect(() => cluster.describeTopic('t')).toThrow('there is no topic "t"; there are: none');
    expect(cluster.znodes('/brokers/topics/t').size).toBe(0);
  });

  it.each<[string, (cluster: EmbeddedCluster) => unknown, string]>([
    ['an unknown topic', (cluster) => cluster.produce('u', ['x']), 'there is no topic "u"; there are: t'],
    ['a topic twice', (cluster) => cluster.createTopic('t'), 'there is a topic t already'],
    ['fewer partitions', (cluster) => cluster.addPartitions('t', 1), '1 adds none'],
    [
      'an unknown partition',
      (cluster) => cluster.produce('t', [{ value: 'x', partition: 7 }]),
      'topic t has no partition 7',
    ],
    ['an unknown session', (cluster) => cluster.expireSession('0x1'), 'there is no session 0x1'],
    ['no session id', (cluster) => cluster.expireSession(''), 'session'],
    ['a leader that is no replica', (cluster) => cluster.moveLeader('t', 0, 2), 'in sync are: 1'],
    [
      'a message that is too large',
      (cluster) => cluster.produce('t', ['x'.repeat(2 << 20)]),
      'partition t/0 refuses the messages: MESSAGE_TOO_LARGE',
    ],
  ])('refuses with what is wrong: %s', async (_, act, message) => {
    await using cluster = await EmbeddedCluster.start({ brokers: 2, topics: { t: 1 } });
    expect(() => act(cluster)).toThrow(message);
  });

  it('that cannot start leaves nothing behind', async () => {
    const wrong: EmbeddedClusterOptions = { brokers: 3, brokerProperties: { 'advertised.port': 'here' } };
    await expect(EmbeddedCluster.start(wrong)).rejects.toThrow('advertised.port');
    const unknown: EmbeddedClusterOptions = { brokerProperties: { 'no.such.property': '1' } };
    await expect(EmbeddedCluster.start(unknown)).rejects.toThrow('no.such.property');
  });
});
