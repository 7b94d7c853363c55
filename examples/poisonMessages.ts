/**
 * Goes on behind messages that cannot be handed out: here, values that are not JSON; it is the same with messages that
 * are too large or damaged. Arguments as for ConsumerGroupExample.ts.
 */
// In your own project: from 'zookeeper-consumer-connector'.
import { ConnectorError, decoders, ZookeeperConsumerConnector, type KafkaStream } from '../lib';
import { runExample, type Arguments } from './runExample';

async function main({ config, topic, threads }: Arguments): Promise<void> {
  const connector = new ZookeeperConsumerConnector(config);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void connector.shutdown());
  try {
    const streams = await connector.createMessageStreams(
      { [topic]: threads },
      { valueDecoder: decoders.json },
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
  stream: KafkaStream<Buffer, unknown>,
): Promise<void> {
  for (;;) {
    try {
      for await (const { topic, partition, offset, value } of stream) {
        console.log(`${stream.threadId}  ${topic}/${partition}  offset ${offset}  ${JSON.stringify(value)}`);
      }
      return; // the connector was shut down
    } catch (error) {
      await skip(connector, error);
    }
  }
}

/** The partition of the message stands still until `seek`; the others go on with the next loop. */
async function skip(connector: ZookeeperConsumerConnector, error: unknown): Promise<void> {
  if (!ConnectorError.is(error)) throw error;
  const { topic, partition, nextOffset } = error.context;
  if (topic === undefined || partition === undefined || nextOffset === undefined) throw error;
  try {
    await connector.seek({ topic, partition, nextOffset });
    console.error(`skipped everything before offset ${nextOffset} of ${topic}/${partition}: ${error.code}`);
  } catch (failure) {
    // A rebalance has given the partition to another member, which meets the message next.
    if (!ConnectorError.is(failure) || failure.code !== 'NOT_OWNED') throw failure;
  }
}

void runExample('Consumes a topic of JSON values and goes on behind values that are not JSON.', main);
