import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { RealCluster } from '../cluster/RealCluster';
import { JvmProducer, type Codec, type JvmOutgoing } from '../jvm/JvmProducer';
import { waitFor } from '../waitFor';
import { releaseOf } from './releases';
import { messageFor, START_MS } from './scenarios';
import { TopicUnderCapture } from './TopicUnderCapture';

const SEGMENT_MS = 500;
/** Between batches: more than a segment lasts, by the messages' time. */
const STEP_MS = 60_000;

const COMPACTED = {
  'cleanup.policy': 'compact',
  'segment.ms': String(SEGMENT_MS),
  'min.cleanable.dirty.ratio': '0.01',
  'retention.ms': '-1',
};

/** Holes at the beginning, inside and at the end of batches, and a tombstone. The last batch is not cleaned. */
export async function compacted(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'compacted', codec, COMPACTED);
  await using producer = await JvmProducer.start({ kafka: cluster.kafka, brokers: cluster.brokers, codec });
  const batches = [['a', 'b', 'c', 'd', 'e', 'f'], ['b', 'd', 'g'], ['a', 'x', '-g'], ['z']];
  await produceBatches(cluster, topic, batches, () => producer);
  await cleaned(cluster, topic);
  await topic.captureAll();
  await topic.captureAll({ offset: 8 }); // one that is gone, at the end of a batch
  return topic;
}

/**
 * Batches of which nothing is left but their header: the broker keeps the last one of each idempotent producer, to know
 * its sequence numbers.
 */
export async function emptied(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'emptied', codec, COMPACTED);
  const options = {
    kafka: cluster.kafka,
    brokers: cluster.brokers,
    codec,
    properties: {
      'enable.idempotence': 'true',
      retries: '5',
      'max.in.flight.requests.per.connection': '1',
    },
  };
  await using early = await JvmProducer.start(options);
  await using late = await JvmProducer.start(options);
  await produceBatches(cluster, topic, [['a', 'b'], ['a', 'b', 'c'], ['z']], (index) =>
    index === 0 ? early : late,
  );
  await cleaned(cluster, topic);
  await topic.captureAll();
  return topic;
}

/** One segment per batch. A key with "-" in front is that of a tombstone. */
async function produceBatches(
  cluster: RealCluster,
  topic: TopicUnderCapture,
  batches: readonly (readonly string[])[],
  producerOf: (index: number) => JvmProducer,
): Promise<void> {
  const { format } = releaseOf(cluster.kafka);
  for (const [index, keys] of batches.entries()) {
    // Before there are timestamps a segment ends by the broker's clock.
    if (format === 0) await delay(SEGMENT_MS + 200);
    const messages = keys.map((key, at): JvmOutgoing =>
      messageFor(format, {
        key: key.replace('-', ''),
        value: key.startsWith('-') ? null : `${key}${index}${key}${index}${key}${index}`,
        timestamp: START_MS + index * STEP_MS + at,
      }),
    );
    await topic.produce(producerOf(index), messages);
  }
}

/** Resolves when the cleaner has done all but the segment of the last batch. */
async function cleaned(cluster: RealCluster, topic: TopicUnderCapture): Promise<void> {
  const end = topic.messages.at(-1)?.offset ?? 0;
  const checkpoint = path.join(cluster.directory, 'broker-1', 'cleaner-offset-checkpoint');
  await waitFor(
    async () => {
      const lines = (await readFile(checkpoint, 'utf8')).split('\n');
      return lines.includes(`${topic.topic} 0 ${end}`);
    },
    { timeoutMs: 40_000, description: `cleaning of ${topic.name} up to ${end}`, details: () => cluster.log },
  );
  topic.noteCompaction(end);
}
