import { GZIP, LZ4, SNAPPY, ZSTD } from '../../../support/records/compress';
import { damaged } from '../../../unit/kafka/support/encodeMessageSet';
import type { Fields } from '../definitions/messageDefinition';
import { framed } from '../definitions/writeRequest';
import { compressedFields, isRecompressed } from '../records/compressedFields';
import { recordSet, someMessages, type Format } from '../records/sets';
import type { Script } from '../script';
import { isEdge, SILENCE_MS, type Stage } from '../Stage';
import { createTopic, learnTopicId } from '../topics';

/** Replicas may just be starting. */
const TIMEOUT_MS = 10_000;
/** For more acknowledgements than there are replicas, which 0.8 waits for. */
const SHORT_TIMEOUT_MS = 300;
const CRC_OF_BATCH_AT = 17;
const CRC_OF_MESSAGE_AT = 12;

/** What a request of this version has to be written in. */
export function formatOfProduce(version: number): Format {
  return version < 2 ? 0 : version === 2 ? 1 : 2;
}

export function produceFields(
  topic: string,
  partitions: readonly (readonly [index: number, records: Buffer | null])[],
  acks = 1,
  timeoutMs = TIMEOUT_MS,
): Fields {
  const partitionData = partitions.map(([index, records]) => ({ index, records }));
  return { acks, timeoutMs, topicData: [{ name: topic, partitionData }], transactionalId: null };
}

async function run(stage: Stage): Promise<void> {
  for (const version of stage.versions('Produce')) {
    const topic = `produce-${version}`;
    await createTopic(stage, topic, { assignment: [[1], [2], [1]] });
    for (const [note, records] of goodSets(version)) {
      await stage.ask(1, 'Produce', version, produceFields(topic, [[0, records]]), { note });
    }
    for (const [note, records] of badSets(version)) {
      await stage.ask(1, 'Produce', version, produceFields(topic, [[0, records]]), { note });
    }
    if (isEdge(stage, 'Produce', version)) await nothing(stage, version, topic);
    await places(stage, version, topic);
    await acknowledgements(stage, version, topic);
    const fields = wholeLog(topic, await learnTopicId(stage, topic));
    await stage.ask(1, 'Fetch', stage.newest('Fetch'), fields, {
      note: `what version ${version} has left`,
      ...(isRecompressed(stage.release, formatOfProduce(version)) && { arrange: compressedFields }),
    });
  }
}

function goodSets(version: number): [string, Buffer][] {
  const format = formatOfProduce(version);
  const set = (count: number, codec: number): Buffer => recordSet(format, someMessages(count), { codec });
  return [
    ['one', set(1, 0)],
    ['three', set(3, 0)],
    ['gzip', set(3, GZIP)],
    ['snappy', set(4, SNAPPY)],
    ['lz4', set(5, LZ4)],
    ['zstd', set(6, ZSTD)],
  ];
}

function badSets(version: number): [string, Buffer][] {
  const format = formatOfProduce(version);
  const good = recordSet(format, someMessages(2));
  const crcAt = format === 2 ? CRC_OF_BATCH_AT : CRC_OF_MESSAGE_AT;
  const others = ([0, 1, 2] as const).filter((other) => other !== format);
  return [
    ['wrong checksum', damaged(good, crcAt)],
    ['a good one, then a wrong checksum', Buffer.concat([good, damaged(good, crcAt)])],
    ...others.map((other): [string, Buffer] => [`format ${other}`, recordSet(other, someMessages(2))]),
    ['too large', recordSet(format, [{ value: 'x'.repeat(10_500) }])],
    ['empty', Buffer.alloc(0)],
    ['cut off', good.subarray(0, good.length - 5)],
    ['only the beginning', good.subarray(0, 11)],
    ['two sets', Buffer.concat([good, good])],
    ['bytes behind it', Buffer.concat([good, Buffer.from('rest')])],
  ];
}

/** Brokers hang up, or get lost in it: then no request of the connection is answered any more. */
async function nothing(stage: Stage, version: number, topic: string): Promise<void> {
  const fields = produceFields(topic, [[0, null]]);
  await stage.ask(1, 'Produce', version, fields, { note: 'null', timeoutMs: SILENCE_MS });
}

/** Partitions that are not there, or elsewhere. */
async function places(stage: Stage, version: number, topic: string): Promise<void> {
  const records = recordSet(formatOfProduce(version), someMessages(1));
  const ask = (note: string, broker: number, fields: Fields): Promise<Fields> =>
    stage.ask(broker, 'Produce', version, fields, { note });
  await ask('unknown topic', 1, produceFields('produce-nowhere', [[0, records]]));
  await ask('illegal topic', 1, produceFields('produce nowhere', [[0, records]]));
  await ask('unknown partition', 1, produceFields(topic, [[7, records]]));
  await ask('not the leader', 1, produceFields(topic, [[1, records]]));
  await ask('the leader', 2, produceFields(topic, [[1, records]]));
  await ask(
    'several',
    1,
    produceFields(
      topic,
      [2, 1, 0, 9].map((index) => [index, records] as const),
    ),
  );
  await ask('nothing', 1, produceFields(topic, []));
}

async function acknowledgements(stage: Stage, version: number, topic: string): Promise<void> {
  const format = formatOfProduce(version);
  const records = recordSet(format, someMessages(1));
  for (const acks of [-1, 2]) {
    const note = `acknowledgement ${acks}`;
    await stage.ask(1, 'Produce', version, produceFields(topic, [[2, records]], acks, SHORT_TIMEOUT_MS), {
      note,
    });
  }
  // Without an answer, the next one is that to the request behind it.
  const connection = await stage.connection(1, 'unanswered');
  const unanswered = stage.request('Produce', version, produceFields(topic, [[2, records]], 0));
  const answered = stage.request('Produce', version, produceFields(topic, [[2, records]]));
  connection.send(Buffer.concat([framed(unanswered), framed(answered)]));
  await stage.receive(connection, 'Produce', version, { note: 'behind one without an answer' });
}

/** Everything from offset 0 of partition 0, at once. */
export function wholeLog(topic: string, topicId: string): Fields {
  const partitions = [{ partition: 0, fetchOffset: 0, partitionMaxBytes: 200_000 }];
  return { maxWaitMs: 0, minBytes: 0, maxBytes: 200_000, topics: [{ topic, topicId, partitions }] };
}

export const produce: Script = { subject: 'Produce', run };
