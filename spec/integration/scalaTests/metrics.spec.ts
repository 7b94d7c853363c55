import { getEventListeners } from 'node:events';

import { ZookeeperConsumerConnector } from '../../../lib';
import type { TestCluster } from '../../support/cluster/TestCluster';
import { waitFor } from '../../support/waitFor';
import { LIMIT_MS, PROPERTIES, startTwoBrokers } from './setUp';

jest.setTimeout(60_000);

const ROUNDS = 5;
/** What connectors could leave behind, among what keeps a process alive. */
const KINDS = ['Timeout', 'TCPSocketWrap', 'TCPConnectWrap', 'GetAddrInfoReqWrap'];

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startTwoBrokers();
  await cluster.createTopic('metrics', { partitions: 2 });
});

afterAll(async () => {
  await cluster.stop();
});

/** How much there is of each kind in this process, the servers of an embedded cluster included. */
function resources(): number[] {
  const found = process.getActiveResourcesInfo();
  return KINDS.map((kind) => found.filter((one) => one === kind).length);
}

it('MetricsTest.testMetricsLeak: a connector that was shut down leaves no timer, socket or listener, however many there have been', async () => {
  const { signal } = new AbortController();
  const round = async (): Promise<void> => {
    await using connector = new ZookeeperConsumerConnector(
      { ...PROPERTIES, 'zookeeper.connect': cluster.zookeeperConnect, 'group.id': 'metrics' },
      { signal },
    );
    const streams = await connector.createMessageStreams({ metrics: 2 }, { signal });
    expect(streams.get('metrics')).toHaveLength(2);
    expect(connector.ownedPartitions()).toHaveLength(2);
  };
  const processListeners = (): number =>
    process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);

  const [before, listeners] = [resources(), processListeners()];
  for (let rounds = 0; rounds < ROUNDS; rounds += 1) await round();
  await waitFor(() => resources().every((count, kind) => count <= (before[kind] ?? 0)), {
    timeoutMs: LIMIT_MS,
    description: `no more ${KINDS.join(', ')} than ${before.join(', ')}`,
    details: () => `there are ${resources().join(', ')}`,
  });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(processListeners()).toBe(listeners);
});
