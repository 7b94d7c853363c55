import { connect } from 'node:net';
import { once } from 'node:events';

import { GENERATIONS } from '../../../../lib/testing/kafka/Generation';
import { metadata } from '../../../../lib/testing/kafka/protocol/metadata';
import { TestBrokers } from './support/TestBrokers';

/** As measured on fresh brokers of the five releases, but for the registrations. */
const COMMON = [
  ...['/', '/admin', '/admin/delete_topics', '/brokers', '/brokers/ids', '/brokers/ids/1', '/brokers/topics'],
  ...['/config', '/config/changes', '/config/topics', '/consumers', '/controller', '/controller_epoch'],
];
const SINCE_0_9 = [...COMMON, '/brokers/seqid', '/config/clients', '/isr_change_notification'];
const SINCE_0_10_2 = [...SINCE_0_9, '/cluster', '/cluster/id'];
const SINCE_1_1 = [
  ...[...SINCE_0_10_2, '/config/brokers', '/config/users', '/latest_producer_id_block'],
  '/log_dir_event_notification',
];
const FRESH = {
  '0.8': COMMON,
  '0.9': SINCE_0_9,
  '0.10.2': SINCE_0_10_2,
  '1.1': SINCE_1_1,
  '3.9': [...SINCE_1_1, '/config/ips', '/feature'],
};

describe('a cluster that starts', () => {
  it.each(GENERATIONS)('makes the nodes of Kafka %s', async (generation) => {
    await using brokers = await TestBrokers.start({ generation });
    const paths = [...brokers.zookeeper.tree('/kafka').keys()].map(
      (path) => path.slice('/kafka'.length) || '/',
    );
    expect(paths.sort()).toEqual([...FRESH[generation]].sort());
    expect(brokers.node('/controller_epoch')).toBe('1');
    expect(brokers.kafka.controllerId).toBe(1);
  });

  it('has all brokers listening and registered', async () => {
    await using brokers = await TestBrokers.start({ brokers: 3 });
    expect(brokers.kafka.liveBrokers).toEqual(brokers.kafka.brokers);
    expect(brokers.kafka.brokers.map(({ id }) => id)).toEqual([1, 2, 3]);
    const client = await brokers.client(3);
    const answer = await client.ask(metadata, 8, { topics: [] });
    expect(answer.brokers.map(({ nodeId, host, port }) => ({ id: nodeId, host, port }))).toEqual(
      brokers.kafka.brokers,
    );
  });

  it('can be without brokers', async () => {
    await using brokers = await TestBrokers.start({ brokers: 0 });
    expect(brokers.kafka.brokers).toEqual([]);
    expect(brokers.kafka.controllerId).toBe(-1);
    expect(() => brokers.kafka.createTopic('t', [[1]])).toThrow('there is no broker 1');
  });

  it('refuses properties that it does not know, and leaves nothing listening', async () => {
    await using brokers = new TestBrokers({ brokers: 2, properties: { 'num.io.thread': '1' } });
    await brokers.zookeeper.start();
    await expect(brokers.kafka.start()).rejects.toThrow(
      'embedded brokers do not know num.io.thread in server.properties. Did you mean "num.io.threads"?',
    );
    await brokers.kafka.stop();
    for (const { port } of brokers.kafka.brokers) {
      const socket = connect({ host: '127.0.0.1', port });
      await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
    }
  });

  it('keeps the id that is stored', async () => {
    await using brokers = new TestBrokers();
    await brokers.zookeeper.start();
    brokers.session.mkdirp('/cluster');
    brokers.session.create('/cluster/id', '{"version":"1","id":"AAAAAAAAAAAAAAAAAAAAAA"}');
    await brokers.kafka.start();
    expect(brokers.kafka.clusterId).toBe('AAAAAAAAAAAAAAAAAAAAAA');
  });
});

