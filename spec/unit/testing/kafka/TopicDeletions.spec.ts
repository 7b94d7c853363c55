import { TestBrokers } from './support/TestBrokers';

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a topic that is to be deleted', () => {
  it('goes with all of its nodes', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.session.create('/admin/delete_topics/t', '');
    await soon();
    expect(brokers.kafka.topics.has('t')).toBe(false);
    const paths = ['/brokers/topics/t', '/config/topics/t', '/admin/delete_topics/t'];
    expect(paths.map((path) => brokers.node(path))).toEqual([null, null, null]);
  });

  it('is gone for clients at once, but its nodes wait for a replica that is stopped', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    await brokers.kafka.stopBroker(2);
    brokers.session.create('/admin/delete_topics/t', '');
    await soon();
    expect(brokers.kafka.topics.has('t')).toBe(false);
    expect(brokers.node('/brokers/topics/t')).not.toBeNull();
    await brokers.kafka.startBroker(2);
    expect(brokers.node('/brokers/topics/t')).toBeNull();
    expect(brokers.kafka.topics.has('t')).toBe(false);
  });

  it('does not come back with another controller', async () => {
    await using brokers = await TestBrokers.start({ brokers: 3 });
    brokers.kafka.createTopic('t', [[2, 3]]);
    await brokers.kafka.stopBroker(3);
    brokers.session.create('/admin/delete_topics/t', '');
    await soon();
    await brokers.kafka.stopBroker(1);
    expect(brokers.kafka.controllerId).toBe(2);
    expect(brokers.kafka.topics.has('t')).toBe(false);
    await brokers.kafka.startBroker(3);
    expect(brokers.node('/brokers/topics/t')).toBeNull();
    expect(brokers.node('/admin/delete_topics/t')).toBeNull();
  });

  it('by the control is gone with its nodes, even if a replica is away and the controller goes', async () => {
    await using brokers = await TestBrokers.start({
      brokers: 3,
      properties: { 'delete.topic.enable': 'false' },
    });
    brokers.kafka.createTopic('t', [[2, 3]]);
    await brokers.kafka.stopBroker(3);
    brokers.kafka.deleteTopic('t');
    const paths = ['/brokers/topics/t', '/config/topics/t', '/admin/delete_topics/t'];
    expect(paths.map((path) => brokers.node(path))).toEqual([null, null, null]);
    await brokers.kafka.stopBroker(1);
    await brokers.kafka.startBroker(3);
    expect(brokers.kafka.topics.has('t')).toBe(false);
    brokers.kafka.createTopic('t', [[2]]);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 0 });
  });

  it('with nodes below the request for it goes, too', async () => {
    await using brokers = await TestBrokers.start();
    brokers.session.mkdirp('/admin/delete_topics/none/below');
    await soon();
    expect(brokers.node('/admin/delete_topics/none')).toBeNull();
  });

  it.each([
    ['0.8', ''],
    ['0.9', null],
  ] as const)(
    'stays where that is not enabled; Kafka %s leaves %j of the request',
    async (generation, left) => {
      await using brokers = await TestBrokers.start({ generation });
      brokers.kafka.createTopic('t', [[1]]);
      brokers.session.create('/admin/delete_topics/t', '');
      await soon();
      expect(brokers.kafka.topics.has('t')).toBe(true);
      expect(brokers.node('/admin/delete_topics/t')).toBe(left);
    },
  );

  it('can be one that there is not: the request goes', async () => {
    await using brokers = await TestBrokers.start();
    brokers.session.create('/admin/delete_topics/none', '');
    await soon();
    expect(brokers.node('/admin/delete_topics/none')).toBeNull();
  });

  it('can be created again, and begins anew', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const before = brokers.kafka.topics.get('t');
    brokers.kafka.deleteTopic('t');
    brokers.kafka.createTopic('t', [[1], [1]]);
    const after = brokers.kafka.topics.get('t');
    expect(after?.partitions.map(({ leader }) => leader)).toEqual([1, 1]);
    expect(after?.topicId).not.toBe(before?.topicId);
    expect(after?.partitions[0]?.log).not.toBe(before?.partitions[0]?.log);
  });

  it('is gone, too, if somebody deletes its node', async () => {
    await using brokers = await TestBrokers.start();
    brokers.session.create('/brokers/topics/t', 'not JSON');
    brokers.session.set('/brokers/topics/t', '{"version":1,"partitions":{}}');
    await soon();
    brokers.session.delete('/brokers/topics/t');
    await soon();
    expect(brokers.kafka.topics.has('t')).toBe(false);
  });
});
