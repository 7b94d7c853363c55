import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';

import type { ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { LocalMember } from '../support/LocalMember';
import type { LoadOptions, LoadReport } from '../support/loadProcess';
import { Producer } from '../support/produce/Producer';
import { offsetsIn, range, readOn } from '../support/readOn';
import { TamperingProxy } from '../support/TamperingProxy';
import { waitFor, withDeadline } from '../support/waitFor';

jest.setTimeout(120_000);

const ROOT = path.resolve(__dirname, '../..');
const SCRIPT = path.join(__dirname, '../support/loadProcess.ts');
const LIMIT_MS = 60_000;
const MIB = 1024 * 1024;

const PARTITIONS = 12;
const MESSAGES_PER_PARTITION = 50_000;
const MESSAGES = PARTITIONS * MESSAGES_PER_PARTITION;
const MESSAGES_PER_SEND = 5000;
const VALUE_BYTES = 100;
/** What a message of that value is in a fetch, at least. */
const MESSAGE_BYTES = VALUE_BYTES + 26;

/**
 * How long the process may work on something else than its event loop, for 99 of 100 turns. Processor time is compared,
 * since the machine may be busy with others; it includes the threads that collect garbage, so the delay itself is shorter
 * (13 ms where this is 20).
 */
const P99_WORK_MS = 30;

function report(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])('under load from Kafka $kafka', ({ kafka }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let groups = 0;

  beforeAll(async () => {
    cluster = await startCluster({ kafka });
    producer = new Producer({ brokers: cluster.brokers });
    await cluster.createTopic('load', { partitions: PARTITIONS });
    const magic = kafka === '0.8.2.2' ? 0 : 1;
    await Promise.all(
      range(0, PARTITIONS).map(async (partition) => {
        for (let sent = 0; sent < MESSAGES_PER_PARTITION; sent += MESSAGES_PER_SEND) {
          const messages = range(sent, sent + MESSAGES_PER_SEND).map((n) => ({
            value: `${n}`.padEnd(VALUE_BYTES, '.'),
          }));
          await producer.send('load', partition, messages, { magic });
        }
      }),
    );
  });

  afterAll(async () => {
    producer.close();
    await cluster.stop();
  });

  function configOf(more: Partial<ConnectorConfig> = {}): ConnectorConfig {
    groups += 1;
    return {
      'zookeeper.connect': cluster.zookeeperConnect,
      'group.id': `readers-${groups}`,
      'auto.offset.reset': 'smallest',
      ...more,
    };
  }

  /** Runs it in a process of its own, so that nothing else takes its time and memory. */
  async function measure(options: LoadOptions): Promise<LoadReport> {
    const args = ['--expose-gc', '--import', 'tsx', SCRIPT, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      const [stdout, stderr] = await withDeadline(output, LIMIT_MS, 'the end of the reading process');
      if (child.exitCode !== 0) throw new Error(`The reading process ended with an error. ${stderr}`);
      return JSON.parse(stdout) as LoadReport;
    } finally {
      child.kill('SIGKILL');
    }
  }

  it.each(['messages', 'batches'] as const)(
    'the event loop turns, and timers fire, while %s are read as fast as it goes',
    async (how) => {
      const result = await measure({ config: configOf(), topics: { load: 1 }, how, count: MESSAGES });
      const { messages, tookMs, timerCount, delayMs, workMs, cpuMs } = result;
      const ms = ({ p50, p99, max }: LoadReport['workMs']): string =>
        [p50, p99, max].map((value) => value.toFixed(1)).join(' / ');
      report(
        `${how}: ${Math.round(messages / tookMs)} k/s, ${((cpuMs * 1000) / messages).toFixed(2)} us each; ` +
          `delay of the event loop p50 / p99 / max ${ms(delayMs)} ms; work between turns ${ms(workMs)} ms; ` +
          `${timerCount} timers in ${Math.round(tookMs)} ms`,
      );
      expect(messages).toBeGreaterThanOrEqual(MESSAGES);
      expect(workMs.p99).toBeLessThan(P99_WORK_MS);
      // Of the 10 ms timers that a process without work would see; each turn lets one fire.
      expect(timerCount).toBeGreaterThan(Math.min(tookMs, cpuMs) / P99_WORK_MS);
    },
  );

  it('a slow stream keeps its queue and the memory bounded, and holds up none of the fast ones', async () => {
    const chunkBytes = 256 * 1024;
    const config = configOf({ 'fetch.message.max.bytes': chunkBytes, 'queued.max.message.chunks': 2 });
    const fastMessages = (MESSAGES / 3) * 2;
    const result = await measure({ config, topics: { load: 3 }, how: 'slow', count: fastMessages });
    expect(result.fast).toBe(fastMessages);
    expect(result.slow).toBeGreaterThanOrEqual(5);
    const [before, ...later] = result.memory;
    const growth = (of: 'heapUsed' | 'arrayBuffers'): number =>
      Math.max(...later.slice(1).map((reading) => reading[of])) - (before?.[of] ?? 0);
    // Per stream: the bound, a chunk for each of its four partitions beyond it, and the one that is handed out, each in
    // a view of at most twice its size; and an answer that is just coming in, with the one before it.
    const perStream = (2 + 4 + 1) * 2 * chunkBytes;
    const answers = 2 * PARTITIONS * chunkBytes;
    const bound = 3 * perStream + answers;
    const waiting = (MESSAGES / 3) * MESSAGE_BYTES;
    report(
      `${MESSAGES / 3} messages (${Math.round(waiting / MIB)} MiB) waiting: array buffers grew by ` +
        `${(growth('arrayBuffers') / MIB).toFixed(1)} MiB, the heap by ${(growth('heapUsed') / MIB).toFixed(1)} MiB`,
    );
    expect(waiting).toBeGreaterThan(1.4 * bound);
    expect(growth('arrayBuffers')).toBeLessThan(bound);
    expect(growth('heapUsed')).toBeLessThan(10 * MIB);
    // Once the fast ones are done, only what the slow one holds is left.
    expect((later.at(-1)?.arrayBuffers ?? 0) - (before?.arrayBuffers ?? 0)).toBeLessThan(perStream + answers);
  });
});

