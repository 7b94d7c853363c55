import type { ConnectorConfig } from '../../lib';
import { EmbeddedCluster } from '../../lib/testing';
import { LocalMember } from '../support/LocalMember';
import { waitFor } from '../support/waitFor';

jest.setTimeout(20_000);

const LIMIT_MS = 10_000;

it('a group coordinator that refuses the commit of a rebalance does not keep the partitions from going on to the next owner', async () => {
  await using cluster = await EmbeddedCluster.start({ kafka: '1.1', topics: { t: 2 } });
  const { zookeeperConnect } = cluster;
  const properties: Partial<ConnectorConfig> = {
    ...{ 'offsets.storage': 'kafka', 'dual.commit.enabled': false, 'offsets.commit.max.retries': 1 },
    ...{ 'offsets.channel.backoff.ms': 20, 'rebalance.backoff.ms': 50 },
  };
  const memberOf = (name: string): LocalMember =>
    new LocalMember({
      ...{ zookeeperConnect, group: 'g', topics: { t: 1 } },
      properties: { ...properties, 'consumer.id': name },
    });
  await using first = memberOf('a');
  first.streams = await first.connector.createMessageStreams({ t: 1 });
  first.consume();
  cluster.produce('t', ['0', '1', '2', '3']);
  await waitFor(() => first.messages.length === 4, { timeoutMs: LIMIT_MS, description: 'four messages' });
  const refusal = cluster.failNextRequest({
    ...{ api: 'OffsetCommit', errorCode: 'REQUEST_TIMED_OUT', times: 1_000_000 },
  });

  await using second = memberOf('b');
  second.streams = await second.connector.createMessageStreams({ t: 1 });
  second.consume();
  await waitFor(() => first.owned.length === 1 && second.owned.length === 1, {
    ...{ timeoutMs: LIMIT_MS, description: 'a partition each' },
    details: () => JSON.stringify(first.events.slice(-8)),
  });
  expect(refusal.timesLeft).toBeLessThan(1_000_000);
  expect(first.eventsOf('rebalance:failed')).toEqual([]);
  // Nothing was stored of what the first member had read: the second one reads it once more, and nothing is lost.
  await waitFor(() => second.messages.length === 2, { timeoutMs: LIMIT_MS, description: 'two messages' });
  refusal.cancel();
});

it('a shutdown waits for a silent coordinator once, however many commits wait for it', async () => {
  await using cluster = await EmbeddedCluster.start({ kafka: '1.1', topics: { t: 1 } });
  const { zookeeperConnect } = cluster;
  await using member = await LocalMember.start({
    ...{ zookeeperConnect, group: 'g', topics: { t: 1 } },
    properties: {
      ...{ 'offsets.storage': 'kafka', 'dual.commit.enabled': false, 'offsets.commit.max.retries': 0 },
      'offsets.channel.socket.timeout.ms': 400,
    },
  });
  cluster.produce('t', ['0', '1', '2']);
  await waitFor(() => member.messages.length === 3, { timeoutMs: LIMIT_MS, description: 'the messages' });
  const silence = cluster.network.blackHole({ server: 'broker' });
  const commits = Array.from({ length: 20 }, (_, n) =>
    member.connector.commitOffsets([{ topic: 't', partition: 0, nextOffset: n + 1 }]),
  );
  const outcomes = Promise.allSettled(commits);
  const startedMs = performance.now();
  await member.connector.shutdown();
  // Each of the 20 would wait for 400 ms.
  expect(performance.now() - startedMs).toBeLessThan(4000);
  for (const { status } of await outcomes) expect(status).toBe('rejected');
  silence.heal();
});

it('a deleted topic costs a rebalance nothing, though its offsets cannot be stored any more', async () => {
  await using cluster = await EmbeddedCluster.start({ kafka: '3.9', topics: { stays: 1, goes: 1 } });
  const { zookeeperConnect } = cluster;
  await using member = await LocalMember.start({
    ...{ zookeeperConnect, group: 'g', topics: { stays: 1, goes: 1 } },
    properties: { 'offsets.storage': 'kafka' },
  });
  for (const topic of ['stays', 'goes']) cluster.produce(topic, ['0']);
  await waitFor(() => member.messages.length === 2, { timeoutMs: LIMIT_MS, description: 'the messages' });
  await member.connector.commitOffsets();
  cluster.deleteTopic('goes');
  await waitFor(() => member.owned.join() === 'stays/0', {
    timeoutMs: LIMIT_MS,
    description: 'one partition',
  });
  const [finished] = member.eventsOf('rebalance:finished').slice(-1);
  expect(finished?.durationMs).toBeLessThan(1000);
});
