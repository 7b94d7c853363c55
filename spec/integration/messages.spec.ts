import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { ConnectorConfig } from '../../lib';
import { TamperingProxy, type Tampered } from '../support/TamperingProxy';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster, TopicOptions } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { flipped } from '../support/flipped';
import { LocalMember } from '../support/LocalMember';
import { changed } from '../support/mutating/mutation';
import { attributesAt, entriesOf, withChecksum } from '../support/mutating/recordEntries';
import { craftedSet, craftedWrapper, GZIP, SNAPPY } from '../support/produce/craftedSets';
import { Producer, type ProducedMessage } from '../support/produce/Producer';
import { offsetsIn, range, readOn, type ReadOn } from '../support/readOn';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
/** How long it is watched that next to nothing happens. */
const WATCH_MS = 2000;
/** A fetch that was sent before the failure was found has come by then: it waits for 100 ms. */
const UNDER_WAY_MS = 300;
const MOST_FETCHES_A_SECOND = 20;
/** Of one core. */
const MOST_IDLE_CPU = 0.25;
const BACKOFF_MS = 300;
const CORRELATION_AT = 4;
const BODY_AT = 8;

/** Ten messages; the one at offset 5 is easy to find in an answer. */
const VALUES = range(0, 10).map((n) => ({ value: n === 5 ? 'to-be-damaged' : `good-${n}` }));

/**
 * Another codec in the entry of the message `to-be-damaged`, which is alone there, with null as its key: a broker stores no
 * codec that nobody knows.
 */
function withCodec(answer: Buffer, codec: number, valueAt: number): Buffer {
  const at = answer.indexOf('to-be-damaged') - valueAt;
  if (at < 0) return answer;
  const [entry] = entriesOf(answer.subarray(at));
  if (entry === undefined) throw new Error('the entry of the message is not where it is expected');
  const other = withChecksum(changed(entry, (copy) => copy.writeUInt8(codec, attributesAt(copy))));
  return Buffer.concat([answer.subarray(0, at), other, answer.subarray(at + other.length)]);
}

