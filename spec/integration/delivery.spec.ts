import type { ConnectorConfig, Message } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember, type LocalMemberOptions } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import { SteadyLoad } from '../support/produce/SteadyLoad';
import { offsetsIn, range } from '../support/readOn';
import { TcpProxy } from '../support/TcpProxy';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
const MANUAL = { 'auto.commit.enable': false } as const;

let cluster: TestCluster;
let zookeeper: ZookeeperAdmin;
let producer: Producer;
let topics = 0;

beforeAll(async () => {
  cluster = await startCluster({ kafka: '3.9.1' });
  zookeeper = await cluster.zookeeper();
  producer = new Producer({ brokers: cluster.brokers });
});

afterAll(async () => {
  producer.close();
  await zookeeper.close();
  await cluster.stop();
});

/** A new topic with so many messages in each partition; the group has its name. */
async function topicWith(count: number, partitions = 1): Promise<string> {
  topics += 1;
  const topic = `topic-${topics}`;
  await cluster.createTopic(topic, { partitions });
  for (let partition = 0; partition < partitions; partition += 1) await produce(topic, partition, count);
  return topic;
}

async function produce(topic: string, partition: number, count: number): Promise<void> {
  if (count > 0)
    await producer.send(
      topic,
      partition,
      range(0, count).map((n) => ({ value: `${n}` })),
    );
}

function memberOf(
  topic: string,
  properties: Partial<ConnectorConfig> = {},
  more: Partial<LocalMemberOptions<Buffer, Buffer>> = {},
): Promise<LocalMember> {
  return LocalMember.start({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group: topic, topics: { [topic]: 1 }, properties },
    ...more,
  });
}

async function stored(topic: string, partition = 0): Promise<string | null> {
  const node = await zookeeper.get(`/consumers/${topic}/offsets/${topic}/${partition}`);
  return node?.data?.toString() ?? null;
}

/** The next messages; the last one stays unprocessed. */
async function take(member: LocalMember, count: number): Promise<number[]> {
  const messages: Message[] = [];
  for await (const message of member.stream()) {
    messages.push(message);
    if (messages.length === count) break;
  }
  return messages.map(({ offset }) => offset);
}

const untilCount = (member: LocalMember, count: number): Promise<boolean> =>
  waitFor(() => member.messages.length >= count, {
    timeoutMs: LIMIT_MS,
    description: `${count} messages`,
    details: () => JSON.stringify(member.messages.slice(-5)),
  });

describe('a loop that was left', () => {
  it.each(['break', 'throw'] as const)(
    'by a %s goes on behind the message in hand with the next loop of the stream, which counts that as processed',
    async (how) => {
      const topic = await topicWith(6);
      await using member = await memberOf(topic, {}, { consume: false });
      const leave = async (): Promise<void> => {
        for await (const { offset } of member.stream()) {
          if (offset < 2) continue;
          if (how === 'break') break;
          throw new Error('the application failed');
        }
      };
      await leave().catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'the application failed') throw error;
      });
      await expect(take(member, 2)).resolves.toEqual([3, 4]);
      await member.stop();
      await expect(stored(topic)).resolves.toBe('4');
    },
  );
});

