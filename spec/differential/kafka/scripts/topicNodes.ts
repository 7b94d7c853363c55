import { writeMorePartitions } from '../../../support/cluster/topics';
import { waitFor } from '../../../support/waitFor';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { notePaths } from './nodes';
import { createTopic, deleteTopic, topicReady } from '../topics';

const TOPIC = 'nodes';
const CONFIGURED = 'nodes-configured';
const LIMIT_MS = 15_000;

/** What a topic leaves in ZooKeeper while it comes and goes. */
async function run(stage: Stage): Promise<void> {
  const note = async (): Promise<void> => {
    for (const path of [
      '/brokers/topics',
      '/config',
      '/admin',
      '/controller_epoch',
      '/isr_change_notification',
    ]) {
      await notePaths(stage, path, isOwn);
    }
  };
  await createTopic(stage, TOPIC, {
    assignment: [
      [1, 2],
      [2, 1],
    ],
  });
  await createTopic(stage, CONFIGURED, { config: { 'retention.ms': '1000000000000' } });
  await note();
  await writeMorePartitions(stage.zookeeper, TOPIC, 3, stage.side.brokers.length);
  await waitFor(() => stage.zookeeper.exists(`/brokers/topics/${TOPIC}/partitions/2/state`), {
    timeoutMs: LIMIT_MS,
    description: 'the state of the new partition',
  });
  await note();
  await topicReady(stage, TOPIC, 3);
  await stage.ask(
    1,
    'Metadata',
    stage.newest('Metadata'),
    { topics: [{ name: TOPIC }] },
    { note: 'more partitions' },
  );
  await deleteTopic(stage, TOPIC);
  await deleteTopic(stage, CONFIGURED);
  await note();
  for (const version of stage.versions('Metadata').slice(-1)) {
    const fields = { topics: [{ name: TOPIC }], allowAutoTopicCreation: false };
    if (version >= 4) await stage.ask(1, 'Metadata', version, fields, { note: 'deleted' });
  }
}

/** Other scripts have left theirs, and those of groups are where chance has put them. */
function isOwn(path: string): boolean {
  const [, , parent, name = TOPIC] = path.split('/');
  return parent !== 'topics' || name.startsWith(TOPIC);
}

export const topicNodes: Script = { subject: 'Nodes of topics', run };