/** The frame with that length in front. */
function withLength(frame: Buffer, length = frame.length - 4): Buffer {
  const copy = Buffer.from(frame);
  copy.writeInt32BE(length);
  return copy;
}

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])('on Kafka $kafka', ({ kafka }) => {
  const isOld = kafka === '0.8.2.2';
  /** How far behind the beginning of its entry a value is that is alone there, without a key and not long. */
  const valueAt = isOld ? 26 : 67;
  let proxy: TamperingProxy;
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;
  let topics = 0;

  beforeAll(async () => {
    proxy = await TamperingProxy.listen();
    cluster = await startCluster({ kafka, brokerProperties: proxy.advertisedBy(kafka) });
    proxy.target = cluster.brokers[0]?.port ?? 0;
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterEach(() => {
    proxy.tamper = (answer) => answer;
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
    await proxy[Symbol.asyncDispose]();
  });

  async function newTopic(options: TopicOptions = {}): Promise<string> {
    topics += 1;
    const topic = `topic-${topics}`;
    await cluster.createTopic(topic, options);
    return topic;
  }

  /** A member alone in its group, which nobody reads for. */
  function memberOf(topic: string, properties: Partial<ConnectorConfig> = {}): Promise<LocalMember> {
    const { zookeeperConnect } = cluster;
    return LocalMember.start({
      ...{ zookeeperConnect, group: `group-${topic}`, topics: { [topic]: 1 }, properties, consume: false },
    });
  }

  /** Each is an entry of its own, with a checksum of its own; together they would be one batch on newer brokers. */
  async function sendEach(topic: string, messages: readonly ProducedMessage[]): Promise<void> {
    for (const message of messages) await producer.send(topic, 0, [message]);
  }

  async function stored(topic: string, partition = 0): Promise<string | null> {
    const node = await zookeeper.get(`/consumers/group-${topic}/offsets/${topic}/${partition}`);
    return node?.data?.toString() ?? null;
  }

  const untilRead = (read: ReadOn, partition: number, offsets: readonly number[]): Promise<boolean> =>
    waitFor(() => offsetsIn(read.messages, partition).length >= offsets.length, {
      timeoutMs: LIMIT_MS,
      description: `${offsets.length} messages of partition ${partition}`,
      details: () => JSON.stringify(read.errors),
    });

  const untilErrors = (read: ReadOn, count: number): Promise<boolean> =>
    waitFor(() => read.errors.length >= count, { timeoutMs: LIMIT_MS, description: `${count} errors` });

  describe('a message with a wrong checksum', () => {
    it('by a byte that was changed on its way stops its partition alone, and is read after a seek to it', async () => {
      const topic = await newTopic({ partitions: 2 });
      await sendEach(topic, VALUES);
      await producer.send(
        topic,
        1,
        VALUES.map((_, n) => ({ value: String(n) })),
      );
      proxy.tamper = (answer) => flipped(answer, 'to-be-damaged');
      await using member = await memberOf(topic);
      const read = readOn(member);
      await untilErrors(read, 1);
      await untilRead(read, 1, range(0, 10));
      expect(read.errors).toEqual([
        expect.objectContaining({
          code: 'MESSAGE_CORRUPT',
          retriable: false,
          context: { topic, partition: 0, offset: 5, nextOffset: 6 },
        }),
      ]);
      await producer.send(topic, 1, VALUES.slice(6, 9));
      await untilRead(read, 1, range(0, 13));
      expect(offsetsIn(read.messages, 0)).toEqual(range(0, 5));
      expect(member.eventsOf('partition:failed')).toEqual([{ topic, partition: 0, error: read.errors[0] }]);
      expect(member.eventsOf('fetch:failed')).toEqual([]);

      proxy.tamper = (answer) => answer;
      await member.connector.seek({ topic, partition: 0, nextOffset: 5 });
      await untilRead(read, 0, range(0, 10));
      await member.stop();
      await read.ended;
      expect(offsetsIn(read.messages, 0)).toEqual(range(0, 10));
      expect(offsetsIn(read.messages, 1)).toEqual(range(0, 13));
      expect(read.errors).toHaveLength(1);
      await expect(stored(topic)).resolves.toBe('10');
    });

    it('stays where it is for the next member, until one seeks past it', async () => {
      const topic = await newTopic();
      await sendEach(topic, VALUES);
      proxy.tamper = (answer) => flipped(answer, 'to-be-damaged');
      await using first = await memberOf(topic);
      const read = readOn(first);
      await untilErrors(read, 1);
      await first.stop();
      await expect(stored(topic)).resolves.toBe('5');
      await using second = await memberOf(topic);
      const reread = readOn(second);
      await untilErrors(reread, 1);
      const [error] = reread.errors;
      expect(error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { offset: 5, nextOffset: 6 } });
      await second.connector.seek({ topic, partition: 0, nextOffset: error?.context.nextOffset ?? -1 });
      await untilRead(reread, 0, range(6, 10));
      await second.stop();
      expect(offsetsIn(reread.messages, 0)).toEqual(range(6, 10));
      await expect(stored(topic)).resolves.toBe('10');
    });
  });

  it('a message whose size cannot be is MESSAGE_CORRUPT: what is in front of it is handed out', async () => {
    const topic = await newTopic();
    await sendEach(topic, VALUES);
    proxy.tamper = (answer) => {
      const at = answer.indexOf('to-be-damaged') - valueAt;
      return at < 0 ? answer : changed(answer, (copy) => copy.writeInt32BE(-1, at + 8));
    };
    await using member = await memberOf(topic);
    const read = readOn(member);
    await untilErrors(read, 1);
    expect(offsetsIn(read.messages, 0)).toEqual(range(0, 5));
    expect(read.errors[0]).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { topic, partition: 0, offset: 5, nextOffset: 6 },
    });
  });

  describe('the answer to a fetch', () => {
    it.each<{
      what: string;
      code: string;
      tamper: (answer: Buffer) => Tampered;
      properties?: Partial<ConnectorConfig>;
    }>([
      {
        what: 'is cut off in the middle',
        code: 'BROKER_UNREACHABLE',
        tamper: (answer) => ({ last: answer.subarray(0, Math.floor(answer.length / 2)) }),
      },
      {
        what: 'never begins, since the connection ends',
        code: 'BROKER_UNREACHABLE',
        tamper: () => ({ last: Buffer.alloc(0) }),
      },
      {
        // The beginning of an answer that is too long is waited for, since it may tell of a message that is too large.
        what: 'announces more bytes than any answer has',
        code: 'BROKER_UNREACHABLE',
        tamper: (answer) => withLength(answer, 0x7fff_ffff),
        properties: { 'socket.timeout.ms': 600 },
      },
      {
        what: 'bears the id of another request',
        code: 'BROKER_ERROR',
        tamper: (answer) => {
          const copy = Buffer.from(answer);
          copy.writeInt32BE(copy.readInt32BE(CORRELATION_AT) + 1, CORRELATION_AT);
          return copy;
        },
      },
      {
        what: 'ends before its last field',
        code: 'BROKER_ERROR',
        tamper: (answer) => withLength(answer.subarray(0, answer.length - 10), answer.length - 14),
      },
      {
        what: 'is garbage behind its id',
        code: 'BROKER_ERROR',
        tamper: (answer) => withLength(Buffer.concat([answer.subarray(0, BODY_AT), Buffer.alloc(200, 0x7f)])),
      },
      {
        what: 'is another protocol',
        code: 'BROKER_ERROR',
        tamper: () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
      },
    ])(
      'that $what is $code, asked for again after the back-off, and costs no message',
      async ({ tamper, code, properties = {} }) => {
        const topic = await newTopic({ partitions: 2 });
        for (const partition of [0, 1]) await producer.send(topic, partition, VALUES);
        let spoilt = 0;
        proxy.tamper = (answer) => {
          if (spoilt === 3 || !answer.includes('good-')) return answer;
          spoilt += 1;
          return tamper(answer);
        };
        await using member = await memberOf(topic, {
          ...properties,
          'refresh.leader.backoff.ms': BACKOFF_MS,
        });
        const failedMs: number[] = [];
        member.connector.on('fetch:failed', () => failedMs.push(performance.now()));
        const read = readOn(member);
        for (const partition of [0, 1]) await untilRead(read, partition, range(0, 10));
        await member.stop();
        await read.ended;
        for (const partition of [0, 1]) expect(offsetsIn(read.messages, partition)).toEqual(range(0, 10));
        expect(read.errors).toEqual([]);
        expect(member.eventsOf('partition:failed')).toEqual([]);
        const failures = member.eventsOf('fetch:failed');
        expect(failures.map(({ error }) => error.code)).toEqual([code, code, code]);
        expect(new Set(failures.map(({ broker }) => broker))).toEqual(new Set([`127.0.0.1:${proxy.port}`]));
        // The back-off counts from the last look for the leader, so that what happened since then is part of it.
        const pauses = failedMs.slice(1).map((ms, n) => ms - (failedMs[n] ?? 0));
        for (const pause of pauses) expect(pause).toBeGreaterThan(BACKOFF_MS / 2);
        expect(failures.map(({ retryInMs }) => retryInMs)).toEqual([BACKOFF_MS, BACKOFF_MS, BACKOFF_MS]);
      },
    );
  });

  describe('a compressed set', () => {
    it('in snappy is handed out, without a native module', async () => {
      const topic = await newTopic();
      const magic = isOld ? 0 : 1;
      await producer.send(topic, 0, VALUES.slice(0, 3), { magic });
      await producer.sendRaw(topic, 0, craftedWrapper(SNAPPY, VALUES.slice(3, 7), magic), { magic });
      await producer.send(topic, 0, VALUES.slice(7), { magic });
      await using member = await memberOf(topic);
      const read = readOn(member);
      await untilRead(read, 0, range(0, 10));
      await member.stop();
      expect(offsetsIn(read.messages, 0)).toEqual(range(0, 10));
      expect(read.messages.map(({ value }) => String(value))).toEqual(VALUES.map(({ value }) => value));
      expect(read.errors).toEqual([]);
    });

    it('in a codec that nobody knows is CODEC_UNSUPPORTED, never data, and a seek goes on behind it', async () => {
      const topic = await newTopic({ partitions: 2 });
      await sendEach(topic, VALUES);
      await producer.send(topic, 1, VALUES.slice(6));
      proxy.tamper = (answer) => withCodec(answer, 5, valueAt);
      await using member = await memberOf(topic);
      const read = readOn(member);
      await untilErrors(read, 1);
      await untilRead(read, 1, range(0, 4));
      const [error] = read.errors;
      expect(error).toMatchObject({
        code: 'CODEC_UNSUPPORTED',
        context: { topic, partition: 0, offset: 5, nextOffset: 6 },
      });
      expect(error?.message).toContain('number 5');
      expect(offsetsIn(read.messages, 0)).toEqual(range(0, 5));
      await member.connector.seek({ topic, partition: 0, nextOffset: error?.context.nextOffset ?? -1 });
      await untilRead(read, 0, [...range(0, 5), ...range(6, 10)]);
      await member.stop();
      expect(offsetsIn(read.messages, 0)).toEqual([...range(0, 5), ...range(6, 10)]);
      expect(read.errors).toHaveLength(1);
    });

    it('in gzip that is larger than a fetch is fetched with more, or is MESSAGE_TOO_LARGE as a whole', async () => {
      const topic = await newTopic();
      const large = range(0, 20).map(() => ({ value: randomBytes(2500).toString('hex') }));
      await producer.send(topic, 0, large, { gzip: true, magic: isOld ? 0 : 1 });
      await producer.send(topic, 0, VALUES);
      const small = { 'fetch.message.max.bytes': 1000 };
      await using enough = await memberOf(topic, { ...small, 'fetch.max.bytes': 100_000 });
      const all = readOn(enough);
      await untilRead(all, 0, range(0, 30));
      await enough.stop();
      expect(offsetsIn(all.messages, 0)).toEqual(range(0, 30));
      expect(all.errors).toEqual([]);

      await zookeeper.set(`/consumers/group-${topic}/offsets/${topic}/0`, '0');
      await using tooSmall = await memberOf(topic, { ...small, 'fetch.max.bytes': 20_000 });
      const read = readOn(tooSmall);
      // From 0.10.1 on, a broker gives one message (or set) in any case.
      const failures = isOld ? 1 : 0;
      await untilErrors(read, failures);
      const tooLarge = {
        code: 'MESSAGE_TOO_LARGE',
        context: { topic, partition: 0, offset: 0, nextOffset: 20 },
      };
      expect(read.errors).toMatchObject([tooLarge].slice(0, failures));
      for (const { context } of read.errors) {
        await tooSmall.connector.seek({ topic, partition: 0, nextOffset: context.nextOffset ?? -1 });
      }
      const expected = range(isOld ? 20 : 0, 30);
      await untilRead(read, 0, expected);
      await tooSmall.stop();
      expect(offsetsIn(read.messages, 0)).toEqual(expected);
    });
  });

  describe('what cannot be read', () => {
    const passed = (ms: number): Promise<unknown> => {
      const startedMs = performance.now();
      return waitFor(() => performance.now() - startedMs >= ms, {
        ...{ timeoutMs: LIMIT_MS, description: 'end of the watch', intervalMs: 100 },
      });
    };

    /** Fetches and processor time while nothing happens. */
    async function quiet(): Promise<{ fetchesASecond: number; cpu: number }> {
      await passed(UNDER_WAY_MS);
      const fetches = proxy.fetchCount;
      const cpu = process.cpuUsage();
      const startedMs = performance.now();
      await passed(WATCH_MS);
      const tookMs = performance.now() - startedMs;
      const { user, system } = process.cpuUsage(cpu);
      return {
        fetchesASecond: ((proxy.fetchCount - fetches) * 1000) / tookMs,
        cpu: (user + system) / 1000 / tookMs,
      };
    }

    it.each([
      { what: 'a corrupt message', partitions: 1, fault: 'corrupt', least: 0 },
      { what: 'a corrupt message beside an idle partition', partitions: 2, fault: 'corrupt', least: 1 },
      { what: 'an unknown codec', partitions: 1, fault: 'codec', least: 0 },
      { what: 'a broker that answers garbage for ever', partitions: 1, fault: 'garbage', least: 1 },
      { what: 'a broker that hangs up for ever', partitions: 1, fault: 'cut', least: 1 },
    ])('costs next to nothing: $what', async ({ partitions, fault, least }) => {
      const topic = await newTopic({ partitions });
      await sendEach(topic, VALUES);
      proxy.tamper = (answer) => {
        if (fault === 'corrupt') return flipped(answer, 'to-be-damaged');
        if (fault === 'codec') return withCodec(answer, 5, valueAt);
        if (fault === 'garbage') return withLength(answer, -1);
        return fault === 'cut' ? { last: Buffer.alloc(0) } : answer;
      };
      await using member = await memberOf(topic);
      readOn(member);
      const failures = (): number =>
        member.eventsOf('partition:failed').length + member.eventsOf('fetch:failed').length;
      await waitFor(() => failures() > 0, { timeoutMs: LIMIT_MS, description: 'the failure' });
      const { fetchesASecond, cpu } = await quiet();
      expect(fetchesASecond).toBeGreaterThanOrEqual(least);
      expect(fetchesASecond).toBeLessThan(least === 0 ? 0.1 : MOST_FETCHES_A_SECOND);
      expect(cpu).toBeLessThan(MOST_IDLE_CPU);
    });
  });

  if (isOld) {
    it('a corrupt message inside a gzip set is MESSAGE_CORRUPT; those before it are handed out, and a seek goes on within the set', async () => {
      const topic = await newTopic();
      const messages = VALUES.map(({ value }, n) => ({ value, wrongChecksum: n === 5 }));
      await producer.send(topic, 0, VALUES.slice(0, 2));
      // This broker looks at the outer checksum only.
      await producer.sendRaw(topic, 0, craftedWrapper(GZIP, messages));
      await using member = await memberOf(topic);
      const read = readOn(member);
      await untilErrors(read, 1);
      const [error] = read.errors;
      expect(error).toMatchObject({
        code: 'MESSAGE_CORRUPT',
        context: { topic, partition: 0, offset: 7, nextOffset: 8 },
      });
      expect(offsetsIn(read.messages, 0)).toEqual(range(0, 7));
      await member.connector.seek({ topic, partition: 0, nextOffset: 8 });
      await untilRead(read, 0, range(0, 11));
      await member.stop();
      expect(offsetsIn(read.messages, 0)).toEqual([...range(0, 7), ...range(8, 12)]);
      await expect(stored(topic)).resolves.toBe('12');
    });

    it('a message that the producer sent with a wrong checksum is refused by the broker, so it never comes', async () => {
      const topic = await newTopic();
      const wrong = craftedSet([{ offset: 0, value: 'wrong', wrongChecksum: true }]);
      await expect(producer.sendRaw(topic, 0, wrong)).rejects.toThrow('error 2');
    });
  } else {
    it('a record batch with a wrong checksum is MESSAGE_CORRUPT as a whole, also from its middle, and a seek goes on behind it', async () => {
      const topic = await newTopic();
      await producer.send(topic, 0, VALUES, { magic: 1 });
      await producer.send(topic, 0, VALUES.slice(0, 2), { magic: 1 });
      proxy.tamper = (answer) => flipped(answer, 'to-be-damaged');
      await using member = await memberOf(topic);
      const read = readOn(member);
      await untilErrors(read, 1);
      await member.connector.seek({ topic, partition: 0, nextOffset: 8 });
      await untilErrors(read, 2);
      expect(read.errors).toMatchObject([
        { code: 'MESSAGE_CORRUPT', context: { topic, partition: 0, offset: 0, nextOffset: 10 } },
        { code: 'MESSAGE_CORRUPT', context: { topic, partition: 0, offset: 8, nextOffset: 10 } },
      ]);
      expect(read.messages).toEqual([]);
      await member.connector.seek({ topic, partition: 0, nextOffset: 10 });
      await untilRead(read, 0, [10, 11]);
      await member.stop();
      expect(offsetsIn(read.messages, 0)).toEqual([10, 11]);
      await expect(stored(topic)).resolves.toBe('12');
    });

    it.each(['gzip', 'snappy', 'lz4', 'zstd'])(
      'a topic that the broker compresses with %s is handed out',
      async (codec) => {
        const topic = await newTopic({ config: { 'compression.type': codec } });
        await producer.send(topic, 0, VALUES, { magic: 1 });
        await using member = await memberOf(topic);
        const read = readOn(member);
        await untilRead(read, 0, range(0, 10));
        await member.stop();
        expect(read.messages.map(({ value }) => String(value))).toEqual(VALUES.map(({ value }) => value));
        expect(read.errors).toEqual([]);
      },
    );
  }
});
