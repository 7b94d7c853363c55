import { inspect } from 'node:util';

import type { ConnectorConfig } from '../../lib';
import { settingsFor } from '../support/clientSecurity';
import { RealCluster } from '../support/cluster/RealCluster';
import { freePorts } from '../support/cluster/freePorts';
import { KraftBroker } from '../support/cluster/KraftBroker';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import type { ProducedAt } from '../support/produce/SteadyLoad';
import { waitFor } from '../support/waitFor';

// Real servers: the embedded brokers always register in ZooKeeper.
// The first run on a machine resolves the jars.
jest.setTimeout(300_000);

const KAFKA = '3.9.1';
const LIMIT_MS = 30_000;
const PARTITIONS = 4;
const MESSAGES_PER_ROUND = 25;

/** Groups are in ZooKeeper; brokers, which were there once, no longer are. */
let groups: RealCluster;
let zookeeper: ZookeeperAdmin;
let broker: KraftBroker;
let producer: Producer;

beforeAll(async () => {
  [groups, broker] = await Promise.all([
    RealCluster.start({ kafka: KAFKA, brokers: 0 }),
    KraftBroker.start(KAFKA),
  ]);
  zookeeper = await groups.zookeeper();
  producer = new Producer({ brokers: [broker.address] });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await broker.stop();
  await groups.stop();
});

/** What a migration leaves behind of a topic, which has got more partitions since. */
async function leaveBehind(topic: string): Promise<void> {
  await zookeeper.mkdirp('/brokers/ids');
  await zookeeper.mkdirp('/brokers/topics');
  await zookeeper.create(`/brokers/topics/${topic}`, JSON.stringify({ version: 1, partitions: { 0: [1] } }));
}

async function produce(topic: string, round: string): Promise<ProducedAt[]> {
  const produced: ProducedAt[] = [];
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const values = Array.from({ length: MESSAGES_PER_ROUND }, (_, n) => `${round}#${partition}.${n}`);
    const messages = values.map((value) => ({ value }));
    const base = await producer.send(topic, partition, messages);
    values.forEach((value, n) => produced.push({ topic, partition, offset: base + n, value }));
  }
  return produced;
}

function memberOf(topic: string, properties: Partial<ConnectorConfig>): LocalMember {
  const { zookeeperConnect } = groups;
  return new LocalMember({ zookeeperConnect, group: topic, topics: { [topic]: 1 }, properties });
}

async function start(topic: string, properties: Partial<ConnectorConfig>): Promise<LocalMember> {
  const member = memberOf(topic, properties);
  try {
    member.streams = await member.connector.createMessageStreams(member.topics);
    member.consume();
    return member;
  } catch (error) {
    await member.stop();
    throw error;
  }
}

async function until(
  description: string,
  condition: () => boolean,
  members: readonly LocalMember[],
): Promise<void> {
  await waitFor(condition, {
    ...{ timeoutMs: LIMIT_MS, description },
    details: () =>
      inspect(
        members.map(({ events }) => events.slice(-6)),
        { depth: 4 },
      ),
  });
}

/** Stored offsets by partition. */
async function storedOffsets(topic: string): Promise<(string | undefined)[]> {
  const paths = Array.from({ length: PARTITIONS }, (_, n) => `/consumers/${topic}/offsets/${topic}/${n}`);
  const nodes = await Promise.all(paths.map((path) => zookeeper.get(path)));
  return nodes.map((node) => node?.data?.toString());
}

describe.each([
  { what: 'nothing of the brokers', topic: 'wiped', prepare: () => Promise.resolve() },
  { what: 'an old state of the topic', topic: 'migrated', prepare: () => leaveBehind('migrated') },
])('with brokers in KRaft, and $what in ZooKeeper', ({ topic, prepare }) => {
  beforeAll(async () => {
    await broker.createTopic(topic, PARTITIONS);
    await prepare();
  });

  it('two members share the partitions, and one takes over what the other leaves, by bootstrap.servers', async () => {
    const [deadPort = 0] = await freePorts(1);
    const { host, port } = broker.address;
    const properties = { 'bootstrap.servers': `${host}:${deadPort},${host}:${port}` };
    const produced = await produce(topic, 'first');
    await using one = await start(topic, properties);
    await using two = await start(topic, properties);
    const members = [one, two];
    const count = (): number => one.messages.length + two.messages.length;
    await until('two partitions each', () => members.every(({ owned }) => owned.length === 2), members);
    await until('the first messages', () => count() >= produced.length, members);

    const [second] = await Promise.all([produce(topic, 'second'), one.stop()]);
    produced.push(...second, ...(await produce(topic, 'third')));
    await until('all partitions', () => two.owned.length === PARTITIONS, members);
    await until('all messages', () => count() >= produced.length, members);
    await two.stop();

    const report = compareDeliveries(produced, members);
    expect(report).toMatchObject({ missing: [], repeated: [] });
    expect(report.takenOver.size).toBeGreaterThanOrEqual(2);
    const next = String(3 * MESSAGES_PER_ROUND);
    await expect(storedOffsets(topic)).resolves.toEqual(Array.from({ length: PARTITIONS }, () => next));
    for (const { errors } of members) expect(errors).toEqual([]);
  });
});

