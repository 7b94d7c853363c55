import type { Fields, Value } from '../definitions/messageDefinition';
import { recordSet, someMessages } from '../records/sets';
import type { Script } from '../script';
import { isEdge, type Stage } from '../Stage';
import { fetchFields, fillTopic } from './fetchLogs';
import { produceFields } from './produce';
import { createTopic } from '../topics';

const TOPIC = 'fetch-places';
const EMPTY = 2;
/** Gets a message for each version. */
const ARRIVALS = 4;
const UNKNOWN_ID = 'cd'.repeat(16);
const WAIT_MS = 300;

async function run(stage: Stage): Promise<void> {
  // Partition 1 is on the other broker, and the third one stays empty.
  const id = await createTopic(stage, TOPIC, { assignment: [[1], [2], [1], [1], [1]] });
  await fillTopic(stage, TOPIC, 0);
  const fill = produceFields(TOPIC, [[3, recordSet(stage.release.format, someMessages(2))]]);
  await stage.look(1, 'Produce', stage.newest('Produce'), fill);
  for (const version of stage.versions('Fetch')) {
    const ask = (note: string, fields: Fields): Promise<Fields> =>
      stage.ask(1, 'Fetch', version, fields, { note });
    await ask('behind the end', fetchFields(TOPIC, id, 13));
    await ask('far behind the end', fetchFields(TOPIC, id, 2n ** 40n));
    await ask('before the start', fetchFields(TOPIC, id, -1));
    await ask('an empty one', fetchFields(TOPIC, id, 0, { partition: EMPTY }));
    await ask('an unknown partition', fetchFields(TOPIC, id, 0, { partition: 9 }));
    await ask('not the leader', fetchFields(TOPIC, id, 0, { partition: 1 }));
    await ask('an unknown topic', fetchFields('fetch-nowhere', UNKNOWN_ID, 0));
    await ask('an illegal topic', fetchFields('fetch nowhere', '0'.repeat(32), 0));
    await ask('nothing', { maxWaitMs: 0, minBytes: 0, topics: [] });
    await ask('several', several(id, [3, 0, 1, 2, 9]));
    await ask('several of few bytes', several(id, [0, 3], { maxBytes: 60 }));
    await ask('several of few bytes, the other way', several(id, [3, 0], { maxBytes: 60 }));
    await ask('several of few bytes each', several(id, [0, 3], {}, 60));
    for (const currentLeaderEpoch of version >= 9 ? [-1, 0, 1, 7] : []) {
      const fields = { partition: 0, fetchOffset: 11, partitionMaxBytes: 1000, currentLeaderEpoch };
      await ask(`in epoch ${currentLeaderEpoch}`, of(id, [fields]));
    }
    if (version >= 12) {
      const fields = { partition: 0, fetchOffset: 11, partitionMaxBytes: 1000, lastFetchedEpoch: 0 };
      await ask('behind an epoch', of(id, [fields]));
      await ask('behind an unknown epoch', of(id, [{ ...fields, lastFetchedEpoch: 3 }]));
    }
    for (const isolationLevel of version >= 4 ? [0, 1] : []) {
      await ask(`isolation ${isolationLevel}`, fetchFields(TOPIC, id, 0, { more: { isolationLevel } }));
    }
    if (isEdge(stage, 'Fetch', version)) await waits(stage, version, id);
    await arrival(stage, version, id);
  }
}

function several(
  id: string,
  partitions: readonly number[],
  more: Fields = {},
  partitionMaxBytes = 1000,
): Fields {
  const asked = partitions.map((partition) => ({ partition, fetchOffset: 0, partitionMaxBytes }));
  return { ...of(id, asked), ...more };
}

function of(topicId: string, partitions: readonly Value[]): Fields {
  return { maxWaitMs: 0, minBytes: 0, maxBytes: 10_000, topics: [{ topic: TOPIC, topicId, partitions }] };
}

/** Answered at once, or when the time is over. */
async function waits(stage: Stage, version: number, id: string): Promise<void> {
  const cases = [
    ['with something there', fetchFields(TOPIC, id, 0, { more: { maxWaitMs: 5000, minBytes: 1 } })],
    ['with too little there', fetchFields(TOPIC, id, 11, { more: { maxWaitMs: WAIT_MS, minBytes: 5000 } })],
    ['with nothing there', fetchFields(TOPIC, id, 12, { more: { maxWaitMs: WAIT_MS, minBytes: 1 } })],
    ['with an error', fetchFields(TOPIC, id, 99, { more: { maxWaitMs: 5000, minBytes: 1 } })],
    ['for no bytes', fetchFields(TOPIC, id, 12, { more: { maxWaitMs: 5000, minBytes: 0 } })],
  ] as const;
  for (const [note, fields] of cases) {
    const start = process.hrtime.bigint();
    await stage.ask(1, 'Fetch', version, fields, { note: `waiting ${note}` });
    const hasWaited = process.hrtime.bigint() - start >= BigInt(WAIT_MS - 2) * 1_000_000n;
    stage.note(`Fetch v${version} ${note}, time`, [
      { field: 'hasWaited', bytes: Buffer.from(String(hasWaited)) },
    ]);
  }
}

/** What arrives while a request waits ends its wait. */
async function arrival(stage: Stage, version: number, id: string): Promise<void> {
  const end = stage.versions('Fetch').indexOf(version);
  const waiting = await stage.connection(1, 'waiting');
  const fields = fetchFields(TOPIC, id, end, { partition: ARRIVALS, more: { maxWaitMs: 8000, minBytes: 1 } });
  stage.send(waiting, 'Fetch', version, fields);
  const records = recordSet(stage.release.format, [{ value: `arrives for ${version}` }]);
  await stage.look(1, 'Produce', stage.newest('Produce'), produceFields(TOPIC, [[ARRIVALS, records]]));
  await stage.receive(waiting, 'Fetch', version, { note: 'of what arrives' });
}

export const fetchPlaces: Script = { subject: 'Fetch', run };
