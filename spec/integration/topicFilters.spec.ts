import { Blacklist, ConnectorError, Whitelist, ZookeeperConsumerConnector } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { Producer } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
/** How soon a new topic has to be noticed: by a watch, not by the regular check. */
const NOTICE_MS = 5000;

describe.each(['0.8.2.2', '3.9.1'])('topic filters on Kafka %s', (kafka) => {
  let cluster: TestCluster;
  let zookeeper: ZookeeperAdmin;
  let producer: Producer;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, brokers: 1 });
    zookeeper = await cluster.zookeeper();
    producer = new Producer({ brokers: cluster.brokers });
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  const optionsOf = (group: string, name: string) => ({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group },
    properties: { 'consumer.id': name },
  });

  async function send(topic: string, partitions: number): Promise<string[]> {
    const sent: string[] = [];
    for (let partition = 0; partition < partitions; partition++) {
      const value = `${topic}/${partition}`;
      await producer.send(topic, partition, [{ value }]);
      sent.push(value);
    }
    return sent;
  }

  async function owned(
    group: string,
    wanted: ReadonlyMap<string, string>,
    timeoutMs = LIMIT_MS,
  ): Promise<void> {
    const look = async (): Promise<string> => {
      const topics = await zookeeper.children(`/consumers/${group}/owners`);
      return asText(await ownersOf(zookeeper, group, topics));
    };
    await waitFor(async () => (await look()) === asText(wanted), {
      ...{ timeoutMs, description: `owners ${asText(wanted)}` },
    });
  }

  async function read(member: LocalMember, values: readonly string[]): Promise<void> {
    const wanted = [...values].sort().join(' ');
    const got = (): string => member.messages.map(({ value }) => value).sort().join(' '); // prettier-ignore
    await waitFor(() => got() === wanted, {
      ...{ timeoutMs: LIMIT_MS, description: `messages ${wanted}` },
      details: () => `it has ${got()}`,
    });
  }

  const shares = (topics: Record<string, number>, threads: readonly string[]): Map<string, string> =>
    new Map(Object.entries(topics).flatMap(([topic, count]) => [...rangeOf(topic, count, threads)]));

  it('a white list takes the topics that match, each shared by all streams, and those that come later', async () => {
    const group = 'white';
    await cluster.createTopic('white.a', { partitions: 3 });
    await cluster.createTopic('white-b', { partitions: 2 });
    const first = await send('white.a', 3);
    await send('white-b', 2);
    await using member = await LocalMember.start({
      ...{ ...optionsOf(group, 'w'), filter: { whitelist: 'white\\..*', streams: 2 } },
    });
    const threads = [`${group}_w-0`, `${group}_w-1`];
    await owned(group, shares({ 'white.a': 3 }, threads));
    await read(member, first);

    await cluster.createTopic('white-c', { partitions: 1 });
    await cluster.createTopic('white.d', { partitions: 2 });
    const later = await send('white.d', 2);
    await owned(group, shares({ 'white.a': 3, 'white.d': 2 }, threads), NOTICE_MS);
    await read(member, [...first, ...later]);

    const triggers = member.eventsOf('rebalance:started').map(({ trigger }) => trigger);
    expect(triggers).toContain('topic-changed');
    const streams = [...member.streams.values()].flat();
    expect(streams.map(({ topic, threadId }) => [topic, threadId])).toEqual(threads.map((id) => [null, id]));
    expect(member.errors).toEqual([]);
  });

  it('the registration has the regex with each backslash escaped once', async () => {
    const group = 'escaped';
    await using member = await LocalMember.start({
      ...{ ...optionsOf(group, 'w'), filter: { whitelist: ' "b\\.x, c\\d" ', streams: 3 } },
    });
    const node = await zookeeper.get(`/consumers/${group}/ids/${member.consumerId}`);
    expect(node?.data?.toString()).toMatch(
      /^\{"version":1,"subscription":\{"b\\\\\.x\|c\\\\d":3\},"pattern":"white_list","timestamp":"\d{13}"\}$/,
    );
  });

  it('a black list takes all others, but no internal topic unless exclude.internal.topics is false', async () => {
    const [group, all] = ['black', 'black-all'];
    await cluster.createTopic('__transaction_state', { partitions: 1 });
    await cluster.createTopic('plain', { partitions: 1 });
    const blacklist = 'white.*,rr-.*';
    await using member = await LocalMember.start({ ...optionsOf(group, 'b'), filter: { blacklist } });
    const { properties, ...options } = optionsOf(all, 'b');
    await using other = await LocalMember.start({
      ...{ ...options, filter: { blacklist } },
      properties: { ...properties, 'exclude.internal.topics': 'false' },
    });
    await owned(group, new Map([['plain/0', `${group}_b-0`]]));
    await waitFor(() => other.owned.includes('__transaction_state/0'), {
      ...{ timeoutMs: LIMIT_MS, description: 'the internal topic' },
    });
    expect(other.owned).toContain('plain/0');
    expect(member.owned).toEqual(['plain/0']);
  });

  it('a topic that is deleted goes, does not come back, and the others are read on', async () => {
    const group = 'deleting';
    await cluster.createTopic('del-a', { partitions: 1 });
    await cluster.createTopic('del-b', { partitions: 1 });
    await using member = await LocalMember.start({
      ...optionsOf(group, 'w'),
      filter: { whitelist: 'del-.*' },
    });
    const thread = `${group}_w-0`;
    await owned(group, shares({ 'del-a': 1, 'del-b': 1 }, [thread]));
    await cluster.deleteTopic('del-a');
    await owned(group, shares({ 'del-b': 1 }, [thread]), NOTICE_MS);
    await read(member, await send('del-b', 1));
    expect(await zookeeper.children('/brokers/topics')).not.toContain('del-a');
    expect(member.errors).toEqual([]);
  });

  it('members by name and by filter share the topics that both want', async () => {
    const group = 'mixed';
    await cluster.createTopic('mix-a', { partitions: 4 });
    await cluster.createTopic('mix-b', { partitions: 2 });
    await using named = await LocalMember.start({ ...optionsOf(group, 'n'), topics: { 'mix-a': 1 } });
    await using filter = await LocalMember.start({
      ...{ ...optionsOf(group, 'w'), filter: { whitelist: 'mix-.*', streams: 2 } },
    });
    const filterThreads = [`${group}_w-0`, `${group}_w-1`];
    const wanted = shares({ 'mix-a': 4 }, [`${group}_n-0`, ...filterThreads]);
    await owned(group, new Map([...wanted, ...shares({ 'mix-b': 2 }, filterThreads)]));
    const sent = [...(await send('mix-a', 4)), ...(await send('mix-b', 2))];
    await waitFor(() => named.messages.length + filter.messages.length === sent.length, {
      ...{ timeoutMs: LIMIT_MS, description: 'all messages' },
    });
    expect(named.messages.map(({ value }) => value).sort()).toEqual(['mix-a/0', 'mix-a/1']);
  });

  it("a filter of another member that cannot be evaluated fails the attempt, with the registration's path", async () => {
    const group = 'strange';
    await cluster.createTopic('strange', { partitions: 1 });
    const path = `/consumers/${group}/ids/${group}_x`;
    const registration = { version: 1, subscription: { '(a': 1 }, pattern: 'white_list', timestamp: '1' };
    await zookeeper.mkdirp(`/consumers/${group}/ids`);
    await zookeeper.create(path, JSON.stringify(registration));
    await using member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { strange: 1 } },
      properties: { 'rebalance.backoff.ms': 50, 'rebalance.max.retries': 2 },
    });
    const [failed] = member.eventsOf('rebalance:failed');
    expect(failed?.error).toMatchObject({ code: 'REGISTRATION_INVALID', context: { path } });
    expect(member.owned).toEqual([]);
    await zookeeper.remove(path);
    await waitFor(() => member.owned.length === 1, { timeoutMs: LIMIT_MS, description: 'the partition' });
  });

  it('streams are created once, by name or by filter', async () => {
    const connector = new ZookeeperConsumerConnector({
      ...{ 'zookeeper.connect': cluster.zookeeperConnect, 'group.id': 'once' },
    });
    try {
      await connector.createMessageStreamsByFilter(new Whitelist('nothing'));
      const again = [
        connector.createMessageStreamsByFilter(new Blacklist('nothing')),
        connector.createMessageStreams({ plain: 1 }),
      ];
      const outcomes = await Promise.allSettled(again);
      const codes = outcomes.map((one) =>
        one.status === 'rejected' ? (one.reason as ConnectorError).code : '',
      );
      expect(codes).toEqual(['STREAMS_EXIST', 'STREAMS_EXIST']);
    } finally {
      await connector.shutdown();
    }
  });
});
