import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { flipped } from '../support/flipped';
import { OneBroker } from '../support/OneBroker';
import { offsetsIn, range } from '../support/readOn';
import { waitFor } from '../support/waitFor';

// A real broker: an embedded one has no files.
jest.setTimeout(120_000);

const LIMIT_MS = 40_000;

/** Ten messages; the one at offset 5 is easy to find in a file. */
const VALUES = range(0, 10).map((n) => ({ value: n === 5 ? 'to-be-damaged' : `good-${n}` }));

describe('what a broker of Kafka 0.8.2.2 has on its disk', () => {
  let scene: OneBroker;

  beforeAll(async () => {
    scene = await OneBroker.start('0.8.2.2');
  });

  afterAll(() => scene[Symbol.asyncDispose]());

  /** Changes that byte in the broker's file while the broker is down. */
  async function damageOnDisk(topic: string, change: (log: Buffer) => Buffer): Promise<void> {
    const { cluster, asking } = scene;
    const file = path.join(cluster.directory, 'broker-1', `${topic}-0`, '00000000000000000000.log');
    await cluster.stopBroker(1);
    const log = await readFile(file);
    const damaged = change(log);
    expect(damaged.equals(log)).toBe(false);
    await writeFile(file, damaged);
    await cluster.startBroker(1);
    await waitFor(() => asking.offset(topic, 0), { timeoutMs: LIMIT_MS, description: 'the broker' });
  }

  it('damaged in the middle of a set is MESSAGE_CORRUPT, and a seek to nextOffset goes on behind it', async () => {
    const topic = await scene.newTopic();
    await scene.asking.send(topic, 0, VALUES);
    await damageOnDisk(topic, (log) => flipped(log, 'to-be-damaged'));
    await using reader = await scene.reader(topic);
    const [error] = await reader.untilErrors(1);
    expect(error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { topic, partition: 0, offset: 5, nextOffset: 6 },
    });
    const { member, read } = reader;
    expect(offsetsIn(read.messages, 0)).toEqual(range(0, 5));
    await member.connector.seek({ topic, partition: 0, nextOffset: error?.context.nextOffset ?? -1 });
    await reader.untilRead(9);
    await member.stop();
    expect(offsetsIn(read.messages, 0)).toEqual([...range(0, 5), ...range(6, 10)]);
    await expect(scene.stored(topic)).resolves.toBe(10);
  });

  it('damaged in a gzip set is MESSAGE_CORRUPT for the whole set, and a seek goes on behind that', async () => {
    const topic = await scene.newTopic();
    await scene.asking.send(topic, 0, VALUES, { gzip: true });
    await scene.asking.send(topic, 0, VALUES);
    await damageOnDisk(topic, (log) => {
      const copy = Buffer.from(log);
      copy.writeUInt8(copy.readUInt8(50) ^ 1, 50); // within the compressed bytes
      return copy;
    });
    await using reader = await scene.reader(topic);
    const [error] = await reader.untilErrors(1);
    expect(error).toMatchObject({ code: 'MESSAGE_CORRUPT', context: { partition: 0, nextOffset: 10 } });
    const { member, read } = reader;
    expect(read.messages).toEqual([]);
    await member.connector.seek({ topic, partition: 0, nextOffset: 10 });
    await reader.untilRead(10);
    await member.stop();
    expect(offsetsIn(read.messages, 0)).toEqual(range(10, 20));
  });
});
