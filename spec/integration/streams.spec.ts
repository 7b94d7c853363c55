import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';

import {
  ConnectorError,
  decoders,
  type ConnectorConfig,
  type KafkaStream,
  type Message,
  type MessageBatch,
} from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { LocalMember, type LocalMemberOptions } from '../support/LocalMember';
import { Producer, type MessageSetOptions, type ProducedMessage } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;

/** Numbers as texts: `count` of them from `first` on. */
function numbered(count: number, first = 0): ProducedMessage[] {
  return Array.from({ length: count }, (_, index) => ({ value: String(first + index) }));
}

/** The next messages of a stream; the last one stays unprocessed. */
async function take<K, V>(stream: KafkaStream<K, V>, count: number): Promise<Message<K, V>[]> {
  const messages: Message<K, V>[] = [];
  if (count === 0) return messages;
  for await (const message of stream) {
    messages.push(message);
    if (messages.length === count) break;
  }
  return messages;
}

/** What a loop over a stream rejects with, and what it had until then. */
async function untilError<K, V>(
  loop: AsyncIterable<Message<K, V>>,
): Promise<{ messages: Message<K, V>[]; error: ConnectorError }> {
  const messages: Message<K, V>[] = [];
  try {
    for await (const message of loop) messages.push(message);
  } catch (error) {
    if (ConnectorError.is(error)) return { messages, error };
    throw error;
  }
  throw new Error(`The loop ended without an error after ${messages.length} messages`);
}

const offsetsOf = (messages: readonly { offset: number }[]): number[] => messages.map(({ offset }) => offset);
const range = (count: number, first = 0): number[] => Array.from({ length: count }, (_, n) => first + n);

