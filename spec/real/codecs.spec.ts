import { gunzipSync } from 'node:zlib';

import type { Message } from '../../lib';
import type { Codec, JvmOutgoing } from '../support/jvm/JvmProducer';
import { OneBroker } from '../support/OneBroker';
import { offsetsIn, range } from '../support/readOn';

// Real servers: this is about what the releases' own producers and brokers make of each codec.
jest.setTimeout(120_000);

const CODECS = ['gzip', 'snappy', 'lz4', 'zstd'] as const;
const START_MS = 1_600_000_000_000;

/** Releases by the format that they store: 0, 1, and 2 before and after zstd. */
const RELEASES = ['0.8.2.2', '0.10.2.2', '1.1.1', '2.8.2', '3.9.1'];
const WITHOUT_ZSTD = ['0.8.2.2', '0.10.2.2', '1.1.1'];
const WITHOUT_TIMESTAMPS = ['0.8.2.2'];

/** Keys and values of all kinds, and text that gets smaller; large enough for several blocks of the codecs with blocks. */
function messagesOf(count: number, isStamped: boolean): JvmOutgoing[] {
  return range(0, count).map((n) => ({
    key: n % 3 === 0 ? null : `key ${n}`,
    value: n % 10 === 9 ? null : `${n} größer, und noch einmal größer: `.repeat(1 + (n % 70)),
    ...(isStamped ? { timestamp: START_MS + n } : {}),
  }));
}

function shown({ offset, key, value, timestamp }: Message): unknown {
  return { offset, key: key && key.toString(), value: value && value.toString(), timestamp };
}

describe.each(RELEASES)('compressed by producers of Kafka %s', (kafka) => {
  const codecs: readonly Codec[] = CODECS.filter(
    (codec) => codec !== 'zstd' || !WITHOUT_ZSTD.includes(kafka),
  );
  const isStamped = !WITHOUT_TIMESTAMPS.includes(kafka);
  let scene: OneBroker;

  beforeAll(async () => {
    scene = await OneBroker.start(kafka);
  });

  afterAll(() => scene[Symbol.asyncDispose]());

  it.each(codecs)('messages in %s are handed out one by one and in batches', async (codec) => {
    const topic = await scene.newTopic();
    const messages = messagesOf(200, isStamped);
    const producer = await scene.producer({ codec });
    await producer.send(topic, 0, messages.slice(0, 150));
    await producer.send(topic, 0, messages.slice(150));
    const expected = messages.map(({ key, value, timestamp }, offset) => ({
      ...{ offset, key, value, timestamp: timestamp ?? null },
    }));

    await using single = await scene.reader(topic);
    const read = await single.untilRead(messages.length);
    expect(read.map(shown)).toEqual(expected);

    await using member = await scene.member(topic, { group: 'batches' });
    const inBatches: Message[] = [];
    for await (const batch of member.stream().batches()) {
      inBatches.push(...batch.messages);
      expect(batch.nextOffset).toBe((batch.messages.at(-1)?.offset ?? NaN) + 1);
      if (inBatches.length >= messages.length) break;
    }
    expect(inBatches.map(shown)).toEqual(expected);
    expect(single.read.errors).toEqual([]);
  });
});

describe("An application's own codec", () => {
  let scene: OneBroker;

  beforeAll(async () => {
    scene = await OneBroker.start('3.9.1');
  });

  afterAll(() => scene[Symbol.asyncDispose]());

  async function send(
    topic: string,
    partition: number,
    codec: Codec,
    values: readonly string[],
  ): Promise<void> {
    const producer = await scene.producer({ codec });
    await producer.send(
      topic,
      partition,
      values.map((value) => ({ value: value.repeat(10) })),
    );
  }

  it('is called once for each compressed batch of its connector, and for no other', async () => {
    const topic = await scene.newTopic();
    for (const n of range(0, 4)) await send(topic, 0, 'gzip', [`a${n}`, `b${n}`, `c${n}`]);
    await send(topic, 0, 'snappy', ['d']);
    const calls: { bytes: number; maxBytes: number }[] = [];
    await using own = await scene.reader(topic, {
      codecs: {
        gzip(compressed, maxBytes) {
          calls.push({ bytes: compressed.length, maxBytes });
          return new Uint8Array(gunzipSync(compressed, { maxOutputLength: maxBytes }));
        },
      },
    });
    await using other = await scene.reader(topic, { group: 'other' });
    const values = (await own.untilRead(13)).map(({ value }) => String(value));
    expect(values[0]).toBe('a0'.repeat(10));
    expect((await other.untilRead(13)).map(({ value }) => String(value))).toEqual(values);
    expect(calls).toHaveLength(4);
    for (const { bytes, maxBytes } of calls) expect(bytes).toBeLessThan(maxBytes);
  });

  it('that throws stops its partition with what it says, and a seek goes on behind the batch', async () => {
    const topic = await scene.newTopic({ partitions: 2 });
    await send(topic, 0, 'none', ['first']);
    await send(topic, 0, 'snappy', ['a', 'b', 'c']);
    await send(topic, 0, 'none', ['last']);
    await send(topic, 1, 'gzip', ['x', 'y']);
    let calls = 0;
    await using reader = await scene.reader(topic, {
      codecs: {
        snappy() {
          calls += 1;
          throw new Error('not today');
        },
      },
    });
    const [error] = await reader.untilErrors(1);
    await reader.untilRead(3);
    expect(error).toMatchObject({
      code: 'DECODE_FAILED',
      context: { topic, partition: 0, offset: 1, nextOffset: 4 },
    });
    expect(error?.message).toContain('not today');
    await reader.member.connector.seek({ topic, partition: 0, nextOffset: error?.context.nextOffset ?? -1 });
    const messages = await reader.untilRead(4);
    expect([offsetsIn(messages, 0), offsetsIn(messages, 1)]).toEqual([
      [0, 4],
      [0, 1],
    ]);
    expect([calls, reader.read.errors.length]).toEqual([1, 1]);
  });
});