describe('a full queue', () => {
  it('stops the fetches, until there is room again', async () => {
    const kafka = '0.8.2.2';
    await using proxy = await TamperingProxy.listen();
    await using cluster = await startCluster({ kafka, brokerProperties: proxy.advertisedBy(kafka) });
    proxy.target = cluster.brokers[0]?.port ?? 0;
    await using producer = new Producer({ brokers: cluster.brokers });
    await cluster.createTopic('full', { partitions: 2 });
    for (const partition of [0, 1]) {
      for (let sent = 0; sent < 2000; sent += 100) {
        await producer.send(
          'full',
          partition,
          range(sent, sent + 100).map((n) => ({ value: `${n}` })),
        );
      }
    }
    await using member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: 'slow', topics: { full: 1 }, consume: false },
      properties: { 'fetch.message.max.bytes': 3000, 'queued.max.message.chunks': 2 },
    });
    /** Resolves when the count has stood still for so long: no fetch waits at the broker for longer than 100 ms. */
    const untilStill = async (): Promise<number> => {
      let count = -1;
      let sinceMs = 0;
      await waitFor(
        () => {
          if (proxy.fetchCount !== count) sinceMs = performance.now();
          count = proxy.fetchCount;
          return performance.now() - sinceMs > 1500;
        },
        { timeoutMs: LIMIT_MS, description: 'an end of the fetches', details: () => `${count} fetches` },
      );
      return count;
    };
    const full = await untilStill();
    expect(full).toBeGreaterThan(0);
    expect(full).toBeLessThan(5);
    const read = readOn(member);
    await waitFor(() => read.messages.length === 4000, { timeoutMs: LIMIT_MS, description: 'all messages' });
    for (const partition of [0, 1]) expect(offsetsIn(read.messages, partition)).toEqual(range(0, 2000));
    expect(proxy.fetchCount).toBeGreaterThan(full + 10);
  });
});

describe('an application that computes', () => {
  it('for 5 ms with each message keeps its session and its partitions', async () => {
    await using cluster = await startCluster({ kafka: '0.8.2.2' });
    await using producer = new Producer({ brokers: cluster.brokers });
    await cluster.createTopic('work', { partitions: 1 });
    const values = range(0, 1000).map((n) => ({ value: `${n}` }));
    await producer.send('work', 0, values);
    const properties = { 'zookeeper.session.timeout.ms': 1000 };
    await using member = await LocalMember.start({
      ...{
        zookeeperConnect: cluster.zookeeperConnect,
        group: 'workers',
        topics: { work: 1 },
        consume: false,
      },
      properties,
    });
    let count = 0;
    const startedMs = performance.now();
    for await (const { offset } of member.stream()) {
      expect(offset).toBe(count);
      const endMs = performance.now() + 5;
      while (performance.now() < endMs);
      count += 1;
      if (count === values.length) break;
    }
    // Long enough for several sessions to end, if nobody looked after this one.
    expect(performance.now() - startedMs).toBeGreaterThan(4 * properties['zookeeper.session.timeout.ms']);
    expect(member.events.filter(({ event }) => /suspended|lost/.test(event))).toEqual([]);
    expect(member.eventsOf('session:connected')).toHaveLength(1);
    expect(member.eventsOf('rebalance:finished').filter(({ changed }) => changed)).toHaveLength(1);
  });
});
