import { Writable } from 'node:stream';

import type { KafkaStream } from '../../../lib';
import type { TestCluster } from '../../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../../support/LocalMember';
import type { MemberFilter } from '../../support/memberSubscription';
import { Producer } from '../../support/produce/Producer';
import { waitFor } from '../../support/waitFor';
import { LIMIT_MS, PROPERTIES, sendMessages, startTwoBrokers } from './setUp';

jest.setTimeout(60_000);

const NO_TIMER = { ...PROPERTIES, 'auto.commit.interval.ms': 600_000 };

let cluster: TestCluster;
let producer: Producer;
let zookeeper: ZookeeperAdmin;
/** Groups of members with a filter so far. */
let groups = 0;

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

/** A topic with so many messages in its only partition. */
async function topicOf(topic: string, count: number): Promise<void> {
  await cluster.createTopic(topic);
  await sendMessages(producer, topic, { count, text: topic, partitions: [0] });
}

/** A member that nobody reads for; its group has the topic's name. */
function memberOf(topic: string): Promise<LocalMember> {
  return LocalMember.start({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 } },
    ...{ properties: NO_TIMER, consume: false },
  });
}

async function stored(topic: string): Promise<string | undefined> {
  return (await zookeeper.get(`/consumers/${topic}/offsets/${topic}/0`))?.data?.toString();
}

async function firstOffset(stream: KafkaStream): Promise<number | undefined> {
  for await (const { offset } of stream) return offset;
  return undefined;
}

it('ConsoleConsumerTest.shouldLimitReadsToMaxMessageLimit: a loop that is left after so many messages has got no more, and the next member goes on behind them', async () => {
  await topicOf('limited', 10);
  const limit = 3;
  await using member = await memberOf('limited');
  const offsets: number[] = [];
  for await (const { offset } of member.stream()) {
    offsets.push(offset);
    if (offsets.length < limit) continue;
    await member.connector.commitOffsets(); // the one in hand, too
    break;
  }
  await member.stop();
  expect(offsets).toEqual([0, 1, 2]);
  expect(await stored('limited')).toBe('3');
  await using next = await memberOf('limited');
  expect(await firstOffset(next.stream())).toBe(3);
});

it('ConsoleConsumerTest.shouldStopWhenOutputCheckErrorFails: an output that fails ends the loop, and the message it failed with is not committed', async () => {
  await topicOf('unwritten', 5);
  const written: string[] = [];
  const full = new Error('no space left');
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (written.length < 2) written.push(String(chunk));
      else {
        done(full);
        return;
      }
      done();
    },
  });
  output.on('error', () => undefined); // the write tells
  const write = (value: Buffer | null): Promise<void> =>
    new Promise((resolve, reject) =>
      output.write(value, (error) => (error == null ? resolve() : reject(error))),
    );

  await using member = await memberOf('unwritten');
  const copying = async (): Promise<void> => {
    for await (const { value } of member.stream()) await write(value);
  };
  await expect(copying()).rejects.toBe(full);
  await member.stop();
  expect(written).toEqual(['unwritten-0-0', 'unwritten-0-1']);
  expect(await stored('unwritten')).toBe('2');
  await using next = await memberOf('unwritten');
  expect(await firstOffset(next.stream())).toBe(2);
});

/** The topics that a member with this filter owns partitions of; it has to read each of `wanted` once, and nothing else. */
async function topicsThrough(filter: MemberFilter, wanted: readonly string[]): Promise<string[]> {
  groups += 1;
  const group = `filtered-${groups}`;
  const { zookeeperConnect } = cluster;
  await using member = await LocalMember.start({ zookeeperConnect, group, filter, properties: PROPERTIES });
  const got = (): string[] => member.messages.map(({ topic }) => topic).sort();
  await waitFor(() => wanted.every((topic) => got().includes(topic)), {
    timeoutMs: LIMIT_MS,
    description: `messages of ${wanted.join()}`,
    details: () => got().join(),
  });
  const owned = member.connector.ownedPartitions().map(({ topic }) => topic);
  await member.stop();
  expect(got()).toEqual(wanted);
  return owned.sort();
}

describe('topic filters', () => {
  const TOPICS = ['fresh-fruit', 'payments', 'exact', 'exact.not', 'orders-new', 'orders-old'];

  beforeAll(async () => {
    for (const topic of TOPICS) await topicOf(topic, 1);
  });

  it('MirrorMakerIntegrationTest.testCommaSeparatedRegex: a list with commas is one of alternatives, and blanks in it do not count', async () => {
    const wanted = ['exact', 'fresh-fruit', 'payments'];
    expect(await topicsThrough({ whitelist: 'payments, fresh.*,exact' }, wanted)).toEqual(wanted);
  });

  it('TopicFilterTest.testWhitelists: a member owns and reads the topics whose whole name matches, with a negative look-ahead too', async () => {
    const wanted = ['orders-new'];
    expect(await topicsThrough({ whitelist: String.raw`orders-(?!old\b)\w+` }, wanted)).toEqual(wanted);
  });

  it('TopicFilterTest.testBlacklists: a member owns and reads exactly the other topics', async () => {
    const others = (await zookeeper.children('/brokers/topics')).filter((topic) => !TOPICS.includes(topic));
    const wanted = ['exact.not', 'orders-old'];
    const blacklist = [String.raw`orders-(?!old\b)\w+`, 'fresh-fruit', 'payments', 'exact', ...others].join();
    expect(await topicsThrough({ blacklist }, wanted)).toEqual(wanted);
  });
});
