import { ConsumerGroup } from 'kafka-node';

import { failAndExit, readJob, reportAndExit } from './job';
import { Measure } from './Measure';

/** Values as buffers, as the others; everything else is its default. */
const job = readJob();
const measure = new Measure(job);
const group = new ConsumerGroup(
  {
    kafkaHost: `${job.broker.host}:${job.broker.port}`,
    groupId: job.group,
    fromOffset: 'earliest',
    encoding: 'buffer',
  },
  job.topic,
);
let isOver = false;
group.on('message', ({ value }) => {
  if (isOver) return;
  isOver = measure.add(value as Buffer);
  if (isOver) reportAndExit(measure.report());
});
group.on('error', failAndExit);
