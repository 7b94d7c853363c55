import type { NodeMember } from '../support/NodeMember';
import type { CellScene } from './CellScene';
import type { Codec } from './releases';
import type { Allowance } from './RepeatedMessages';

/** The original connector, of 0.8.2.2, knows all codecs but this one. */
const UNKNOWN_TO_JVM: Codec = 'zstd';

/**
 * What happens in a cell, with messages on the way all the time. After each step the group is asked for new messages of
 * all partitions, and what the step has repeated is counted; most may repeat nothing.
 */
export async function play(scene: CellScene, next: (step: string) => void): Promise<void> {
  const { cluster, loads, group } = scene;

  next('one member reads everything');
  for (const load of loads) await load.fill();
  const first = await group.joinNode();
  const filled = await scene.ends();
  await group.until('everything that is there', () => scene.hasAll(filled));
  for (const load of loads) load.start();
  await settle(scene);

  next('a second member shares');
  const second = await group.joinNode();
  await settle(scene);

  next('a broker stops');
  await untilState(scene, 'both brokers in sync', ({ isr }) => isr.length === cluster.brokers.length);
  await scene.stopBroker(1);
  await untilState(scene, 'the other broker as leader', ({ leader }) => leader === 2);
  await settle(scene);
  next('the broker is back');
  await cluster.startBroker(1);
  await settle(scene);

  next('a session is expired');
  const session = sessionOf(first);
  await cluster.expireSession(session);
  await group.until('another session', () => sessionOf(first) !== session);
  await settle(scene, { reason: 'sessionLost', member: first.consumerId });

  next('a member of the JVM shares');
  const jvm = await group.joinJvm(
    loads.filter(({ codec }) => codec !== UNKNOWN_TO_JVM).map(({ topic }) => topic),
  );
  await settle(scene, { reason: 'jvmMember', member: jvm.consumerId });
  next('the member of the JVM leaves');
  await group.leave(jvm);
  await settle(scene, { reason: 'jvmMember', member: jvm.consumerId });

  next('a member is killed');
  await group.kill(second);
  await settle(scene, { reason: 'memberKilled', member: second.consumerId });

  next('the load ends');
  for (const load of loads) await load.stop();
  const ends = await scene.ends();
  await group.until('everything that was sent', () => scene.hasAll(ends));
  next('the last member leaves');
  await group.leave(first);
  scene.repeated.count(group.members, null);
  scene.account(ends);
  await group.untilStored(ends);
  await group.untilEmpty();
}

/** Everybody has the own share, everything goes on, and what was repeated is explained. */
async function settle({ group, repeated }: CellScene, allowance: Allowance | null = null): Promise<void> {
  await group.share();
  await group.progress();
  repeated.count(group.members, allowance);
}

/** Resolves when the condition holds for the state of each partition, as the controller has written it. */
async function untilState(
  { cluster, loads, group }: CellScene,
  description: string,
  condition: (state: { readonly leader: number; readonly isr: readonly number[] }) => boolean,
): Promise<void> {
  await using zookeeper = await cluster.zookeeper();
  for (const { topic, partitions } of loads) {
    for (const partition of partitions) {
      await group.until(`${description} for ${topic}/${partition}`, async () => {
        const node = await zookeeper.get(`/brokers/topics/${topic}/partitions/${partition}/state`);
        return condition(JSON.parse(node?.data?.toString() ?? '') as Parameters<typeof condition>[0]);
      });
    }
  }
}

function sessionOf(member: NodeMember): string {
  return member.eventsOf('session:connected').at(-1)?.sessionId ?? '';
}
