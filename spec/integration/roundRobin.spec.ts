import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf } from '../support/ownership';
import { waitFor } from '../support/waitFor';

jest.setTimeout(60_000);

const LIMIT_MS = 20_000;
const VECTORS = JSON.parse(
  readFileSync(path.join(__dirname, '../fixtures/assignor-vectors.json'), 'utf8'),
) as {
  readonly topics: Record<string, number>;
  readonly groups: Record<string, Record<string, string>>;
  readonly expected: Record<string, Record<string, Record<string, Record<string, Record<string, string>>>>>;
};

interface Registered {
  readonly subscription: Record<string, number>;
  readonly pattern: string;
}

let cluster: TestCluster;
let zookeeper: ZookeeperAdmin;

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2', brokers: 1 });
  zookeeper = await cluster.zookeeper();
  for (const [topic, partitions] of Object.entries(VECTORS.topics)) {
    await cluster.createTopic(topic, { partitions });
  }
});

afterAll(async () => {
  await zookeeper.close();
  await cluster.stop();
});

interface Warned {
  readonly warnings: string[];
}

async function start(
  group: string,
  name: string,
  { subscription, pattern }: Registered,
  properties: Partial<ConnectorConfig>,
): Promise<LocalMember & Warned> {
  const warnings: string[] = [];
  const ignored = (): void => undefined;
  const logger = {
    debug: ignored,
    info: ignored,
    warn: (text: string) => void warnings.push(text),
    error: ignored,
  };
  const [[regex, streams] = ['', 1]] = Object.entries(subscription);
  const wanted =
    pattern === 'static'
      ? { topics: subscription }
      : { filter: pattern === 'white_list' ? { whitelist: regex, streams } : { blacklist: regex, streams } };
  const member = await LocalMember.start({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, logger, ...wanted },
    properties: {
      'consumer.id': name,
      'partition.assignment.strategy': 'roundrobin',
      'rebalance.backoff.ms': 100,
      ...properties,
    },
  });
  return Object.assign(member, { warnings });
}

async function owners(group: string): Promise<string> {
  return asText(await ownersOf(zookeeper, group, await zookeeper.children(`/consumers/${group}/owners`)));
}

/** Owner texts by "topic/partition", as the JVM's classes of that release have assigned them. */
function assignedByJvm(group: string, release: string): Map<string, string> {
  const topics = Object.entries(VECTORS.expected[group]?.['roundrobin']?.[release] ?? {});
  return new Map(
    topics.flatMap(([topic, owners]) =>
      Object.entries(owners).map(([partition, thread]) => [`${topic}/${partition}`, thread] as const),
    ),
  );
}

describe.each([
  { order: '0.8', release: '0.10' },
  { order: '1.0', release: '1.1' },
] as const)('roundrobin with the text order of $order', ({ order, release }) => {
  const groups = Object.keys(VECTORS.groups).filter((group) => assignedByJvm(group, release).size > 0);

  it.each(groups)('group %s owns what the classes of the JVM assign to it', async (group) => {
    const members: LocalMember[] = [];
    try {
      for (const [name, registration] of Object.entries(VECTORS.groups[group] ?? {})) {
        const properties = { 'roundrobin.text.order': order };
        members.push(await start(group, name, JSON.parse(registration) as Registered, properties));
      }
      const wanted = asText(assignedByJvm(group, release));
      await waitFor(async () => (await owners(group)) === wanted, {
        ...{ timeoutMs: LIMIT_MS, description: `owners ${wanted}` },
      });
      await expect(owners(group)).resolves.toBe(wanted);
    } finally {
      await Promise.all(members.map((member) => member.stop()));
    }
  });
});

it('a topic that only others want counts, too: its new partitions move the turn of all', async () => {
  const group = 'unequal';
  await cluster.createTopic('rr-a', { partitions: 2 });
  await cluster.createTopic('rr-b', { partitions: 2 });
  const [forBoth, forOne] = [
    { subscription: { 'rr-a': 1, 'rr-b': 1 }, pattern: 'static' },
    { subscription: { 'rr-a': 1 }, pattern: 'static' },
  ];
  await using a = await start(group, 'a', forBoth, {});
  await using b = await start(group, 'b', forOne, {});
  const complete = (count: number): Promise<unknown> =>
    waitFor(
      () => new Set([...a.owned, ...b.owned]).size === count && a.owned.length + b.owned.length === count,
      {
        ...{ timeoutMs: LIMIT_MS, description: `${count} partitions with one owner each` },
      },
    );
  await complete(4);
  const runsBefore = b.eventsOf('rebalance:finished').filter(({ changed }) => changed).length;
  await cluster.addPartitions('rr-b', 5);
  await complete(7);
  await waitFor(() => b.eventsOf('rebalance:finished').filter(({ changed }) => changed).length > runsBefore, {
    timeoutMs: LIMIT_MS,
    description: 'a rebalance of the member that does not want the topic',
  });
  // JVM members up to 0.10.1 refuse such a group.
  for (const { warnings } of [a, b]) {
    expect(warnings.filter((text) => text.includes('before 0.10.2'))).toHaveLength(1);
  }
});
