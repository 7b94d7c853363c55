import { TestBrokers } from './support/TestBrokers';

const soon = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function written(assignment: Readonly<Record<string, number[]>>): string {
  return JSON.stringify({ version: 1, partitions: assignment });
}

describe('a topic that somebody else writes', () => {
  it('gets leaders and state nodes, with the bytes of real ones', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8', brokers: 2 });
    brokers.session.create('/config/topics/t', '{"version":1,"config":{"max.message.bytes":"77"}}');
    brokers.session.create('/brokers/topics/t', written({ 1: [2, 1], 0: [1, 2] }));
    await soon();
    const states = [0, 1].map((partition) => brokers.node(`/brokers/topics/t/partitions/${partition}/state`));
    expect(states).toEqual([
      '{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}',
      '{"controller_epoch":1,"leader":2,"version":1,"leader_epoch":0,"isr":[2,1]}',
    ]);
    const topic = brokers.kafka.topics.get('t');
    expect(topic?.partitions.map(({ leader, replicas }) => ({ leader, replicas }))).toEqual([
      { leader: 1, replicas: [1, 2] },
      { leader: 2, replicas: [2, 1] },
    ]);
    expect(topic?.partitions[0]?.log.options.maxMessageBytes).toBe(77);
  });

  it('gets an id in 3.9, and keeps one that it has', async () => {
    await using brokers = await TestBrokers.start();
    brokers.session.create('/brokers/topics/old', written({ 0: [1] }));
    const topic_id = Buffer.from('00112233445566778899aabbccddeeff', 'hex').toString('base64url');
    brokers.session.create(
      '/brokers/topics/new',
      JSON.stringify({ partitions: { 0: [1] }, topic_id, version: 3 }),
    );
    await soon();
    const given = brokers.kafka.topics.get('old')?.topicId ?? '';
    expect(brokers.node('/brokers/topics/old')).toBe(
      `{"partitions":{"0":[1]},"topic_id":"${Buffer.from(given, 'hex').toString('base64url')}",` +
        '"adding_replicas":{},"removing_replicas":{},"version":3}',
    );
    expect(brokers.kafka.topics.get('new')?.topicId).toBe('00112233445566778899aabbccddeeff');
    expect(given).not.toBe('00112233445566778899aabbccddeeff');
  });

  it('gets leaders for partitions that are added; those it had stay as they are', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8', brokers: 2 });
    brokers.kafka.createTopic('t', [[1]]);
    const log = brokers.kafka.topics.get('t')?.partitions[0]?.log;
    brokers.session.set('/brokers/topics/t', written({ 0: [1], 1: [2], 2: [1] }));
    await soon();
    expect(brokers.kafka.topics.get('t')?.partitions.map(({ leader }) => leader)).toEqual([1, 2, 1]);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log).toBe(log);
  });

  it('is no topic as long as its node is not one', async () => {
    await using brokers = await TestBrokers.start();
    brokers.session.create('/brokers/topics/t', 'not JSON');
    await soon();
    expect(brokers.kafka.topics.has('t')).toBe(false);
    brokers.session.set('/brokers/topics/t', written({ 0: [1] }));
    await soon();
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.leader).toBe(1);
  });

  it('has its configuration changed with its node', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.session.set('/config/topics/t', '{"version":1,"config":{"max.message.bytes":"500"}}');
    await soon();
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log.options.maxMessageBytes).toBe(500);
  });

  it('waits for a broker if none of its replicas is alive', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    await brokers.kafka.stopBroker(2);
    brokers.session.create('/brokers/topics/t', written({ 0: [2] }));
    await soon();
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.leader).toBe(-1);
    expect(brokers.state('t')).toBeNull();
    await brokers.kafka.startBroker(2);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 0, isr: [2] });
  });
});

describe('a broker that goes', () => {
  it('is followed by the next in-sync replica, and has to become in sync again', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.9', brokers: 3 });
    brokers.kafka.createTopic('t', [[3, 2, 1]]);
    await brokers.kafka.stopBroker(3);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 1, isr: [2, 1] });
    await brokers.kafka.startBroker(3);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 1, isr: [2, 1, 3] });
  });

  it('leaves its place as a follower with a new epoch', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    await brokers.kafka.stopBroker(2);
    expect(brokers.state('t')).toMatchObject({ leader: 1, leader_epoch: 1, isr: [1] });
  });

  it.each([
    ['0.9', []],
    ['3.9', [2]],
  ] as const)('leaves nobody: Kafka %s writes %j for the in-sync replicas', async (generation, isr) => {
    await using brokers = await TestBrokers.start({ generation, brokers: 2 });
    brokers.kafka.createTopic('t', [[2]]);
    await brokers.kafka.stopBroker(2);
    expect(brokers.state('t')).toMatchObject({ leader: -1, leader_epoch: 1, isr });
    await brokers.kafka.startBroker(2);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 2, isr: [2] });
  });

  it.each([
    ['true', { leader: 1, leader_epoch: 3, isr: [1] }],
    ['false', { leader: -1, leader_epoch: 2, isr: [2] }],
  ])('and leaves one that is not in sync: it leads if that is %s', async (isAllowed, expected) => {
    await using brokers = await TestBrokers.start({ brokers: 3 });
    brokers.kafka.createTopic('t', [[2, 1]], { 'unclean.leader.election.enable': isAllowed });
    await brokers.kafka.stopBroker(1);
    await brokers.kafka.stopBroker(2);
    await brokers.kafka.startBroker(1);
    expect(brokers.state('t')).toMatchObject(expected);
  });

  it('keeps its data', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const log = brokers.kafka.topics.get('t')?.partitions[0]?.log;
    await brokers.kafka.stopBroker(1);
    await brokers.kafka.startBroker(1);
    expect(brokers.kafka.topics.get('t')?.partitions[0]?.log).toBe(log);
    expect(brokers.state('t')).toMatchObject({ leader: 1, leader_epoch: 0 });
  });
});

