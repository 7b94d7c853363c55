import { gzipSync } from 'node:zlib';

import type { RealCluster } from '../cluster/RealCluster';
import { JvmProducer, type Codec, type JvmOutgoing } from '../jvm/JvmProducer';
import { craftedSet, craftedWrapper, GZIP } from '../produce/craftedSets';
import { releaseOf } from './releases';
import { TopicUnderCapture } from './TopicUnderCapture';

/** Timestamps are given, lest a capture differ from the one before; this is where they count from. */
export const START_MS = 1_500_000_000_000;

/** A message as far as a release knows it: with a timestamp from format 1 on. */
export function messageFor(
  format: 0 | 1 | 2,
  { timestamp = START_MS, ...message }: JvmOutgoing,
): JvmOutgoing {
  return format === 0 ? message : { ...message, timestamp };
}

/** Keys and values of every kind but headers, text that gets smaller, a timestamp that goes back. */
export function samples(format: 0 | 1 | 2): readonly [JvmOutgoing[], JvmOutgoing[]] {
  const first: JvmOutgoing[] = [
    {
      key: 'k0',
      value: 'again and again and again',
    },
    { value: 'no key: größer, größer, größer', timestamp: START_MS + 1000 },
    { key: 'gone', value: null, timestamp: START_MS - 1000 },
    { key: '', value: '', timestamp: START_MS + 2000 },
  ];
  const second: JvmOutgoing[] = [
    {
      key: 'k0',
      value: 'second second second',
      timestamp: START_MS + 3000,
    },
    { value: 'last', timestamp: START_MS + 4000 },
  ];
  const known = (message: JvmOutgoing): JvmOutgoing => messageFor(format, message);
  return [first.map(known), second.map(known)];
}

/** Two batches of a codec; fetched whole, from inside the first batch, and cut. */
export async function plainCodec(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const { format, fetchVersions } = releaseOf(cluster.kafka);
  const topic = await TopicUnderCapture.create(cluster, 'codec', codec);
  await using producer = await JvmProducer.start({ kafka: cluster.kafka, brokers: cluster.brokers, codec });
  for (const batch of samples(format)) await topic.produce(producer, batch);
  await topic.captureAll();
  if (codec === 'none' || codec === 'gzip') {
    await topic.captureAll({ offset: 2 });
    await topic.captureCut();
  } else {
    await topic.captureAll({ offset: 2 }, fetchVersions.slice(-1));
  }
  return topic;
}

/**
 * Headers, some of them of one name, without a value, or empty. They are apart since 0.11 answers fetches of older formats
 * with error -1 if there are any.
 */
export async function headers(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'headers', codec);
  await using producer = await JvmProducer.start({ kafka: cluster.kafka, brokers: cluster.brokers, codec });
  await topic.produce(producer, [
    {
      key: 'k0',
      value: 'again and again and again',
      timestamp: START_MS,
      headers: [
        { key: 'trace', value: 'abc' },
        { key: 'trace', value: null },
        { key: '', value: '' },
      ],
    },
    { value: 'none', timestamp: START_MS + 1 },
    { key: 'k2', value: null, timestamp: START_MS + 2, headers: [{ key: 'größe', value: 'ü' }] },
  ]);
  await topic.captureAll();
  return topic;
}

/** The broker puts its own time over the producer's. */
export async function appendTime(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'append-time', codec, {
    'message.timestamp.type': 'LogAppendTime',
  });
  await using producer = await JvmProducer.start({ kafka: cluster.kafka, brokers: cluster.brokers, codec });
  for (const batch of samples(releaseOf(cluster.kafka).format))
    await topic.produce(producer, batch, { isAppendTime: true });
  await topic.captureAll();
  return topic;
}

/** A topic that has a codec itself: its broker looks at the version of the fetch, not only at what it would convert. */
export async function topicCodec(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'topic-codec', codec, { 'compression.type': codec });
  await using producer = await JvmProducer.start({ kafka: cluster.kafka, brokers: cluster.brokers });
  const [batch] = samples(releaseOf(cluster.kafka).format);
  await topic.produce(producer, batch);
  await topic.captureAll();
  return topic;
}

/**
 * A compressed set inside another, from a producer that compresses twice. Kafka 0.8 takes both apart, 0.10 and later refuse
 * it; 0.9 stores it, and gives offsets to what is in the outer set only.
 */
export async function nested(cluster: RealCluster): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'nested', 'gzip');
  const inside = gzipSync(craftedSet([{ offset: 0, value: 'inside twice' }]));
  const outside = craftedWrapper(GZIP, [{ value: inside, attributes: GZIP }, { value: 'inside once' }]);
  await topic.produceRaw(outside, [{ value: 'inside twice' }, { value: 'inside once' }]);
  await topic.captureAll();
  return topic;
}

/** Messages of a producer that knows format 0 only, converted by the broker: they have no timestamp. */
export async function oldProducer(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'old-producer', codec);
  await using producer = await JvmProducer.start({ kafka: '0.8.2.2', brokers: cluster.brokers, codec });
  for (const batch of samples(0)) await topic.produce(producer, batch);
  await topic.captureAll();
  return topic;
}

/** The format in which the broker stores was changed while messages came: one log has them all, plain and compressed. */
export async function mixedFormats(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const steps = [
    { format: 0, setting: '0.9.0' },
    { format: 1, setting: '0.10.2' },
    { format: 2, setting: '0.11.0' },
  ] as const;
  const newest = releaseOf(cluster.kafka).format;
  const topic = await TopicUnderCapture.create(cluster, 'mixed-formats', codec, {
    'message.format.version': '0.9.0',
  });
  for (const { format, setting } of steps.filter((step) => step.format <= newest)) {
    await storeAs(cluster, topic.topic, setting);
    for (const each of ['none', codec] as const) {
      await using producer = await JvmProducer.start({
        kafka: cluster.kafka,
        brokers: cluster.brokers,
        codec: each,
      });
      const [batch] = samples(newest);
      await topic.produce(producer, batch.slice(0, 3), { format });
    }
  }
  const { fetchVersions } = releaseOf(cluster.kafka);
  await topic.captureAll();
  await topic.captureAll({ offset: 4 }, fetchVersions.slice(-1));
  return topic;
}

/** A broker reads the settings of its topics when it starts. */
async function storeAs(cluster: RealCluster, topic: string, version: string): Promise<void> {
  await using zookeeper = await cluster.zookeeper();
  const config = { 'message.format.version': version, 'retention.ms': '-1' };
  await zookeeper.set(`/config/topics/${topic}`, JSON.stringify({ version: 1, config }));
  await cluster.stopBroker(1);
  await cluster.startBroker(1);
}