describe('a broker', () => {
  it('advertises what its properties say, also when it starts again', async () => {
    await using brokers = await TestBrokers.start({
      generation: '0.8',
      properties: { 'advertised.host.name': 'elsewhere', 'advertised.port': '99' },
    });
    expect(brokers.kafka.liveBrokers).toEqual([{ id: 1, host: 'elsewhere', port: 99 }]);
    await brokers.kafka.stopBroker(1);
    brokers.properties = {};
    await brokers.kafka.startBroker(1);
    expect(brokers.kafka.liveBrokers).toEqual(brokers.kafka.brokers);
  });

  it('can start on another port', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    const free = brokers.kafka.brokers[1]?.port ?? 0;
    await brokers.kafka.stopBroker(2);
    await brokers.kafka.stopBroker(1);
    await brokers.kafka.startBroker(1, free);
    expect(brokers.kafka.liveBrokers).toEqual([{ id: 1, host: '127.0.0.1', port: free }]);
    await expect(brokers.client(1)).resolves.toBeDefined();
  });

  it('cannot be started twice, but be stopped twice', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    await expect(brokers.kafka.startBroker(2)).rejects.toThrow('broker 2 runs already');
    await brokers.kafka.stopBroker(2);
    await brokers.kafka.stopBroker(2);
    expect(brokers.kafka.liveBrokers.map(({ id }) => id)).toEqual([1]);
    await expect(brokers.kafka.startBroker(3)).rejects.toThrow('there is no broker 3');
  });

  it('resets its connections when it stops', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    await brokers.kafka.stopBroker(1);
    await client.closed();
    expect(brokers.node('/brokers/ids/1')).toBeNull();
  });
});

describe('topics that are created', () => {
  it('have leaders at once, and nodes like those of real brokers', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1', brokers: 2 });
    brokers.kafka.createTopic('t', [[2, 1], [1]], { 'max.message.bytes': '9' });
    expect(brokers.kafka.topics.get('t')?.partitions.map(({ leader }) => leader)).toEqual([2, 1]);
    expect(brokers.node('/config/topics/t')).toBe('{"version":1,"config":{"max.message.bytes":"9"}}');
    expect(brokers.node('/brokers/topics/t')).toBe('{"version":1,"partitions":{"0":[2,1],"1":[1]}}');
  });

  it.each([
    ['a b', [[1]], 'a topic cannot have the name "a b"'],
    ['..', [[1]], 'a topic cannot have the name ".."'],
    ['t', [], 'topic t needs a partition'],
    ['t', [[]], 'a partition needs a replica'],
    ['t', [[1, 1]], 'a partition cannot have two replicas on one broker: 1, 1'],
    ['t', [[2]], 'there is no broker 2; there are 1'],
    ['there', [[1]], 'there is a topic there already'],
  ])('must be possible: %j on %j are not', async (name, assignment, message) => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('there', [[1]]);
    expect(() => brokers.kafka.createTopic(name, assignment)).toThrow(message);
    expect([...brokers.kafka.topics.keys()]).toEqual(['there']);
  });

  it('can have more partitions later', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1]]);
    const { topicId } = brokers.kafka.topics.get('t') ?? {};
    brokers.kafka.addPartitions('t', [[2], [1, 2]]);
    expect(brokers.kafka.topics.get('t')?.partitions.map(({ replicas }) => replicas)).toEqual([
      [1],
      [2],
      [1, 2],
    ]);
    expect(brokers.kafka.topics.get('t')?.topicId).toBe(topicId);
    expect(() => brokers.kafka.addPartitions('none', [[1]])).toThrow('there is no topic none');
  });

  it('are deleted whether or not brokers allow it to others', async () => {
    await using brokers = await TestBrokers.start({ properties: { 'delete.topic.enable': 'false' } });
    brokers.kafka.createTopic('t', [[1]]);
    brokers.kafka.deleteTopic('t');
    expect(brokers.node('/brokers/topics/t')).toBeNull();
    expect(() => brokers.kafka.deleteTopic('t')).toThrow('there is no topic t');
  });
});
