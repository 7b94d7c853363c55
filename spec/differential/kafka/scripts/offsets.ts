import type { Fields, Value } from '../definitions/messageDefinition';
import type { Script } from '../script';
import { SILENCE_MS, type Stage } from '../Stage';
import { coordinatorOf } from './coordinator';
import { notePaths } from './nodes';
import { createTopic } from '../topics';

const TOPIC = 'offsets';
const OTHER = 'offsets-other';
const UNKNOWN = 'offsets-nowhere';
const COMMIT_TIME = 1_600_000_000_000;
const METADATA_LIMIT = 4096;
/** The first version that asks for the partitions of several groups. */
const GROUPS_VERSION = 8;
/** Version 0 keeps offsets in ZooKeeper, and later ones in the group's log. */
const ZOOKEEPER_VERSION = 0;

function committed(
  topic: string,
  partitions: Readonly<Record<number, number>>,
  metadata: string | null = 'm',
): Fields {
  const entries = Object.entries(partitions).map(([index, offset]) => ({
    partitionIndex: Number(index),
    committedOffset: offset,
    committedMetadata: metadata,
  }));
  return { name: topic, partitions: entries };
}

function commitFields(version: number, groupId: string, topics: readonly Value[], more: Fields = {}): Fields {
  // 0.8.2 takes a time from the client in version 1.
  const timed = topics.map((topic) => (version === 1 ? withTime(topic as Fields) : topic));
  const member = version === ZOOKEEPER_VERSION ? {} : { generationIdOrMemberEpoch: -1, memberId: '' };
  return { groupId, topics: timed, ...member, ...more };
}

function withTime(topic: Fields): Fields {
  const partitions = (topic['partitions'] as readonly Fields[]).map((one) => ({
    ...one,
    commitTimestamp: COMMIT_TIME,
  }));
  return { ...topic, partitions };
}

function fetchFields(
  version: number,
  groupId: string,
  topics: readonly Value[] | null,
  more: Fields = {},
): Fields {
  if (version < GROUPS_VERSION) return { groupId, topics, ...more };
  return { groups: [{ groupId, topics }], ...more };
}

async function run(stage: Stage): Promise<void> {
  await createTopic(stage, TOPIC, { assignment: [[1], [2], [1]] });
  await createTopic(stage, OTHER);
  for (const version of stage.versions('OffsetCommit')) await commits(stage, version);
  for (const version of stage.versions('OffsetFetch')) await fetches(stage, version);
  stage.begin('Offsets in ZooKeeper');
  await notePaths(stage, '/consumers');
}

async function commits(stage: Stage, version: number): Promise<void> {
  const group = `offsets-group-${version}`;
  const coordinator = version === ZOOKEEPER_VERSION ? 1 : await coordinatorOf(stage, group);
  const ask = (
    note: string,
    topics: readonly Value[],
    more: Fields = {},
    broker = coordinator,
  ): Promise<Fields> =>
    stage.ask(broker, 'OffsetCommit', version, commitFields(version, group, topics, more), { note });
  await ask('one', [committed(TOPIC, { 0: 7 })]);
  await ask('more', [committed(TOPIC, { 0: 8, 1: 3, 2: 2 ** 40 }, 'ü'), committed(OTHER, { 0: 0 }, null)]);
  await ask('back', [committed(TOPIC, { 0: 5 }, '')]);
  await ask('negative', [committed(OTHER, { 0: -1 })]);
  await ask('unknown partition', [committed(TOPIC, { 0: 6, 9: 1 })]);
  await ask('unknown topic', [committed(UNKNOWN, { 0: 1 }), committed(OTHER, { 0: 4 })]);
  await ask('illegal topic', [committed('offsets nowhere', { 0: 1 })]);
  await ask('nothing', []);
  await ask('metadata as long as it may be', [committed(TOPIC, { 1: 4 }, 'x'.repeat(METADATA_LIMIT))]);
  await ask('metadata too long', [committed(TOPIC, { 0: 1, 1: 1 }, 'x'.repeat(METADATA_LIMIT + 1))]);
  if (version === ZOOKEEPER_VERSION) return;
  await ask('wrong broker', [committed(TOPIC, { 0: 1 })], {}, coordinator === 1 ? 2 : 1);
  await ask('a generation of nobody', [committed(TOPIC, { 0: 1 })], { generationIdOrMemberEpoch: 3 });
  const member = { generationIdOrMemberEpoch: 3, memberId: 'nobody' };
  await ask('unknown member', [committed(TOPIC, { 0: 1 })], member);
  await ask('no group', [committed(TOPIC, { 0: 1 })], { groupId: '' });
}

async function fetches(stage: Stage, version: number): Promise<void> {
  // The newest commits of the same store.
  const group = `offsets-group-${version === ZOOKEEPER_VERSION ? 0 : stage.newest('OffsetCommit')}`;
  const coordinator = version === ZOOKEEPER_VERSION ? 1 : await coordinatorOf(stage, group);
  const of = (name: string, ...partitionIndexes: readonly number[]): Value => ({ name, partitionIndexes });
  const ask = (
    note: string,
    topics: readonly Value[] | null,
    id = group,
    broker = coordinator,
  ): Promise<Fields> => stage.ask(broker, 'OffsetFetch', version, fetchFields(version, id, topics), { note });
  await ask('one', [of(TOPIC, 0)]);
  await ask('more', [of(TOPIC, 2, 0, 1), of(OTHER, 0)]);
  await ask('one twice', [of(OTHER, 0, 0)]);
  await ask('unknown partition', [of(TOPIC, 0, 9)]);
  await ask('unknown topic', [of(UNKNOWN, 0)]);
  await ask('illegal topic', [of('offsets nowhere', 0)]);
  await ask('nothing', []);
  await ask('no group', [of(TOPIC, 0)], '');
  if (version >= 2) await ask('all', null);
  if (version === ZOOKEEPER_VERSION) {
    await ask('a group without offsets', [of(TOPIC, 0, 1)], 'offsets-of-nobody');
    return;
  }
  const nobody = 'offsets-of-nobody';
  await ask('a group without offsets', [of(TOPIC, 0, 1)], nobody, await coordinatorOf(stage, nobody));
  await ask('wrong broker', [of(TOPIC, 0)], group, coordinator === 1 ? 2 : 1);
  if (version >= 2) await ask('all, wrong broker', null, group, coordinator === 1 ? 2 : 1);
  if (version >= 7) {
    const fields = fetchFields(version, group, [of(TOPIC, 0)], { requireStable: true });
    await stage.ask(coordinator, 'OffsetFetch', version, fields, { note: 'stable' });
  }
  if (version < GROUPS_VERSION) return;
  const groups = [group, nobody, ''].map((groupId) => ({ groupId, topics: [of(TOPIC, 1)] }));
  await stage.ask(coordinator, 'OffsetFetch', version, { groups: groups.slice(0, 1) }, { note: 'one group' });
  await stage.ask(
    coordinator,
    'OffsetFetch',
    version,
    { groups: [] },
    {
      note: 'no groups',
      // Real brokers have forgotten that there may be none.
      timeoutMs: SILENCE_MS,
    },
  );
}

export const offsets: Script = { subject: 'Offsets', run };
