import { fetch } from '../../../../lib/testing/kafka/protocol/fetch';
import { produce } from '../../../../lib/testing/kafka/protocol/produce';
import { waitFor } from '../../../support/waitFor';
import { GroupCluster } from './groups/support/GroupCluster';
import { stabilize, TestMember } from './groups/support/TestMember';
import { fetchOf, produceOf, setOf } from './support/records';
import { TestBrokers } from './support/TestBrokers';

const TOPIC = '{"version":1,"partitions":{"0":[1]}}';
const WAIT = { timeoutMs: 5000, intervalMs: 2 };

describe('brokers under fake timers', () => {
  afterEach(() => jest.useRealTimers());

  it('follow what is written to ZooKeeper', async () => {
    await using brokers = await TestBrokers.start();
    jest.useFakeTimers();
    brokers.session.create('/brokers/topics/t', TOPIC);
    await waitFor(() => brokers.state('t'), { ...WAIT, description: 'a leader' });
    jest.useRealTimers();
    brokers.session.create('/brokers/topics/later', TOPIC);
    await waitFor(() => brokers.state('later'), { ...WAIT, description: 'a leader' });
    expect([...brokers.kafka.topics.keys()]).toEqual(['t', 'later']);
  });

  it('register again when their sessions have expired', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    jest.useFakeTimers();
    for (const id of [1, 2]) {
      const before = brokers.kafka.sessionId(id);
      brokers.zookeeper.expireSession(before);
      await waitFor(() => brokers.kafka.sessionId(id) !== before, { ...WAIT, description: 'a new session' });
      await waitFor(() => brokers.node(`/brokers/ids/${id}`), { ...WAIT, description: 'a registration' });
    }
    expect(brokers.kafka.liveBrokers.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('let members of groups go whose sessions are over', async () => {
    using cluster = new GroupCluster('0.10.2');
    jest.useFakeTimers();
    await stabilize(new TestMember(cluster, { sessionTimeoutMs: 20 }));
    await waitFor(() => cluster.groups.describeGroup('g').state === 'Empty', {
      ...{ ...WAIT, description: 'the end of the session' },
    });
    expect(cluster.groups.describeGroup('g').members).toEqual([]);
  });

  it('end requests that wait', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.8' });
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    jest.useFakeTimers();
    const fetched = await client.ask(fetch, 0, fetchOf('t', 0, { maxWaitMs: 10 }));
    expect(fetched.responses[0]?.partitions[0]?.errorCode).toBe(0);
    const request = { ...produceOf('t', setOf(['a'], 0), { acks: 2 }), timeoutMs: 10 };
    const produced = await client.ask(produce, 0, request);
    expect(produced.responses[0]?.partitionResponses[0]?.errorCode).toBe(7);
  });
});
