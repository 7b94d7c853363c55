import { waitFor } from '../../../support/waitFor';
import type { Fields, Value } from '../definitions/messageDefinition';
import type { Part } from '../definitions/PartReader';
import { recordSet } from '../records/sets';
import { readJson } from '../readJson';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { fetchFields, fillTopic } from './fetchLogs';
import { notePaths } from './nodes';
import { formatOfProduce, produceFields } from './produce';
import { createTopic, learnTopicId, topicReady } from '../topics';

const TOPIC = 'leaders';
/** Only broker 2 has it. */
const LONELY = 'leaders-lonely';
/** Wants two replicas that are in sync. */
const STRICT = 'leaders-strict';
const LIMIT_MS = 20_000;

/** What is left of a topic when a broker goes, and when it comes back. */
async function run(stage: Stage): Promise<void> {
  const assignment = [
    [1, 2],
    [2, 1],
  ];
  await createTopic(stage, TOPIC, { assignment });
  await createTopic(stage, LONELY, { assignment: [[2]] });
  await createTopic(stage, STRICT, { assignment, config: { 'min.insync.replicas': '2' } });
  const id = await learnTopicId(stage, TOPIC);
  await fillTopic(stage, TOPIC, 0);
  await questions(stage, id, 'before');
  await stage.side.stopBroker(2);
  await until(stage, 'the leader has moved', (partitions) =>
    partitions.every(({ leaderId, isrNodes }) => leaderId === 1 && (isrNodes as Value[]).length === 1),
  );
  await questions(stage, id, 'without broker 2');
  await stage.side.startBroker(2);
  await inSync(stage);
  await topicReady(stage, LONELY, 1);
  await questions(stage, id, 'with broker 2 again', stage.release.format === 0 ? withoutInSync : undefined);
}

async function inSync(stage: Stage): Promise<void> {
  const paths = [TOPIC, STRICT].flatMap((topic) =>
    [0, 1].map((partition) => `/brokers/topics/${topic}/partitions/${partition}/state`),
  );
  for (const path of paths) {
    await waitFor(
      async () => {
        const { isr } = await readJson(stage.zookeeper, path);
        return Array.isArray(isr) && isr.length === 2;
      },
      { timeoutMs: LIMIT_MS, description: `two in sync at ${path}` },
    );
  }
  // Brokers of 0.8 are not told of it.
  if (stage.release.format === 0) return;
  await until(stage, 'broker 2 is in sync', (partitions) =>
    partitions.every(({ isrNodes }) => (isrNodes as Value[]).length === 2),
  );
}

async function until(
  stage: Stage,
  description: string,
  isSo: (partitions: readonly Fields[]) => boolean,
): Promise<void> {
  // Version 0 leaves out those that do not live, whether or not they count as in sync.
  const version = Math.min(1, stage.newest('Metadata'));
  for (const topic of [TOPIC, STRICT]) {
    await waitFor(
      async () => {
        const answer = await stage.look(1, 'Metadata', version, { topics: [{ name: topic }] });
        const [found] = answer['topics'] as readonly Fields[];
        return isSo((found?.['partitions'] ?? []) as readonly Fields[]);
      },
      { timeoutMs: LIMIT_MS, description },
    );
  }
}

/** What brokers of 0.8 say of those that are in sync is old until a leader changes. */
function withoutInSync(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => {
    const [whole, partition] = /^(.*)\.isrNodes(\.length|\[0\])$/.exec(part.field) ?? [];
    if (whole === undefined) return part.field.includes('.isrNodes[') ? [] : [part];
    return whole.endsWith('length') ? [{ ...part, field: `${partition}.isrNodes (not told)` }] : [];
  });
}

async function questions(
  stage: Stage,
  id: string,
  when: string,
  arrange: (parts: readonly Part[]) => readonly Part[] = (same) => same,
): Promise<void> {
  const topics = [TOPIC, LONELY, STRICT].map((name) => ({ name }));
  for (const version of stage.versions('Metadata')) {
    await stage.ask(1, 'Metadata', version, { topics }, { note: when, arrange });
  }
  for (const version of stage.versions('Produce')) {
    const records = recordSet(formatOfProduce(version), [{ value: 'x' }]);
    for (const topic of [TOPIC, LONELY, STRICT]) {
      const note = `${topic}, ${when}`;
      const fields = produceFields(
        topic,
        [0, 1].map((index) => [index, records] as const),
        -1,
      );
      await stage.ask(1, 'Produce', version, fields, { note });
    }
  }
  for (const version of stage.versions('Fetch')) {
    for (const partition of [0, 1]) {
      for (const currentLeaderEpoch of version < 9 ? [-1] : [-1, 0, 1]) {
        const note = `partition ${partition} in epoch ${currentLeaderEpoch}, ${when}`;
        const [topic] = fetchFields(TOPIC, id, 0, { partition })['topics'] as readonly Fields[];
        const [asked] = topic?.['partitions'] as readonly Fields[];
        const fields = { topics: [{ ...topic, partitions: [{ ...asked, currentLeaderEpoch }] }] };
        await stage.ask(1, 'Fetch', version, { maxWaitMs: 0, minBytes: 0, ...fields }, { note });
      }
    }
  }
  for (const version of stage.versions('ListOffsets')) {
    const asked = [TOPIC, LONELY].map((name) => ({
      name,
      partitions: [0, 1].map((partitionIndex) => ({ partitionIndex, timestamp: -1 })),
    }));
    await stage.ask(1, 'ListOffsets', version, { replicaId: -1, topics: asked }, { note: when });
  }
  for (const topic of [TOPIC, LONELY, STRICT]) await notePaths(stage, `/brokers/topics/${topic}`);
  await notePaths(stage, '/brokers/ids');
  await notePaths(stage, '/controller');
}

export const leaders: Script = { subject: 'Leaders', run };