describe.each([
  { kafka: '0.8.2.2', formats: [{ magic: 0 }] as const },
  { kafka: '3.9.1', formats: [{ magic: 0 }, { magic: 1 }] as const },
])('the streams on Kafka $kafka', ({ kafka, formats }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;
  let topics = 0;

  beforeAll(async () => {
    cluster = await startCluster({ kafka, brokers: 2 });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  /** A new topic with these messages in its partitions. */
  async function topicWith(
    partitions: readonly (readonly ProducedMessage[])[],
    options: MessageSetOptions = {},
  ): Promise<string> {
    topics += 1;
    const topic = `topic-${topics}`;
    await cluster.createTopic(topic, { partitions: partitions.length });
    for (const [partition, messages] of partitions.entries()) {
      if (messages.length > 0) await producer.send(topic, partition, messages, options);
    }
    return topic;
  }

  /** A member alone in its group, which nobody reads for. */
  function memberOf<K = Buffer, V = Buffer>(
    topic: string,
    properties: Partial<ConnectorConfig> = {},
    more: Partial<LocalMemberOptions<K, V>> = {},
  ): Promise<LocalMember<K, V>> {
    const { zookeeperConnect } = cluster;
    return LocalMember.start<K, V>({
      ...{ zookeeperConnect, group: `group-${topic}`, topics: { [topic]: 1 }, consume: false },
      ...{ properties, ...more },
    });
  }

  async function stored(topic: string, partition = 0): Promise<string | null> {
    const node = await zookeeper.get(`/consumers/group-${topic}/offsets/${topic}/${partition}`);
    return node?.data?.toString() ?? null;
  }

  describe('loops', () => {
    it('give every message with all its fields, in order', async () => {
      const topic = await topicWith([
        [{ key: 'k0', value: 'v0' }, { value: 'v1' }],
        [{ key: 'k', value: 'v' }],
      ]);
      await using member = await memberOf(topic);
      const messages = await take(member.stream(), 3);
      const first = messages.find(({ partition, offset }) => partition === 0 && offset === 0);
      expect(first).toEqual({
        ...{ topic, partition: 0, offset: 0, key: Buffer.from('k0'), value: Buffer.from('v0') },
        ...{ highWatermark: 2, timestamp: null, headers: [] },
        // Newer brokers make a message with "no timestamp" of one in format 0.
        timestampType: kafka === '0.8.2.2' ? null : 'create',
      });
      expect(offsetsOf(messages.filter(({ partition }) => partition === 0))).toEqual([0, 1]);
      expect(messages.filter(({ partition }) => partition === 1)).toHaveLength(1);
      expect(member.stream().topic).toBe(topic);
      expect(member.connector.ownedPartitions()).toEqual([
        {
          ...{ topic, partition: 0, threadId: `${member.consumerId}-0`, nextOffset: 2 },
          ...{ highWatermark: 2, paused: false },
        },
        {
          ...{ topic, partition: 1, threadId: `${member.consumerId}-0`, nextOffset: 1 },
          ...{ highWatermark: 1, paused: false },
        },
      ]);
    });

    it('end by their signal, after which the next one goes on', async () => {
      const topic = await topicWith([numbered(5)]);
      await using member = await memberOf(topic);
      const abort = new AbortController();
      const got: number[] = [];
      for await (const { offset } of member.stream().messages({ signal: abort.signal })) {
        got.push(offset);
        if (offset === 4) setImmediate(() => abort.abort()); // while it waits
      }
      expect(got).toEqual(range(5));
      const early = new AbortController();
      early.abort();
      for await (const message of member.stream().messages({ signal: early.signal })) {
        throw new Error(`handed out in spite of the signal: ${message.offset}`);
      }
      await producer.send(topic, 0, numbered(2, 5));
      expect(offsetsOf(await take(member.stream(), 2))).toEqual([5, 6]);
    });

    it('end all by the signal of the streams', async () => {
      const topic = await topicWith([numbered(2), numbered(2)]);
      const abort = new AbortController();
      await using member = await memberOf(
        topic,
        {},
        {
          ...{ topics: { [topic]: 2 }, streams: { signal: abort.signal }, consume: true },
        },
      );
      await waitFor(() => member.messages.length === 4, { timeoutMs: LIMIT_MS, description: 'messages' });
      abort.abort();
      await expect(take(member.stream(topic, 0), 1)).resolves.toEqual([]);
      await expect(take(member.stream(topic, 1), 1)).resolves.toEqual([]);
      expect(member.connector.state).toBe('running');
    });

    it('give batches: runs of one partition, no longer than asked for', async () => {
      const topic = await topicWith([numbered(25), numbered(25)]);
      await using member = await memberOf(topic);
      const batches: MessageBatch[] = [];
      let count = 0;
      for await (const batch of member.stream().batches({ maxMessages: 7 })) {
        batches.push(batch);
        count += batch.messages.length;
        if (count === 50) break;
      }
      for (const partition of [0, 1]) {
        const own = batches.filter((batch) => batch.partition === partition);
        expect(own.flatMap(({ messages }) => offsetsOf(messages))).toEqual(range(25));
        let next = 0;
        for (const batch of own) {
          expect(batch.topic).toBe(topic);
          expect(batch.messages.length).toBeGreaterThan(0);
          expect(batch.messages.length).toBeLessThanOrEqual(7);
          expect(batch.messages.every((message) => message.partition === partition)).toBe(true);
          expect(batch.messages[0]?.offset).toBe(next);
          next += batch.messages.length;
          expect(batch.nextOffset).toBe(next);
          expect(batch.highWatermark).toBe(25);
        }
        expect(own.some(({ messages }) => messages.length === 7)).toBe(true);
      }
      for (const wrong of [0, -1, 1.5, Number.NaN]) {
        expect(() => member.stream().batches({ maxMessages: wrong })).toThrow(/maxMessages/);
      }
    });

    it('give a Readable, which ends by destroy, signal and shutdown', async () => {
      const topic = await topicWith([numbered(6)]);
      await using member = await memberOf(topic);
      const got: number[] = [];
      for await (const message of member.stream().toReadable()) {
        got.push((message as Message).offset);
        if (got.length === 3) break; // destroys it
      }
      expect(got).toEqual([0, 1, 2]);

      const abort = new AbortController();
      const second = member.stream().toReadable({ signal: abort.signal, highWaterMark: 1 });
      const read: number[] = [];
      second.on('data', (message: Message) => read.push(message.offset));
      await waitFor(() => read.at(-1) === 5, { timeoutMs: LIMIT_MS, description: 'the rest' });
      abort.abort();
      await finished(second);
      // What was read ahead by the first one counts as handed out.
      expect([range(3, 3), range(2, 4), range(1, 5)]).toContainEqual(read);

      const third = member.stream().toReadable().resume();
      const end = finished(third);
      await member.connector.shutdown();
      await end;
      await expect(stored(topic)).resolves.toBe('6');
    });

    it('allow one at a time, and one call of next at a time', async () => {
      const topic = await topicWith([numbered(3)]);
      await using member = await memberOf(topic);
      const stream = member.stream();
      const first = stream.messages();
      await expect(first.next()).resolves.toMatchObject({ value: { offset: 0 } });
      await expect(stream.messages().next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
      await expect(stream.batches().next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
      await expect(first.next()).resolves.toMatchObject({ value: { offset: 1 } });
      await expect(first.next()).resolves.toMatchObject({ value: { offset: 2 } });
      const waiting = first.next();
      await expect(first.next()).rejects.toMatchObject({ code: 'STREAM_BUSY' });
      await producer.send(topic, 0, numbered(2, 3));
      await expect(waiting).resolves.toMatchObject({ value: { offset: 3 } });
      await first.return?.();
      await expect(first.next()).resolves.toEqual({ value: undefined, done: true });
      expect(offsetsOf(await take(stream, 1))).toEqual([4]);
    });

    it('reject with CONSUMER_TIMEOUT when nothing comes, and can be entered again', async () => {
      const topic = await topicWith([[]]);
      await using member = await memberOf(topic, { 'consumer.timeout.ms': 300 });
      for (let n = 0; n < 2; n += 1) {
        const startedMs = performance.now();
        const { messages, error } = await untilError(member.stream());
        expect(error).toMatchObject({ code: 'CONSUMER_TIMEOUT', retriable: true });
        expect(messages).toEqual([]);
        expect(performance.now() - startedMs).toBeGreaterThan(280);
        expect(performance.now() - startedMs).toBeLessThan(1500);
      }
      await producer.send(topic, 0, numbered(3));
      const { messages, error } = await untilError(member.stream());
      expect(offsetsOf(messages)).toEqual([0, 1, 2]);
      expect(error.code).toBe('CONSUMER_TIMEOUT');
      await member.stop();
      await expect(stored(topic)).resolves.toBe('3'); // the call that timed out has said so
    });

    it.each(['break', 'throw', 'return'] as const)(
      'leave the message unprocessed that was in hand at a %s: the next member gets it again',
      async (how) => {
        const topic = await topicWith([numbered(6)]);
        await using first = await memberOf(topic);
        const leave = async (): Promise<void> => {
          for await (const { offset } of first.stream()) {
            if (offset < 3) continue;
            if (how === 'break') break;
            if (how === 'return') return;
            throw new Error('the application failed');
          }
        };
        await leave().catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'the application failed') throw error;
        });
        await first.stop();
        await expect(stored(topic)).resolves.toBe('3');
        await using second = await memberOf(topic);
        expect(offsetsOf(await take(second.stream(), 3))).toEqual([3, 4, 5]);
      },
    );

    it('count a batch as processed when the next one is asked for', async () => {
      const topic = await topicWith([numbered(9)]);
      await using member = await memberOf(topic);
      const sizes: number[] = [];
      for await (const { messages } of member.stream().batches({ maxMessages: 4 })) {
        sizes.push(messages.length);
        if (sizes.length === 2) break;
      }
      expect(sizes).toEqual([4, 4]);
      await member.stop();
      await expect(stored(topic)).resolves.toBe('4');
    });

    it('let timers fire while many messages are ready', async () => {
      const perSend = 5000;
      const topic = await topicWith([[]]);
      for (let n = 0; n < 40; n += 1) await producer.send(topic, 0, numbered(perSend));
      const total = 40 * perSend;
      // All of them come with one or two fetches, and each is worked on for a moment without a pause.
      const properties = { 'fetch.message.max.bytes': 16 * 1024 * 1024 };
      await using member = await memberOf(topic, properties);
      const work = (): void => {
        const endMs = performance.now() + 0.003;
        while (performance.now() < endMs);
      };
      /** What this process has worked: the machine may be busy with others, which is not what is looked at. */
      const workedMs = (): number => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      };
      let longestMs = 0;
      let lastMs = workedMs();
      let fired = 0;
      const look = (): void => {
        longestMs = Math.max(longestMs, workedMs() - lastMs);
        lastMs = workedMs();
      };
      const timer = setInterval(() => {
        fired += 1;
        look();
      }, 10);
      let count = 0;
      try {
        for await (const { offset } of member.stream()) {
          if (offset !== count) throw new Error(`offset ${offset} came as number ${count}`);
          work();
          count += 1;
          if (count === total) break;
        }
      } finally {
        clearInterval(timer);
      }
      look();
      expect(count).toBe(total);
      expect(fired).toBeGreaterThan(0);
      expect(longestMs).toBeLessThan(100);
    });

    it('do not wait for a slow stream beside them, even on the same broker', async () => {
      topics += 1;
      const topic = `topic-${topics}`;
      await cluster.createTopic(topic, { assignment: [[1], [1]] });
      for (let n = 0; n < 10; n += 1) {
        for (const partition of [0, 1]) await producer.send(topic, partition, numbered(200, n * 200));
      }
      const properties = { 'fetch.message.max.bytes': 2000, 'queued.max.message.chunks': 1 };
      await using member = await memberOf(topic, properties, { topics: { [topic]: 2 } });
      const [slow] = await take(member.stream(topic, 0), 1); // and then nothing for long
      expect(slow?.partition).toBe(0);
      const fast = await take(member.stream(topic, 1), 2000);
      expect(offsetsOf(fast)).toEqual(range(2000));
      expect(fast.every(({ partition }) => partition === 1)).toBe(true);
      expect(offsetsOf(await take(member.stream(topic, 0), 1999))).toEqual(range(1999, 1));
    });
  });

  describe('messages', () => {
    it('are decoded as utf8 and json, or copied', async () => {
      const messages = [
        { key: 'ключ', value: '{"n":1}' },
        { key: 'k', value: '[2]' },
      ];
      const topic = await topicWith([messages]);
      await using member = await memberOf(
        topic,
        {},
        {
          streams: { keyDecoder: decoders.utf8, valueDecoder: decoders.json },
        },
      );
      const decoded = await take(member.stream(), 2);
      expect(decoded.map(({ key, value }) => [key, value])).toEqual([
        ['ключ', { n: 1 }],
        ['k', [2]],
      ]);
      await member.stop();

      await using copier = await memberOf(
        topic,
        {},
        {
          streams: { valueDecoder: decoders.copy },
        },
      );
      await copier.connector.seek({ topic, partition: 0, nextOffset: 0 });
      const [copied] = await take(copier.stream(), 1);
      expect(copied?.value).toEqual(Buffer.from('{"n":1}'));
    });

    it('are views of what was fetched, or copies that keep nothing else in memory', async () => {
      const value = 'v'.repeat(20_000);
      const topic = await topicWith([[{ value }, { value }, { value }]]);
      await using viewer = await memberOf(topic);
      const [view] = await take(viewer.stream(), 1);
      expect(view?.value?.toString()).toBe(value);
      expect(view?.value?.buffer.byteLength).toBeGreaterThan(60_000);
      await viewer.stop();
      await using copier = await memberOf(topic, {}, { streams: { valueDecoder: decoders.copy } });
      const [copy] = await take(copier.stream(), 1);
      expect(copy?.value?.toString()).toBe(value);
      expect(copy?.value?.buffer.byteLength).toBe(20_000);
    });

    it('that a decoder refuses stop only their partition, until a seek goes past them', async () => {
      const topic = await topicWith([
        [{ value: '{"n":0}' }, { value: 'broken' }, { value: '{"n":2}' }],
        [{ value: '{"n":10}' }],
      ]);
      await using member = await memberOf(topic, {}, { streams: { valueDecoder: decoders.json } });
      const { messages, error } = await untilError(member.stream());
      expect(error).toMatchObject({
        code: 'DECODE_FAILED',
        retriable: false,
        context: { topic, partition: 0, offset: 1, nextOffset: 2 },
      });
      expect(error.cause).toBeInstanceOf(Error);
      expect(member.eventsOf('partition:failed')).toEqual([{ topic, partition: 0, error }]);

      // The others go on, this one does not.
      const rest = messages.some(({ partition }) => partition === 1) ? 0 : 1;
      await producer.send(topic, 1, [{ value: '{"n":11}' }, { value: '{"n":12}' }]);
      const others = await take(member.stream(), rest + 2);
      expect(others.every(({ partition }) => partition === 1)).toBe(true);
      // Stored with the first positions, if anything; never behind the message that was refused.
      expect([null, '0', '1']).toContain(await stored(topic));
      await member.connector.seek({ topic, partition: 0, nextOffset: error.context.nextOffset ?? -1 });
      const [next] = await take(member.stream(), 1);
      expect(next).toMatchObject({ partition: 0, offset: 2, value: { n: 2 } });
      expect(member.eventsOf('partition:failed')).toHaveLength(1);
    });

    it('that a decoder refuses within a batch come as an error behind the good ones before them', async () => {
      const topic = await topicWith([[{ value: '0' }, { value: '1' }, { value: '}' }, { value: '3' }]]);
      await using member = await memberOf(topic, {}, { streams: { valueDecoder: decoders.json } });
      const batches = member.stream().batches();
      await expect(batches.next()).resolves.toMatchObject({
        value: { nextOffset: 2, messages: [{ value: 0 }, { value: 1 }] },
      });
      await expect(batches.next()).rejects.toMatchObject({
        code: 'DECODE_FAILED',
        context: { offset: 2, nextOffset: 3 },
      });
      await member.stop();
      await expect(stored(topic)).resolves.toBe('2'); // the next member meets it again
    });

    it.each(formats)('keep null and empty keys and values apart, in format %j', async (format) => {
      const all = [null, '', 'x'].flatMap((key) => [null, '', 'y'].map((value) => ({ key, value })));
      const topic = await topicWith([all], format);
      await using member = await memberOf(topic, {}, { streams: { keyDecoder: decoders.utf8 } });
      const messages = await take(member.stream(), all.length);
      expect(messages.map(({ key, value }) => ({ key, value: value?.toString() ?? null }))).toEqual(all);
    });

    it.each(formats)('come out of gzip sets one by one, in format %j', async (format) => {
      const topic = await topicWith([numbered(100)], { ...format, gzip: true });
      await producer.send(topic, 0, numbered(50, 100), { ...format, gzip: true });
      await using first = await memberOf(topic);
      const messages = await take(first.stream(), 41);
      expect(messages.map(({ offset, value }) => [offset, value?.toString()])).toEqual(
        range(41).map((n) => [n, String(n)]),
      );
      await first.stop();
      await expect(stored(topic)).resolves.toBe('40');
      // It starts in the middle of a set.
      await using second = await memberOf(topic);
      expect(offsetsOf(await take(second.stream(), 110))).toEqual(range(110, 40));
    });

    it('have the timestamp that the broker knows', async () => {
      const topic = await topicWith([[{ value: 'without' }]]);
      const timestamp = 1_700_000_000_123;
      const magic = kafka === '0.8.2.2' ? 0 : 1;
      await producer.send(topic, 0, [{ value: 'with', timestamp }], { magic });
      await using member = await memberOf(topic);
      const times = (await take(member.stream(), 2)).map((message) => [
        message.timestamp,
        message.timestampType,
      ]);
      expect(times[0]?.[0]).toBeNull();
      expect(times[1]).toEqual(magic === 0 ? [null, null] : [timestamp, 'create']);
    });

    it('R6: larger than fetch.message.max.bytes are fetched with more, up to fetch.max.bytes', async () => {
      const topic = await topicWith([
        [{ value: 'small' }, { value: 'x'.repeat(50_000) }, { value: 'small again' }],
        numbered(3),
      ]);
      const properties = { 'fetch.message.max.bytes': 300, 'fetch.max.bytes': 60_000 };
      await using member = await memberOf(topic, properties);
      const messages = await take(member.stream(), 6);
      const sizes = messages
        .filter(({ partition }) => partition === 0)
        .map(({ offset, value }) => [offset, value?.length]);
      expect(sizes).toEqual([
        [0, 5],
        [1, 50_000],
        [2, 11],
      ]);
      expect(member.eventsOf('partition:failed')).toEqual([]);
    });

    it('R6: larger than fetch.max.bytes come from a broker that gives one message in any case, else are an error', async () => {
      const topic = await topicWith([[]]);
      await producer.send(topic, 0, [{ value: 'small' }]);
      await producer.send(topic, 0, [{ value: 'x'.repeat(50_000) }]);
      await producer.send(topic, 0, [{ value: 'small again' }]);
      const properties = { 'fetch.message.max.bytes': 300, 'fetch.max.bytes': 20_000 };
      await using member = await memberOf(topic, properties);
      const [first] = await take(member.stream(), 1);
      expect(first?.offset).toBe(0);
      const outcome = await take(member.stream(), 1).catch((error: unknown) => error);
      const isOld = kafka === '0.8.2.2';
      const tooLarge = {
        code: 'MESSAGE_TOO_LARGE',
        context: { topic, partition: 0, offset: 1, nextOffset: 2 },
      };
      expect(outcome).toMatchObject(isOld ? tooLarge : [{ offset: 1 }]);
      expect(member.eventsOf('partition:failed')).toHaveLength(isOld ? 1 : 0);
      await member.connector.seek({ topic, partition: 0, nextOffset: 2 });
      const [last] = await take(member.stream(), 1);
      expect(last?.value?.toString()).toBe('small again');
    });
  });

  describe('pause', () => {
    it('of a stream hands nothing out until resume, while the other stream flows', async () => {
      const topic = await topicWith([numbered(3), numbered(3)]);
      await using member = await memberOf(topic, {}, { topics: { [topic]: 2 }, consume: true });
      await waitFor(() => member.messages.length === 6, { timeoutMs: LIMIT_MS, description: 'all' });
      member.stream(topic, 0).pause();
      await producer.send(topic, 0, numbered(3, 3));
      await producer.send(topic, 1, numbered(50, 3));
      const of = (partition: number): number[] =>
        offsetsOf(member.messages.filter((message) => message.partition === partition));
      await waitFor(() => of(1).length === 53, { timeoutMs: LIMIT_MS, description: 'the other stream' });
      expect(of(0)).toEqual(range(3));
      member.stream(topic, 0).resume();
      await waitFor(() => of(0).length === 6, { timeoutMs: LIMIT_MS, description: 'the paused stream' });
      expect(of(0)).toEqual(range(6));
    });

    it('of partitions survives a rebalance, while the other partitions of the stream flow', async () => {
      const topic = await topicWith([numbered(3), numbered(3)]);
      await using member = await memberOf(topic, {}, { consume: true });
      await waitFor(() => member.messages.length === 6, { timeoutMs: LIMIT_MS, description: 'all' });
      member.connector.pause([{ topic, partition: 0 }]);
      await producer.send(topic, 0, numbered(40, 3));
      await producer.send(topic, 1, numbered(40, 3));
      const of = (partition: number): number[] =>
        offsetsOf(member.messages.filter((message) => message.partition === partition));
      await waitFor(() => of(1).length === 43, { timeoutMs: LIMIT_MS, description: 'the other one' });

      const changes = (): number =>
        member.eventsOf('rebalance:finished').filter(({ changed }) => changed).length;
      const before = changes();
      await using other = await memberOf(topic, {}, { topics: {} });
      await waitFor(() => changes() > before, { timeoutMs: LIMIT_MS, description: 'a rebalance' });
      await producer.send(topic, 1, numbered(40, 43));
      await waitFor(() => of(1).length === 83, { timeoutMs: LIMIT_MS, description: 'the other one again' });
      expect(of(0)).toEqual(range(3));
      expect(member.connector.ownedPartitions().map(({ paused }) => paused)).toEqual([true, false]);
      expect(other.owned).toEqual([]);

      member.connector.resume([{ topic, partition: 0 }]);
      await waitFor(() => of(0).length === 43, { timeoutMs: LIMIT_MS, description: 'the paused one' });
      expect(of(0)).toEqual(range(43));
      expect(of(1)).toEqual(range(83));
      expect(() => member.connector.pause([{ topic, partition: 9 }])).toThrow(
        expect.objectContaining({ code: 'NOT_OWNED' }) as Error,
      );
    });

    it('holds back what was fetched before it, and does not fetch on', async () => {
      const topic = await topicWith([numbered(20), numbered(20)]);
      await using member = await memberOf(topic, { 'queued.max.message.chunks': 1 });
      const [first] = await take(member.stream(), 1);
      const paused = first?.partition ?? 0;
      member.connector.pause([{ topic, partition: paused }]);
      const others = await take(member.stream(), 20);
      expect(others.every(({ partition }) => partition === 1 - paused)).toBe(true);
      member.connector.resume([{ topic, partition: paused }]);
      const rest = await take(member.stream(), 19);
      expect(offsetsOf(rest)).toEqual(range(19, 1));
      expect(rest.every(({ partition }) => partition === paused)).toBe(true);
    });
  });

  describe('seek', () => {
    it('goes back, forward, to the first and behind the last message', async () => {
      const topic = await topicWith([numbered(20)]);
      await using member = await memberOf(topic);
      const { connector } = member;
      const next = async (count: number): Promise<number[]> => offsetsOf(await take(member.stream(), count));
      await expect(next(10)).resolves.toEqual(range(10));
      await connector.seek({ topic, partition: 0, nextOffset: 3 });
      expect(connector.ownedPartitions()[0]?.nextOffset).toBe(3);
      await expect(next(4)).resolves.toEqual([3, 4, 5, 6]);
      await connector.seek({ topic, partition: 0, nextOffset: 17 });
      await expect(next(2)).resolves.toEqual([17, 18]);
      await connector.seek({ topic, partition: 0, nextOffset: 'smallest' });
      await expect(next(2)).resolves.toEqual([0, 1]);
      await connector.seek({ topic, partition: 0, nextOffset: 'largest' });
      expect(connector.ownedPartitions()[0]?.nextOffset).toBe(20);
      await producer.send(topic, 0, numbered(1, 20));
      await expect(next(1)).resolves.toEqual([20]);

      for (const nextOffset of [-1, 0.5, 2 ** 53]) {
        await expect(connector.seek({ topic, partition: 0, nextOffset })).rejects.toMatchObject({
          code: 'OFFSET_INVALID',
        });
      }
      await expect(connector.seek({ topic, partition: 1, nextOffset: 0 })).rejects.toMatchObject({
        code: 'NOT_OWNED',
      });
    });

    it('inside a loop counts at once, and what was in hand moves no position any more', async () => {
      const topic = await topicWith([numbered(20)]);
      await using member = await memberOf(topic);
      const got: number[] = [];
      for await (const { offset } of member.stream()) {
        got.push(offset);
        if (got.length === 5) await member.connector.seek({ topic, partition: 0, nextOffset: 1 });
        if (got.length === 7) break;
      }
      expect(got).toEqual([0, 1, 2, 3, 4, 1, 2]);
      await member.stop();
      await expect(stored(topic)).resolves.toBe('2');
    });

    it('to where there is nothing starts anew as auto.offset.reset says', async () => {
      const topic = await topicWith([numbered(5)]);
      await using member = await memberOf(topic, { 'auto.offset.reset': 'smallest' });
      await take(member.stream(), 2);
      await member.connector.seek({ topic, partition: 0, nextOffset: 1000 });
      expect(offsetsOf(await take(member.stream(), 5))).toEqual(range(5));
      expect(member.eventsOf('offset:reset')).toContainEqual({
        ...{ topic, partition: 0, from: 1000, to: 0, why: 'out-of-range' },
      });
    });
  });

  describe('a stored position', () => {
    it.each(['smallest', 'largest'] as const)(
      'that is too high, absent or no number leads to auto.offset.reset=%s or an error of that partition',
      async (reset) => {
        const topic = await topicWith([numbered(5), numbered(5), numbered(5), numbered(5)]);
        const at = (partition: number): string => `/consumers/group-${topic}/offsets/${topic}/${partition}`;
        await zookeeper.mkdirp(at(0).slice(0, -2));
        await zookeeper.create(at(0), '9999');
        await zookeeper.create(at(2), 'abc');
        await zookeeper.create(at(3), '2');
        await using member = await memberOf(topic, { 'auto.offset.reset': reset });

        const messages: Message[] = [];
        const errors: unknown[] = [];
        const loop = (async () => {
          while (member.connector.state !== 'closed') {
            try {
              for await (const message of member.stream()) messages.push(message);
            } catch (error) {
              errors.push(error);
            }
          }
        })();
        const of = (partition: number): number[] =>
          offsetsOf(messages.filter((message) => message.partition === partition));
        await waitFor(() => member.eventsOf('offset:reset').length === 2, {
          timeoutMs: LIMIT_MS,
          description: 'two resets',
        });
        for (const partition of [0, 1, 2, 3]) await producer.send(topic, partition, numbered(1, 5));
        const expected = reset === 'smallest' ? range(6) : [5];
        await waitFor(() => of(0).includes(5) && of(1).includes(5) && of(3).includes(5), {
          timeoutMs: LIMIT_MS,
          description: 'the new messages of the other partitions',
        });
        expect([of(0), of(1), of(2), of(3)]).toEqual([expected, expected, [], [2, 3, 4, 5]]);
        const to = reset === 'smallest' ? 0 : 5;
        const resets = member.eventsOf('offset:reset');
        expect([...resets].sort((a, b) => a.partition - b.partition)).toEqual([
          { topic, partition: 0, from: 9999, to, why: 'out-of-range' },
          { topic, partition: 1, from: null, to, why: 'none' },
        ]);
        expect(errors).toHaveLength(1);
        expect(errors[0]).toMatchObject({ code: 'OFFSET_INVALID', context: { path: at(2) } });
        expect(member.eventsOf('partition:failed')).toHaveLength(1);

        await member.connector.seek({ topic, partition: 2, nextOffset: 'smallest' });
        await waitFor(() => of(2).length === 6, { timeoutMs: LIMIT_MS, description: 'the bad one' });
        await member.stop();
        await loop;
        const positions = await Promise.all([0, 1, 2, 3].map((partition) => stored(topic, partition)));
        expect(positions).toEqual(['6', '6', '6', '6']);
      },
    );
  });
});
