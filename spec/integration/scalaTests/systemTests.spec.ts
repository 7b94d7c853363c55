import { setTimeout as delay } from 'node:timers/promises';

import { startCluster } from '../../support/cluster/startCluster';
import type { TestCluster } from '../../support/cluster/TestCluster';
import { compareDeliveries } from '../../support/deliveries';
import { LocalMember } from '../../support/LocalMember';
import { Producer } from '../../support/produce/Producer';
import { SteadyLoad, type ProducedAt } from '../../support/produce/SteadyLoad';
import { waitFor } from '../../support/waitFor';
import { LIMIT_MS, PROPERTIES, sendMessages, startTwoBrokers } from './setUp';

jest.setTimeout(180_000);

/** What a mirror does with each message after it has sent it on: a stop nearly always finds it at that. */
const WORK_MS = 3;

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTwoBrokers();
});

afterAll(async () => {
  await cluster.stop();
});

it.each(['zookeeper', 'kafka'] as const)(
  'system_test offset_management 7001-7002: two groups with offsets.storage=%s go on where they were, while brokers are bounced and members start anew',
  async (storage) => {
    const topic = `positions-in-${storage}`;
    await cluster.createTopic(topic, { partitions: 2 });
    await using producer = new Producer({ brokers: cluster.brokers });
    const produced: ProducedAt[] = [];
    /** Per group, all members that there ever were. */
    const groups = new Map<string, LocalMember[]>([
      [`a-${storage}`, []],
      [`b-${storage}`, []],
    ]);
    const produceAndWait = async (text: string): Promise<void> => {
      produced.push(...(await sendMessages(producer, topic, { count: 5, text })));
      await waitFor(
        () => [...groups.values()].every((all) => compareDeliveries(produced, all).missing.length === 0),
        { timeoutMs: LIMIT_MS, description: `messages ${text} in both groups` },
      );
    };
    const startIn = async (group: string, all: LocalMember[]): Promise<LocalMember> => {
      const member = await LocalMember.start({
        ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [topic]: 1 } },
        properties: { ...PROPERTIES, 'offsets.storage': storage, 'dual.commit.enabled': false },
      });
      all.push(member);
      return member;
    };

    for (const bounced of [1, 2, 1]) {
      const running = await Promise.all(Array.from(groups, ([group, all]) => startIn(group, all)));
      try {
        await produceAndWait(`before the bounce of ${bounced}`);
        await cluster.stopBroker(bounced);
        await cluster.startBroker(bounced);
        await produceAndWait(`after the bounce of ${bounced}`);
      } finally {
        await Promise.all(running.map((member) => member.stop()));
      }
    }
    await using zookeeper = await cluster.zookeeper();
    for (const [group, all] of groups) {
      expect(compareDeliveries(produced, all)).toMatchObject({ missing: [], repeated: [] });
      const inZookeeper = await zookeeper.exists(`/consumers/${group}/offsets/${topic}`);
      expect(inZookeeper).toBe(storage === 'zookeeper');
    }
  },
);

/** Members of a group that send on what they read, to the same partition of another cluster. */
class Mirrors implements AsyncDisposable {
  /** How much has been sent on. */
  copied = 0;
  readonly #topic: string;
  readonly #producer: Producer;
  /** By name; with each, what ends with its loop. */
  readonly #running = new Map<string, { readonly member: LocalMember; readonly loop: Promise<void> }>();

  constructor(topic: string, target: TestCluster) {
    this.#topic = topic;
    this.#producer = new Producer({ brokers: target.brokers });
  }

  async start(name: string): Promise<void> {
    const member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: this.#topic, topics: { [this.#topic]: 1 } },
      properties: { ...PROPERTIES, 'consumer.id': name, 'rebalance.drain.timeout.ms': 20_000 },
      consume: false,
    });
    const loop = this.#copy(member);
    loop.catch(() => undefined); // stop() tells
    this.#running.set(name, { member, loop });
  }

  /** Shuts it down in order. */
  async stop(name: string): Promise<void> {
    const mirror = this.#running.get(name);
    this.#running.delete(name);
    await mirror?.member.stop();
    await mirror?.loop;
  }

  /** Resolves when so many more have been sent on. */
  async progress(count: number): Promise<void> {
    const before = this.copied;
    await waitFor(() => this.copied >= before + count, {
      timeoutMs: LIMIT_MS,
      description: `${count} more copies than ${before}`,
    });
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.stop(name)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopAll();
    this.#producer.close();
  }

  async #copy(member: LocalMember): Promise<void> {
    for await (const { partition, value } of member.stream()) {
      await this.#producer.send(this.#topic, partition, [{ value: String(value) }]);
      this.copied += 1;
      await delay(WORK_MS);
    }
  }
}

describe('between two clusters', () => {
  const PARTITIONS = [0, 1, 2, 3];
  let target: TestCluster;

  beforeAll(async () => {
    target = await startCluster({ kafka: '3.9.1' });
  });

  afterAll(async () => {
    await target.stop();
  });

  /** The values of each partition of the copy, in the order of its log, when the mirrors have sent on all and stopped. */
  async function copyOf(
    topic: string,
    produced: readonly ProducedAt[],
    mirrors: Mirrors,
  ): Promise<string[][]> {
    await using reader = await LocalMember.start({
      ...{ zookeeperConnect: target.zookeeperConnect, group: `check-${topic}`, topics: { [topic]: 1 } },
      properties: PROPERTIES,
    });
    await waitFor(
      () => {
        const got = new Set(reader.messages.map(({ value }) => value));
        return produced.every(({ value }) => got.has(value));
      },
      { timeoutMs: LIMIT_MS, description: `all of ${produced.length} messages in the copy` },
    );
    await mirrors.stopAll();
    await using producer = new Producer({ brokers: target.brokers });
    const ends = await Promise.all(PARTITIONS.map((partition) => producer.offset(topic, partition)));
    const total = ends.reduce((sum, end) => sum + end, 0);
    await waitFor(() => reader.messages.length === total, {
      timeoutMs: LIMIT_MS,
      description: `all ${total} messages of the copy`,
    });
    return byPartition(reader.messages);
  }

  function byPartition(messages: readonly { partition: number; value: string | null }[]): string[][] {
    return PARTITIONS.map((partition) =>
      messages.filter((message) => message.partition === partition).map(({ value }) => String(value)),
    );
  }

  it('system_test mirror_maker 5001-5006 and 15001-15006: a copy by two members that are bounced in turn has everything once and in order', async () => {
    const topic = 'mirrored';
    for (const side of [cluster, target]) await side.createTopic(topic, { partitions: PARTITIONS.length });
    await using load = new SteadyLoad(cluster, topic, PARTITIONS.length);
    await using mirrors = new Mirrors(topic, target);
    await Promise.all([mirrors.start('mirror-0'), mirrors.start('mirror-1')]);
    for (const name of ['mirror-0', 'mirror-1', 'mirror-0', 'mirror-1']) {
      await mirrors.progress(30);
      await mirrors.stop(name);
      await mirrors.progress(30);
      await mirrors.start(name);
    }
    const produced = await load.stop();
    expect(await copyOf(topic, produced, mirrors)).toEqual(byPartition(produced));
  });
});