describe('auto.commit.enable=false', () => {
  it('lets the next owner of a partition that moves begin where the application has committed', async () => {
    const topic = await topicWith(10, 2);
    await using first = await memberOf(topic, MANUAL);
    await untilCount(first, 20);
    await first.connector.commitOffsets([
      { topic, partition: 0, nextOffset: 4 },
      { topic, partition: 1, nextOffset: 7 },
    ]);
    await using second = await memberOf(topic, MANUAL);
    await untilCount(second, 3);
    await waitFor(() => first.owned.length === 1 && second.owned.length === 1, {
      timeoutMs: LIMIT_MS,
      description: 'a partition each',
    });
    await produce(topic, 0, 1);
    await produce(topic, 1, 1);
    await untilCount(first, 21);
    await untilCount(second, 4);
    expect(offsetsIn(second.messages, 1)).toEqual(range(7, 11));
    expect(offsetsIn(first.messages, 0)).toEqual(range(0, 11)); // what it has kept
    await first.stop();
    await second.stop();
    await expect(Promise.all([stored(topic, 0), stored(topic, 1)])).resolves.toEqual(['4', '7']);
  });

  it('lets the next member begin where the application has committed before the shutdown', async () => {
    const topic = await topicWith(10);
    await using first = await memberOf(topic, MANUAL);
    await untilCount(first, 10);
    await first.connector.commitOffsets([{ topic, partition: 0, nextOffset: 6 }]);
    await first.stop();
    await using second = await memberOf(topic, MANUAL);
    await untilCount(second, 4);
    await second.stop();
    expect(offsetsIn(second.messages, 0)).toEqual(range(6, 10));
  });

  it('with auto.offset.reset=largest loses everything before the first claim after which something was committed', async () => {
    const topic = await topicWith(3);
    const properties = { ...MANUAL, 'auto.offset.reset': 'largest' } as const;
    const started = async (): Promise<LocalMember> => {
      const member = await memberOf(topic, properties);
      await waitFor(() => member.eventsOf('offset:reset').length === 1, {
        timeoutMs: LIMIT_MS,
        description: 'the position',
      });
      return member;
    };
    await using first = await started();
    await produce(topic, 0, 2);
    await untilCount(first, 2);
    await first.stop();
    await expect(stored(topic)).resolves.toBeNull();
    await produce(topic, 0, 2); // nobody is there
    await using second = await started();
    await produce(topic, 0, 2);
    await untilCount(second, 2);
    await second.connector.commitOffsets();
    await second.stop();
    await produce(topic, 0, 2);
    await using third = await memberOf(topic, properties);
    await untilCount(third, 2);
    await third.stop();
    expect([first, second, third].map(({ messages }) => offsetsIn(messages, 0))).toEqual([
      [3, 4],
      [7, 8],
      [9, 10],
    ]);
    expect(third.eventsOf('offset:reset')).toEqual([]);
  });
});

describe('auto.offset.reset=largest', () => {
  it('leaves out exactly what was there before the first claim, and later runs leave out nothing', async () => {
    const topic = await topicWith(3);
    const properties = { 'auto.offset.reset': 'largest' } as const;
    await using first = await memberOf(topic, properties);
    await waitFor(() => first.eventsOf('offset:reset').length === 1, {
      timeoutMs: LIMIT_MS,
      description: 'the position',
    });
    await first.stop(); // it has read nothing
    await produce(topic, 0, 4); // nobody is there
    await using second = await memberOf(topic, properties);
    await untilCount(second, 4);
    await second.stop();
    expect(first.messages).toEqual([]);
    expect(offsetsIn(second.messages, 0)).toEqual(range(3, 7));
    expect(second.eventsOf('offset:reset')).toEqual([]);
  });
});

describe('a commit in the loop body before the work is done, and then the end of the session as by a crash', () => {
  /** The first member is stuck in offset 5, has committed so, and its session ends; what a second one gets. */
  async function afterCrash(
    commit: (member: LocalMember, topic: string) => Promise<void>,
  ): Promise<number[]> {
    const topic = await topicWith(10);
    await using first = await memberOf(topic, MANUAL, { consume: false });
    let crash: () => void = () => undefined;
    const crashed = new Promise<void>((resolve) => (crash = resolve));
    let isCommitted = false;
    const loop = (async () => {
      for await (const { offset } of first.stream()) {
        if (offset !== 5) continue;
        await commit(first, topic);
        isCommitted = true;
        await crashed;
        return;
      }
    })();
    try {
      await waitFor(() => isCommitted, { timeoutMs: LIMIT_MS, description: 'the commit' });
      // Its name comes first, so that it gets the only partition when the first one is gone, and also when it is back.
      const starting = memberOf(topic, { ...MANUAL, 'consumer.id': 'a' });
      await cluster.expireSession(first.eventsOf('session:connected').at(-1)?.sessionId ?? '');
      await using second = await starting;
      await waitFor(() => second.messages.at(-1)?.offset === 9, {
        timeoutMs: LIMIT_MS,
        description: 'the rest',
      });
      await second.stop();
      return offsetsIn(second.messages, 0);
    } finally {
      crash();
      await loop;
    }
  }

  it('loses the message in hand with commitOffsets(): it counts as consumed, as in Scala', async () => {
    await expect(afterCrash(({ connector }) => connector.commitOffsets())).resolves.toEqual(range(6, 10));
  });

  it('loses nothing with commitOffsets(offsets), which stores exactly what is named', async () => {
    const offsets = await afterCrash(({ connector }, topic) =>
      connector.commitOffsets([{ topic, partition: 0, nextOffset: 5 }]),
    );
    expect(offsets).toEqual(range(5, 10));
  });
});

