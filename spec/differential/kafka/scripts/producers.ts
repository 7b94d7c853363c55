import { GZIP } from '../../../support/records/compress';
import { waitFor } from '../../../support/waitFor';
import type { Fields } from '../definitions/messageDefinition';
import type { Part } from '../definitions/PartReader';
import { CLOCK } from '../KnownNames';
import { compressedFields } from '../records/compressedFields';
import { recordSet, someMessages } from '../records/sets';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { fetchFields } from './fetchLogs';
import { formatOfProduce, produceFields } from './produce';
import { createTopic, learnTopicId } from '../topics';

const TOPIC = 'producers';
const APPEND_TIME = 'append-time';
const LIMIT_MS = 10_000;

async function run(stage: Stage): Promise<void> {
  if (stage.release.format > 0) await appendTime(stage);
  if (stage.versions('InitProducerId').length === 0) return;
  await createTopic(stage, TOPIC, { assignment: [[1], [1]] });
  await producerIdsReady(stage);
  let producer: Fields = {};
  for (const version of stage.versions('InitProducerId')) {
    const fields = { transactionalId: null, transactionTimeoutMs: 60_000 };
    producer = await stage.ask(1, 'InitProducerId', version, fields, { note: 'for a producer' });
    await stage.ask(2, 'InitProducerId', version, fields, { note: 'at another broker' });
    if (version < 3) continue;
    const again = { ...fields, producerId: Number(producer['producerId']), producerEpoch: 0 };
    await stage.ask(1, 'InitProducerId', version, again, { note: 'for one with an id' });
    await stage.ask(
      1,
      'InitProducerId',
      version,
      { ...again, producerEpoch: -1 },
      { note: 'without an epoch' },
    );
  }
  const id = Number(producer['producerId']);
  for (const version of stage.versions('Produce').filter((one) => one >= 3)) {
    const numbered = (note: string, sequence: number, epoch = version, producerId = id): Promise<Fields> => {
      const records = recordSet(2, someMessages(2), { producer: { id: producerId, epoch, sequence } });
      return stage.ask(1, 'Produce', version, produceFields(TOPIC, [[0, records]], -1), { note });
    };
    // Each version has an epoch of its own, in which the numbers begin anew.
    await numbered('the first numbers', 0);
    await numbered('the next ones', 2);
    await numbered('the same once more', 2);
    await numbered('the first once more', 0);
    await numbered('a gap', 9);
    await numbered('in between', 1);
    await numbered('after the gap', 4);
    await numbered('an old epoch', 6, version - 1);
    await numbered('a new epoch, not from the start', 5, version + 1);
    await numbered('a producer of nobody', 3, 0, 4242 + version);
  }
  const fields = fetchFields(TOPIC, await learnTopicId(stage, TOPIC), 0);
  await stage.ask(1, 'Fetch', stage.newest('Fetch'), fields, { note: 'what is left' });
}

/** Brokers get their numbers when they are asked for the first one; until then they have none to give. */
async function producerIdsReady(stage: Stage): Promise<void> {
  for (const { id } of stage.side.brokers) {
    await waitFor(
      async () => {
        const fields = { transactionalId: null, transactionTimeoutMs: 60_000 };
        return (await stage.look(id, 'InitProducerId', 0, fields))['errorCode'] === 0;
      },
      { timeoutMs: LIMIT_MS, description: `producer ids of broker ${id}` },
    );
  }
}

/** The times of the messages are the broker's. */
async function appendTime(stage: Stage): Promise<void> {
  const topicId = await createTopic(stage, APPEND_TIME, {
    config: { 'message.timestamp.type': 'LogAppendTime' },
  });
  for (const version of stage.versions('Produce')) {
    for (const codec of [0, GZIP]) {
      const records = recordSet(formatOfProduce(version), someMessages(2), { codec });
      const note = `append time, codec ${codec}`;
      await stage.ask(1, 'Produce', version, produceFields(APPEND_TIME, [[0, records]]), { note });
    }
  }
  for (const version of stage.versions('Fetch')) {
    await stage.ask(1, 'Fetch', version, fetchFields(APPEND_TIME, topicId, 0), {
      note: 'append time',
      arrange: (parts) => clockedChecksums(compressedFields(parts)),
    });
  }
}

/** The checksum of a message is one of its time, too. */
function clockedChecksums(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) => (part.field.endsWith('.crc') ? { ...part, field: part.field + CLOCK } : part));
}

export const producers: Script = { subject: 'Producers', run };
