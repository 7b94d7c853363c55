import { waitFor } from '../../../support/waitFor';
import type { Fields } from '../definitions/messageDefinition';
import type { Part } from '../definitions/PartReader';
import { readJson } from '../readJson';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { notePaths } from './nodes';
import { learnTopicId } from '../topics';

const LIMIT_MS = 15_000;

/** A broker creates what it is asked for. */
async function run(stage: Stage): Promise<void> {
  for (const version of stage.versions('Metadata')) {
    const topic = `auto-created-${version}`;
    const fields = { topics: [{ name: topic }] };
    await stage.ask(1, 'Metadata', version, fields, { note: 'the first time' });
    await ready(stage, topic);
    await learnTopicId(stage, topic);
    const leaders = await leadersOf(stage, topic);
    const arrange = (parts: readonly Part[]): Part[] => parts.map((part) => drawn(part, parts, leaders));
    await stage.ask(1, 'Metadata', version, fields, { note: 'later', arrange });
    await stage.ask(2, 'Metadata', version, fields, { note: 'at another broker', arrange });
    if (version < 4) continue;
    const other = { topics: [{ name: `not-created-${version}` }], allowAutoTopicCreation: false };
    await stage.ask(1, 'Metadata', version, other, { note: 'but not this one' });
  }
  await notePaths(stage, '/config/topics', (path) => path.includes('-created'));
}

/** Every broker has to know all leaders. */
async function ready(stage: Stage, topic: string): Promise<void> {
  await waitFor(
    async () => {
      const answers = await Promise.all(
        stage.side.brokers.map(({ id }) => stage.look(id, 'Metadata', 0, { topics: [{ name: topic }] })),
      );
      return answers.every(({ topics }) => {
        const [found] = topics as readonly Fields[];
        const partitions = (found?.['partitions'] ?? []) as readonly Fields[];
        const isKnown = partitions.length > 0 && found?.['errorCode'] === 0;
        return isKnown && partitions.every(({ errorCode }) => errorCode === 0);
      });
    },
    { timeoutMs: LIMIT_MS, description: `topic ${topic}` },
  );
}

async function leadersOf(stage: Stage, topic: string): Promise<ReadonlyMap<number, number>> {
  const path = `/brokers/topics/${topic}/partitions`;
  const leaders = new Map<number, number>();
  for (const partition of await stage.zookeeper.children(path)) {
    const { leader } = await readJson(stage.zookeeper, `${path}/${partition}/state`);
    leaders.set(Number(partition), Number(leader));
  }
  return leaders;
}

/** Which broker gets the first partition is drawn; what ZooKeeper says is what a broker has to say. */
function drawn(part: Part, parts: readonly Part[], leaders: ReadonlyMap<number, number>): Part {
  const [, partition, isBroker] =
    /^(.*\.partitions\[\d+\])\.(leaderId|\w+Nodes\[0\])$/.exec(part.field) ?? [];
  if (isBroker === undefined) return part;
  const index = parts.find(({ field }) => field === `${partition}.partitionIndex`)?.bytes.readInt32BE();
  const isLeader = part.bytes.readInt32BE() === leaders.get(index ?? -1);
  return isLeader ? { ...part, bytes: Buffer.from('<as in ZooKeeper>') } : part;
}

export const autoCreation: Script = { subject: 'Automatic creation', run };