describe('a controller that goes', () => {
  it('is followed by another broker, which counts on', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8', brokers: 2 });
    expect(brokers.kafka.controllerId).toBe(1);
    await brokers.kafka.stopBroker(1);
    expect(brokers.kafka.controllerId).toBe(2);
    expect(brokers.node('/controller')).toMatch(/^{"version":1,"brokerid":2,"timestamp":"\d+"}$/);
    expect(brokers.node('/controller_epoch')).toBe('2');
    brokers.kafka.createTopic('t', [[2]]);
    expect(brokers.state('t')).toMatchObject({ controller_epoch: 2, leader: 2 });
  });

  it('can be made to go by deleting its node', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.session.delete('/controller');
    await soon();
    expect(brokers.node('/controller')).toContain('"brokerid":1');
    expect(brokers.node('/controller_epoch')).toBe('2');
  });

  it('with its session comes back as a broker, and has lost what it led', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    const before = brokers.kafka.sessionId(1);
    brokers.zookeeper.expireSession(before);
    await soon();
    expect(brokers.kafka.sessionId(1)).not.toBe(before);
    expect(brokers.kafka.controllerId).toBe(2);
    expect(brokers.kafka.liveBrokers.map(({ id }) => id)).toEqual([1, 2]);
    expect(brokers.state('t')).toMatchObject({ leader: 2, isr: [2, 1] });
  });

  it('with its session alone has lost what it led, as any other broker', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('by-controller', [[1, 2]]);
    brokers.kafka.createTopic('by-other', [[2, 1]]);
    await soon();
    brokers.zookeeper.expireSession(brokers.kafka.sessionId(1));
    expect(brokers.kafka.controllerId).toBe(2);
    expect(brokers.state('by-controller')).toMatchObject({ leader: 2, leader_epoch: 1, isr: [2, 1] });
    brokers.zookeeper.expireSession(brokers.kafka.sessionId(2));
    expect(brokers.kafka.controllerId).toBe(1);
    expect(brokers.state('by-controller')).toMatchObject({ leader: 1, isr: [1, 2] });
    expect(brokers.state('by-other')).toMatchObject({ leader: 1, isr: [1, 2] });
  });

  it('as the only broker can be asked for a topic at once', async () => {
    await using brokers = await TestBrokers.start();
    await soon();
    brokers.zookeeper.expireSession(brokers.kafka.sessionId(1));
    brokers.kafka.createTopic('t', [[1]]);
    expect(brokers.state('t')).toMatchObject({ leader: 1 });
  });

  it('is elected again if it was the only broker', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    brokers.zookeeper.expireSession(brokers.kafka.sessionId(1));
    await soon();
    expect(brokers.kafka.controllerId).toBe(1);
    expect(brokers.node('/controller_epoch')).toBe('2');
    expect(brokers.state('t')).toMatchObject({ leader: 1 });
    expect(brokers.node('/brokers/ids/1')).not.toBeNull();
  });
});

describe('a topic whose nodes cannot be written', () => {
  it('holds up neither other topics nor the controls, and is told of', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1' });
    await soon();
    brokers.session.create('/brokers/topics/bad', written({ 0: [1] }), { ephemeral: true });
    brokers.session.create('/brokers/topics/behind', written({ 0: [1] }));
    brokers.kafka.createTopic('t', [[1]]);
    expect(brokers.state('behind')).toMatchObject({ leader: 1 });
    expect(brokers.state('t')).toMatchObject({ leader: 1 });
    expect(brokers.faults.splice(0)).toMatchObject([{ code: 'NO_CHILDREN_FOR_EPHEMERALS' }]);
  });

  it('does not keep a broker that comes from leading others', async () => {
    await using brokers = await TestBrokers.start({ generation: '1.1', brokers: 2 });
    await brokers.kafka.stopBroker(2);
    brokers.session.create('/brokers/topics/bad', written({ 0: [2] }), { ephemeral: true });
    brokers.kafka.createTopic('t', [[2]]);
    await brokers.kafka.startBroker(2);
    expect(brokers.state('t')).toMatchObject({ leader: 2 });
    expect(brokers.faults.splice(0)).toMatchObject([{ code: 'NO_CHILDREN_FOR_EPHEMERALS' }]);
  });
});

describe('leaders that are moved', () => {
  it('have a new epoch', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    brokers.kafka.moveLeader('t', 0, 2);
    expect(brokers.state('t')).toMatchObject({ leader: 2, leader_epoch: 1, isr: [1, 2] });
  });

  it('must be in-sync replicas', async () => {
    await using brokers = await TestBrokers.start({ brokers: 3 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    await brokers.kafka.stopBroker(2);
    for (const id of [2, 3, 4]) {
      expect(() => brokers.kafka.moveLeader('t', 0, id)).toThrow(
        `broker ${id} cannot lead partition 0 of t; in sync are: 1`,
      );
    }
    expect(() => brokers.kafka.moveLeader('t', 1, 1)).toThrow('there is no partition 1 of topic t');
  });

  it('are the preferred ones again when a tool asks for it', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    brokers.kafka.createTopic('t', [[1, 2]]);
    brokers.kafka.moveLeader('t', 0, 2);
    const partitions = [
      { topic: 't', partition: 0 },
      { topic: 'none', partition: 0 },
    ];
    brokers.session.create('/admin/preferred_replica_election', JSON.stringify({ version: 1, partitions }));
    await soon();
    expect(brokers.state('t')).toMatchObject({ leader: 1, leader_epoch: 2 });
    expect(brokers.node('/admin/preferred_replica_election')).toBeNull();
  });
});
