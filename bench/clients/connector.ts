import { ZookeeperConsumerConnector } from '../../lib';
import { failAndExit, readJob, reportAndExit } from './job';
import { Measure } from './Measure';

/** This package with its default settings: offsets in ZooKeeper, committed once a minute as in the JVM. */
async function main(): Promise<void> {
  const job = readJob();
  const measure = new Measure(job);
  const connector = new ZookeeperConsumerConnector({
    'zookeeper.connect': job.zookeeper,
    'group.id': job.group,
    'auto.offset.reset': 'smallest',
  });
  const streams = await connector.createMessageStreams({ [job.topic]: 1 });
  const stream = streams.get(job.topic)?.[0];
  if (stream === undefined) throw new Error('no stream');
  if (job.delivery === 'batches') {
    for await (const { messages } of stream.batches()) {
      let isLast = false;
      for (const message of messages) isLast = measure.add(message.value);
      if (isLast) break;
    }
  } else {
    for await (const message of stream) if (measure.add(message.value)) break;
  }
  const report = measure.report();
  await connector.shutdown();
  reportAndExit(report);
}

main().catch(failAndExit);
