/**
 * Consumes all topics whose names match a regex, also those that are created later, and says at each rebalance who owns what.
 * Arguments as for ConsumerGroupExample.ts, with the regex as the topic.
 *
 *   tsx examples/topicFilter.ts --zookeeper localhost:2181/kafka --group my-group --topic 'logs\..*' --threads 2
 */
// In your own project: from 'zookeeper-consumer-connector'.
import {
  decoders,
  Whitelist,
  ZookeeperConsumerConnector,
  type ConsumerRebalanceListener,
  type KafkaStream,
  type Logger,
} from '../lib';
import { runExample, type Arguments } from './runExample';

const listener: ConsumerRebalanceListener = {
  beforeReleasingPartitions(owned) {
    for (const [topic, partitions] of owned) console.error(`releases ${topic}/${[...partitions].join(',')}`);
  },
  beforeStartingFetchers(consumerId, all) {
    for (const [topic, owners] of all) {
      const own = [...owners].filter(([, { consumer }]) => consumer === consumerId);
      console.error(`owns ${own.length} of ${owners.size} partitions of ${topic}`);
    }
  },
};

/** What the connector has to say that events do not: misspelt properties, rebalances that fail. */
const say = (message: string, { error }: { error?: Error } = {}): void =>
  console.error(error === undefined ? message : `${message}: ${error.message}`);
const logger: Logger = { debug: () => undefined, info: () => undefined, warn: say, error: say };

async function main({ config, topic: regex, threads }: Arguments): Promise<void> {
  const connector = new ZookeeperConsumerConnector(config, { logger });
  connector.setConsumerRebalanceListener(listener);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void connector.shutdown());
  try {
    const streams = await connector.createMessageStreamsByFilter(new Whitelist(regex), threads, {
      valueDecoder: decoders.utf8,
    });
    await Promise.all([...streams.map(consume), connector.closed]);
  } finally {
    await connector.shutdown();
  }
  console.error('left the group');
}

/** Messages of all topics come mixed. */
async function consume(stream: KafkaStream<Buffer, string>): Promise<void> {
  for await (const { topic, partition, offset, value } of stream) {
    console.log(
      `${stream.threadId}  ${topic}/${partition}  offset ${offset}  value ${JSON.stringify(value)}`,
    );
  }
}

void runExample('Consumes all topics whose names match the regex that is given as TOPIC.', main);
