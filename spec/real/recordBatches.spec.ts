import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ConnectorError, type Message } from '../../lib';
import { BrokerConnection } from '../../lib/kafka/BrokerConnection';
import type { Codec, JvmOutgoing } from '../support/jvm/JvmProducer';
import { OneBroker } from '../support/OneBroker';
import { offsetsIn, range } from '../support/readOn';
import { waitFor } from '../support/waitFor';
import { MemberUnderTest } from '../unit/fetch/support/MemberUnderTest';

// Real servers: batches of the releases' own producers, and compaction, which the embedded brokers do not have.
jest.setTimeout(120_000);

const LIMIT_MS = 40_000;
const START_MS = 1_600_000_000_000;
const BROKER = {
  'log.cleaner.enable': 'true',
  'log.cleaner.backoff.ms': '100',
  'message.max.bytes': '5000000',
};
/** By the timestamps of messages, a segment is over when the next batch comes. */
const COMPACTED = {
  'cleanup.policy': 'compact',
  'segment.ms': '500',
  'min.cleanable.dirty.ratio': '0.01',
  'retention.ms': '-1',
};
const STEP_MS = 60_000;
/** So that large messages are sent at all, and several of them in one batch. */
const LARGE = { 'max.request.size': '6000000', 'batch.size': '4000000' };

function values(name: string, count: number): JvmOutgoing[] {
  return range(0, count).map((n) => ({ value: `${name} ${n}` }));
}

function shownHeaders({ headers }: Message): unknown {
  return headers.map(({ key, value }) => [key, value && value.toString()]);
}