describe('with brokers in KRaft, a topic filter and offsets in Kafka', () => {
  it('the topics that the brokers know are taken, and a second member goes on where the first was', async () => {
    const [topic, group] = ['filtered-1', 'filters'];
    await broker.createTopic(topic, PARTITIONS);
    const { zookeeperConnect } = groups;
    const { host, port } = broker.address;
    const properties: Partial<ConnectorConfig> = {
      'bootstrap.servers': `${host}:${port}`,
      ...{ 'offsets.storage': 'kafka', 'dual.commit.enabled': false },
    };
    const options = { zookeeperConnect, group, filter: { whitelist: 'filtered-\\d' }, properties };
    const produced = await produce(topic, 'first');
    await using first = await LocalMember.start(options);
    await until('the first messages', () => first.messages.length >= produced.length, [first]);
    await first.stop();
    produced.push(...(await produce(topic, 'second')));
    await using second = await LocalMember.start(options);
    const members = [first, second];
    const count = (): number => first.messages.length + second.messages.length;
    await until('the second messages', () => count() >= produced.length, members);
    await second.stop();
    expect(compareDeliveries(produced, members)).toMatchObject({ missing: [], repeated: [] });
    expect(await zookeeper.exists(`/consumers/${group}/offsets`)).toBe(false);
  });
});

describe('with brokers in KRaft that have no login', () => {
  it('a login is a refusal before the member is registered', async () => {
    const { host, port } = broker.address;
    const login = await settingsFor({ protocol: 'SASL_PLAINTEXT', mechanism: 'SCRAM-SHA-256' });
    await using member = memberOf('refused', { ...login, 'bootstrap.servers': `${host}:${port}` });
    await expect(member.connector.createMessageStreams(member.topics)).rejects.toMatchObject({
      code: 'BROKER_ERROR',
      message: expect.stringMatching(/security\.protocol/) as string,
    });
    await expect(zookeeper.children('/consumers/refused/ids')).resolves.toEqual([]);
  });
});

describe('with bootstrap.servers that cannot be used', () => {
  it.each([
    ['TLS is spoken to a plaintext listener', true, /none of bootstrap\.servers .*security\.protocol/],
    ['nobody is there', false, /none of bootstrap\.servers .*ECONNREFUSED/],
  ])('because %s, the member does not register, and says why', async (_why, isThere, text) => {
    const { host, port } = broker.address;
    const [free = 0] = await freePorts(1);
    await using member = memberOf('unserved', {
      ...(isThere ? await settingsFor({ protocol: 'SSL' }) : {}),
      'bootstrap.servers': `${host}:${isThere ? port : free}`,
    });
    await expect(member.connector.createMessageStreams(member.topics)).rejects.toMatchObject({
      code: 'BROKER_UNREACHABLE',
      retriable: true,
      message: expect.stringMatching(text) as string,
    });
    await expect(zookeeper.children('/consumers/unserved/ids')).resolves.toEqual([]);
  });
});

describe('with brokers in KRaft, and no bootstrap.servers', () => {
  it('a failed fetch says that no broker is in ZooKeeper, and what can be set', async () => {
    await broker.createTopic('unset', PARTITIONS);
    await leaveBehind('unset');
    await using member = await start('unset', {});
    await until('a failed fetch', () => member.eventsOf('fetch:failed').length > 0, [member]);
    const [failed] = member.eventsOf('fetch:failed');
    expect(failed).toMatchObject({ broker: null, error: { code: 'BROKER_UNREACHABLE', retriable: true } });
    expect(failed?.error.message).toMatch(/\/brokers\/ids.*bootstrap\.servers/);
  });
});
