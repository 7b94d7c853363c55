/**
 * One member of a consumer group that prints what each of its threads gets, like the ConsumerGroupExample of Kafka's
 * wiki. Start it several times with the same group: the members share the partitions of the topic.
 *
 *   tsx examples/ConsumerGroupExample.ts --zookeeper localhost:2181/kafka --group my-group --topic test --threads 2
 */
// In your own project: from 'zookeeper-consumer-connector'.
import {
  decoders,
  ZookeeperConsumerConnector,
  type KafkaStream,
  type Logger,
  type OwnedPartition,
} from '../lib';
import { runExample, type Arguments } from './runExample';

/** Messages go to stdout, everything else to stderr. */
const warn = (message: string, { error }: { error?: Error } = {}): void =>
  console.error(error === undefined ? message : `${message}: ${String(error)}`);
let errors = 0;
const logger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn,
  error: (message, fields) => {
    errors += 1;
    warn(message, fields);
  },
};

async function main({ config, topic, threads }: Arguments): Promise<void> {
  const connector = new ZookeeperConsumerConnector(config, { logger });
  reportRebalances(connector);

  // Ctrl-C and kill: the loops below end, the offsets are committed, the partitions are free for others at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void connector.shutdown());

  try {
    const streams = await connector.createMessageStreams(
      { [topic]: threads },
      { keyDecoder: decoders.utf8, valueDecoder: decoders.utf8 },
    );
    const loops = streams.get(topic)?.map((stream) => consume(stream)) ?? [];
    await Promise.all([...loops, connector.closed]);
  } finally {
    await connector.shutdown();
  }
  // shutdown() never rejects: what could not be done, such as without ZooKeeper, is in the log.
  console.error(errors === 0 ? 'committed and left the group' : 'ended, but not in order: see above');
}

/** A message counts as processed when the loop asks for the next one; only such messages are committed. */
async function consume(stream: KafkaStream<string, string>): Promise<void> {
  for await (const { topic, partition, offset, key, value } of stream) {
    const content = `key ${JSON.stringify(key)}  value ${JSON.stringify(value)}`;
    console.log(`${stream.threadId}  ${topic}/${partition}  offset ${offset}  ${content}`);
  }
}

function reportRebalances(connector: ZookeeperConsumerConnector): void {
  connector.on('rebalance:started', ({ attempt, trigger }) => {
    if (trigger !== 'interval') console.error(`rebalance (${trigger}), attempt ${attempt}`);
  });
  connector.on('rebalance:finished', ({ durationMs, changed }) => {
    if (!changed) return;
    const owned = connector.ownedPartitions();
    console.error(`rebalanced in ${Math.round(durationMs)} ms: ${owned.length} partitions are owned`);
    for (const [threadId, names] of byThread(owned)) console.error(`  ${threadId} owns ${names.join(' ')}`);
  });
  connector.on('partitions:lost', ({ partitions }) => {
    console.error(`the ZooKeeper session is lost, and with it ${partitions.length} partitions`);
  });
}

function byThread(owned: readonly OwnedPartition[]): Map<string, string[]> {
  const threads = new Map<string, string[]>();
  for (const { threadId, topic, partition } of owned) {
    threads.set(threadId, [...(threads.get(threadId) ?? []), `${topic}/${partition}`]);
  }
  return threads;
}

void runExample('Consumes a topic as a member of a group and prints what each thread gets.', main);
