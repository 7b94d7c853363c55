import type { Fields } from '../definitions/messageDefinition';
import { FIRST_TIME } from '../records/sets';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { fillTopic } from './fetchLogs';
import { createTopic } from '../topics';

const TOPIC = 'list-offsets';
const LATEST = -1;
const EARLIEST = -2;
const OF_MOST_TIME = -3;
const EARLIEST_LOCAL = -4;
const LATEST_TIERED = -5;

async function run(stage: Stage): Promise<void> {
  await createTopic(stage, TOPIC, { assignment: [[1], [2], [1]] });
  await fillTopic(stage, TOPIC, 0);
  for (const version of stage.versions('ListOffsets')) {
    const ask = (
      note: string,
      partitionIndex: number,
      timestamp: number,
      more: Fields = {},
    ): Promise<Fields> => {
      const partitions = [{ partitionIndex, timestamp, ...more }];
      return stage.ask(
        1,
        'ListOffsets',
        version,
        { replicaId: -1, topics: [{ name: TOPIC, partitions }] },
        { note },
      );
    };
    const times = [LATEST, EARLIEST, OF_MOST_TIME, EARLIEST_LOCAL, LATEST_TIERED, -6];
    const between = [0, 2500, 5000, 11_000, 11_001].map((later) => FIRST_TIME + later);
    for (const time of [...times, 0, ...between, 4e12]) {
      // Version 0 knows only when a file was written, which is the broker's time.
      if (version === 0 && (time > 0 || time < EARLIEST)) continue;
      await ask(`time ${time}`, 0, time);
      await ask(`time ${time} in an empty one`, 2, time);
    }
    for (const maxNumOffsets of version === 0 ? [-1, 0, 1, 2, 10] : []) {
      for (const time of [LATEST, EARLIEST, 4e12, 0]) {
        await ask(`${maxNumOffsets} offsets of time ${time}`, 0, time, { maxNumOffsets });
      }
    }
    await ask('unknown partition', 8, LATEST);
    await ask('not the leader', 1, LATEST);
    for (const currentLeaderEpoch of version >= 4 ? [0, 1] : []) {
      await ask(`epoch ${currentLeaderEpoch}`, 0, LATEST, { currentLeaderEpoch });
    }
    await others(stage, version);
  }
}

async function others(stage: Stage, version: number): Promise<void> {
  const of = (name: string, ...indices: readonly number[]): Fields => ({
    name,
    partitions: indices.map((partitionIndex) => ({ partitionIndex, timestamp: LATEST })),
  });
  const ask = (note: string, fields: Fields): Promise<Fields> =>
    stage.ask(1, 'ListOffsets', version, { replicaId: -1, ...fields }, { note });
  await ask('unknown topic', { topics: [of('list-nowhere', 0)] });
  await ask('illegal topic', { topics: [of('list nowhere', 0)] });
  await ask('nothing', { topics: [] });
  await ask('several', { topics: [of(TOPIC, 2, 0, 1, 7), of('list-nowhere', 0)] });
  await ask('one twice', { topics: [of(TOPIC, 0, 0)] });
  await ask('by a debugging consumer', { topics: [of(TOPIC, 1)], replicaId: -2 });
  if (version >= 2) await ask('committed', { topics: [of(TOPIC, 0)], isolationLevel: 1 });
}

export const listOffsets: Script = { subject: 'ListOffsets', run };
