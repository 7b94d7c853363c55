import type { TestCluster } from '../../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../../support/LocalMember';
import { Producer } from '../../support/produce/Producer';
import { waitFor } from '../../support/waitFor';
import { deleteGroup, deleteGroupTopic, deleteTopicOfAllGroups } from './deleteGroups';
import { LIMIT_MS, PROPERTIES, sendMessages, startTwoBrokers, untilOwners } from './setUp';

jest.setTimeout(120_000);

/** What a member that has shut down leaves of a topic with two partitions, each read up to offset 3. */
const LEFT = {
  owners: [],
  offsets: [
    ['0', '3'],
    ['1', '3'],
  ],
};
const NOTHING = { owners: null, offsets: null };

let cluster: TestCluster;
let producer: Producer;
let zookeeper: ZookeeperAdmin;
/** Of the test: groups and topics begin with it. */
let name: string;
let tests = 0;

beforeAll(async () => {
  cluster = await startTwoBrokers();
  producer = new Producer({ brokers: cluster.brokers });
  zookeeper = await cluster.zookeeper();
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

beforeEach(() => {
  tests += 1;
  name = `test${tests}`;
});

/** A topic with three messages in each of its two partitions. */
async function filledTopic(suffix: string): Promise<string> {
  const topic = `${name}-${suffix}`;
  await cluster.createTopic(topic, { partitions: 2 });
  await sendMessages(producer, topic, { count: 3, text: topic });
  return topic;
}

/** A member of the group that has read all that there is of the topics: three messages of each partition. */
async function memberOf(group: string, topics: readonly string[]): Promise<LocalMember> {
  const member = await LocalMember.start({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group },
    topics: Object.fromEntries(topics.map((topic) => [topic, 1])),
    properties: { ...PROPERTIES, 'consumer.id': 'consumer' },
  });
  await waitFor(() => member.messages.length >= topics.length * 6, {
    timeoutMs: LIMIT_MS,
    description: `all messages of ${topics.join()}`,
  });
  return member;
}

/** A group that has read the topics, and whose member has left. */
async function leftBy(group: string, topics: readonly string[]): Promise<string> {
  await (await memberOf(group, topics)).stop();
  return group;
}

/** What ZooKeeper has of a topic of a group: the names of owned partitions, and the stored positions; null for no node. */
async function nodesOf(group: string, topic: string): Promise<{ owners: unknown; offsets: unknown }> {
  const owners = `/consumers/${group}/owners/${topic}`;
  const offsets = `/consumers/${group}/offsets/${topic}`;
  const positions = (await zookeeper.children(offsets)).map(async (partition) => {
    return [partition, (await zookeeper.get(`${offsets}/${partition}`))?.data?.toString()];
  });
  return {
    owners: (await zookeeper.exists(owners)) ? await zookeeper.children(owners) : null,
    offsets: (await zookeeper.exists(offsets)) ? await Promise.all(positions) : null,
  };
}

it('DeleteConsumerGroupTest.testGroupWideDeleteInZK: takes all of a group whose members have left, and nothing of another', async () => {
  const topic = await filledTopic('a');
  const doomed = await leftBy(`${name}-doomed`, [topic]);
  const other = await leftBy(`${name}-other`, [topic]);
  expect(await nodesOf(doomed, topic)).toEqual(LEFT);

  expect(await deleteGroup(zookeeper, doomed)).toBe(true);
  expect(await zookeeper.exists(`/consumers/${doomed}`)).toBe(false);
  expect(await nodesOf(other, topic)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testGroupWideDeleteInZKDoesNothingForActiveConsumerGroup: a group with a member stays, and so does what the member owns', async () => {
  const topic = await filledTopic('a');
  const group = `${name}-active`;
  await using member = await memberOf(group, [topic]);
  const before = (await nodesOf(group, topic)).owners;

  expect(await deleteGroup(zookeeper, group)).toBe(false);
  expect((await nodesOf(group, topic)).owners).toEqual(before);
  expect(before).toEqual(['0', '1']);
  await member.stop();
  expect(await nodesOf(group, topic)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testGroupTopicWideDeleteInZKForGroupConsumingOneTopic: with its only topic the group goes', async () => {
  const topic = await filledTopic('a');
  const doomed = await leftBy(`${name}-doomed`, [topic]);
  const other = await leftBy(`${name}-other`, [topic]);

  expect(await deleteGroupTopic(zookeeper, doomed, topic)).toBe(true);
  expect(await zookeeper.exists(`/consumers/${doomed}`)).toBe(false);
  expect(await nodesOf(other, topic)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testGroupTopicWideDeleteInZKForGroupConsumingMultipleTopics: its other topics stay', async () => {
  const [topic, kept] = [await filledTopic('a'), await filledTopic('kept')];
  const group = await leftBy(`${name}-group`, [topic, kept]);
  const other = await leftBy(`${name}-other`, [topic, kept]);

  expect(await deleteGroupTopic(zookeeper, group, topic)).toBe(true);
  expect(await nodesOf(group, topic)).toEqual(NOTHING);
  expect(await nodesOf(group, kept)).toEqual(LEFT);
  expect(await nodesOf(other, topic)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testGroupTopicWideDeleteInZKDoesNothingForActiveGroupConsumingMultipleTopics: neither topic of a group with a member goes', async () => {
  const [topic, kept] = [await filledTopic('a'), await filledTopic('kept')];
  const group = `${name}-active`;
  await using member = await memberOf(group, [topic, kept]);

  expect(await deleteGroupTopic(zookeeper, group, topic)).toBe(false);
  await member.stop();
  expect(await nodesOf(group, topic)).toEqual(LEFT);
  expect(await nodesOf(group, kept)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testTopicWideDeleteInZK: a topic goes from every group that no longer has members, and from no other', async () => {
  const [topic, kept] = [await filledTopic('a'), await filledTopic('kept')];
  const first = await leftBy(`${name}-first`, [topic]);
  const second = await leftBy(`${name}-second`, [topic, kept]);
  await using member = await memberOf(`${name}-active`, [topic]);

  await deleteTopicOfAllGroups(zookeeper, topic);
  expect(await zookeeper.exists(`/consumers/${first}`)).toBe(false);
  expect(await nodesOf(second, topic)).toEqual(NOTHING);
  expect(await nodesOf(second, kept)).toEqual(LEFT);
  await member.stop();
  expect(await nodesOf(`${name}-active`, topic)).toEqual(LEFT);
});

it('DeleteConsumerGroupTest.testConsumptionOnRecreatedTopicAfterTopicWideDeleteInZK: a member reads the new topic from its start, and owners and offsets are there again', async () => {
  const topic = await filledTopic('a');
  const group = await leftBy(`${name}-group`, [topic]);
  await cluster.deleteTopic(topic);
  await deleteTopicOfAllGroups(zookeeper, topic);
  expect(await nodesOf(group, topic)).toEqual(NOTHING);

  await filledTopic('a');
  await using member = await memberOf(group, [topic]);
  await untilOwners(cluster, { group, topic }, [`${group}_consumer-0`, `${group}_consumer-0`]);
  await member.stop();
  expect(member.messages.map(({ offset }) => offset).sort()).toEqual([0, 0, 1, 1, 2, 2]);
  expect(await nodesOf(group, topic)).toEqual(LEFT);
});
