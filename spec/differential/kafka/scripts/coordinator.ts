import { waitFor } from '../../../support/waitFor';
import type { Fields } from '../definitions/messageDefinition';
import type { Expected } from '../KnownNames';
import { readJson } from '../readJson';
import type { Script } from '../script';
import type { Stage } from '../Stage';

const OFFSETS_TOPIC = '__consumer_offsets';
const OFFSETS_PARTITIONS = 3;
const LIMIT_MS = 15_000;

/** The broker that answers for a group, which is ready for it, and known to all. */
export function coordinatorOf(stage: Stage, group: string): Promise<number> {
  return waitFor(
    async () => {
      const answers = await Promise.all(
        stage.side.brokers.map(({ id }) => stage.look(id, 'FindCoordinator', 0, { key: group })),
      );
      const isKnown = answers.every(({ errorCode }) => errorCode === 0);
      return isKnown && Number(answers[0]?.['nodeId']);
    },
    { timeoutMs: LIMIT_MS, description: `the coordinator of ${group}` },
  );
}

/** Which brokers have the partitions of the groups' topic is drawn; a coordinator has to be the leader of the right one. */
export async function expectedFor(stage: Stage, group: string): Promise<Record<string, Expected>> {
  const path = `/brokers/topics/${OFFSETS_TOPIC}/partitions/${partitionOf(group)}/state`;
  const leader = Number((await readJson(stage.zookeeper, path))['leader']);
  const port = stage.side.brokers.find(({ id }) => id === leader)?.port ?? -1;
  const nodeId = { bytes: int32(leader), name: 'leader of the partition' };
  const portOfNode = { bytes: int32(port), name: 'its port' };
  return {
    nodeId,
    'coordinators[].nodeId': nodeId,
    port: portOfNode,
    'coordinators[].port': portOfNode,
  };
}

/** As Java's String.hashCode, without its sign. */
function partitionOf(group: string): number {
  let hash = 0;
  for (let at = 0; at < group.length; at++) hash = (Math.imul(hash, 31) + group.charCodeAt(at)) | 0;
  return (hash & 0x7fff_ffff) % OFFSETS_PARTITIONS;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

async function run(stage: Stage): Promise<void> {
  await stage.ask(1, 'FindCoordinator', 0, { key: 'coordinator-first' }, { note: 'the first one' });
  for (const group of ['coordinator-a', 'coordinator-b', 'coordinator-ä', 'coordinator-first', '']) {
    await coordinatorOf(stage, group);
    const expected = await expectedFor(stage, group);
    for (const version of stage.versions('FindCoordinator')) {
      const options = { note: `of "${group}"`, expected };
      const key: Fields = version >= 4 ? { coordinatorKeys: [group] } : { key: group };
      await stage.ask(1, 'FindCoordinator', version, key, options);
      await stage.ask(2, 'FindCoordinator', version, key, options);
    }
  }
  for (const version of stage.versions('FindCoordinator').filter((one) => one > 0)) {
    const key = (name: string): Fields => (version >= 4 ? { coordinatorKeys: [name] } : { key: name });
    for (const keyType of [2, 3, -1]) {
      await stage.ask(
        1,
        'FindCoordinator',
        version,
        { ...key('x'), keyType },
        { note: `of type ${keyType}` },
      );
    }
    if (version < 4) continue;
    await stage.ask(1, 'FindCoordinator', version, { coordinatorKeys: [] }, { note: 'of nothing' });
  }
}

export const coordinator: Script = { subject: 'FindCoordinator', run };
