import type { ConnectorConfig } from '../../../lib';
import { startCluster } from '../../support/cluster/startCluster';
import type { TestCluster } from '../../support/cluster/TestCluster';
import { ownersOf } from '../../support/ownership';
import type { Producer } from '../../support/produce/Producer';
import type { ProducedAt } from '../../support/produce/SteadyLoad';
import { waitFor } from '../../support/waitFor';

/** For everything that is waited for. */
export const LIMIT_MS = 30_000;

/** The properties that the tests of the Scala connector run with (TestUtils.createConsumerProperties). */
export const PROPERTIES = {
  'zookeeper.session.timeout.ms': 6000,
  'zookeeper.sync.time.ms': 200,
  'rebalance.backoff.ms': 200, // what that comes to in the original
  'auto.commit.interval.ms': 1000,
  'rebalance.max.retries': 4,
  'auto.offset.reset': 'smallest',
  'num.consumer.fetchers': 2,
} as const satisfies Partial<ConnectorConfig>;

/** The cluster of those tests: two brokers. */
export function startTwoBrokers(): Promise<TestCluster> {
  return startCluster({ kafka: '0.8.2.2', brokers: 2 });
}

/** `count` messages to each of the partitions, in one set each. */
export async function sendMessages(
  producer: Producer,
  topic: string,
  { count, text, partitions = [0, 1], gzip = false }: SentMessages,
): Promise<ProducedAt[]> {
  const produced: ProducedAt[] = [];
  for (const partition of partitions) {
    const values = Array.from({ length: count }, (_, n) => `${text}-${partition}-${n}`);
    const base = await producer.send(
      topic,
      partition,
      values.map((value) => ({ value })),
      { gzip },
    );
    produced.push(...values.map((value, n) => ({ topic, partition, offset: base + n, value })));
  }
  return produced;
}

interface SentMessages {
  /** For each partition. */
  readonly count: number;
  /** How their values begin. */
  readonly text: string;
  /** Default: both. */
  readonly partitions?: readonly number[];
  /** Default: false. */
  readonly gzip?: boolean;
}

/** Resolves when the owner nodes of a topic are exactly these: one thread id for each partition. */
export async function untilOwners(
  cluster: TestCluster,
  { group, topic }: { group: string; topic: string },
  threadIds: readonly string[],
): Promise<void> {
  const wanted = threadIds.map((threadId, partition) => `${topic}/${partition} ${threadId}`).join();
  await using zookeeper = await cluster.zookeeper();
  let found = '';
  await waitFor(
    async () => {
      const owners = await ownersOf(zookeeper, group, [topic]);
      found = Array.from(owners, (entry) => entry.join(' ')).join();
      return found === wanted;
    },
    { timeoutMs: LIMIT_MS, description: `owners to be ${wanted}`, details: () => `they are ${found}` },
  );
}
