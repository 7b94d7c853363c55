import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { ZookeeperConsumerConnector, type ConnectorConfig, type KafkaStream } from '../../lib';

/** What the parent hands over as the first argument, as JSON. */
export interface LoadOptions {
  readonly config: ConnectorConfig;
  readonly topics: Readonly<Record<string, number>>;
  /**
   * `messages` and `batches`: so many messages are read as fast as it goes. `slow`: the first stream takes one message
   * a second, for some seconds, until the others have read so many as fast as it goes.
   */
  readonly how: 'messages' | 'batches' | 'slow';
  readonly count: number;
}

/** Bytes at one moment, after a collection of garbage. */
export interface MemoryReading {
  readonly heapUsed: number;
  readonly arrayBuffers: number;
  readonly rss: number;
}

/** One line on stdout, at the end. */
export interface LoadReport {
  readonly messages: number;
  readonly tookMs: number;
  /** Of the event loop, beyond the resolution of the timer, in milliseconds. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Processor time of this process between two turns of the event loop. */
  readonly workMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How often a timer of 10 ms fired. */
  readonly timerCount: number;
  readonly cpuMs: number;
  /** Before the streams were made, and once a second from the moment on that the slow one has its first message. */
  readonly memory: readonly MemoryReading[];
  /** What the slow stream was handed, and what the others were. */
  readonly slow: number;
  readonly fast: number;
}

const RESOLUTION_MS = 1;
const TIMER_MS = 10;
const SLOW_SECONDS = 5;

function memory(): MemoryReading {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { heapUsed, arrayBuffers, rss };
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Reads until all streams together have handed out so many; `onEach` is told how many. */
async function readAll(
  streams: readonly KafkaStream[],
  { how, count }: Pick<LoadOptions, 'how' | 'count'>,
  onEach: (messages: number) => void = () => undefined,
): Promise<number> {
  let messages = 0;
  const abort = new AbortController();
  const { signal } = abort;
  const note = (more: number): void => {
    messages += more;
    onEach(messages);
    if (messages >= count) abort.abort();
  };
  await Promise.all(
    streams.map(async (stream) => {
      if (how === 'batches') {
        for await (const batch of stream.batches({ signal })) note(batch.messages.length);
        return;
      }
      for await (const { value } of stream.messages({ signal })) {
        if (value === null) throw new Error('a message without a value');
        note(1);
      }
    }),
  );
  return messages;
}

/** Measures this process while a connector in it is under load. */
async function run({ config, topics, how, count }: LoadOptions): Promise<LoadReport> {
  const connector = new ZookeeperConsumerConnector(config);
  const readings = [memory()];
  const streams = [...(await connector.createMessageStreams(topics)).values()].flat();
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let timerCount = 0;
  const timer = setInterval(() => (timerCount += 1), TIMER_MS);
  const works: number[] = [];
  let lastCpuMs = cpuMs();
  let sampling = true;
  const sample = (): void => {
    const now = cpuMs();
    works.push(now - lastCpuMs);
    lastCpuMs = now;
    if (sampling) setTimeout(sample, 1);
  };
  const startedMs = performance.now();
  const startedCpuMs = cpuMs();
  histogram.enable();
  sample();
  let messages: number;
  let slow = 0;
  let fast = 0;
  if (how === 'slow') {
    const [first, ...others] = streams;
    const all = { how: 'messages', count: Number.POSITIVE_INFINITY } as const;
    const rest = readAll(others, all, (messages) => (fast = messages));
    rest.catch(() => undefined); // it is waited for below
    for await (const { value } of first ?? []) {
      if (value === null) throw new Error('a message without a value');
      slow += 1;
      await delay(1000);
      readings.push(memory());
      if (slow >= SLOW_SECONDS && fast >= count) break;
    }
    await connector.shutdown();
    await rest;
    messages = slow + fast;
  } else messages = await readAll(streams, { how, count });
  const tookMs = performance.now() - startedMs;
  const workedMs = cpuMs() - startedCpuMs;
  histogram.disable();
  sampling = false;
  clearInterval(timer);
  await connector.shutdown();
  works.sort((a, b) => a - b);
  const toMs = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    ...{ messages, tookMs, timerCount, memory: readings, slow, fast, cpuMs: workedMs },
    delayMs: {
      p50: toMs(histogram.percentile(50)),
      p99: toMs(histogram.percentile(99)),
      max: toMs(histogram.max),
    },
    workMs: { p50: percentile(works, 0.5), p99: percentile(works, 0.99), max: works.at(-1) ?? 0 },
  };
}

void run(JSON.parse(process.argv[2] ?? '{}') as LoadOptions).then(
  (report) => process.stdout.write(`${JSON.stringify(report)}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