describe('a network that goes silent for longer than the session', () => {
  it('costs no message; what was handed out since the last commit is repeated by who took the partitions, and nothing else', async () => {
    topics += 1;
    const topic = `topic-${topics}`;
    await cluster.createTopic(topic, { partitions: 4 });
    const [server] = cluster.zookeeperServers;
    await using proxy = await TcpProxy.to(server ?? { host: '', port: 0 });
    const properties = { 'zookeeper.session.timeout.ms': 2000, 'auto.commit.interval.ms': 300 };
    await using load = new SteadyLoad(cluster, topic, 4);
    await using cutOff = await memberOf(topic, properties, { zookeeperConnect: `${proxy.address}/kafka` });
    await using other = await memberOf(topic, properties);
    const halves = (): boolean => cutOff.owned.length === 2 && other.owned.length === 2;
    await waitFor(halves, { timeoutMs: LIMIT_MS, description: 'two partitions each' });
    const commits = cutOff.eventsOf('offsets:committed').length;
    await waitFor(() => cutOff.eventsOf('offsets:committed').length > commits + 1, {
      timeoutMs: LIMIT_MS,
      description: 'commits',
    });
    const owned = cutOff.connector.ownedPartitions().map(({ partition }) => partition);
    proxy.blackHole();
    await waitFor(() => cutOff.eventsOf('partitions:lost').length === 1, {
      timeoutMs: LIMIT_MS,
      description: 'the loss',
    });
    // From here on nothing is stored by it any more, and nothing is handed out.
    const had = cutOff.messages.length;
    await waitFor(() => other.owned.length === 4, { timeoutMs: LIMIT_MS, description: 'the take-over' });
    const claimed = new Map(other.messages.map(({ partition }) => [partition, 0]));
    await waitFor(
      () => owned.every((partition) => other.messages.some((message) => message.partition === partition)),
      { timeoutMs: LIMIT_MS, description: 'messages of the partitions that were taken over' },
    );
    for (const partition of owned) claimed.set(partition, offsetsIn(other.messages, partition)[0] ?? 0);
    expect(cutOff.messages).toHaveLength(had);
    proxy.heal();
    await waitFor(halves, { timeoutMs: LIMIT_MS, description: 'two partitions each again' });
    const since = cutOff.messages.length;
    await waitFor(() => new Set(cutOff.messages.slice(since).map(({ partition }) => partition)).size === 2, {
      timeoutMs: LIMIT_MS,
      description: 'messages after the return',
    });
    const produced = await load.stop();
    await waitFor(() => compareDeliveries(produced, [cutOff, other]).missing.length === 0, {
      timeoutMs: LIMIT_MS,
      description: 'everything that was produced',
    });
    await cutOff.stop();
    await other.stop();
    const { missing, repeated } = compareDeliveries(produced, [cutOff, other]);
    expect(missing).toEqual([]);
    const before = new Set(cutOff.messages.slice(0, had).map((at) => `${at.partition}@${at.offset}`));
    for (const { partition, offset, by } of repeated) {
      expect(owned).toContain(partition);
      expect([...by].sort()).toEqual([cutOff.consumerId, other.consumerId].sort());
      // It was handed out before the loss, and lies behind the stored position that the other one began at.
      expect(before).toContain(`${partition}@${offset}`);
      expect(offset).toBeGreaterThanOrEqual(claimed.get(partition) ?? 0);
    }
    process.stdout.write(`    ${repeated.length} of ${produced.length} messages were repeated\n`);
  });
});
