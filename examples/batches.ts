/**
 * At least once with commits of one's own: a batch is processed as a whole, then exactly its position is committed.
 * Nothing else is committed (auto.commit.enable is false). Arguments as for ConsumerGroupExample.ts.
 */
// In your own project: from 'zookeeper-consumer-connector'.
import { ConnectorError, decoders, ZookeeperConsumerConnector, type KafkaStream } from '../lib';
import { runExample, type Arguments } from './runExample';

async function main({ config, topic, threads }: Arguments): Promise<void> {
  const connector = new ZookeeperConsumerConnector({ ...config, 'auto.commit.enable': false });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void connector.shutdown());
  try {
    const streams = await connector.createMessageStreams(
      { [topic]: threads },
      { valueDecoder: decoders.utf8 },
    );
    const loops = streams.get(topic)?.map((stream) => consume(connector, stream)) ?? [];
    await Promise.all([...loops, connector.closed]);
  } finally {
    await connector.shutdown();
  }
  console.error('left the group');
}

async function consume(
  connector: ZookeeperConsumerConnector,
  stream: KafkaStream<Buffer, string>,
): Promise<void> {
  // All messages of a batch are of one partition, in order.
  for await (const batch of stream.batches({ maxMessages: 100 })) {
    const { topic, partition, messages, nextOffset } = batch;
    // Your work with `messages` is here, such as one transaction of a database for all of them.
    console.log(`${stream.threadId}  ${topic}/${partition}  ${messages.length} messages`);
    try {
      await connector.commitOffsets([batch]);
      console.log(`${stream.threadId}  ${topic}/${partition}  committed ${nextOffset}`);
    } catch (error) {
      // The partition has gone to another member, which gets these messages again; or ZooKeeper could not be asked,
      // and the next commit of the partition covers this one.
      if (!ConnectorError.is(error) || !(error.code === 'NOT_OWNED' || error.retriable)) throw error;
      console.error(`${topic}/${partition} not committed (${error.code}): these messages will come again`);
    }
  }
}

void runExample('Consumes a topic in batches and commits each batch when it has been processed.', main);
