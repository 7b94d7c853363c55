import type { RealCluster } from '../cluster/RealCluster';
import { JvmProducer, type Codec, type JvmOutgoing } from '../jvm/JvmProducer';
import { releaseOf } from './releases';
import { messageFor, START_MS } from './scenarios';
import { TopicUnderCapture } from './TopicUnderCapture';

/** Between the timestamps of messages and of markers are years, after which there would be a new segment. */
const ONE_SEGMENT = { 'segment.ms': '9000000000000' };

/**
 * Transactions of two producers, committed and aborted, one behind the other and into each other, and one that is open when
 * it is fetched. Markers take offsets of their own.
 */
export async function transactions(cluster: RealCluster, codec: Codec): Promise<TopicUnderCapture> {
  const topic = await TopicUnderCapture.create(cluster, 'transactions', codec, ONE_SEGMENT);
  const plain = { kafka: cluster.kafka, brokers: cluster.brokers, codec };
  await using outside = await JvmProducer.start(plain);
  await using a = await JvmProducer.start({ ...plain, transactionalId: 'a' });
  await using b = await JvmProducer.start({ ...plain, transactionalId: 'b' });
  const aborted = { fate: 'aborted' } as const;

  await topic.produce(outside, values('outside', 1)); // 0
  await a.begin();
  await topic.produce(a, values('aborted', 2), aborted); // 1, 2
  await a.abort();
  await topic.endsAt(4);
  await a.begin();
  await topic.produce(a, values('committed', 2)); // 4, 5
  await a.commit();
  await topic.endsAt(7);

  await a.begin();
  await b.begin();
  await topic.produce(a, values('aborted beside', 1), aborted); // 7
  await topic.produce(b, values('committed beside', 1)); // 8
  await topic.produce(outside, values('outside beside', 1)); // 9
  await topic.produce(a, values('aborted later', 1), aborted); // 10
  await b.commit();
  await topic.endsAt(12);
  await a.abort();
  await topic.endsAt(13);

  await b.begin();
  await topic.produce(b, values('open', 1), { fate: 'open' }); // 13
  await topic.produce(outside, values('behind the open one', 1), { fate: 'open' }); // 14
  const { fetchVersions } = releaseOf(cluster.kafka);
  const since011 = fetchVersions.filter((version) => version >= 4);
  await topic.captureAll({}, codec === 'none' ? fetchVersions : since011);
  if (codec === 'none') await topic.captureAll({ offset: 3 }, [0, 2]); // the first marker
  await topic.captureAll({ isolation: 'read_committed' }, since011);
  for (const offset of [2, 8]) await topic.captureAll({ offset, isolation: 'read_committed' }, [4]);
  await b.abort();
  return topic;
}

function values(what: string, count: number): JvmOutgoing[] {
  return Array.from({ length: count }, (_, index) =>
    messageFor(2, { key: `k${index}`, value: `${what} ${index}`, timestamp: START_MS + index }),
  );
}
