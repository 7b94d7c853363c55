import { EmbeddedCluster } from '../../../lib/testing';

/** What only JavaScript would pass. */
function wrong(value: unknown): never {
  return value as never;
}

describe('the controls of an embedded cluster', () => {
  it.each<[string, (cluster: EmbeddedCluster) => unknown, string]>([
    [
      'a number for options',
      (cluster) => cluster.createTopic('b', wrong(3)),
      'createTopic: options must be an object such as { partitions: 4, replicas: 2 }, not 3 (number)',
    ],
    [
      'more replicas than brokers',
      (cluster) => cluster.createTopic('b', { replicas: 3 }),
      'createTopic: replicas must be a whole number from 1 to 2, the number of brokers',
    ],
    [
      'a topic that is no text',
      (cluster) => cluster.describeTopic(wrong(/t/)),
      'describeTopic: name must be a text, not {} (object)',
    ],
    [
      'nothing to delete',
      (cluster) => cluster.deleteTopic(wrong(undefined)),
      'deleteTopic: name must be a text, not undefined',
    ],
    [
      'a total as text',
      (cluster) => cluster.addPartitions('t', wrong('3')),
      'addPartitions: total must be a whole number from 1 to 10000, not "3" (string)',
    ],
    [
      'half a partition',
      (cluster) => cluster.addPartitions('t', 1.5),
      'addPartitions: total must be a whole number from 1 to 10000, not 1.5 (number)',
    ],
    [
      'a leader as text',
      (cluster) => cluster.moveLeader('t', 0, wrong('1')),
      'moveLeader: brokerId must be a whole number from 1 on, not "1" (string)',
    ],
    [
      'a negative partition',
      (cluster) => cluster.moveLeader('t', -1, 1),
      'moveLeader: partition must be a whole number from 0 on, not -1 (number)',
    ],
    [
      'a topic that is a number',
      (cluster) => cluster.produce(wrong(1), ['a']),
      'produce: topic must be a text, not 1 (number)',
    ],
    [
      'a negative offset',
      (cluster) => cluster.deleteRecords('t', 0, -1),
      'deleteRecords: beforeOffset must be a whole number from 0 on, not -1 (number)',
    ],
    [
      'an offset that is no number',
      (cluster) => cluster.deleteRecords('t', 0, NaN),
      'deleteRecords: beforeOffset must be a whole number from 0 on, not NaN (number)',
    ],
    [
      'no offset',
      (cluster) => cluster.deleteRecords('t', 0, wrong(undefined)),
      'deleteRecords: beforeOffset must be a whole number from 0 on, not undefined',
    ],
    [
      'a broker as text',
      (cluster) => cluster.stopBroker(wrong('1')),
      'stopBroker: id must be a whole number from 1 on, not "1" (string)',
    ],
    [
      'broker 0',
      (cluster) => cluster.stopBroker(0),
      'stopBroker: id must be a whole number from 1 on, not 0 (number)',
    ],
    [
      'a port in place of changes',
      (cluster) => cluster.startBroker(1, wrong(9092)),
      'startBroker: changes must be an object such as { port: 9092 }, not 9092 (number)',
    ],
    [
      'a misspelt change',
      (cluster) => cluster.startBroker(1, wrong({ prot: 9092 })),
      'startBroker: "prot" is none of the names in changes. Did you mean "port"?',
    ],
    [
      'port 0',
      (cluster) => cluster.startBroker(1, { port: 0 }),
      'startBroker: port must be a whole number from 1 to 65535, not 0 (number)',
    ],
    [
      'a port that is too large',
      (cluster) => cluster.startBroker(1, { port: 65_536 }),
      'startBroker: port must be a whole number from 1 to 65535, not 65536 (number)',
    ],
    [
      'properties that are no texts',
      (cluster) => cluster.startBroker(1, { properties: wrong({ 'num.partitions': 4 }) }),
      'startBroker: properties["num.partitions"] must be a text, not 4 (number)',
    ],
    [
      'properties of the wrong kind',
      (cluster) => cluster.startBroker(1, { properties: { 'num.partitions': 'x' } }),
      'startBroker: properties: num.partitions must be a whole number',
    ],
    [
      'a server as text',
      (cluster) => cluster.stopZookeeper(wrong('1')),
      'stopZookeeper: server must be a whole number from 1 on, not "1" (string)',
    ],
    [
      'server 0',
      (cluster) => cluster.startZookeeper(0),
      'startZookeeper: server must be a whole number from 1 on, not 0 (number)',
    ],
    [
      'a session by number',
      (cluster) => cluster.expireSession(wrong(5)),
      'expireSession: id must be the id of a session as sessions() tells it, such as "0x15c0ffee", not 5 (number)',
    ],
    [
      'a session without an id',
      (cluster) => cluster.expireSession(''),
      'expireSession: id must be the id of a session as sessions() tells it, such as "0x15c0ffee", not "" (string)',
    ],
    [
      'a session in decimals',
      (cluster) => cluster.dropConnection('365'),
      'dropConnection: id must be the id of a session as sessions() tells it',
    ],
    [
      'a session itself',
      (cluster) => cluster.dropConnection(wrong({ id: '0x1' })),
      'dropConnection: id must be the id of a session as sessions() tells it',
    ],
    [
      'a path that is not whole',
      (cluster) => cluster.znodes('consumers'),
      'znodes: path must be a whole path without a slash at its end, such as "/consumers", not "consumers" (string)',
    ],
    [
      'a path with a slash at its end',
      (cluster) => cluster.znodes('/consumers/'),
      'not "/consumers/" (string)',
    ],
    [
      'no path',
      (cluster) => cluster.znodes(wrong(null)),
      'znodes: path must be a whole path without a slash at its end, such as "/consumers", not null',
    ],
    [
      'no group',
      (cluster) => cluster.describeGroup(wrong(undefined)),
      'describeGroup: group must be a text, not undefined',
    ],
    [
      'a group by number',
      (cluster) => cluster.committedOffsets(wrong(1)),
      'committedOffsets: group must be a text, not 1 (number)',
    ],
    [
      'a request that is none',
      (cluster) => cluster.failNextRequest(wrong('Fetch')),
      'failNextRequest: failure must be an object such as',
    ],
    [
      'an operation that is none',
      (cluster) => cluster.failNextOperation(wrong('create')),
      'failNextOperation: failure must be an object such as',
    ],
    [
      'a fault of a broker that there is not',
      (cluster) => cluster.network.drop({ server: 'broker', number: 3 }),
      'network.drop: filter.number must be a whole number from 1 to 2, not 3 (number)',
    ],
  ])('refuse with what would be right: %s', async (_, act, message) => {
    await using cluster = await EmbeddedCluster.start({ brokers: 2, topics: { t: 1 } });
    const failure = failureOf(() => act(cluster));
    await expect(failure).rejects.toThrow(TypeError);
    await expect(failure).rejects.toThrow(message);
  });

  it.each<[string, (cluster: EmbeddedCluster) => unknown, string]>([
    ['a topic', (cluster) => cluster.produce('u', ['a']), 'there is no topic "u"; there are: t'],
    ['a topic to describe', (cluster) => cluster.describeTopic('u'), 'there is no topic "u"; there are: t'],
    [
      'a partition',
      (cluster) => cluster.deleteRecords('t', 1, 0),
      'topic t has no partition 1; it has partitions 0 to 0',
    ],
    [
      'a partition to lead',
      (cluster) => cluster.moveLeader('t', 1, 1),
      'topic t has no partition 1; it has partitions 0 to 0',
    ],
    ['an offset', (cluster) => cluster.deleteRecords('t', 0, 1), 'partition t/0 ends at 0, before 1'],
    ['a leader', (cluster) => cluster.moveLeader('t', 0, 3), 'there is no broker 3; there are: 1, 2'],
    ['a broker to stop', (cluster) => cluster.stopBroker(3), 'there is no broker 3; there are: 1, 2'],
    ['a broker to start', (cluster) => cluster.startBroker(3), 'there is no broker 3; there are: 1, 2'],
    [
      'a broker to fail',
      (cluster) => cluster.failNextRequest({ api: 'Fetch', errorCode: 3, brokerId: 3 }),
      'there is no broker 3; there are: 1, 2',
    ],
    ['a server', (cluster) => cluster.stopZookeeper(2), 'there are servers 1 to 1, not 2'],
    ['a server to start', (cluster) => cluster.startZookeeper(2), 'there are servers 1 to 1, not 2'],
    ['a session', (cluster) => cluster.expireSession('0x1'), 'there is no session 0x1; there are: 0x'],
    ['a connection', (cluster) => cluster.dropConnection('0x1'), 'there is no session 0x1; there are: 0x'],
  ])('tell what there is in place of %s that there is not', async (_, act, message) => {
    await using cluster = await EmbeddedCluster.start({ brokers: 2, topics: { t: 1 } });
    const failure = failureOf(() => act(cluster));
    await expect(failure).rejects.toThrow(RangeError);
    await expect(failure).rejects.toThrow(message);
  });

  it('find a session by its id however it is written', async () => {
    await using cluster = await EmbeddedCluster.start();
    const { id = '' } = cluster.sessions()[0] ?? {};
    cluster.expireSession(id.toUpperCase().replace('0X', '0x'));
    expect(cluster.sessions().map((session) => session.id)).not.toContain(id);
  });
});

/** A promise of what is thrown or rejected. */
async function failureOf(act: () => unknown): Promise<unknown> {
  return await act();
}