describe.each(['1.1.1', '2.8.2', '3.9.1'])('record batches of Kafka %s', (kafka) => {
  let scene: OneBroker;

  beforeAll(async () => {
    scene = await OneBroker.start(kafka, BROKER);
  });

  afterAll(() => scene[Symbol.asyncDispose]());

  /** As one batch. */
  async function send(topic: string, messages: readonly JvmOutgoing[], codec: Codec = 'none'): Promise<void> {
    const producer = await scene.producer({ codec });
    await producer.send(topic, 0, messages);
  }

  it.each(['none', 'gzip'] as const)(
    'bring headers as they were sent, those without a value and of the same name, too (codec %s)',
    async (codec) => {
      const topic = await scene.newTopic();
      const headers = [
        { key: 'trace', value: 'abc' },
        { key: 'trace', value: null },
        { key: '', value: '' },
        { key: 'größe', value: 'ü€' },
      ];
      await send(
        topic,
        [{ key: 'k', value: 'v', headers }, { value: 'none' }, { value: null, headers }],
        codec,
      );
      const expected = headers.map(({ key, value }) => [key, value]);
      await using reader = await scene.reader(topic);
      expect((await reader.untilRead(3)).map(shownHeaders)).toEqual([expected, [], expected]);
      await using member = await scene.member(topic, { group: 'batches' });
      for await (const batch of member.stream().batches()) {
        expect(batch.messages.map(shownHeaders)).toEqual([expected, [], expected]);
        break;
      }
    },
  );

  it.each(['none', 'gzip'] as const)(
    'bring the timestamps of producers, or those of the broker (codec %s)',
    async (codec) => {
      const created = await scene.newTopic();
      const appended = await scene.newTopic({ config: { 'message.timestamp.type': 'LogAppendTime' } });
      const timestamps = [START_MS + 5, START_MS, START_MS + 1000];
      const beforeMs = Date.now();
      for (const topic of [created, appended]) {
        await send(
          topic,
          timestamps.map((timestamp) => ({ value: 'x', timestamp })),
          codec,
        );
      }
      const afterMs = Date.now();
      await using byProducer = await scene.reader(created);
      await using byBroker = await scene.reader(appended);
      const asCreated = await byProducer.untilRead(3);
      expect(asCreated.map(({ timestamp, timestampType }) => [timestamp, timestampType])).toEqual(
        timestamps.map((timestamp) => [timestamp, 'create']),
      );
      const asAppended = await byBroker.untilRead(3);
      expect(asAppended.map(({ timestampType }) => timestampType)).toEqual(['append', 'append', 'append']);
      const [appendMs, ...others] = asAppended.map(({ timestamp }) => timestamp ?? NaN);
      expect(appendMs).toBeGreaterThanOrEqual(beforeMs);
      expect(appendMs).toBeLessThanOrEqual(afterMs);
      expect(others).toEqual([appendMs, appendMs]);
    },
  );

  it.each(['none', 'gzip'] as const)(
    'are begun in the middle where that was asked for (codec %s)',
    async (codec) => {
      const topic = await scene.newTopic();
      await send(topic, values('a', 10), codec);
      await send(topic, values('b', 10), codec);
      await scene.store(topic, 4);
      await using reader = await scene.reader(topic);
      await reader.untilRead(16);
      await reader.member.connector.seek({ topic, partition: 0, nextOffset: 17 });
      const messages = await reader.untilRead(19);
      expect(offsetsIn(messages, 0)).toEqual([...range(4, 20), ...range(17, 20)]);
      expect(messages.map(({ value }) => String(value)).slice(-2)).toEqual(['b 8', 'b 9']);
    },
  );

  it('keep their offsets where compaction has left holes in them, and positions go on behind what is gone', async () => {
    const topic = await scene.newTopic({ config: COMPACTED });
    const batches = [['a', 'b', 'c', 'd', 'e', 'f'], ['b', 'd', 'g'], ['a', 'x', 'g'], ['z']];
    for (const [index, keys] of batches.entries()) {
      await send(
        topic,
        keys.map((key) => ({ key, value: `${key}${index}`, timestamp: START_MS + index * STEP_MS })),
        'gzip',
      );
    }
    const checkpoint = path.join(scene.cluster.directory, 'broker-1', 'cleaner-offset-checkpoint');
    await waitFor(async () => (await readFile(checkpoint, 'utf8')).includes(`${topic} 0 12\n`), {
      ...{ timeoutMs: LIMIT_MS, description: 'the cleaner', details: () => scene.cluster.log },
    });
    const left = [2, 4, 5, 6, 7, 9, 10, 11, 12];
    await using reader = await scene.reader(topic);
    const messages = await reader.untilRead(left.length);
    expect(messages.map(({ offset, key, value }) => `${offset} ${String(key)} ${String(value)}`)).toEqual([
      ...['2 c c0', '4 e e0', '5 f f0', '6 b b1', '7 d d1'],
      ...['9 a a2', '10 x x2', '11 g g2', '12 z z3'],
    ]);
    expect(await reader.untilAtEnd()).toBe(13);
    // From a message that is gone, at the beginning of a batch and at the end of one.
    for (const [start, group] of [
      [1, 'from-1'],
      [8, 'from-8'],
    ] as const) {
      await scene.store(topic, start, group);
      await using next = await scene.reader(topic, { group });
      const rest = left.filter((offset) => offset >= start);
      expect(offsetsIn(await next.untilRead(rest.length), 0)).toEqual(rest);
    }
  });

  describe('with large messages', () => {
    const large = (letter: string, sizeBytes: number): JvmOutgoing => ({ value: letter.repeat(sizeBytes) });

    it('of 2 MB in several partitions are read with the default limits', async () => {
      const topic = await scene.newTopic({ partitions: 3 });
      const producer = await scene.producer({ properties: LARGE });
      for (const partition of range(0, 3)) {
        await producer.send(topic, partition, values('small', 2));
        await producer.send(topic, partition, [large('x', 2_000_000)]);
        await producer.send(topic, partition, values('behind', 2));
      }
      await using reader = await scene.reader(topic);
      const messages = await reader.untilRead(15);
      for (const partition of range(0, 3)) expect(offsetsIn(messages, partition)).toEqual(range(0, 5));
      const sizes = messages.filter(({ offset }) => offset === 2).map(({ value }) => value?.length);
      expect(sizes).toEqual([2_000_000, 2_000_000, 2_000_000]);
      expect(reader.member.eventsOf('fetch:failed')).toEqual([]);
    });

    it('in an answer that is too long for the connection end as MESSAGE_TOO_LARGE of their partition, and a seek goes on behind the batch', async () => {
      const topic = await scene.newTopic({ partitions: 3 });
      const producer = await scene.producer({ properties: LARGE });
      await producer.send(topic, 1, values('small', 2));
      await producer.send(
        topic,
        1,
        ['x', 'y', 'z'].map((letter) => large(letter, 700_000)),
      );
      await producer.send(topic, 1, values('behind', 1));
      await producer.send(topic, 2, values('other', 1));
      await using member = new MemberUnderTest(
        {
          brokers: () => Promise.resolve(scene.cluster.brokers),
          existingTopics: (topics) => Promise.resolve([...topics]),
          connect: (broker, signal) =>
            BrokerConnection.connect(broker, {
              ...{ clientId: 'spec', timeoutMs: LIMIT_MS, maxFrameBytes: 1_000_000, signal },
            }),
        },
        { topic },
      );
      await member.claim([0, 1, 2]);
      const got: string[] = [];
      const errors: ConnectorError[] = [];
      while (got.length < 4) {
        try {
          for await (const { partition, offset } of member.stream) {
            got.push(`${partition}@${offset}`);
            if (got.length === 4) break;
          }
        } catch (error) {
          if (!ConnectorError.is(error)) throw error;
          errors.push(error);
          await member.consumption.seek(member.at(1), error.context.nextOffset ?? -1);
        }
      }
      expect(got.sort()).toEqual(['1@0', '1@1', '1@5', '2@0']);
      expect(errors).toMatchObject([
        { code: 'MESSAGE_TOO_LARGE', context: { topic, partition: 1, offset: 2, nextOffset: 5 } },
      ]);
    });
  });

  if (kafka !== '1.1.1') {
    it('need no conversion by the broker, so they are read where that is forbidden', async () => {
      const topic = await scene.newTopic({ config: { 'message.downconversion.enable': 'false' } });
      await send(topic, values('a', 5), 'gzip');
      await using reader = await scene.reader(topic);
      expect(offsetsIn(await reader.untilRead(5), 0)).toEqual(range(0, 5));
      expect(reader.read.errors).toEqual([]);
    });
  }

  if (kafka === '2.8.2') {
    it('are read behind messages of the formats that the topic had before', async () => {
      const topic = await scene.newTopic({ config: { 'message.format.version': '0.9.0' } });
      const formats = ['0.9.0', '0.10.2', '0.11.0'];
      for (const [index, version] of formats.entries()) {
        if (index > 0) {
          // A broker reads the settings of its topics when it starts.
          const config = { 'message.format.version': version };
          await scene.zookeeper.set(`/config/topics/${topic}`, JSON.stringify({ version: 1, config }));
          await scene.cluster.stopBroker(1);
          await scene.cluster.startBroker(1);
        }
        for (const codec of ['none', 'gzip'] as const) {
          const producer = await scene.producer({ codec, properties: { 'client.id': version } });
          await producer.send(
            topic,
            0,
            values(version, 3).map((message, n) => ({ ...message, timestamp: Date.now() + n })),
          );
        }
      }
      await using reader = await scene.reader(topic);
      const messages = await reader.untilRead(18);
      expect(offsetsIn(messages, 0)).toEqual(range(0, 18));
      expect(messages.map(({ value }) => String(value))).toEqual(
        formats.flatMap((version) =>
          [...values(version, 3), ...values(version, 3)].map(({ value }) => value),
        ),
      );
      expect(messages.map(({ timestampType }) => timestampType)).toEqual([
        ...range(0, 6).map(() => null),
        ...range(6, 18).map(() => 'create'),
      ]);
      await scene.store(topic, 7, 'in-the-middle');
      await using middle = await scene.reader(topic, { group: 'in-the-middle' });
      expect(offsetsIn(await middle.untilRead(11), 0)).toEqual(range(7, 18));
    });
  }
});
