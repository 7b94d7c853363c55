import { CompressionCodecs, CompressionTypes, Kafka, logLevel } from 'kafkajs';
import snappyCodec from 'kafkajs-snappy';

import { failAndExit, readJob, reportAndExit } from './job';
import { Measure } from './Measure';

async function main(): Promise<void> {
  const job = readJob();
  const measure = new Measure(job);
  CompressionCodecs[CompressionTypes.Snappy] = () => snappyCodec;
  const { host, port } = job.broker;
  const kafka = new Kafka({ brokers: [`${host}:${port}`], logLevel: logLevel.ERROR });
  const consumer = kafka.consumer({ groupId: job.group });
  await consumer.connect();
  await consumer.subscribe({ topics: [job.topic], fromBeginning: true });
  let isOver = false;
  await consumer.run({
    // eslint-disable-next-line @typescript-eslint/require-await -- its type asks for a promise
    eachBatch: async ({ batch }) => {
      if (isOver) return;
      for (const message of batch.messages) isOver = measure.add(message.value);
      if (isOver) reportAndExit(measure.report());
    },
  });
}

main().catch(failAndExit);
